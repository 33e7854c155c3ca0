import { createHash, type Hash } from "node:crypto";
import { OperationalError } from "../core/errors.ts";
import { decoded, encoded, type FileChange, type Side } from "./diff.ts";

/**
 * An object as git gave it out, its content hashed by us: git itself believes what lies under a name, and the agent can
 * write there (T17).
 */
export interface TrueObject {
  readonly type: string;
  readonly bytes: number;
  /** a byte string; undefined: more than was to be kept */
  readonly content: string | undefined;
}

export type TrueObjects = ReadonlyMap<string, TrueObject>;

/**
 * Gives out objects by their ids, checked against them; what is missing is left out.
 *
 * @param keep bytes of content that are kept, of all together; absent: all
 * @throws OperationalError `GIT_OBJECT_FORGED` where a content is not what its id says
 */
export type ReadTrue = (ids: readonly string[], keep?: number) => Promise<TrueObjects>;

/** Names of trees: a commit's or a tree's id, or `ID:FOLDER`; null: nothing. */
export type Pair = readonly [from: string | null, to: string];

/** What somebody waits for. */
interface Question {
  left: number;
  room: number;
  readonly found: Map<string, TrueObject>;
  readonly resolve: (found: TrueObjects) => void;
  readonly reject: (why: Error) => void;
}

/** An object of which a part has come. */
interface Coming {
  readonly id: string;
  readonly type: string;
  readonly bytes: number;
  readonly hash: Hash;
  readonly kept: Buffer[] | undefined;
  /** with the line's end behind it */
  left: number;
}

/** Takes apart what `git cat-file --batch` says, as it comes, and hands it to those who asked, in their order. */
export class Answers {
  readonly #questions: Question[] = [];
  #line = "";
  #coming: Coming | undefined;
  #failed: Error | undefined;

  /** The answers to the next `count` ids that git is asked for. @throws OperationalError `GIT_OBJECT_FORGED` */
  next(count: number, keep: number): Promise<TrueObjects> {
    return new Promise((resolve, reject) => {
      if (this.#failed !== undefined) reject(this.#failed);
      else this.#questions.push({ left: count, room: keep, found: new Map(), resolve, reject });
    });
  }

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.#failed === undefined;) {
      if (this.#coming !== undefined) {
        at += this.#goOn(this.#coming, chunk.subarray(at));
        continue;
      }
      const end = chunk.indexOf("\n", at);
      this.#line += chunk.toString("latin1", at, end === -1 ? chunk.length : end);
      at = end === -1 ? chunk.length : end + 1;
      if (end !== -1) this.#begin();
    }
  }

  /** Nothing more comes. */
  fail(why: Error): void {
    this.#failed ??= why;
    for (const { reject } of this.#questions.splice(0)) reject(why);
  }

  #begin(): void {
    const [, id, type = "", size = ""] = /^([0-9a-f]+) (\w+) (\d+)$/u.exec(this.#line) ?? [];
    this.#line = "";
    const [question] = this.#questions;
    // `ID missing`
    if (id === undefined || question === undefined) return this.#answered();
    const bytes = Number(size);
    const isKept = bytes <= question.room;
    question.room = isKept ? question.room - bytes : -1;
    const hash = createHash(id.length === 64 ? "sha256" : "sha1").update(`${type} ${bytes}\0`);
    this.#coming = { id, type, bytes, hash, kept: isKept ? [] : undefined, left: bytes + 1 };
  }

  /** @returns how many bytes it took */
  #goOn(coming: Coming, chunk: Buffer): number {
    const taken = chunk.subarray(0, coming.left);
    const content = taken.subarray(0, coming.left - 1);
    coming.hash.update(content);
    coming.kept?.push(Buffer.from(content));
    coming.left -= taken.length;
    if (coming.left === 0) this.#come(coming);
    return taken.length;
  }

  #come({ id, type, bytes, hash, kept }: Coming): void {
    this.#coming = undefined;
    if (hash.digest("hex") !== id) return this.fail(forged(id));
    const content = kept && Buffer.concat(kept).toString("latin1");
    this.#questions[0]?.found.set(id, { type, bytes, content });
    this.#answered();
  }

  #answered(): void {
    const [question] = this.#questions;
    if (question === undefined) return;
    question.left -= 1;
    if (question.left > 0) return;
    this.#questions.shift();
    question.resolve(question.found);
  }
}

