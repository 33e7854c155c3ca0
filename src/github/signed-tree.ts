import { isUtf8 } from "node:buffer";
import type { EntryChange } from "../git/branch-history.ts";
import type { Github } from "./client.ts";

type There = NonNullable<EntryChange["entry"]> & { readonly path: string };

/** The contents of blobs by their ids. */
export type Contents = (blobs: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;

/** What GitHub takes of one blob, in bytes. */
export const LARGEST_BLOB = 40 * 1024 * 1024;

/** A text of at most this many bytes travels with the tree. */
const LARGEST_INLINE = 1_000_000;
/** At most this much text, and this many entries, are in one request for a tree. */
const REQUEST = { bytes: 3_000_000, items: 1_000 };
/** At most this much is in memory at once, or one file. */
const GROUP = { bytes: 16_000_000, items: Number.POSITIVE_INFINITY };

interface Entry {
  readonly path: string;
  readonly mode: "100644" | "100755" | "160000" | "120000";
  readonly type: "blob" | "commit";
  readonly sha?: string | null;
  readonly content?: string;
}

/**
 * Makes trees on GitHub (`contents: write`). Every request is a write, and these go out one in a second: what can
 * travel together does, and what GitHub has already is named only.
 */
export class TreeMaker {
  readonly #github: Github;
  readonly #contents: Contents;
  /** blobs that GitHub has */
  readonly #known = new Set<string>();

  constructor(github: Github, contents: Contents) {
    this.#github = github;
    this.#contents = contents;
  }

  /**
   * @param base the tree that is changed
   * @returns the new tree's id, as GitHub tells it
   * @throws what Octokit throws
   */
  async make(base: string, changes: readonly EntryChange[]): Promise<string> {
    for (const { replaced } of changes) if (replaced !== null) this.#known.add(replaced);
    // First what goes: where a file becomes a folder, the same name would both go and come.
    const gone = changes.filter(({ entry }) => entry === null).map(({ path }) => removalOf(path));
    const there = changes.flatMap(({ path, entry }) => (entry === null ? [] : [{ path: nameOf(path), ...entry }]));
    const entries: Entry[] = [];
    for (const group of inParts(there, ({ size }) => size ?? 0, GROUP)) entries.push(...(await this.#entriesOf(group)));
    let tree = base;
    for (const part of [gone, entries].flatMap((all) => inParts(all, textIn, REQUEST))) {
      tree = (await this.#github.rest.git.createTree({ base_tree: tree, tree: part })).data.sha;
    }
    for (const { object } of there) this.#known.add(object);
    return tree;
  }

  async #entriesOf(files: readonly There[]): Promise<readonly Entry[]> {
    const lacking = files.filter(({ object, size }) => size !== null && !this.#known.has(object));
    const contents = await this.#contents([...new Set(lacking.map(({ object }) => object))]);
    const entries: Entry[] = [];
    for (const { path, mode, object, size } of files) {
      const bytes = contents.get(object);
      const blob = { path, mode: modeOf(mode), type: "blob" } as const;
      if (size === null) entries.push({ path, mode: "160000", type: "commit", sha: object });
      else if (bytes === undefined) entries.push({ ...blob, sha: object });
      else if (travelsAsText(bytes)) entries.push({ ...blob, content: bytes.toString("utf8") });
      else entries.push({ ...blob, sha: await this.#blob(object, bytes) });
    }
    return entries;
  }

  async #blob(object: string, bytes: Buffer): Promise<string> {
    if (this.#known.has(object)) return object;
    const content = { content: bytes.toString("base64"), encoding: "base64" };
    const made = await this.#github.rest.git.createBlob(content);
    this.#known.add(object);
    return made.data.sha;
  }
}

function textIn({ content = "" }: Entry): number {
  return Buffer.byteLength(content);
}

function inParts<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  most: { readonly bytes: number; readonly items: number },
): T[][] {
  const parts: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const last = parts.at(-1);
    bytes += sizeOf(item);
    if (last !== undefined && last.length < most.items && bytes <= most.bytes) last.push(item);
    else {
      parts.push([item]);
      bytes = sizeOf(item);
    }
  }
  return parts;
}

/** A path as text; it has to be UTF-8. */
export function nameOf(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

function removalOf(path: string): Entry {
  return { path: nameOf(path), mode: "100644", type: "blob", sha: null };
}

/** Git has written others in its youth. */
function modeOf(mode: string): Entry["mode"] {
  return mode === "100755" || mode === "120000" ? mode : "100644";
}

/** Whether JSON brings it there byte by byte; of an empty text GitHub could take it that there is none. */
function travelsAsText(bytes: Buffer): boolean {
  if (bytes.length === 0 || bytes.length > LARGEST_INLINE) return false;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return !hasMark && !bytes.includes(0) && isUtf8(bytes);
}
