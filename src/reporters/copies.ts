import path from "node:path";
import { createWriteStream } from "node:fs";
import { type FileHandle, mkdir } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { lastMessageName, rawEventsName } from "../core/names.ts";
import type { Reporter } from "../core/ports.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { settledBy } from "../os/concurrency.ts";
import {
  inOwnFolder,
  inOwnFolderIfThere,
  openToAppend,
  openToRead,
  ownFolder,
  replaceFile,
  workspaceFolder,
} from "../os/own-file.ts";

/** Where what a turn left in the loop's folder is wanted as well. */
interface CopyTargets {
  /** one file that gets the agent's raw stream of every iteration */
  readonly rawEvents: string | null;
  /** a folder that gets the agent's last messages */
  readonly lastMessages: string | null;
}

/** Where a loop works, and its folder; both absolute. */
interface CopySource {
  readonly root: string;
  readonly folder: string;
}

/**
 * Copies the files of each turn when it has ended, one after the other. In the workspace no link
 * is followed, for the agent may have made it (T14); what a person named elsewhere may be a link of theirs.
 *
 * @param failed hears once why a copy could not be made; the loop goes on without it
 */
export function copiesReporter(from: CopySource, targets: CopyTargets, failed: (why: Error) => void): Reporter {
  let queue: Promise<void> = Promise.resolve();
  let said = false;
  const copy = async (iteration: number): Promise<void> => {
    try {
      await appendRawEvents(from, rawEventsName(iteration), targets.rawEvents);
      await copyLastMessage(from, lastMessageName(iteration), targets.lastMessages);
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

async function appendRawEvents(from: CopySource, name: string, to: string | null): Promise<void> {
  if (to === null) return;
  await reading(from, name, async (source) => {
    const folder = await workspaceFolder(from.root, path.dirname(to));
    if (folder !== undefined) {
      await inOwnFolder(folder, async (at) => add(source, await openToAppend(path.join(at, path.basename(to)))));
      return;
    }
    await mkdir(path.dirname(to), { recursive: true });
    await pipeline(source.createReadStream({ start: 0 }), createWriteStream(to, { flags: "a" }));
  });
}

async function add(source: FileHandle, target: FileHandle): Promise<void> {
  await pipeline(source.createReadStream({ start: 0 }), target.createWriteStream());
}

async function copyLastMessage(from: CopySource, name: string, to: string | null): Promise<void> {
  if (to === null || path.resolve(to) === path.resolve(from.folder)) return;
  await reading(from, name, async (source) => {
    const folder = (await workspaceFolder(from.root, to)) ?? { root: to, path: to };
    await inOwnFolder(folder, async (at) =>
      replaceFile(at, name, async (target) =>
        pipeline(source.createReadStream({ start: 0 }), target.createWriteStream()),
      ),
    );
  });
}

/** A turn that never began leaves no files, which is not a failure. */
async function reading(
  { root, folder }: CopySource,
  name: string,
  copy: (source: FileHandle) => Promise<void>,
): Promise<void> {
  await inOwnFolderIfThere(await ownFolder(root, folder), async (at) => {
    const source = await unlessMissing(openToRead(path.join(at, name)));
    if (source === undefined) return;
    try {
      await copy(source);
    } finally {
      await source.close();
    }
  });
}
