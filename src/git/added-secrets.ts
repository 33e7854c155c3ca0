import { done, type Result } from "../core/result.ts";
import type { SecretValues } from "../os/secrets.ts";
import { type BranchRepository, isAncestor } from "./branch-repository.ts";
import { encoded, type FileChange, isFile, nulFields, printable } from "./diff.ts";
import { checkedId, lines } from "./git.ts";
import { commitOf, forged, type Pair, type TrueObject } from "./true-trees.ts";

/** What a push adds to what everybody has already. */
export interface Added {
  readonly commit: string;
  /** commits that are on the remote, with all that they hold */
  readonly known: readonly string[];
  /** further commits that everybody has, as the server says; asked for only when something is found */
  readonly others: () => Promise<readonly string[]>;
}

/** A secret, and where people would read it. */
interface Sighting {
  readonly place: string;
  /** what everybody has where it was there before; null: a secret of this job, which nobody may add anywhere */
  readonly words: readonly string[] | null;
}

/**
 * Where secrets are in what `added` adds, in any of its commits: lines of files, their names, messages, and whatever else
 * stands in a commit. Also finds what one commit adds and the next removes, because people could read it there. A token that
 * is only known by its form, and that everybody has already, was moved or merged, and is not the loop's: tests hold such
 * tokens.
 *
 * The agent can write the objects that git reads here, and the server takes them by their names: each is hashed by us, and
 * what was hashed is what is searched; nothing is taken for public which is not.
 *
 * @throws OperationalError `GIT_OBJECT_FORGED`, `GIT_TREE_MALFORMED`; Error where something is missing
 */
export async function placesAdding(
  { remote }: BranchRepository,
  { commit, known, others }: Added,
  secrets: SecretValues,
): Promise<Result<readonly string[]>> {
  const commits = await commitsAdded(remote, commit, known);
  const found = await inFiles(remote, await changesOf(remote, commits), secrets);
  for (const [id, commit] of commits) {
    for (const piece of piecesOf(textOf(id, commit), placeInCommit)) found.push(...sightings(piece, secrets));
  }
  const words = [...new Set(found.flatMap((one) => one.words ?? []))];
  const before = words.length === 0 ? new Set() : await present(remote, words, [...known, ...(await others())]);
  const added = found.filter((one) => one.words === null || !one.words.every((word) => before.has(word)));
  return done([...new Set(added.map(({ place }) => place))]);
}

type Remote = BranchRepository["remote"];
/** A partial clone may have to fetch what is looked at. */
const ONLINE = { online: true };

/** Every commit that is added, the latest first, by its own account of its parents: a list of grafts hides none. */
async function commitsAdded(
  remote: Remote,
  commit: string,
  known: readonly string[],
): Promise<ReadonlyMap<string, TrueObject>> {
  const everybodys = known.map(checkedId);
  const commits = new Map<string, TrueObject>();
  const outside = (of: ReadonlyMap<string, TrueObject>): readonly string[] => {
    const parents = new Set([...of].flatMap(([id, one]) => commitOf(id, one).parents));
    return [...parents].filter((id) => !commits.has(id) && !everybodys.includes(id));
  };
  for (let open: readonly string[] = [checkedId(commit)]; open.length > 0;) {
    const listed = (await remote.run(["rev-list", ...open, "--not", ...everybodys], ONLINE))
      .split("\n")
      .filter(Boolean);
    const read = await remote.trueObjects(listed, ONLINE);
    for (const id of listed) commits.set(id, read.get(id) ?? missing(id));
    // What is not here cannot be sent.
    open = await here(remote, outside(read));
  }
  for (const parent of await here(remote, outside(commits))) {
    const holding = await Promise.all(everybodys.map(async (one) => isAncestor({ remote }, parent, one)));
    if (!holding.includes(true)) throw forged(parent);
  }
  return commits;
}

async function here(remote: Remote, ids: readonly string[]): Promise<readonly string[]> {
  return (await remote.find(ids)).flatMap((one) => one?.object ?? []);
}

/** What each commit changes, for each of its parents. */
async function changesOf(remote: Remote, commits: ReadonlyMap<string, TrueObject>): Promise<readonly FileChange[]> {
  const pairs = [...commits].flatMap(([id, commit]): Pair[] => {
    const { parents } = commitOf(id, commit);
    return (parents.length === 0 ? [null] : parents).map((parent) => [parent, id]);
  });
  const changes = await remote.differingAll(pairs, ONLINE);
  // A parent that a shallow clone lacks.
  const whole = await remote.differingAll(
    pairs.flatMap(([, id], at): Pair[] => (changes[at] === undefined ? [[null, id]] : [])),
    ONLINE,
  );
  return [...changes.flatMap((one) => one ?? []), ...whole.flatMap((one) => one ?? missing("of a tree"))];
}

/** What was asked for without a limit is kept whole. */
function textOf(id: string, object: TrueObject | undefined): string {
  return object?.content ?? missing(id);
}

function missing(id: string): never {
  throw new Error(`an object of the repository is missing: ${id}`);
}

