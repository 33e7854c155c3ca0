import { createHash } from "node:crypto";
import { OperationalError } from "../core/errors.ts";
import { encoded, type FileChange, type Side } from "./diff.ts";

/**
 * An object as git gave it out, its content hashed by us: git itself believes what lies under a name, and the agent can
 * write there (T17).
 */
export interface TrueObject {
  readonly type: string;
  /** a byte string */
  readonly content: string;
}

/** Gives out objects by their ids, checked against them; what is missing is left out. */
export type ReadTrue = (ids: readonly string[]) => Promise<ReadonlyMap<string, TrueObject>>;

/** Names of trees: a commit's or a tree's id, or `ID:FOLDER`. */
export type Pair = readonly [from: string, to: string];

/**
 * Reads what `git cat-file --batch` says about ids, a byte string.
 *
 * @throws OperationalError `GIT_OBJECT_FORGED` where a content is not what its id says
 */
export function parseTrueObjects(output: string): ReadonlyMap<string, TrueObject> {
  const found = new Map<string, TrueObject>();
  for (let at = 0, end = output.indexOf("\n"); end !== -1; end = output.indexOf("\n", at)) {
    const [, id = "", type = "", size = ""] = /^([0-9a-f]+) (\w+) (\d+)$/u.exec(output.slice(at, end)) ?? [];
    at = end + 1;
    if (id === "") continue;
    const content = output.slice(at, at + Number(size));
    const digest = createHash(id.length === 64 ? "sha256" : "sha1");
    if (digest.update(`${type} ${content.length}\0${content}`, "latin1").digest("hex") !== id) throw forged(id);
    found.set(id, { type, content });
    at += content.length + 1;
  }
  return found;
}

function forged(id: string): OperationalError {
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
  const roots = await rootsOf(read, pairs.flat());
  const found: (FileChange[] | undefined)[] = [];
  let open = pairs.flatMap(([a, b], pair): Level[] => {
    const [from, to] = [roots.get(a), roots.get(b)];
    found.push(from === undefined || to === undefined ? undefined : []);
    return from === undefined || to === undefined || from === to ? [] : [{ pair, below: "", from, to }];
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

/** The trees under these names. */
async function rootsOf(read: ReadTrue, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const roots = new Map<string, string>();
  const named = [...new Set(names)].map((name) => [name, ...name.split(/:(.*)/su)] as const);
  const objects = await read([...new Set(named.map(([, id = ""]) => id))]);
  for (const [name, id = "", folder = ""] of named) {
    const object = objects.get(id);
    let tree = object?.type === "commit" ? /^tree ([0-9a-f]+)\n/u.exec(object.content)?.[1] : id;
    for (const part of encoded(folder).split("/").filter(Boolean)) {
      if (tree === undefined) break;
      const entry = entriesOf(await read([tree]), tree)?.get(part);
      tree = entry?.mode === FOLDER ? entry.object : undefined;
    }
    if (object !== undefined && tree !== undefined) roots.set(name, tree);
  }
  return roots;
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
