import { done, type Result } from "../core/result.ts";
import type { SecretValues } from "../os/secrets.ts";
import { type BranchRepository, isAncestor } from "./branch-repository.ts";
import { isFile, printable } from "./diff.ts";
import { checkedId, lines } from "./git.ts";
import { commitOf, forged, type Pair } from "./true-trees.ts";

/** What a push adds to what everybody has already. */
export interface Added {
  readonly commit: string;
  /** commits that are on the remote, with all that they hold */
  readonly known: readonly string[];
  /** further commits that everybody has, as the server says; asked for only when something is found */
  readonly others: () => Promise<readonly string[]>;
}

/** Every line as git stores it; nothing that attributes or configuration name is run or left out. */
const PLAIN = "--patch --unified=0 --text -m --no-renames --no-ext-diff --no-textconv --no-color".split(" ");

/** A secret, and where people would read it. */
interface Sighting {
  readonly place: string;
  /** what everybody has where it was there before; null: a secret of this job, which nobody may add anywhere */
  readonly words: readonly string[] | null;
}

/**
 * Where secrets are in what `added` adds, in any of its commits: lines of files, as people read their names, messages, and who made
 * the commits.
 * Also finds what one commit adds and the next removes, because people could read it there. A token that is only known by
 * its form, and that everybody has already, was moved or merged, and is not the loop's: tests hold such tokens.
 */
export async function placesAdding(
  { remote }: BranchRepository,
  { commit, known, others }: Added,
  secrets: SecretValues,
): Promise<Result<readonly string[]>> {
  const range = [checkedId(commit), "--not", ...known.map(checkedId)];
  // A partial clone may have to fetch what the commits replace.
  await refuseForged({ remote }, commit, known);
  const log = async (...how: string[]) => remote.run(["log", ...how, ...range, "--"], { online: true });
  const [messages, people, patch] = await Promise.all([
    log("--format=%B"),
    log("--format=%an%n%ae%n%cn%n%ce"),
    log("--format=", ...PLAIN),
  ]);
  const found = [...addedIn(patch)].flatMap((piece) => sightings(piece, secrets));
  found.push(...sightings({ text: messages, at: () => "a commit's message" }, secrets));
  found.push(...sightings({ text: people, at: () => "a commit's author or committer" }, secrets));
  const words = [...new Set(found.flatMap((one) => one.words ?? []))];
  const before = words.length === 0 ? new Set() : await present(remote, words, [...known, ...(await others())]);
  const added = found.filter((one) => one.words === null || !one.words.every((word) => before.has(word)));
  return done([...new Set(added.map(({ place }) => place))]);
}

/**
 * Refuses what git would show otherwise than it is: the agent can write the objects that git reads here, the server takes
 * them by their names. Every commit that is added, each tree on the way to what it changes, and each of its new files;
 * and that nothing is taken for public which is not.
 *
 * @throws OperationalError `GIT_OBJECT_FORGED`, `GIT_TREE_MALFORMED`
 */
async function refuseForged({ remote }: Pick<BranchRepository, "remote">, commit: string, known: readonly string[]) {
  const online = { online: true };
  const ids = nonEmpty(await remote.run(["rev-list", checkedId(commit), "--not", ...known.map(checkedId)], online));
  const commits = new Map([...(await remote.trueObjects(ids, online))].map(([id, one]) => [id, commitOf(id, one)]));
  const pairs = [...commits].flatMap(([id, { parents }]): Pair[] =>
    (parents.length === 0 ? [null] : parents).map((parent) => [parent, id]),
  );
  const found = await remote.differingAll(pairs, online);
  // Of a parent that is not here, git shows a commit as if it had brought everything.
  const whole = pairs.flatMap(([, id], i): Pair[] => (found[i] === undefined ? [[null, id]] : []));
  const changes = [...found, ...(await remote.differingAll(whole, online))].flatMap((one) => one ?? []);
  const blobs = changes.flatMap(({ before, after }) => [before, after].filter(isFile));
  await remote.trueSizes([...new Set(blobs.map(({ object }) => object))], online);
  const here = pairs.flatMap(([parent], i) => (parent === null || found[i] === undefined ? [] : [parent]));
  const edge = [...new Set(here)].filter((parent) => !commits.has(parent) && !known.includes(parent));
  for (const parent of edge) {
    const holding = await Promise.all(known.map((one) => isAncestor({ remote }, parent, one)));
    if (!holding.includes(true)) throw forged(parent);
  }
}

function nonEmpty(text: string): readonly string[] {
  return text.split("\n").filter(Boolean);
}

/** A text that somebody adds. */
interface Piece {
  /** a byte string */
  readonly text: string;
  /** where something in it is. @param before what precedes it in the text */
  readonly at: (before: string) => string;
}

/** The added lines of a patch, those that follow each other in one piece, and the names of new files. */
function* addedIn(patch: string): Generator<Piece> {
  const rows = patch.split("\n");
  let name = "";
  for (let row = 0; row < rows.length; row += 1) {
    const line = rows[row] ?? "";
    if (line.startsWith("diff --git ")) name = line.slice("diff --git ".length);
    else if (line.startsWith("new file mode ")) yield { text: name, at: () => "a file's name" };
    else if (line.startsWith("+++ ")) name = line.replace(/^\+\+\+ "?b\//u, "").replace(/[\t"]$/u, "");
    const [, taken = "1", first, count = "1"] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u.exec(line) ?? [];
    if (first === undefined) continue;
    // By its length: a line of a file can look like a part of the patch.
    let left = Number(taken) + Number(count);
    const added: string[] = [];
    while (left > 0 && row + 1 < rows.length) {
      row += 1;
      const inside = rows[row] ?? "";
      if (inside.startsWith("+")) added.push(inside.slice(1));
      left -= inside.startsWith("\\") ? 0 : 1;
    }
    const file = name;
    const at = (before: string) => `line ${Number(first) + before.split("\n").length - 1} of ${printable(file)}`;
    if (added.length > 0) yield { text: added.join("\n"), at };
  }
}

function sightings({ text, at }: Piece, secrets: SecretValues): readonly Sighting[] {
  return secrets.found(text).flatMap(({ start, end, isGiven }): readonly Sighting[] => {
    const place = at(text.slice(0, start));
    const shown = text.slice(start, end);
    if (isGiven) return [{ place, words: null }];
    if (!shown.startsWith("-----")) return [{ place, words: [shown] }];
    // The first line of a key is in many texts; what makes it a key comes after it.
    const inside = shown.replaceAll(/-----(?:BEGIN|END)[^-]*-----/gu, "").match(/[A-Za-z\d+/=]{12,}/gu) ?? [];
    return inside.length === 0 ? [] : [{ place, words: inside }];
  });
}

/** Which of these words the commits hold in any of their files, as a whole; what git cannot tell is not held. */
async function present(
  remote: BranchRepository["remote"],
  words: readonly string[],
  commits: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const commit of new Set(commits.map(checkedId))) {
    const how = [
      "grep",
      "--fixed-strings",
      "--word-regexp",
      "--text",
      "--only-matching",
      "-h",
      "--no-color",
      "--no-textconv",
      "-f",
      "-",
    ];
    const { stdout } = await remote.try([...how, commit], { online: true, input: lines(words) });
    for (const line of stdout.split("\n")) found.add(line);
  }
  return found;
}
