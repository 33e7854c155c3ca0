import { rm } from "node:fs/promises";
import path from "node:path";
import { done, failed, type Result, type Trouble } from "../../core/result.ts";
import { createOperations } from "../bounded.ts";
import { decoded, encoded, type FileChange, indexLine, isAbsent, nulTerminated } from "../diff.ts";
import { checkedId, isObjectId } from "../git.ts";
import type { Author } from "../private-git.ts";
import { withCure } from "../refusal.ts";
import { RemoteGit, type RemoteGitPlace } from "../remote-git.ts";
import { commitOf } from "../true-trees.ts";
import { mergeTrees } from "../work-tree/merge-trees.ts";
import { said } from "../work-tree/apply-tree.ts";
import {
  type CandidateRules,
  type CandidateWork,
  type ChangedLines,
  changedLines,
  lookThrough,
  onlyParent,
  refusalOf,
  wholeParent,
  withoutOwn,
  wordsOf,
} from "./candidate.ts";

/** A commit of a branch, by what it says of itself. */
interface SaidCommit {
  readonly commit: string;
  readonly message: string;
}

/** Where a candidate is to be put, and as what. */
interface Placing {
  /** the branch's tip */
  readonly tip: string;
  /** texts of the engine's, by their paths from the repository's top */
  readonly files: ReadonlyMap<string, string>;
  readonly message: string;
  readonly author: Pick<Author, "name" | "email">;
}

/** A candidate on a tip: a commit that nothing names yet. */
interface PlacedCommit {
  readonly commit: string;
  /** all that a repository with the tip lacks of it: a pack, as a byte string */
  readonly pack: string;
}

/** Why a candidate is not put there; `because` is part of a sentence. */
interface NotPlaced extends Trouble {
  /** `conflict`: it does not fit there; `refused`: it may not; `unreachable`: it is not known */
  readonly kind: "conflict" | "refused" | "unreachable";
  /** what both have changed, as people read it */
  readonly paths: readonly string[];
}

/** Why a candidate is not looked at further. */
interface NotTaken extends Trouble {
  readonly kind: "refused" | "unreachable";
}

/**
 * A git directory of our own in which candidates are looked through and put on a branch's tip: no check can write there,
 * and nothing is checked out. No call throws or takes longer than `within` milliseconds.
 */
export interface LandingGit {
  /** Where refs are that match a pattern of `git ls-remote`. */
  list(pattern: string, within: number): Promise<Result<ReadonlyMap<string, string>>>;
  /** The commits that `tip` holds and `from` does not, the latest first; at most 5,000. */
  since(from: string, tip: string, within: number): Promise<Result<readonly SaidCommit[]>>;
  /** Fetches what a candidate's branch has, of a story one commit, and looks through it. @param from what it began from */
  take(commit: string, from: string, rules: CandidateRules, within: number): Promise<Result<CandidateWork, NotTaken>>;
  /** How many lines it changes, file by file. */
  lines(work: CandidateWork, within: number): Promise<Result<readonly ChangedLines[]>>;
  /** Its changes as a patch that `git apply` takes: a byte string, with words of others. */
  patch(work: CandidateWork, within: number): Promise<Result<string>>;
  /** Makes the commit that has its changes on the tip, and the engine's files. Nothing is pushed. */
  place(
    work: CandidateWork,
    on: Placing,
    rules: CandidateRules,
    within: number,
  ): Promise<Result<PlacedCommit, NotPlaced>>;
}

const MOST_COMMITS = 5_000;

export function createLandingGit(place: RemoteGitPlace): LandingGit {
  const bounded = createOperations();
  const untold = (because: string): Result<never> => failed({ because });
  const git = async (signal: AbortSignal): Promise<RemoteGit> => prepared(place, signal);
  // Commits without files: nothing else works there.
  const history = async (signal: AbortSignal): Promise<RemoteGit> =>
    prepared({ ...place, folder: path.join(place.folder, "history.git") }, signal);
  return {
    list: (pattern, within) =>
      bounded<Result<ReadonlyMap<string, string>>>(within, async (signal) => (await git(signal)).list(pattern), untold),
    since: (from, tip, within) =>
      bounded<Result<readonly SaidCommit[]>>(
        within,
        async (signal) => since(await history(signal), checkedId(from), checkedId(tip)),
        untold,
      ),
    take: (commit, from, rules, within) =>
      bounded<Result<CandidateWork, NotTaken>>(
        within,
        async (signal) => {
          const past = await history(signal);
          const isWhole = rules.story === null;
          const known = await past.fetchHistory([checkedId(from), ...(isWhole ? [checkedId(commit)] : [])]);
          if (!known.ok) return failed({ kind: "unreachable", because: withCure(known.trouble) });
          const holds = async (later: string, earlier: string): Promise<boolean> =>
            (await past.try(["merge-base", "--is-ancestor", earlier, later])).exitCode === 0;
          const here = await git(signal);
          const parent = isWhole
            ? await wholeParent(here, commit, from, await holds(commit, from))
            : await onlyParent(here, commit, (one) => holds(from, one));
          const taken = parent.ok ? await lookThrough(here, commit, parent.value, rules) : parent;
          return taken.ok ? taken : failed({ kind: "refused", ...taken.trouble });
        },
        (because, isLate) => failed({ kind: isLate ? "unreachable" : "refused", because }),
      ),
    lines: (work, within) =>
      bounded<Result<readonly ChangedLines[]>>(
        within,
        async (signal) => done(await changedLines(await git(signal), work)),
        untold,
      ),
    patch: (work, within) =>
      bounded<Result<string>>(within, async (signal) => done(await patchOf(await git(signal), work)), untold),
    place: (work, on, rules, within) =>
      bounded<Result<PlacedCommit, NotPlaced>>(
        within,
        async (signal) => placed(await git(signal), work, on, rules),
        (because, isLate) => failed({ kind: isLate ? "unreachable" : "refused", because, paths: [] }),
      ),
  };
}

