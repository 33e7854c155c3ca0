import path from "node:path";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolderIfThere, openToRead, type OwnFolder } from "../os/own-file.ts";

const LOOK_MS = 300;
/** A longer line is cut: nothing that is held grows with what others write. */
const LONGEST = 65_536;
const CHUNK = 65_536;

/**
 * The whole lines of a log that grows, also when its older half is cut away meanwhile. No link is followed (T14).
 *
 * @param goesOn whether more can come; asked when all there is was read
 */
export async function* followLog(
  folder: OwnFolder,
  name: string,
  goesOn: () => Promise<boolean>,
): AsyncGenerator<string> {
  const seen = { file: "", offset: 0, last: "" };
  for (;;) {
    const more = await goesOn();
    yield* newLines(folder, name, seen);
    if (!more) return;
    await sleep(LOOK_MS);
  }
}

/** Where a reader is. `file`: which file that was; `last`: the last line that was read */
interface Seen {
  file: string;
  offset: number;
  last: string;
}

async function* newLines(folder: OwnFolder, name: string, seen: Seen): AsyncGenerator<string> {
  const handle = await inOwnFolderIfThere(folder, (at) => unlessMissing(openToRead(path.join(at, name))));
  if (handle === undefined) return;
  try {
    const { ino, dev } = await handle.stat();
    const file = `${dev}:${ino}`;
    // What was cut away has been read; where the last line is not there any more, all is new.
    const isOther = seen.file !== "" && seen.file !== file;
    const after = isOther ? seen.last : "";
    if (isOther || seen.file === "") Object.assign(seen, { file, offset: 0 });
    yield* after === "" ? linesFrom(handle, seen) : skipped(linesFrom(handle, seen), after);
  } finally {
    await handle.close();
  }
}

/** What comes behind the last line that equals `after`; all of it where none does. Of a cut log that is little. */
async function* skipped(lines: AsyncIterable<string>, after: string): AsyncGenerator<string> {
  let held: string[] = [];
  let isFound = false;
  for await (const line of lines) {
    if (line === after && !isFound) {
      isFound = true;
      held = [];
    } else held.push(line);
  }
  yield* held;
}

/** The whole lines from `seen.offset` on, which is moved behind them. */
async function* linesFrom(handle: FileHandle, seen: Seen): AsyncGenerator<string> {
  const buffer = Buffer.alloc(CHUNK);
  let held = Buffer.alloc(0);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, seen.offset + held.length);
    if (bytesRead === 0) return;
    held = Buffer.concat([held, buffer.subarray(0, bytesRead)]);
    const end = held.lastIndexOf(NEWLINE);
    if (end === -1 && held.length < LONGEST) continue;
    const whole = held.subarray(0, end === -1 ? held.length : end);
    seen.offset += end === -1 ? held.length : end + 1;
    held = end === -1 ? Buffer.alloc(0) : Buffer.from(held.subarray(end + 1));
    for (const line of whole.toString("utf8").split("\n")) {
      seen.last = line;
      yield line;
    }
  }
}

const NEWLINE = 0x0a;
