import { lstat, mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../../core/errors.ts";
import { writeFileDurably } from "../../os/atomic-file.ts";
import { unlessMissing } from "../../os/file-errors.ts";
import { inOwnFolder, ownFolder, readOwnBytes } from "../../os/own-file.ts";
import { refuseInProgress, waitForIndexLock } from "../busy.ts";
import { bringIndexTo, changesIn, indexOf, type Measuring, type WorkChange } from "../commit.ts";
import { encoded, isAbsent, isFile, isSubmodule, nulFields, nulTerminated, printable, printableList } from "../diff.ts";
import { filteredAmong } from "../filters.ts";
import type { Staged } from "../snapshot.ts";
import { forged } from "../true-trees.ts";
import { applyTree } from "./apply-tree.ts";
import { inTheWay } from "./in-the-way.ts";
import { partialTree } from "./partial-tree.ts";

/** Where a patch goes. */
interface PatchPlace {
  /** of the workspace, absolute */
  readonly root: string;
  /** absolute; the loop's */
  readonly folder: string;
  /** a name in that folder */
  readonly file: string;
}

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
 * @throws OperationalError `SET_ASIDE_FAILED`, `GIT_BUSY`: the patch is there, and the work as well; `GIT_OBJECT_FORGED`
 */
export async function setAside(use: Measuring, place: PatchPlace): Promise<Staged> {
  const { git, scope, staging } = use;
  if (path.basename(place.file) !== place.file) throw new Error(`${place.file} is no file's name`);
  let patch = "";
  let staged = await staging.stage();
  for (let round = 0; ; round += 1) {
    const changes = await changesIn(use, staged).then((found) => withoutIgnored(use, staged, found.changes));
    if (changes.length === 0) break;
    if (round === ROUNDS) throw cannot(place, `${listed(changes)} changed meanwhile`);
    await refuseForged(use, staged, changes);
    const trees = await treesOf(use, changes);
    patch += await patchBetween(use, trees, place);
    await keep(place, `${await nestedNote(use)}${patch}`);
    await refuseInProgress(git.repository, staged.theirs.unmerged, "set aside");
    await refuseUnfit(use, staged, changes, place);
    await waitForIndexLock(git.repository, "set aside");
    await putBack(use, trees, place);
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

interface Trees {
  /** only the paths that differ, as HEAD has them */
  readonly before: string;
  /** the same as the work tree has them */
  readonly after: string;
  /** holds `after` */
  readonly index: string;
}

/** A repository that was added is left alone: it is in neither tree, and the index forgets it. */
async function treesOf({ git }: Measuring, all: readonly WorkChange[]): Promise<Trees> {
  const index = path.join(git.folder, "set-aside-index");
  const changes = all.filter(({ after }) => !isSubmodule(after));
  const before = await partialTree(
    git,
    index,
    changes.map((change) => [change.path, change.before]),
  );
  const after = await partialTree(
    git,
    index,
    changes.map((change) => [change.path, change.after]),
  );
  return { before, after, index };
}

const PATCH = ["diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv"];
/** More is kept in memory by nobody, and read by nobody. */
const PATCH_BYTES = 200_000_000;

/** As `git apply` takes it, with paths relative to the repository's top. */
async function patchBetween({ git }: Measuring, { before, after }: Trees, place: PatchPlace): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const onOutput = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= PATCH_BYTES) pieces.push(chunk);
  };
  const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
  await git.run([...PATCH, ...prefixes, before, after], { onOutput });
  if (bytes > PATCH_BYTES) throw cannot(place, `as a patch it has ${bytes} bytes, and at most ${PATCH_BYTES} are kept`);
  return Buffer.concat(pieces).toString("latin1");
}

/** In front of a patch, where `git apply` reads over it. */
async function nestedNote({ git, scope }: Measuring): Promise<string> {
  const others = nulFields(
    await git.run(["ls-files", "--others", "--exclude-standard", "-z", "--", ...scope.included]),
  ).filter((name) => name.endsWith("/"));
  const lines = others.slice(0, 20).map((name) => `# Left alone, a repository of its own: ${printable(name)}\n`);
  return encoded(lines.join(""));
}

/**
 * Writes the patch, and keeps what an earlier one held: as it is, where that has all of this one, as when a run was killed
 * while files were put back; else under another name.
 */
