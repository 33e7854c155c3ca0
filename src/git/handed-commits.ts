import { open, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DONE, done, failed, type Result } from "../core/result.ts";
import { createOperations } from "./bounded.ts";
import { type FileChange, printable } from "./diff.ts";
import { checkedId, isObjectId } from "./git.ts";
import { RemoteGit, type RemoteGitPlace } from "./remote-git.ts";
import type { Repository } from "./repository.ts";

/** The one ref of a bundle of commits. */
export const HANDED_REF = "refs/smithers/handed-over";

/** What a bundle may hold: bytes of the file, objects, their bytes when they are unpacked, and commits. */
export const HANDED_LIMITS = { file: 64 << 20, objects: 100_000, bytes: 256 << 20, commits: 1000 } as const;

/** Longest header of a bundle that is read, in bytes: some lines with ids. */
const HEADER_LIMIT = 4096;

/** Larger files are not held in memory by git. */
const INDEX_PACK = ["-c", "core.bigFileThreshold=16m", "index-pack", "--stdin", "--fix-thin", "--strict"];

/** The commits of a run, and those that GitHub has. */
export interface OwnCommits {
  readonly commit: string;
  readonly known: readonly string[];
}

/**
 * Writes the commits of a repository that lead to `commit` from those that are `known` into a bundle with one ref.
 * Nothing that the repository configures is obeyed; of it, nothing is written.
 *
 * @param within milliseconds; `because` is part of a sentence
 */
export async function bundleCommits(
  place: RemoteGitPlace,
  { commonDir }: Pick<Repository, "commonDir">,
  { commit, known }: OwnCommits,
  file: string,
  within: number,
): Promise<Result> {
  const make = async (signal: AbortSignal): Promise<Result> => {
    const git = new RemoteGit(place, signal);
    const folder = path.join(commonDir, "objects");
    await git.prepare({ folder, shallowFile: path.join(commonDir, "shallow"), isPartial: false, head: commit });
    await git.run(["update-ref", HANDED_REF, checkedId(commit)]);
    await rm(file, { force: true });
    const without = known.map((id) => `^${checkedId(id)}`);
    await git.run(["bundle", "create", "--quiet", "--version=2", file, HANDED_REF, ...without]);
    return DONE;
  };
  return createOperations()<Result>(within, make, (because) => failed({ because }));
}

/** What another job claims of commits, and what the workflow knows. */
export interface Claims {
  readonly commit: string;
  /** where the work's branch was; null: nowhere */
  readonly tip: string | null;
  /** what the work began with; null: no commit */
  readonly head: string | null;
  /** branches of the remote that people write, without `refs/heads/`, which are believed */
  readonly branches: readonly string[];
  /** the commit of the workflow's event; null: not known */
  readonly event: string | null;
}

/** What the work is built on, found out again: a claim is believed only where it is the newest that both hold. */
export interface Foundation extends Pick<Claims, "tip" | "head"> {
  /**
   * The newest commits of people's branches that the work holds beside `head`, because it has merged them, each with
   * the newest ones that it shares with `head`
   */
  readonly merged: readonly { readonly at: string; readonly since: readonly string[] }[];
}

/** A bundle, and the one ref that it has to have; `commit`: what that has to be, null: not known */
export interface HandedBundle {
  readonly file: string;
  readonly ref: string;
  readonly commit: string | null;
}

/**
 * Makes a repository of our own, without any file checked out, in which nothing is but objects: those of people's
 * branches that the work is built on, fetched from the remote, and those of bundles that another job has handed over.
 * These are data of a stranger: their header is read here, before git sees them; their objects are checked by git
 * (`fsck`: names of files, links, `.gitmodules`), bounded, and have to be built on what is on the remote.
 */
export class HandedRepository {
  readonly #git: (signal: AbortSignal) => RemoteGit;
  readonly #bounded = createOperations();
  readonly #folder: string;
  /** of what people's branches hold: commits without files */
  readonly #history: (signal: AbortSignal) => RemoteGit;