async function prepared(place: RemoteGitPlace, signal: AbortSignal): Promise<RemoteGit> {
  const git = new RemoteGit(place, signal);
  await git.prepare(null);
  return git;
}

async function since(git: RemoteGit, from: string, tip: string): Promise<Result<readonly SaidCommit[]>> {
  if (from === tip) return done([]);
  const fetched = await git.fetchHistory([from, tip]);
  if (!fetched.ok) return failed({ because: withCure(fetched.trouble) });
  const listed = await git.run(["rev-list", `--max-count=${MOST_COMMITS}`, tip, "--not", from]);
  const ids = listed.split("\n").filter(isObjectId);
  const found = await git.trueObjects(ids);
  return done(ids.flatMap((id) => oneOf(id, found.get(id))));
}

function oneOf(commit: string, object: Parameters<typeof commitOf>[1] | undefined): readonly SaidCommit[] {
  return object === undefined ? [] : [{ commit, message: commitOf(commit, object).message }];
}

async function patchOf(git: RemoteGit, { parent, commit }: CandidateWork): Promise<string> {
  return git.run(["diff-tree", "-p", "--binary", "--no-renames", "--no-ext-diff", "--no-textconv", parent, commit]);
}

async function placed(
  git: RemoteGit,
  work: CandidateWork,
  { tip, files, message, author }: Placing,
  rules: CandidateRules,
): Promise<Result<PlacedCommit, NotPlaced>> {
  const fetched = await git.fetch(checkedId(tip), 1);
  if (!fetched.ok) return failed({ kind: "unreachable", because: withCure(fetched.trouble), paths: [] });
  const index = git.file("landing-index");
  const theirs = await treeWith(git, index, work.parent, work.changes);
  const merged = await mergeTrees(git, { base: work.parent, ours: tip, theirs });
  if (!merged.ok) {
    const { because, paths } = merged.trouble;
    return failed({ kind: "conflict", because, paths: paths.map(decoded) });
  }
  const written: FileChange[] = [];
  for (const [name, text] of files) {
    const side = { mode: "100644", object: await git.write("blob", Buffer.from(text)) };
    written.push({ path: encoded(name), before: side, after: side, status: "M" });
  }
  const tree = await treeWith(git, index, merged.value, written);
  const [changed = []] = await git.differingAll([[tip, tree]]);
  const refusal = await refusalOf(git, withoutOwn(changed, rules), rules);
  if (refusal !== null) return failed({ kind: "refused", because: wordsOf(refusal), paths: [] });
  const by = { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email };
  const env = { ...by, GIT_COMMITTER_NAME: author.name, GIT_COMMITTER_EMAIL: author.email };
  const how = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, "-p", tip];
  const commit = (await git.run(how, { env, input: encoded(message) })).trim();
  const input = `${commit}\n^${tip}\n`;
  return done({ commit, pack: await git.run(["pack-objects", "--quiet", "--revs", "--stdout"], { input }) });
}

/** A tree with these changes; `index` is a file of our own. @throws Error for a name that git never writes */
export async function treeWith(
  git: RemoteGit,
  index: string,
  from: string,
  changes: readonly FileChange[],
): Promise<string> {
  await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
  await git.run(["read-tree", from], { index });
  const gone = changes.filter(({ after }) => isAbsent(after));
  const kept = changes.filter(({ after }) => !isAbsent(after));
  // What is gone goes first: a folder may be where a file was.
  const input = nulTerminated([...gone, ...kept].map((change) => indexLine(change.path, change.after)));
  const updated = await git.try(["update-index", "--add", "--replace", "-z", "--index-info"], { index, input });
  if (updated.exitCode !== 0 || updated.stderr !== "") {
    throw new Error(`git does not take all of it: ${said(updated.stderr)}`);
  }
  // A partial clone lacks files that nobody needs here.
  return (await git.run(["write-tree", "--missing-ok"], { index })).trim();
}