async function keep({ root, folder, file }: PatchPlace, patch: string): Promise<void> {
  const own = await ownFolder(root, folder);
  await inOwnFolder(own, async (at) => {
    const target = path.join(at, file);
    const old = await unlessMissing(readOwnBytes(target, 2 * PATCH_BYTES));
    if (old !== undefined) {
      const earlier = old.toString("latin1");
      if (holdsAll(earlier, patch)) return;
      if (!holdsAll(patch, earlier)) await rename(target, await freeName(target));
    }
    await writeFileDurably(target, Buffer.from(patch, "latin1"));
  });
}

/** Whether one patch says all that the other does. */
function holdsAll(patch: string, other: string): boolean {
  const known = new Set(sectionsOf(patch));
  return sectionsOf(other).every((section) => known.has(section));
}

/** What a patch says of each file; no line of a file's content begins like that. */
function sectionsOf(patch: string): readonly string[] {
  return patch.split(/^(?=diff --git )/mu).filter((section) => section.startsWith("diff --git "));
}

async function freeName(file: string): Promise<string> {
  const { dir, name, ext } = path.parse(file);
  for (let n = 1; ; n += 1) {
    const free = path.join(dir, `${name}.${n}${ext}`);
    if ((await unlessMissing(lstat(free))) === undefined) return free;
  }
}

/** @throws OperationalError `SET_ASIDE_FAILED` for what cannot be put back without running something */
async function refuseUnfit(
  { git }: Measuring,
  { head }: Staged,
  changes: readonly WorkChange[],
  place: PatchPlace,
): Promise<void> {
  const there = changes.filter(({ before }) => !isAbsent(before));
  const modules = there.filter(({ after }) => isSubmodule(after));
  if (modules.length > 0) throw cannot(place, `${listed(modules)} is a repository of its own at another commit`);
  // Which files these are HEAD says, whatever the work has made of its attributes.
  const index = await indexOf(git, head);
  const filtered = await filteredAmong(
    git,
    there.filter(({ before }) => isFile(before)).map((change) => change.path),
    index,
  );
  // Changed the other way round: what is there now is what is going to be replaced.
  const inWay = await inTheWay(
    git,
    changes.map((change) => ({ ...change, before: change.after, after: change.before })),
  );
  if (inWay.length > 0) throw cannot(place, `${printableList(inWay)}, which git ignores, would be written over`);
  if (filtered.size > 0)
    throw cannot(place, `${printableList([...filtered])} belongs to a git filter such as LFS, which is never run here`);
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

/**
 * What git would ignore without the work's own changes of `.gitignore` is none of the work: what such a change has brought
 * to light, as a person's `.env`, stays.
 */
async function withoutIgnored(
  { git }: Measuring,
  { head }: Staged,
  changes: readonly WorkChange[],
): Promise<readonly WorkChange[]> {
  const added = changes.filter(({ before }) => isAbsent(before)).map((change) => change.path);
  if (added.length === 0 || !changes.some((change) => /(?:^|\/)\.gitignore$/u.test(change.path))) return changes;
  const index = await indexOf(git, head);
  const rules = await git.run(["ls-files", "-z", "--", ":(glob)**/.gitignore"], { index });
  // Git reads these from the index where the work tree does not have them: this one has nothing.
  await git.run(["update-index", "--skip-worktree", "-z", "--stdin"], { index, input: rules });
  const nowhere = path.join(git.folder, "nowhere");
  await mkdir(nowhere, { recursive: true });
  const args = ["check-ignore", "-z", "--stdin"];
  const asked = await git.try(args, { index, input: nulTerminated(added), env: { GIT_WORK_TREE: nowhere } });
  const ignored = new Set(asked.exitCode === 1 ? [] : nulFields(git.succeeded(args, asked)));
  return changes.filter((change) => !ignored.has(change.path));
}

async function putBack({ git }: Measuring, { before, after, index }: Trees, place: PatchPlace): Promise<void> {
  await git.try(["update-index", "-q", "--refresh"], { index });
  const signal = new AbortController().signal;
  const applied = await applyTree(git, { from: after, to: before, trial: index, index, signal });
  if (applied.ok) return;
  const { kind, because } = applied.trouble;
  throw cannot(place, kind === "torn" ? `it broke off midway: ${because}` : because);
}

function listed(changes: readonly WorkChange[]): string {
  return printableList(changes.map((change) => change.path));
}

function cannot({ folder, file }: PatchPlace, why: string): OperationalError {
  return new OperationalError({
    code: "SET_ASIDE_FAILED",
    what: `The unfinished work cannot be set aside: ${why}. It is in your work tree; as a patch it is ${path.join(folder, file)}.`,
    next: "Put these files back yourself (git stash, or git checkout), then resume the loop.",
  });
}
