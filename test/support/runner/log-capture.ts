import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Both streams of a process, cut into lines the way the runner does and put in the order in which they came. */
export class LogCapture {
  #lines = "";
  readonly #rests: (() => string)[] = [];
  readonly #listeners = new Set<() => void>();

  /** Whole lines so far. */
  get text(): string {
    return this.#lines;
  }

  onLine(listener: () => void): void {
    this.#listeners.add(listener);
  }

  read(stream: Readable): void {
    const decoder = new StringDecoder("utf8");
    let held = "";
    stream.on("data", (chunk: Buffer) => {
      held += decoder.write(chunk);
      // A line feed may still come after a carriage return at the end.
      const end = Math.max(held.lastIndexOf("\n"), held.slice(0, -1).lastIndexOf("\r")) + 1;
      if (end === 0) return;
      this.#add(held.slice(0, end));
      held = held.slice(end);
    });
    this.#rests.push(() => {
      const rest = held;
      held = "";
      return rest === "" ? "" : `${rest}\n`;
    });
  }

  /** Takes what the streams held back when they were closed. */
  finish(): void {
    for (const rest of this.#rests) this.#add(rest());
  }

  #add(text: string): void {
    this.#lines += text;
    for (const listener of this.#listeners) listener();
  }
}
