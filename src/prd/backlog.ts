import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Backlog } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import type { Undone } from "../core/story/undone.ts";
import type { Item } from "../core/task.ts";
import { hasCode } from "../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, replaceFile } from "../os/own-file.ts";
import type { PrdDocument, StoryMark } from "./document.ts";
import { type Documents, JSON_FILE, MARKDOWN_FILE } from "./folder.ts";
import { keepDocuments } from "./kept-documents.ts";
import { bytesOrForeign, FOREIGN, keepUndone } from "./keep-undone.ts";

export interface StoryBacklogOptions {
  /** of the workspace, absolute */
  readonly root: string;
  /** the loop's folder, absolute: what is put back is kept there */
  readonly loopFolder: string;
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
  const { root, loopFolder, document, markdown, next, marksOf, asFound } = options;
  const { folder } = document.prd;
  const written = new Map<string, Content>([
    [JSON_FILE, asFound === undefined ? document.text : asFound.json],
    [MARKDOWN_FILE, asFound === undefined ? markdown : asFound.markdown],
  ]);
  let last = document.text;
  return {
    async next(state) {
      return next(state);
    },
    async count() {
      return null;
    },
    async sync(state) {
      const wanted = new Map(written);
      if (asFound === undefined) {
        const text = document.render(marksOf(state));
        wanted.set(JSON_FILE, text);
        const versions = [text, last].map((json) => ({ json, markdown }));
        if (text !== last) await keepDocuments({ root, folder: loopFolder }, versions);
        last = text;
      }
      const keep = (file: string, bytes: Buffer) =>
        keepUndone({ root, folder: loopFolder }, state.iteration, file, bytes);
      const changed = await putBack({ root, folder, written, wanted, keep });
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
  /** keeps what a file said; returns where */
  readonly keep: (name: string, bytes: Buffer) => Promise<string>;
}

/** @returns what was neither as it was written nor as it is to be */
async function putBack({ root, folder, written, wanted, keep }: Sync): Promise<readonly Undone[]> {
  await clearWay(root, folder);
  const names = [...wanted.keys()];
  return inOwnFolder({ root, path: path.join(root, folder) }, async (at) => {
    const changed: Undone[] = [];
    await removeUnfinished(at, names);
    for (const name of names) {
      const found = await bytesOrForeign(path.join(at, name));
      const content = wanted.get(name);
      if (says(found, content)) continue;
      if (!says(found, written.get(name))) {
        // On the disk before it is gone here.
        const isPlain = found !== undefined && found !== FOREIGN && (await lstat(path.join(at, name))).nlink === 1;
        const kept = isPlain ? await keep(name, found) : null;
        changed.push({ file: `${folder}/${name}`, kept });
      }
      if (found === FOREIGN || content === undefined) await rm(path.join(at, name), { recursive: true, force: true });
      if (content !== undefined) await replaceFile(at, name, (to) => to.writeFile(content));
    }
    return changed;
  });
}

function says(found: Buffer | undefined | typeof FOREIGN, content: Content): boolean {
  if (found === FOREIGN || found === undefined || content === undefined) return found === content;
  return found.equals(Buffer.from(content));
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