  /** @param root its top folder, absolute, which exists */
  constructor(root: string, place: Omit<RemoteGitPlace, "folder">) {
    this.#folder = path.join(root, ".git");
    this.#git = (signal) => new RemoteGit({ ...place, folder: this.#folder }, signal);
    this.#history = (signal) => new RemoteGit({ ...place, folder: path.join(this.#folder, "history.git") }, signal);
  }

  /** Makes it, empty. */
  async make(): Promise<void> {
    await this.#git(new AbortController().signal).prepare(null);
  }

  /**
   * Fetches what the claims are about, and checks out `commit` in name.
   *
   * @returns what the work is built on, or why nothing can be believed, as part of a sentence
   */
  take(claims: Claims, bundles: readonly HandedBundle[], within: number): Promise<Result<Foundation>> {
    return this.#bounded<Result<Foundation>>(
      within,
      async (signal) => {
        const git = this.#git(signal);
        await git.prepare(null);
        const known = [...new Set([claims.tip, claims.head].filter((id) => id !== null))];
        const history = new History(this.#history(signal), path.join(this.#folder, "objects"));
        const on = await bringKnown(git, history, known, claims);
        if (!on.ok) return on;
        for (const bundle of bundles) {
          const taken = await takeBundle(git, history, bundle, known);
          if (!taken.ok) return taken;
          known.push(...taken.value);
        }
        const whole = await checkWork(git, claims, known);
        if (!whole.ok) return whole;
        const found = await foundationOf(git, history, claims, on.value);
        if (found.ok) await writeFile(path.join(this.#folder, "HEAD"), `${claims.commit}\n`);
        return found;
      },
      (because) => failed({ because }),
    );
  }

  /**
   * The files of `tree` that are otherwise than what the work has merged has them, though what it began with had not
   * changed them: merging it would undo what people did (T17).
   */
  async undone(tree: string, { head, merged }: Foundation, within: number): Promise<readonly FileChange[]> {
    const git = this.#git(AbortSignal.timeout(within));
    const found: FileChange[] = [];
    for (const { at, since } of merged) {
      const own = head === null ? [] : await Promise.all(since.map(async (commit) => git.differing(commit, head)));
      const theirs = new Set(own.flatMap((changes) => (changes ?? []).map((change) => change.path)));
      const changes = await git.differing(at, tree);
      if (changes === undefined) throw new Error(`git cannot compare ${at.slice(0, 12)} and ${tree.slice(0, 12)}`);
      found.push(...changes.filter((change) => !theirs.has(change.path)));
    }
    return found;
  }

  /** The tree of a commit that is here. @throws Error when it is not */
  async treeOf(ref: string, within: number): Promise<string> {
    const git = this.#git(AbortSignal.timeout(within));
    return (await git.run(["rev-parse", "--verify", `${ref}^{tree}`])).trim();
  }
}

/** What people's branches hold, as commits without files; it sees the commits of the work as well. */
class History {
  readonly #git: RemoteGit;
  readonly #env: Readonly<Record<string, string>>;

  constructor(git: RemoteGit, objects: string) {
    this.#git = git;
    this.#env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  }

  async fetch(commits: readonly string[]): Promise<Result> {
    await this.#git.prepare(null);
    return commits.length === 0 ? DONE : this.#git.fetchHistory(commits);
  }

  async holds(commit: string, earlier: string): Promise<boolean> {
    const args = ["merge-base", "--is-ancestor", checkedId(earlier), checkedId(commit)];
    return (await this.#git.try(args, { env: this.#env })).exitCode === 0;
  }

  /** The newest that two commits share: several where branches have crossed, none where nothing is shared. */
  async shared(a: string, b: string): Promise<readonly string[]> {
    const { stdout } = await this.#git.try(["merge-base", "--all", checkedId(a), checkedId(b)], { env: this.#env });
    return stdout.split("\n").filter(isObjectId);
  }
}

/** Where people's branches are, by name, and the event's commit if the remote gives it out. */
interface Believed {
  readonly tips: ReadonlyMap<string, string>;
  readonly all: readonly string[];
}

/** Fetches commits, if they are on branches that people write: anybody can have a commit in a fork, by its id. */
async function bringKnown(
  git: RemoteGit,
  history: History,
  known: readonly string[],
  { branches, event }: Claims,
): Promise<Result<Believed>> {
  const tips = new Map<string, string>();
  for (const branch of new Set(branches)) {
    const listed = await git.list("--heads", `refs/heads/${branch}`);
    if (!listed.ok) return failed({ because: listed.trouble.because });
    const tip = listed.value.get(`refs/heads/${branch}`);
    if (tip !== undefined) tips.set(branch, tip);
  }
  const people = [...new Set(tips.values())];
  let all = event === null ? people : [...new Set([...people, event])];
  let fetched = await history.fetch(all);
  if (!fetched.ok && event !== null) fetched = await history.fetch((all = people));
  if (!fetched.ok)
    return failed({ because: `what the work is built on cannot be fetched: ${fetched.trouble.because}` });
  for (const id of known) {
    const holds = await Promise.all(all.map(async (one) => history.holds(one, id)));
    if (!holds.includes(true))
      return failed({ because: `the work is built on ${id.slice(0, 12)}, which is on none of the branches it may be` });
    const brought = await bring(git, id);
    if (!brought.ok) return brought;
  }
  return done({ tips, all });
}

/** A commit of people's branches, with its files and without its history. */
async function bring(git: RemoteGit, id: string): Promise<Result> {
  if (await git.has(`${checkedId(id)}^{tree}`)) return DONE;
  const fetched = await git.fetch(checkedId(id), 1);
  return fetched.ok ? DONE : failed({ because: `${id.slice(0, 12)} cannot be fetched: ${fetched.trouble.because}` });
}

/**
 * What the work is built on. An older commit would excuse whatever people have changed since: the work can hold both, and
 * the old files (T17).
 */
async function foundationOf(
  git: RemoteGit,
  history: History,
  { commit, tip, head, branches: [own] }: Claims,
  { tips, all }: Believed,
): Promise<Result<Foundation>> {
  const bases = [...new Set((await Promise.all(all.map(async (one) => history.shared(commit, one)))).flat())];
  const was = tip === null ? null : await whereItWas(history, { commit, tip }, own && tips.get(own), bases);
  if (was === undefined)
    return failed({ because: `the work's branch was never at ${tip?.slice(0, 12)} for this work` });
  const from = head !== null && bases.includes(head) ? head : (bases[0] ?? null);
  const merged: Foundation["merged"][number][] = [];
  for (const at of bases) {
    if (from === null || (await history.holds(from, at))) continue;
    merged.push({ at, since: await history.shared(from, at) });
  }
  for (const id of [from, ...merged.flatMap(({ at, since }) => [at, ...since])]) {
    const brought = id === null ? DONE : await bring(git, id);
    if (!brought.ok) return brought;
  }
  return done({ tip: was, head: from, merged });
}

/** Where the work's branch was, as far as the work holds it; undefined: never where it is said to have been. */
async function whereItWas(
  history: History,
  { commit, tip }: { readonly commit: string; readonly tip: string },
  now: string | undefined,
  bases: readonly string[],
): Promise<string | undefined> {
  if (now === undefined) return bases.includes(tip) || bases.includes(commit) ? tip : undefined;
  const shared = await history.shared(commit, now);
  if (shared.includes(tip)) return tip;
  // An earlier attempt has pushed it, or a part of it.
  return shared.find((one) => one === commit || one === now);
}

const HEADER =
  /^# v2 git bundle\n(?<bases>(?:-[0-9a-f]{40}[^\n]{0,512}\n){0,8})(?<id>[0-9a-f]{40}) (?<ref>[^\n]{1,256})\n\n/u;

interface BundleHeader {
  /** what it is built on, and what it is of: ids of commits */
  readonly bases: readonly string[];
  readonly id: string;
  readonly ref: string;
  /** in bytes */
  readonly length: number;
}

/** Reads what a bundle of a stranger says of itself. @returns undefined: it is none with one ref and few bases */
export function readBundleHeader(bytes: Buffer): BundleHeader | undefined {
  const found = HEADER.exec(bytes.subarray(0, HEADER_LIMIT).toString("latin1"));
  const { bases = "", id, ref } = found?.groups ?? {};
  if (found === null || id === undefined || ref === undefined) return undefined;
  const on = bases.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(1, 41)]));
  return { bases: on, id, ref, length: found[0].length };
}

/** Only objects, of a bundle with one ref that is built on known commits. @returns older ones that it is built on too */
async function takeBundle(
  git: RemoteGit,
  history: History,
  { file, ref, commit }: HandedBundle,
  known: readonly string[],
): Promise<Result<readonly string[]>> {
  const bytes = await read(file);
  if (bytes === undefined) return failed({ because: `a bundle has more than ${HANDED_LIMITS.file} bytes` });
  const header = readBundleHeader(bytes);
  if (header?.ref !== ref) return failed({ because: "a bundle does not have just the one ref it should" });
  const { id } = header;
  if (commit !== null && id !== commit) return failed({ because: "a bundle is of another commit than it should be" });
  const older = header.bases.filter((base) => !known.includes(base));
  for (const base of older) {
    const holds = await Promise.all(known.map(async (one) => history.holds(one, base)));
    if (!holds.includes(true))
      return failed({ because: "a bundle is built on commits that are not on the branches it may be" });
    const brought = await bring(git, base);
    if (!brought.ok) return brought;
  }
  const input = bytes.subarray(header.length).toString("latin1");
  const unpacked = await git.try([...INDEX_PACK, `--max-input-size=${HANDED_LIMITS.file}`], { input });
  if (unpacked.exitCode !== 0) return failed({ because: `git refuses a bundle: ${printable(unpacked.stderr)}` });
  await git.run(["update-ref", ref, checkedId(id)]);
  const whole = await withinLimits(git, id, [...known, ...older]);
  return whole.ok ? done(older) : whole;
}

/** Undefined: it is longer than a bundle may be. */
async function read(file: string): Promise<Buffer | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    return size > HANDED_LIMITS.file ? undefined : await handle.readFile();
  } finally {
    await handle.close();
  }
}

