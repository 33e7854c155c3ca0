import { isUtf8 } from "node:buffer";
import { isPassing, saysThat, statusOf } from "./github-refusal.ts";
import { oneLine } from "../views/plain-text.ts";
import type { Access } from "./access.ts";
import { type SignedRefusal, signedRefusalOf } from "./signed-refusal.ts";
import { type Contents, LARGEST_BLOB, nameOf, type TreeChange, TreeMaker } from "./signed-tree.ts";

/** A commit as it is to be on GitHub. */
export interface WantedCommit {
  /** what git says of the files; GitHub has to say the same */
  readonly tree: string;
  readonly message: string;
  /** since the commit before it */
  readonly changes: readonly TreeChange[];
}

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

/** What became of it. */
export type SignedPush =
  /** `unverified`: why GitHub shows a commit as not verified, in a word of its own; null: all are */
  | { readonly pushed: true; readonly head: string; readonly unverified: string | null }
  /** somebody moved the branch; `now` is where it is: null when it was deleted */
  | { readonly pushed: false; readonly because: "moved"; readonly now: string | null; readonly why: string }
  | ({ readonly pushed: false } & SignedRefusal);

type Made = Pick<Extract<SignedPush, { pushed: true }>, "head" | "unverified">;

const WORKFLOWS = ".github/workflows/";

/**
 * Makes commits by GitHub's API (`contents: write`) and moves the branch forward to the last of them, or not at all.
 * GitHub signs what is made without an author, where the token is a bot's. Never throws.
 */
export async function pushSigned(access: Access, work: SignedWork): Promise<SignedPush> {
  const changes = work.commits.flatMap((commit) => commit.changes);
  const impossible = whyImpossible(changes);
  if (impossible !== undefined) return { pushed: false, ...impossible };
  try {
    const made = await makeCommits(access, work);
    return "because" in made ? { pushed: false, ...made } : await moveBranch(access, work, made);
  } catch (error) {
    const touchesWorkflows = changes.some(({ path }) => path.startsWith(WORKFLOWS));
    return { pushed: false, ...signedRefusalOf(error, touchesWorkflows) };
  }
}

/** What GitHub's API cannot take, before anything is sent. */
function whyImpossible(changes: readonly TreeChange[]): SignedRefusal | undefined {
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

function declined(why: string, next: string): SignedRefusal {
  return { because: "refused", kind: "declined", why, next };
}

function mebibytes(size: number): string {
  return `${(size / 1024 / 1024).toFixed(1)} MiB`;
}

async function makeCommits(access: Access, { base, commits, contents }: SignedWork): Promise<Made | SignedRefusal> {
  const { octokit, repository, signal } = access;
  const maker = new TreeMaker(access, contents);
  let [head, tree] = [base.commit, base.tree];
  let unverified: string | null = null;
  for (const { tree: wanted, message, changes } of commits) {
    tree = await maker.make(tree, changes);
    if (tree !== wanted) {
      const why = `GitHub has made other files of it than git has: ${tree.slice(0, 12)}, not ${wanted.slice(0, 12)}`;
      return declined(why, "Switch sign-commits off: the work is pushed as it is then.");
    }
    const { data } = await octokit.request("POST /repos/{owner}/{repo}/git/commits", {
      owner: repository.owner,
      repo: repository.name,
      // Without author and committer, or GitHub does not sign it.
      ...{ message, tree, parents: [head] },
      request: { signal },
    });
    head = data.sha;
    if (!data.verification.verified) unverified ??= data.verification.reason;
  }
  return { head, unverified };
}

/** Moves the branch, if it is where it has to be. */
async function moveBranch(access: Access, { branch, tip }: SignedWork, made: Made): Promise<SignedPush> {
  const { octokit, repository, signal } = access;
  const where = { owner: repository.owner, repo: repository.name, request: { signal } };
  const before = tip === null ? null : await whereIs(access, branch);
  if (before !== tip) return movedTo(branch, tip, before);
  try {
    await (tip === null
      ? octokit.request("POST /repos/{owner}/{repo}/git/refs", {
          ...where,
          ref: `refs/heads/${branch}`,
          sha: made.head,
        })
      : octokit.request("PATCH /repos/{owner}/{repo}/git/refs/{ref}", {
          ...where,
          ...{ ref: `heads/${branch}`, sha: made.head, force: false },
        }));
  } catch (error) {
    const isMoved = statusOf(error) === 422 && saysThat(error, MOVED);
    if (!isMoved && !isPassing(error)) throw error;
    const now = await whereIs(access, branch);
    // The answer may have been lost on its way.
    if (now !== made.head) {
      if (isMoved) return movedTo(branch, tip, now);
      throw error;
    }
  }
  return { pushed: true, ...made };
}

const MOVED = /not a fast.forward|reference already exists|reference does not exist/iu;

/** Where the branch is; null: nowhere. @throws what Octokit throws */
async function whereIs({ octokit, repository, signal }: Access, branch: string): Promise<string | null> {
  const { owner, name: repo } = repository;
  try {
    const asked = { owner, repo, ref: `heads/${branch}`, request: { signal } };
    return (await octokit.request("GET /repos/{owner}/{repo}/git/ref/{ref}", asked)).data.object.sha;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

function movedTo(branch: string, tip: string | null, now: string | null): SignedPush {
  const was = tip === null ? `there was no branch ${branch}` : `${branch} was at ${tip.slice(0, 12)}`;
  const is = now === null ? "it is gone" : `it is at ${now.slice(0, 12)}`;
  return { pushed: false, because: "moved", now, why: `${was}, and now ${is}` };
}