/** What is thrown for an object whose content is another than its name says. */
export function forged(id: string): OperationalError {
  return new OperationalError({
    code: "GIT_OBJECT_FORGED",
    what: `The repository's object ${id} does not hold what its name says: something wrote another content under it, so what the work changes cannot be told. Nothing of it was committed or pushed; your files are unharmed.`,
    next: "Give git fsck --full, put the object right (git fetch --refetch, or a fresh clone), then resume the loop.",
  });
}

function malformed(id: string, why: string): OperationalError {
  return new OperationalError({
    code: "GIT_TREE_MALFORMED",
    what: `The repository's tree ${id} ${why}, so what the work changes cannot be told. Nothing of it was committed or pushed; your files are unharmed.`,
    next: "Give git fsck --full, undo the commit that brought the tree, then resume the loop.",
  });
}

/** No real repository has more; what follows would only cost memory. */
const MOST_LEVELS = 1_000;
const MOST_CHANGES = 2_000_000;

/** Two folders of the same name, of which one may be missing. */
interface Level {
  readonly pair: number;
  /** with a slash behind it, or "" */
  readonly below: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * The files that differ between two trees, as `git diff-tree -r` names them, ordered by path; every tree on the way is
 * one whose content was checked. What both sides hold under the same id is equal and is not read.
 *
 * @returns undefined for a pair of which a tree is not here
 * @throws OperationalError `GIT_OBJECT_FORGED`, `GIT_TREE_MALFORMED`
 */
export async function differencesOf(
  read: ReadTrue,
  pairs: readonly Pair[],
): Promise<readonly (readonly FileChange[] | undefined)[]> {
  const roots = await rootsOf(
    read,
    pairs.flat().filter((name) => name !== null),
  );
  const found: (FileChange[] | undefined)[] = [];
  let open = pairs.flatMap(([a, b], pair): Level[] => {
    const [from, to] = [a === null ? undefined : roots.get(a), roots.get(b)];
    const isHere = to !== undefined && (a === null || from !== undefined);
    found.push(isHere ? [] : undefined);
    return !isHere || from === to ? [] : [{ pair, below: "", from, to }];
  });
  for (let levels = 0, changes = 0; open.length > 0; levels += 1) {
    const trees = await read([...new Set(open.flatMap(({ from, to }) => [from, to].filter((id) => id !== undefined)))]);
    const next: Level[] = [];
    for (const level of open) {
      const into = found[level.pair];
      const [from, to] = [entriesOf(trees, level.from), entriesOf(trees, level.to)];
      if (from === undefined || to === undefined) found[level.pair] = undefined;
      if (into === undefined || from === undefined || to === undefined) continue;
      const before = into.length;
      next.push(...compare(level, from, to, into));
      changes += into.length - before;
    }
    if (levels > MOST_LEVELS || changes + next.length > MOST_CHANGES)
      throw malformed(open[0]?.to ?? "", "holds too much");
    open = next;
  }
  return found.map((changes) => changes?.toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path))));
}

/** The trees under these names; one that is not here, or not in what is named, is left out. */
export async function rootsOf(read: ReadTrue, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const roots = new Map<string, string>();
  const named = [...new Set(names)].map((name) => [name, ...name.split(/:(.*)/su)] as const);
  const objects = await read([...new Set(named.map(([, id = ""]) => id))]);
  for (const [name, id = "", folder = ""] of named) {
    const object = objects.get(id);
    if (object === undefined) continue;
    const tree = object.type === "commit" ? commitOf(id, object).tree : id;
    const parts = encoded(folder).split("/").filter(Boolean).join("/");
    const side = parts === "" ? { mode: FOLDER, object: tree } : (await sidesAt(read, tree, [parts]))?.get(parts);
    if (side?.mode === FOLDER) roots.set(name, side.object);
  }
  return roots;
}

/**
 * What a tree has under these names, byte strings; what it does not have is left out.
 *
 * @returns undefined: a tree on the way is not here
 * @throws OperationalError `GIT_OBJECT_FORGED`, `GIT_TREE_MALFORMED`
 */
