import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import type { Backlog } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import type { Item } from "../core/task.ts";
import { hasCode } from "../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, readOwnBytes, replaceFile } from "../os/own-file.ts";
import type { PrdDocument, StoryMark } from "./document.ts";
import { type Documents, JSON_FILE, MARKDOWN_FILE } from "./folder.ts";
import { LIMITS } from "./shape.ts";

export interface StoryBacklogOptions {
  /** of the workspace, absolute */
  readonly root: string;
  readonly document: PrdDocument;
  /** `prd.md` as it was read; undefined: there was none */
  readonly markdown: string | undefined;
  /** the story to work on now */
  readonly next: (state: LoopState) => Item | undefined;
  /** what the state says of each story */
  readonly marksOf: (state: LoopState) => ReadonlyMap<string, StoryMark>;
  /** the documents as they are checked out, which somebody else marks; absent: `document` is marked here */
  readonly asFound?: Documents;
}

/** A text, or that there is no such file. */
type Content = string | undefined;

/**
 * The stories of a PRD, whose documents are the engine's to write: `sync` puts them back to what the state says, whatever
 * somebody has put there, and never writes through a link.
 */
export function createStoryBacklog(options: StoryBacklogOptions): Backlog {
  const { root, document, markdown, next, marksOf, asFound } = options;
  const { folder } = document.prd;
  const written = new Map<string, Content>([
    [JSON_FILE, asFound === undefined ? document.text : asFound.json],
    [MARKDOWN_FILE, asFound === undefined ? markdown : asFound.markdown],
  ]);
  return {
    async next(state) {
      return next(state);
    },
    async count() {
      return null;
    },
    async sync(state) {
      const wanted = new Map(written);
      if (asFound === undefined) wanted.set(JSON_FILE, document.render(marksOf(state)));
      const changed = await putBack({ root, folder, written, wanted });
      for (const [name, content] of wanted) written.set(name, content);
      return changed;
    },
  };
}

interface Sync {
  readonly root: string;
  readonly folder: string;
  /** by the files' names */
  readonly written: ReadonlyMap<string, Content>;
  readonly wanted: ReadonlyMap<string, Content>;
}

/** @returns the paths, seen from the workspace, that are not as they were written */
async function putBack({ root, folder, written, wanted }: Sync): Promise<readonly string[]> {
  await clearWay(root, folder);
  const names = [...wanted.keys()];
  return inOwnFolder({ root, path: path.join(root, folder) }, async (at) => {
    const changed: string[] = [];
    await removeUnfinished(at, names);
    for (const name of names) {
      const found = await contentOf(at, name);
      if (found !== written.get(name)) changed.push(`${folder}/${name}`);
      const content = wanted.get(name);
      if (found === content) continue;
      if (found === FOREIGN || content === undefined) await rm(path.join(at, name), { recursive: true, force: true });
      if (content !== undefined) await replaceFile(at, name, (to) => to.writeFile(content));
    }
    return changed;
  });
}

/** Removes what is no folder from the path of the PRD's folder: a link, or a file. */
async function clearWay(root: string, folder: string): Promise<void> {
  let parent = root;
  for (const name of folder.split("/")) {
    const isThere = await inOwnFolderIfThere({ root, path: parent }, async (at) => {
      const found = await lstat(path.join(at, name)).catch((error: unknown) => {
        if (!hasCode(error, "ENOENT")) throw error;
        return undefined;
      });
      if (found !== undefined && !found.isDirectory()) await rm(path.join(at, name));
      return found?.isDirectory() === true;
    });
    if (isThere !== true) return;
    parent = path.join(parent, name);
  }
}

/** What a run that was killed has left of a file it wrote. */
async function removeUnfinished(at: string, names: readonly string[]): Promise<void> {
  for (const name of await readdir(at)) {
    if (names.some((file) => name.startsWith(`.${file}.`)) && /\.\d+\.tmp$/u.test(name)) {
      await rm(path.join(at, name), { recursive: true, force: true });
    }
  }
}

/** What has that name and is no file of ours. */
const FOREIGN = Symbol("foreign");

async function contentOf(at: string, name: string): Promise<Content | typeof FOREIGN> {
  try {
    const bytes = await readOwnBytes(path.join(at, name), 2 * LIMITS.bytes);
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? text : FOREIGN;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    // A folder, a link, a pipe, or too much.
    if (error instanceof OperationalError || (error instanceof Error && !("code" in error))) return FOREIGN;
    throw error;
  }
}