/**
 * Whether all of a stranger's commits is here, and not too much: some bytes of a pack can be gigabytes of a file.
 *
 * @param known commits that they are built on
 */
export async function withinLimits(git: RemoteGit, commit: string, known: readonly string[]): Promise<Result> {
  const args = ["rev-list", "--objects", "--no-object-names", checkedId(commit), "--not", ...known];
  const listed = await git.try(args);
  if (listed.exitCode !== 0) return failed({ because: "it lacks objects that its commits name" });
  const ids = listed.stdout.split("\n").filter(isObjectId);
  if (ids.length > HANDED_LIMITS.objects) {
    return failed({ because: `it holds ${ids.length} objects, more than ${HANDED_LIMITS.objects}` });
  }
  const sizes = await git.sizes(ids);
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > HANDED_LIMITS.bytes)
    return failed({ because: `it holds ${bytes} bytes, more than ${HANDED_LIMITS.bytes}` });
  return DONE;
}

/** The work is a commit, and holds what it began with. */
async function checkWork(git: RemoteGit, { commit, head }: Claims, known: readonly string[]): Promise<Result> {
  const type = await git.try(["cat-file", "-t", checkedId(commit)]);
  if (type.stdout.trim() !== "commit") return failed({ because: "the commit of the work is not among what it holds" });
  if (head !== null && (await git.try(["merge-base", "--is-ancestor", head, commit])).exitCode !== 0) {
    return failed({ because: "the work does not hold the commit that it began with" });
  }
  const listed = await git.run(["rev-list", "--count", commit, "--not", ...known]);
  const count = Number.parseInt(listed, 10);
  return count <= HANDED_LIMITS.commits
    ? done(undefined)
    : failed({ because: `it has ${count} commits, more than ${HANDED_LIMITS.commits}` });
}
