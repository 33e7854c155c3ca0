import { isUtf8 } from "node:buffer";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import type { CommitToMake } from "../git/branch-history.ts";
import { refusalOfKind, refusalSaying, type RemoteRefusal } from "../git/refusal.ts";
import { oneLine } from "../views/plain-text.ts";
import type { Github } from "./client.ts";
import { isPassing, refusalOf, saidIn, saysThat, statusOf } from "./refusal.ts";
import { type Contents, LARGEST_BLOB, nameOf, TreeMaker } from "./signed-tree.ts";

/** A commit as it is to be on GitHub, which has to make the same tree of it. */
type WantedCommit = Omit<CommitToMake, "id">;

/** Commits for a branch. */
export interface SignedWork {
  readonly branch: string;
  /** where the branch has to be; null: it must not be there yet */
  readonly tip: string | null;
  /** a commit that GitHub has, on which the first one is built: the tip, if there is one; and its tree */
  readonly base: { readonly commit: string; readonly tree: string };
  /** oldest first */
  readonly commits: readonly WantedCommit[];
  readonly contents: Contents;
}

/** The commits are on GitHub. */
interface Made {
  readonly head: string;
  /** why GitHub shows a commit as not verified, in a word of its own; null: all are */
  readonly unverified: string | null;
}

/** Somebody moved the branch. */
interface Moved extends Trouble {
  readonly kind: "moved";
  /** where it is; null: it was deleted */
  readonly now: string | null;
}

/** Why commits were not made. */
interface SignedRefusal extends Trouble {
  readonly kind: Exclude<RemoteRefusal["kind"], "stale">;
}

export type SignedPush = Result<Made, Moved | SignedRefusal>;

const WORKFLOWS = ".github/workflows/";

/**
 * Makes commits by GitHub's API (`contents: write`) and moves the branch forward to the last of them, or not at all.
 * GitHub signs what is made without an author, where the token is a bot's. Never throws.
 */
export async function pushSigned(github: Github, work: SignedWork): Promise<SignedPush> {
  const changes = work.commits.flatMap((commit) => commit.changes);
  const impossible = whyImpossible(changes);
  if (impossible !== undefined) return impossible;
  try {
    const made = await makeCommits(github, work);
    return made.ok ? await moveBranch(github, work, made.value) : made;
  } catch (error) {
    const touchesWorkflows = changes.some(({ path }) => path.startsWith(WORKFLOWS));
    return failed(signedRefusalOf(error, touchesWorkflows));
  }
}

/** What GitHub's API cannot take, before anything is sent. */
function whyImpossible(changes: WantedCommit["changes"]): Result<never, SignedRefusal> | undefined {
  for (const { path, entry } of changes) {
    const name = oneLine(nameOf(path));
    if (!isUtf8(Buffer.from(path, "latin1"))) {
      return declined(`the name ${name} is not UTF-8, and GitHub's API takes no other`, `Rename it, ${OFF}`);
    }
    const size = entry?.size ?? 0;
    if (size > LARGEST_BLOB) {
      const why = `${name} has ${mebibytes(size)}, and GitHub's API takes ${mebibytes(LARGEST_BLOB)} at most`;
      return declined(why, `Keep it out of the commits, ${OFF}`);
    }
  }
  return undefined;
}

const OFF = "or switch sign-commits off.";

function declined(because: string, next: string): Result<never, SignedRefusal> {
  return failed({ kind: "declined", because, next });
}

function mebibytes(size: number): string {
  return `${(size / 1024 / 1024).toFixed(1)} MiB`;
}

async function makeCommits(
  github: Github,
  { base, commits, contents }: SignedWork,
): Promise<Result<Made, SignedRefusal>> {
  const maker = new TreeMaker(github, contents);
  let [head, tree] = [base.commit, base.tree];
  let unverified: string | null = null;
  for (const { tree: wanted, message, changes } of commits) {
    tree = await maker.make(tree, changes);
    if (tree !== wanted) {
      const why = `GitHub has made other files of it than git has: ${tree.slice(0, 12)}, not ${wanted.slice(0, 12)}`;
      return declined(why, "Switch sign-commits off: the work is pushed as it is then.");
    }
    // Without author and committer, or GitHub does not sign it.
    const { data } = await github.rest.git.createCommit({ message, tree, parents: [head] });
    head = data.sha;
    if (!data.verification.verified) unverified ??= data.verification.reason;
  }
  return done({ head, unverified });
}

/** Moves the branch, if it is where it has to be. */
async function moveBranch(github: Github, { branch, tip }: SignedWork, made: Made): Promise<SignedPush> {
  const before = tip === null ? null : await whereIs(github, branch);
  if (before !== tip) return movedTo(branch, tip, before);
  try {
    await (tip === null
      ? github.rest.git.createRef({ ref: `refs/heads/${branch}`, sha: made.head })
      : github.rest.git.updateRef({ ref: `heads/${branch}`, sha: made.head, force: false }));
  } catch (error) {
    const isMoved = statusOf(error) === 422 && saysThat(error, MOVED);
    if (!isMoved && !isPassing(error)) throw error;
    const now = await whereIs(github, branch);
    // The answer may have been lost on its way.
    if (now !== made.head) {
      if (isMoved) return movedTo(branch, tip, now);
      throw error;
    }
  }
  return done(made);
}

const MOVED = /not a fast.forward|reference already exists|reference does not exist/iu;

/** Where the branch is; null: nowhere. @throws what Octokit throws */
async function whereIs(github: Github, branch: string): Promise<string | null> {
  try {
    return (await github.rest.git.getRef({ ref: `heads/${branch}` })).data.object.sha;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

function movedTo(branch: string, tip: string | null, now: string | null): SignedPush {
  const was = tip === null ? `there was no branch ${branch}` : `${branch} was at ${tip.slice(0, 12)}`;
  const is = now === null ? "it is gone" : `it is at ${now.slice(0, 12)}`;
  return failed({ kind: "moved", now, because: `${was}, and now ${is}` });
}

const UNKNOWN_BASE = /base_tree|parent sha does not exist|tree sha does not exist|object does not exist/iu;

/**
 * What a refused request for an object or a ref means.
 *
 * @param touchesWorkflows whether a workflow file is among the changes: a token that may not write these is told no more
 * than that it may not do this
 */
function signedRefusalOf(error: unknown, touchesWorkflows: boolean): SignedRefusal {
  const because = refusalOf(error, "contents: write");
  if (isPassing(error)) return { kind: "unreachable", because };
  const status = statusOf(error);
  const said = saidIn(error);
  const is = (kind: SignedRefusal["kind"]): SignedRefusal => ({ ...refusalOfKind(kind, said), kind });
  if (touchesWorkflows && (status === 403 || status === 404)) return is("workflow_files");
  const known = refusalSaying(said);
  if (known !== undefined && known.kind !== "stale") return { ...known, kind: known.kind };
  if (status === 409 && saysThat(error, /repository is empty/iu)) {
    const next = "Push a first commit before the loop begins, or leave sign-commits off.";
    return { kind: "incomplete", because: "the repository has no commit that could be built upon", next };
  }
  if (status === 422 && UNKNOWN_BASE.test(said)) return is("incomplete");
  if (status === 401) return is("token");
  if (status === 403) return { kind: "permission", because };
  if (status === 404) return { kind: "not_found", because };
  return { kind: status === 422 ? "declined" : "unreachable", because };
}
