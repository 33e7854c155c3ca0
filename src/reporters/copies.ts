import path from "node:path";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { lastMessageName, rawEventsName } from "../core/names.ts";
import type { Reporter } from "../core/ports.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { settledBy } from "../os/concurrency.ts";

/** Where what a turn left in the loop's folder is wanted as well. */
interface CopyTargets {
  /** one file that gets the agent's raw stream of every iteration */
  readonly rawEvents: string | null;
  /** a folder that gets the agent's last messages */
  readonly lastMessages: string | null;
}

/**
 * Copies the files of each turn when it has ended, one after the other.
 *
 * @param failed hears once why a copy could not be made; the loop goes on without it
 */
export function copiesReporter(folder: string, targets: CopyTargets, failed: (why: Error) => void): Reporter {
  let queue: Promise<void> = Promise.resolve();
  let said = false;
  const copy = async (iteration: number): Promise<void> => {
    try {
      await appendRawEvents(path.join(folder, rawEventsName(iteration)), targets.rawEvents);
      await copyLastMessage(folder, lastMessageName(iteration), targets.lastMessages);
    } catch (error) {
      if (!said && error instanceof Error) failed(error);
      said = true;
    }
  };
  return {
    report(event) {
      if (event.type !== "turn_ended" && event.type !== "turn_abandoned") return;
      const { iteration } = event;
      queue = queue.then(() => copy(iteration));
    },
    observe() {},
    flush: async (deadline) => settledBy(queue, deadline),
  };
}

async function appendRawEvents(from: string, to: string | null): Promise<void> {
  if (to === null) return;
  await mkdir(path.dirname(to), { recursive: true });
  await unlessMissing(pipeline(createReadStream(from), createWriteStream(to, { flags: "a" })));
}

async function copyLastMessage(folder: string, name: string, to: string | null): Promise<void> {
  if (to === null || path.resolve(to) === path.resolve(folder)) return;
  await mkdir(to, { recursive: true });
  // A turn that never began leaves no files, which is not a failure.
  await unlessMissing(copyFile(path.join(folder, name), path.join(to, name)));
}