export async function sidesAt(
  read: ReadTrue,
  tree: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Side> | undefined> {
  const trees = new Map<string, Entries>();
  const found = new Map<string, Side>();
  for (const name of names) {
    let side: Side | undefined = { mode: FOLDER, object: tree };
    for (const part of name.split("/")) {
      if (side?.mode !== FOLDER) side = undefined;
      if (side === undefined) break;
      const id: string = side.object;
      const entries = trees.get(id) ?? entriesOf(await read([id]), id);
      if (entries === undefined) return undefined;
      trees.set(id, entries);
      side = entries.get(part);
    }
    if (side !== undefined) found.set(name, side);
  }
  return found;
}

/** A commit as its content has it. */
export interface TrueCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Reads a commit. @throws OperationalError `GIT_TREE_MALFORMED` when it is none */
export function commitOf(id: string, { type, content = "" }: TrueObject): TrueCommit {
  const end = content.indexOf("\n\n");
  const header = end === -1 ? content : content.slice(0, end + 1);
  const tree = /^tree ([0-9a-f]+)\n/u.exec(header)?.[1];
  if (type !== "commit" || tree?.length !== id.length) throw malformed(id, "is no commit with a tree");
  // They follow the tree at once; what comes later is text of signatures and other people.
  const lines = /^tree .*\n((?:parent .*\n)*)/u.exec(header)?.[1]?.split("\n").slice(0, -1) ?? [];
  const parents = lines.map((line) => line.slice("parent ".length));
  if (!parents.every((parent) => /^[0-9a-f]+$/u.test(parent) && parent.length === id.length))
    throw malformed(id, "has a parent that is no commit");
  const encoding = /^encoding (.+)$/mu.exec(header)?.[1] ?? "utf-8";
  return { tree, parents, message: end === -1 ? "" : textIn(encoding, content.slice(end + 2)) };
}

function textIn(encoding: string, bytes: string): string {
  try {
    return new TextDecoder(encoding).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return decoded(bytes);
  }
}

const FOLDER = "040000";

type Entries = ReadonlyMap<string, Side>;

/** What a tree holds; undefined: it is not here. */
function entriesOf(trees: ReadonlyMap<string, TrueObject>, id: string | undefined): Entries | undefined {
  if (id === undefined) return new Map();
  const tree = trees.get(id);
  if (tree === undefined) return undefined;
  if (tree.type !== "tree") throw malformed(id, `is a ${tree.type}`);
  const entries = new Map<string, Side>();
  const { content } = tree;
  if (content === undefined) throw malformed(id, "holds too much");
  for (let at = 0; at < content.length;) {
    const end = content.indexOf("\0", at);
    const [, mode = "", name = ""] = /^([0-7]{5,6}) ([^/]+)$/su.exec(content.slice(at, Math.max(at, end))) ?? [];
    at = end + 1 + id.length / 2;
    // Which of two of one name a program takes is its own affair.
    if (name === "" || at > content.length || entries.has(name)) throw malformed(id, "is none that git makes");
    entries.set(name, { mode: plain(mode), object: Buffer.from(content.slice(end + 1, at), "latin1").toString("hex") });
  }
  return entries;
}

/** As git shows modes. */
function plain(mode: string): string {
  const bits = Number.parseInt(mode, 8);
  const kind = bits & 0o170000;
  if (kind === 0o100000) return (bits & 0o100) === 0 ? "100644" : "100755";
  if (kind === 0o120000) return "120000";
  return kind === 0o040000 ? FOLDER : "160000";
}

/** Adds the files that differ. @returns the folders that do */
function compare({ pair, below }: Level, from: Entries, to: Entries, into: FileChange[]): readonly Level[] {
  const folders: Level[] = [];
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    const [a, b] = [from.get(name), to.get(name)];
    if (a?.mode === b?.mode && a?.object === b?.object) continue;
    const [before, after] = [a, b].map((side) => (side?.mode === FOLDER ? undefined : side));
    const [fromFolder, toFolder] = [a, b].map((side) => (side?.mode === FOLDER ? side.object : undefined));
    const path = `${below}${name}`;
    if (fromFolder !== undefined || toFolder !== undefined)
      folders.push({ pair, below: `${path}/`, from: fromFolder, to: toFolder });
    if (before !== undefined || after !== undefined) into.push(changeOf(path, before, after));
  }
  return folders;
}

function changeOf(path: string, before: Side | undefined, after: Side | undefined): FileChange {
  const none = { mode: "000000", object: "0".repeat((before ?? after)?.object.length ?? 40) };
  const kinds = [before, after].map((side) => side?.mode.slice(0, 3));
  const status = before === undefined ? "A" : after === undefined ? "D" : kinds[0] === kinds[1] ? "M" : "T";
  return { path, before: before ?? none, after: after ?? none, status };
}
