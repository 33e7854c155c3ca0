import path from "node:path";
import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { LoopEvent } from "../core/events.ts";
import { EVENTS_FILE } from "../core/names.ts";
import type { LoopState } from "../core/state.ts";
import { archiveOf, type LoopFiles } from "./loop-files.ts";

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
  wait_started: true,
  settled: true,
  loop_stopped: true,
  reset: true,
  published: true,
} as const satisfies Record<LoopEvent["type"], true>;

/**
 * The events of a loop, one by one, for any number of them. Skips lines that this version does not understand, and a
 * last one that a crash has cut.
 *
 * @param folder the loop's folder
 * @throws the file system's error when the file is missing
 */
export async function* readEvents(folder: string): AsyncGenerator<LoopEvent> {
  const stream = createReadStream(path.join(folder, EVENTS_FILE), "utf8");
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      const event = parse(line);
      if (isLoopEvent(event)) yield event;
    }
  } finally {
    stream.destroy();
  }
}

/**
 * The events of the generations before `generation`, the oldest first, as far as this machine has them.
 *
 * @throws the file system's error
 */
export async function* readEarlierEvents(loop: LoopFiles, generation: number): AsyncGenerator<LoopEvent> {
  for (let earlier = Math.max(1, generation - EARLIER_GENERATIONS); earlier < generation; earlier += 1) {
    const { folder } = archiveOf(loop, earlier);
    if (existsSync(path.join(folder, EVENTS_FILE))) yield* readEvents(folder);
  }
}

/** The work tree as a loop found it; null where it was not measured. @throws the file system's error without events */
export async function firstSnapshot(folder: string): Promise<LoopState["snapshot"]> {
  for await (const event of readEvents(folder)) return event.type === "loop_started" ? event.snapshot : null;
  return null;
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
