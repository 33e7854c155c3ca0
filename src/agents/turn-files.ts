import path from "node:path";
import { once } from "node:events";
import type { WriteStream } from "node:fs";
import { type FileHandle, rm } from "node:fs/promises";
import { OperationalError } from "../core/errors.ts";
import { lastMessageName, rawEventsName, reviewEventsName, reviewMessageName } from "../core/names.ts";
import {
  inOwnFolder,
  inOwnFolderIfThere,
  openToAppend,
  type OwnFolder,
  ownFolder,
  readOwnFile,
  replaceFile,
} from "../os/own-file.ts";

const NEWLINE = 0x0a;
/** How many bytes may wait for the disk before the agent's output is paused. */
const RAW_BUFFER_BYTES = 1024 * 1024;

/** What an attempt may add to the raw stream, in bytes; more is dropped, and a line says so. The turn goes on. */
const RAW_LIMIT = 256 << 20;

/** What a person is told when that happens. */
export const RAW_CUT =
  "The agent said more than 256 MiB in one attempt: the rest is not in the raw stream, and the turn goes on.";

/** The last line of a raw stream that was cut. */
const CUT = `${JSON.stringify({ type: "smithers.cut", message: `the agent said more than ${RAW_LIMIT} bytes in one attempt; what follows is left out` })}\n`;

/** The agent's raw stream on disk (W-26). Another attempt at the same iteration is added to what is there. */
export class RawFile {
  readonly #stream: WriteStream;
  readonly #limit: number;
  #failed: Error | undefined;
  #written = 0;
  #endsLine = true;
  #cut = false;

  private constructor(stream: WriteStream, limit: number) {
    this.#stream = stream;
    this.#limit = limit;
    stream.on("error", (error) => (this.#failed = error));
  }

  /**
   * What is added begins on a new line.
   *
   * @param handle open for reading and adding
   * @param limit bytes that are added at most, besides the line that says that more was left out
   */
  static async over(handle: FileHandle, limit = RAW_LIMIT): Promise<RawFile> {
    const torn = await endsInsideLine(handle);
    const raw = new RawFile(handle.createWriteStream({ highWaterMark: RAW_BUFFER_BYTES }), limit);
    if (torn) raw.#stream.write("\n");
    return raw;
  }

  /** Why the file is incomplete: the disk is full, for example. */
  get failed(): Error | undefined {
    return this.#failed;
  }

  /** Whether the agent said more than the file takes. */
  get isCut(): boolean {
    return this.#cut;
  }

  /** @returns what to wait for before more is written; nothing when there is still room */
  write(chunk: Buffer): Promise<unknown> | undefined {
    const kept = this.#withinLimit(chunk);
    if (this.#failed !== undefined || kept.length === 0 || this.#stream.write(kept)) return undefined;
    return once(this.#stream, "drain").catch(() => {});
  }

  /** Writes a line to the disk; lines that overlap are written one after the other. @throws the file system's error */
  writeLine(line: string): Promise<void> {
    const kept = this.#withinLimit(Buffer.from(`${line}\n`));
    return new Promise((resolve, reject) => {
      this.#stream.write(kept, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** What of it is still written. */
  #withinLimit(chunk: Buffer): Buffer {
    if (this.#cut) return chunk.subarray(0, 0);
    const kept = chunk.subarray(0, this.#limit - this.#written);
    this.#written += kept.length;
    if (kept.length > 0) this.#endsLine = kept.at(-1) === NEWLINE;
    this.#cut = kept.length < chunk.length;
    return this.#cut ? Buffer.concat([kept, Buffer.from(this.#endsLine ? CUT : `\n${CUT}`)]) : kept;
  }

  async close(): Promise<void> {
    if (!this.#stream.destroyed) await new Promise<void>((resolve) => this.#stream.end(() => resolve()));
  }
}

async function endsInsideLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

/** What a turn leaves in the loop's folder: the raw stream (W-26) and the last message (W-27). */
export interface TurnFiles {
  readonly raw: RawFile;
  /** absolute; the file does not exist when the turn begins */
  readonly lastMessageFile: string;
  /** the loop's */
  readonly folder: OwnFolder;
}

/** Where a turn leaves them. `reviews`: see `AgentContext` */
interface TurnPlace {
  readonly workspaceRoot: string;
  readonly folder: string;
  readonly reviews?: true | undefined;
}

/** The file of the last message, in the loop's folder. */
export function messageName({ reviews }: Pick<TurnPlace, "reviews">, iteration: number): string {
  return reviews === true ? reviewMessageName(iteration) : lastMessageName(iteration);
}

/** What is read of a last message, in bytes. */
const LAST_MESSAGE_LIMIT = 16 << 20;

/**
 * Goes on with the raw stream of earlier attempts and removes their last message. No link is followed (T14).
 *
 * @throws OperationalError `LOOP_FOLDER_NOT_WRITABLE`, `LINK_REFUSED`
 */
export async function openTurnFiles(
  { workspaceRoot, folder, reviews }: TurnPlace,
  iteration: number,
): Promise<TurnFiles> {
  const name = messageName({ reviews }, iteration);
  const events = reviews === true ? reviewEventsName(iteration) : rawEventsName(iteration);
  const lastMessageFile = path.resolve(folder, name);
  try {
    const own = await ownFolder(workspaceRoot, path.resolve(folder));
    const raw = await inOwnFolder(own, async (at) => {
      await rm(path.join(at, name), { force: true });
      return RawFile.over(await openToAppend(path.join(at, events)));
    });
    return { raw, lastMessageFile, folder: own };
  } catch (cause) {
    if (cause instanceof OperationalError) throw cause;
    throw new OperationalError(
      {
        code: "LOOP_FOLDER_NOT_WRITABLE",
        what: `The loop's folder ${folder} cannot be written. No turn was started.`,
        next: "Free space on the disk or correct the folder's permissions, then resume the loop.",
      },
      { cause },
    );
  }
}

/**
 * Writes what the agent said last in an attempt; "" when it said nothing. What ran in the turn may have cleaned the folder
 * away (`git clean -fdx`), or have put a link there, which is replaced.
 *
 * @throws OperationalError `LINK_REFUSED` when the folder is a link now
 */
export async function writeLastMessage({ folder, lastMessageFile }: TurnFiles, text: string): Promise<void> {
  await inOwnFolder(folder, (at) => replaceFile(at, path.basename(lastMessageFile), (to) => to.writeFile(text)));
}

/** What the agent's program wrote as its last message; "" for nothing, and for what is no file of its own. */
export async function readLastMessage({ folder, lastMessageFile }: TurnFiles): Promise<string> {
  const reading = inOwnFolderIfThere(folder, (at) =>
    readOwnFile(path.join(at, path.basename(lastMessageFile)), LAST_MESSAGE_LIMIT),
  );
  return (await reading.catch(() => undefined)) ?? "";
}
