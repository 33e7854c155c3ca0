import path from "node:path";
import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { LoopEvent } from "../core/events.ts";
import { EVENTS_FILE } from "../core/names.ts";
import type { LoopState } from "../core/state.ts";
import { inOwnFolderIfThere, openToRead } from "../os/own-file.ts";
import { archiveOf, folderOf, type LoopFiles } from "./loop-files.ts";

/** Reads at most this many generations, so that the cost of an ending does not grow with them. */
const EARLIER_GENERATIONS = 50;

/** Every kind of event there is; a new one does not compile until it is listed. */
const KINDS = {
  loop_started: true,
  loop_resumed: true,
  turn_abandoned: true,
  turn_started: true,
  session_opened: true,
  turn_ended: true,
  proved: true,
  reviewed: true,
  wait_started: true,
  settled: true,
  story_examined: true,
  story_given_up: true,
  story_shelved: true,
  story_ruled: true,
  loop_stopped: true,
  reset: true,
  published: true,
} as const satisfies Record<LoopEvent["type"], true>;

/**
 * The events of a loop, one by one, for any number of them. Skips lines that this version does not understand, and a
 * last one that a crash has cut. No link in the workspace is followed (T14), and no line is held that is longer than any
 * event.
 *
 * @throws OperationalError `LINK_REFUSED`; the file system's error when the file is missing; Error when it is too long
 */
export async function* readEvents(loop: LoopFiles): AsyncGenerator<LoopEvent> {
  const own = await folderOf(loop);
  const handle = await inOwnFolderIfThere(own, (at) => openToRead(path.join(at, EVENTS_FILE)));
  if (handle === undefined) throw Object.assign(new Error(`${own.path} is not there`), { code: "ENOENT" });
  try {
    for await (const line of linesOf(handle)) {
      const event = eventIn(line);
      if (event !== undefined) yield event;
    }
  } finally {
    await handle.close();
  }
}

/** More than any loop writes; bytes of all events, and characters of one. */
const EVENTS_LIMIT = 1 << 29;
const LINE_LIMIT = 1 << 24;

async function* linesOf(handle: FileHandle): AsyncGenerator<string> {
  const { size } = await handle.stat();
  if (size > EVENTS_LIMIT) throw new Error(`${EVENTS_FILE} has ${size} bytes, and only ${EVENTS_LIMIT} are read`);
  const end = EVENTS_LIMIT;
  const text: AsyncIterable<string> = handle.createReadStream({ start: 0, end, encoding: "utf8", autoClose: false });
  let held = "";
  let isTooLong = false;
  for await (const chunk of text) {
    const [first = "", ...lines] = chunk.split("\n");
    isTooLong ||= held.length + first.length > LINE_LIMIT;
    held = isTooLong ? "" : held + first;
    for (const line of lines) {
      if (!isTooLong) yield held;
      isTooLong = false;
      held = line;
    }
  }
  if (held !== "") yield held;
}

/**
 * The events of the generations before `generation`, the oldest first, as far as this machine has them.
 *
 * @throws the file system's error
 */
export async function* readEarlierEvents(loop: LoopFiles, generation: number): AsyncGenerator<LoopEvent> {
  for (let earlier = Math.max(1, generation - EARLIER_GENERATIONS); earlier < generation; earlier += 1) {
    const archived = archiveOf(loop, earlier);
    if (existsSync(path.join(archived.folder, EVENTS_FILE))) yield* readEvents(archived);
  }
}

/** The work tree as a loop found it; null where it was not measured. @throws the file system's error without events */
export async function firstSnapshot(loop: LoopFiles): Promise<LoopState["snapshot"]> {
  for await (const event of readEvents(loop)) return event.type === "loop_started" ? event.snapshot : null;
  return null;
}

/** The event that a line of the file is; undefined: it is none. */
export function eventIn(line: string): LoopEvent | undefined {
  const event = parse(line);
  return isLoopEvent(event) ? event : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The file is our own; its kind tells an event from anything else. */
function isLoopEvent(value: unknown): value is LoopEvent {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  return typeof value.type === "string" && Object.hasOwn(KINDS, value.type);
}
