import path from "node:path";
import { OperationalError } from "../../core/errors.ts";
import { refuseInProgress } from "../busy.ts";
import { waitForLocks } from "../locks/locks.ts";
import { bringIndexTo, changesIn, type Measuring, type WorkChange } from "../commit.ts";
import { encoded, isAbsent, isFile, nulFields, printable, printableList } from "../diff.ts";
import type { Staged } from "../snapshot.ts";
import { forged } from "../true-trees.ts";
import type { ApplyTrouble } from "./apply-tree.ts";
import { withoutIgnored } from "./ignored.ts";
import { keepPatch, PATCH_BYTES, type PatchPlace } from "./patch-file.ts";
import { patchBetween, putBack, treesOf, unfitAmong } from "./put-back.ts";

/** What is put back may show what the work had hidden by a `.gitignore` of its own, and that is work as well. */
const ROUNDS = 3;

/**
 * Writes what the work tree's scope holds beyond HEAD as a patch, and puts files and index back to what HEAD holds. The
 * patch is on the disk before a file is touched, and none that was written before is lost: run again, it goes on.
 *
 * Nothing is run, no link is followed, and repositories within the work tree are left alone; the patch names them.
 *
 * @param use `scope`: what is put back
 * @returns what the work tree holds then
 * @throws OperationalError `SET_ASIDE_FAILED`, `GIT_BUSY`: the work is there, and the patch, unless it is too large; `GIT_OBJECT_FORGED`
 */
export async function setAside(use: Measuring, place: PatchPlace): Promise<Staged> {
  const { git, scope, staging } = use;
  if (path.basename(place.file) !== place.file) throw new Error(`${place.file} is no file's name`);
  let patch = "";
  let staged = await staging.stage();
  for (let round = 0; ; round += 1) {
    const changes = await withoutIgnored(git, staged.base, (await changesIn(use, staged)).changes);
    if (changes.length === 0) break;
    if (round === ROUNDS)
      throw cannot(`${printableList(changes.map((change) => change.path))} changed meanwhile`, place);
    await refuseForged(use, staged, changes);
    const trees = await treesOf(use, changes);
    const more = await patchBetween(use, trees);
    if (more === undefined) throw cannot(`as a patch it has more than ${PATCH_BYTES} bytes, and no more are kept`);
    patch += more;
    await keepPatch(place, `${await nestedNote(use)}${patch}`);
    await refuseInProgress(git.repository, staged.theirs.unmerged, "set aside");
    const [unfit] = await unfitAmong(use, staged, changes);
    if (unfit !== undefined) throw cannot(unfit.why, place, unfit.cure);
    await waitForLocks(git.repository, ["index"], "set aside");
    const applied = await putBack(use, trees);
    if (!applied.ok) throw cannot(brokenOff(applied.trouble), place);
    if (staged.head !== null) await bringIndexTo(git, scope, staged.head);
    staged = await staging.stage();
  }
  if (!staged.theirs.none && staged.head !== null) {
    await refuseInProgress(git.repository, staged.theirs.unmerged, "set aside");
    await bringIndexTo(git, scope, staged.head);
    staged = await staging.stage();
  }
  return staged;
}

/** In front of a patch, where `git apply` reads over it. */
async function nestedNote({ git, scope }: Measuring): Promise<string> {
  const others = nulFields(
    await git.run(["ls-files", "--others", "--exclude-standard", "-z", "--", ...scope.included]),
  ).filter((name) => name.endsWith("/"));
  const lines = others.slice(0, 20).map((name) => `# Left alone, a repository of its own: ${printable(name)}\n`);
  return encoded(lines.join(""));
}

/** What is going to be written is what HEAD's names say. @throws OperationalError `GIT_OBJECT_FORGED` */
async function refuseForged({ git }: Measuring, staged: Staged, changes: readonly WorkChange[]): Promise<void> {
  const { prefix } = git.repository;
  await git.reading(async (read) => {
    const blobs = changes.filter(({ before }) => isFile(before)).map(({ before }) => before.object);
    await read([...new Set(blobs)], -1);
  });
  const from = staged.head === null ? null : `${staged.head}:${prefix}`;
  const seen = await git.differing(from, staged.tree);
  const objects = new Map((seen ?? []).map((change) => [`${encoded(prefix)}${change.path}`, change.before.object]));
  const odd = changes.find(({ path: name, before }) =>
    seen === undefined ? !isAbsent(before) : objects.get(name) !== before.object,
  );
  if (odd !== undefined) throw forged(odd.before.object);
}

function brokenOff({ kind, because }: ApplyTrouble): string {
  return kind === "torn" ? `it broke off midway: ${because}` : because;
}

/** @param place where the patch is; absent: there is none */
function cannot(why: string, place?: PatchPlace, cure = "git stash, or git checkout"): OperationalError {
  const patch = place === undefined ? "" : `; as a patch it is ${path.join(place.folder, place.file)}`;
  return new OperationalError({
    code: "SET_ASIDE_FAILED",
    what: `The unfinished work cannot be set aside: ${why}. It is in your work tree${patch}.`,
    next: `Put these files back yourself (${cure}), then resume the loop.`,
  });
}
