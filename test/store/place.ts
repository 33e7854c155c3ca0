import { readFile } from "node:fs/promises";
import path from "node:path";
import type { LoopEvent } from "../../src/core/events.ts";
import { FileStore } from "../../src/store/file-store.ts";
import { aState } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";

export const AT = "2026-03-01T10:00:00.000Z";

/** Any event: what a store does not care about. */
export const EVENT: LoopEvent = { type: "session_opened", at: AT, session_id: "s-1" };

/** Where the loop `a-loop` is kept. */
export interface Place extends AsyncDisposable {
  readonly stateFile: string;
  readonly folder: string;
  readonly events: string;
  /** A store over these files that is closed at the end. */
  opened(): Promise<FileStore>;
}

/** An empty place. */
export async function place(): Promise<Place> {
  const base = await tempFolder();
  const folder = path.join(base.path, "loops", "a-loop");
  const stateFile = `${folder}.json`;
  const stores: FileStore[] = [];
  return {
    stateFile,
    folder,
    events: path.join(folder, "events.jsonl"),
    async opened() {
      const store = new FileStore({ stateFile, folder });
      await store.open();
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      await base[Symbol.asyncDispose]();
    },
  };
}

/** A store with revisions 1 to `last` that is closed again. */
export async function withRevisions(at: Place, last: number): Promise<void> {
  const store = await at.opened();
  for (let revision = 1; revision <= last; revision++) await store.append(EVENT, aState({ revision }));
  await store.close();
}

/** The revisions of the events in a file, in order. */
export async function revisionsIn(file: string): Promise<readonly number[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => Number(/"revision":(\d+)/u.exec(line)?.[1]));
}
