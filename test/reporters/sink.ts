import { Writable } from "node:stream";

/** A stream that keeps what is written, or whose reader never reads. */
export class Sink extends Writable {
  text = "";
  readonly #reads: boolean;

  constructor(reader: "reads" | "stuck" = "reads") {
    super();
    this.#reads = reader === "reads";
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (!this.#reads) return;
    this.text += chunk.toString();
    done();
  }

  get lines(): string[] {
    return this.text.split("\n").slice(0, -1);
  }
}
