import { OperationalError } from "../../core/errors.ts";
import type { Measuring, WorkChange } from "../commit.ts";
import { encoded, isAbsent, isSubmodule, printableList } from "../diff.ts";
import type { Staged } from "../snapshot.ts";
import { withoutIgnored } from "./ignored.ts";
import { keepPatch, PATCH_BYTES, type PatchPlace } from "./patch-file.ts";
import { patchBetween, putBack, type Trees, treesOf, type Unfit, unfitAmong } from "./put-back.ts";

/** What was put back, by its paths, byte strings from the repository's top. */
interface TakenOut {
  /** were not there before */
  readonly made: readonly string[];
  /** or removed */
  readonly changed: readonly string[];
  /** what stays as it is */
  readonly left: readonly Unfit[];
}

/** What is put back may show what was hidden by a `.gitignore`. */
const ROUNDS = 3;
/** How often a part is tried that git refuses as a whole. */
const PARTS = 64;

/**
 * Puts files of the scope that are otherwise than in a tree back to that, each that can be, and writes what they held as a
 * patch first, as `setAside` does. The index is left alone, and so is what HEAD ignores.
 *
 * @param tree as a snapshot has it
 * @param isMeant which files; absent: all
 * @throws OperationalError `SET_ASIDE_FAILED`: what was there before is not known any more
 */
export async function takeOut(
  use: Measuring,
  tree: string,
  place: PatchPlace,
  isMeant: (name: string) => boolean = () => true,
): Promise<TakenOut> {
  const [made, changed, left] = [new Set<string>(), new Set<string>(), [] as Unfit[]];
  let patch = "";
  for (let round = 0; ; round += 1) {
    const staged = await use.staging.stage();
    const known = new Set(left.flatMap(({ paths }) => paths));
    const all = (await changesSince(use, staged, tree)).filter(({ path }) => isMeant(path) && !known.has(path));
    for (const name of pathsOf(all)) [made, changed].forEach((set) => set.delete(name));
    if (all.length > 0 && round === ROUNDS) left.push(unfit(all, "cannot be put back"));
    if (all.length === 0 || round === ROUNDS) break;
    const found = [...addedRepositories(all), ...(await unfitAmong(use, staged, all))];
    const kept = await fitForPatch(use, without(all, found));
    if (kept.patch !== "") {
      patch += kept.patch;
      await keepPatch(place, patch);
    }
    found.push(...kept.left, ...(await putBackMost(use, kept.changes, { left: PARTS })));
    left.push(...found);
    for (const { path, before } of without(all, found)) (isAbsent(before) ? made : changed).add(path);
  }
  return { made: [...made], changed: [...changed], left };
}

async function changesSince(use: Measuring, staged: Staged, tree: string): Promise<readonly WorkChange[]> {
  const { git, scope } = use;
  if (staged.tree === tree) return [];
  const differing = await git.differing(tree, staged.tree);
  if (differing === undefined) throw unknown();
  const top = encoded(git.repository.prefix);
  const all = differing.map((change) => ({ ...change, path: `${top}${change.path}`, filtered: false }));
  return withoutIgnored(
    git,
    staged.base,
    all.filter((change) => scope.holds(change.path)),
  );
}

/** They are in the index, which is left alone. */
function addedRepositories(changes: readonly WorkChange[]): readonly Unfit[] {
  const added = changes.filter(({ before, after }) => isAbsent(before) && isSubmodule(after));
  return added.length === 0 ? [] : [unfit(added, "is a repository of its own that was added to the index")];
}

interface Fit {
  readonly changes: readonly WorkChange[];
  readonly patch: string;
  readonly left: readonly Unfit[];
}

/** The patch of all these changes, or of the small ones among them where it would be too large. */
async function fitForPatch(use: Measuring, all: readonly WorkChange[]): Promise<Fit> {
  const whole = await patchBetween(use, await treesOf(use, all));
  if (whole !== undefined) return { changes: all, patch: whole, left: [] };
  const sizes = await use.git.sizes(all.flatMap(({ before, after }) => [before.object, after.object]));
  const weighed = all.map((change) => {
    const bytes = (sizes.get(change.before.object) ?? 0) + (sizes.get(change.after.object) ?? 0);
    // A patch says a little more of each file, and of each line.
    return { change, weight: 1000 + 2 * bytes };
  });
  let sum = 0;
  const small = weighed
    .toSorted((a, b) => a.weight - b.weight)
    .filter(({ weight }) => (sum += weight) <= PATCH_BYTES)
    .map(({ change }) => change);
  const patch = await patchBetween(use, await treesOf(use, small));
  const changes = patch === undefined ? [] : small;
  const fits = new Set(changes);
  const large = all.filter((change) => !fits.has(change));
  return { changes, patch: patch ?? "", left: [unfit(large, "is too large to be kept as a patch")] };
}

/** @param parts how many may still be tried */
async function putBackMost(
  use: Measuring,
  changes: readonly WorkChange[],
  parts: { left: number },
): Promise<readonly Unfit[]> {
  if (changes.length === 0) return [];
  const trees: Trees = await treesOf(use, changes);
  const applied = await putBack(use, trees);
  parts.left -= 1;
  if (applied.ok) return [];
  const { kind, because } = applied.trouble;
  if (kind === "torn" || changes.length === 1 || parts.left <= 0) return [unfit(changes, `stays: ${because}`)];
  const middle = Math.ceil(changes.length / 2);
  const first = await putBackMost(use, changes.slice(0, middle), parts);
  return [...first, ...(await putBackMost(use, changes.slice(middle), parts))];
}

function without(changes: readonly WorkChange[], found: readonly Unfit[]): readonly WorkChange[] {
  const paths = new Set(found.flatMap((one) => one.paths));
  return changes.filter((change) => !paths.has(change.path));
}

function unfit(changes: readonly WorkChange[], why: string): Unfit {
  const paths = pathsOf(changes);
  return { paths, why: `${printableList(paths)} ${why}` };
}

function pathsOf(changes: readonly WorkChange[]): readonly string[] {
  return changes.map((change) => change.path);
}

function unknown(): OperationalError {
  return new OperationalError({
    code: "SET_ASIDE_FAILED",
    what: "What the checks wrote cannot be told from a story's work: what was there before is not known any more. It is all in your work tree.",
    next: "Let no check remove what is in the loop's folder, put back what they wrote, then resume the loop.",
  });
}