/** What is in new files, and in those lines of changed ones that were not there before; and in the names of new ones. */
async function inFiles(remote: Remote, changes: readonly FileChange[], secrets: SecretValues): Promise<Sighting[]> {
  const suspects = new Set<string>();
  const files = changes.filter(({ after }) => isFile(after));
  await eachContent(remote, [...new Set(files.map(({ after }) => after.object))], (id, content) => {
    for (const { text } of piecesOf(content)) if (secrets.areIn(text)) suspects.add(id);
  });
  const found: Sighting[] = [];
  for (const { path, status, before, after } of changes) {
    if (status === "A") found.push(...sightings({ text: path, at: () => "a file's name" }, secrets));
    if (!isFile(after) || !suspects.has(after.object)) continue;
    const ids = [before, after].filter(isFile).map(({ object }) => object);
    const objects = await remote.trueObjects(ids, ONLINE);
    const had = piecesOf(objects.get(before.object)?.content ?? "").map(({ text }) => `\n${text}\n`);
    const isOld = (rows: string): boolean => had.some((text) => text.includes(`\n${rows}\n`));
    const at = (above: string) => `line ${above.split("\n").length} of ${printable(path)}`;
    const content = textOf(after.object, objects.get(after.object));
    for (const piece of piecesOf(content, at)) found.push(...sightings(piece, secrets, isOld));
  }
  return found;
}

/** At most this much is in memory at once, or one file. */
const BATCH_BYTES = 64 << 20;

/** Looks at each of these blobs. @throws Error when one is missing */
async function eachContent(
  remote: Remote,
  ids: readonly string[],
  look: (id: string, content: string) => void,
): Promise<void> {
  const sizes = await remote.sizes(ids, ONLINE);
  let [batch, bytes]: [string[], number] = [[], 0];
  const read = async () => {
    const objects = await remote.trueObjects(batch, ONLINE);
    for (const id of batch) look(id, textOf(id, objects.get(id)));
    [batch, bytes] = [[], 0];
  };
  for (const id of ids) {
    batch.push(id);
    bytes += sizes.get(id) ?? missing(id);
    if (bytes >= BATCH_BYTES) await read();
  }
  await read();
}

/** A text that somebody adds. */
interface Piece {
  /** a byte string */
  readonly text: string;
  /** where something in it is. @param before what precedes it in the text */
  readonly at: (before: string) => string;
}

/** Text in UTF-16, of the letters of Latin: programs of Windows write it. */
const WIDE = /(?:[^\0]\0){6,}/gu;

/** What there is to read in a content: all of it, and what is text in UTF-16 once more as we search it. */
function piecesOf(content: string, at: Piece["at"] = () => ""): readonly Piece[] {
  // The last letter's other half comes first where the greater half does.
  const wide = content.includes("\0") ? Array.from(`${content}\0`.matchAll(WIDE)) : [];
  const read = wide.map(({ 0: text, index }): Piece => {
    const plain = encoded(text.replaceAll(/\0/gu, ""));
    return { text: plain, at: (before) => at(content.slice(0, index) + before) };
  });
  return [{ text: content, at }, ...read];
}

function placeInCommit(before: string): string {
  if (before.includes("\n\n")) return "a commit's message";
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return /^(?:author|committer) /u.test(line) ? "a commit's author or committer" : "a commit's header";
}

/** @param isOld whether these whole lines were there before */
function sightings(
  { text, at }: Piece,
  secrets: SecretValues,
  isOld: (rows: string) => boolean = () => false,
): readonly Sighting[] {
  return secrets.found(text).flatMap(({ start, end, isGiven }): readonly Sighting[] => {
    const [first, last] = [text.lastIndexOf("\n", start - 1) + 1, text.indexOf("\n", end - 1)];
    if (isOld(text.slice(start === 0 ? 0 : first, last === -1 ? text.length : last))) return [];
    const place = at(text.slice(0, start));
    const shown = text.slice(start, end);
    if (isGiven) return [{ place, words: null }];
    if (!shown.startsWith("-----")) return [{ place, words: [shown] }];
    // The first line of a key is in many texts; what makes it a key comes after it.
    const inside = shown.replaceAll(/-----(?:BEGIN|END)[^-]*-----/gu, "").match(/[A-Za-z\d+/=]{12,}/gu) ?? [];
    return inside.length === 0 ? [] : [{ place, words: inside }];
  });
}

/** How git looks for files with one of the words; nothing that attributes or configuration name is run or left out. */
const GREP =
  "grep --fixed-strings --word-regexp --text --files-with-matches --null --no-color --no-textconv -f -".split(" ");

/** Which of these words the commits hold in any of their files, as a whole; what git cannot tell is not held. */
async function present(
  remote: Remote,
  words: readonly string[],
  commits: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const commit of new Set(commits.map(checkedId))) {
    const { stdout } = await remote.try([...GREP, commit], { ...ONLINE, input: lines(words) });
    const paths = new Set(nulFields(stdout).map((name) => name.slice(commit.length + 1)));
    if (paths.size === 0) continue;
    const files = (await remote.differing(null, commit, ONLINE)) ?? [];
    const ids = files.filter(({ path, after }) => paths.has(path) && isFile(after)).map(({ after }) => after.object);
    await eachContent(remote, [...new Set(ids)], (_id, content) => {
      for (const word of words) if (holdsWord(content, word)) found.add(word);
    });
  }
  return found;
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/\w/u.test(text.charAt(at - 1)) && !/\w/u.test(text.charAt(at + word.length))) return true;
  }
  return false;
}
