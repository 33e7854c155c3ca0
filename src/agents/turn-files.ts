import path from "node:path";
import { type FileHandle, mkdir, open, rm, writeFile } from "node:fs/promises";
import { lastMessageName, rawEventsName } from "../core/names.ts";

/** What a turn leaves in the loop's folder: the raw stream (W-26) and the last message (W-27). */
export class TurnFiles {
  readonly #raw: FileHandle;
  readonly #lastMessageFile: string;
  #written: Promise<void> = Promise.resolve();

  private constructor(raw: FileHandle, lastMessageFile: string) {
    this.#raw = raw;
    this.#lastMessageFile = lastMessageFile;
  }

  /** Goes on with the raw stream of earlier attempts and removes their last message. */
  static async open(folder: string, iteration: number): Promise<TurnFiles> {
    const lastMessageFile = path.join(folder, lastMessageName(iteration));
    await mkdir(folder, { recursive: true });
    await rm(lastMessageFile, { force: true });
    return new TurnFiles(await open(path.join(folder, rawEventsName(iteration)), "a"), lastMessageFile);
  }

  /** Appends one line to the raw stream; calls that overlap are written one after the other. */
  writeRaw(line: string): Promise<void> {
    this.#written = this.#written.then(() => this.#raw.appendFile(`${line}\n`));
    return this.#written;
  }

  /** What the agent said last in this attempt; "" when it said nothing. */
  async writeLastMessage(text: string): Promise<void> {
    // What ran in the turn may have cleaned the folder away (`git clean -fdx`).
    await mkdir(path.dirname(this.#lastMessageFile), { recursive: true });
    await writeFile(this.#lastMessageFile, text);
  }

  async close(): Promise<void> {
    await this.#raw.close();
  }
}
