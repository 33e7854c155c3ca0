import { done, failed, type Result, type Trouble } from "../core/result.ts";
import { withCure } from "../git/refusal.ts";
import { RemoteGit, type RemoteGitPlace } from "../git/remote-git.ts";
import { oneAtATime } from "../os/concurrency.ts";
import { briefly } from "../views/plain-text.ts";
import type { Github } from "./client.ts";
import { ask, type Refused, saysThat } from "./refusal.ts";

/** A ref and the commit that it points at. */
export interface FoundRef {
  /** whole, as in `refs/smithers-loops/x` */
  readonly ref: string;
  readonly commit: string;
}

/**
 * The refs that begin so (`contents: read`). Never throws.
 *
 * @param prefix whole, as in `refs/smithers-loops/`
 */
export async function listRefs(github: Github, prefix: string): Promise<Result<readonly FoundRef[], Refused>> {
  return ask("contents: read", async () => {
    const found = await github.paginate((rest) => rest.git.listMatchingRefs, { ref: unprefixed(prefix) });
    return found.map(({ ref, object }) => ({ ref, commit: object.sha })).filter(({ ref }) => ref.startsWith(prefix));
  });
}

/**
 * The commit that a ref points at (`contents: read`). Never throws.
 *
 * @param ref whole, as in `refs/heads/x`
 */
export async function tipOf(github: Github, ref: string): Promise<Result<string, Refused>> {
  return ask("contents: read", async () => (await github.rest.git.getRef({ ref: unprefixed(ref) })).data.object.sha);
}

/** A commit between two others; the subject is its author's words. */
interface CommitBetween {
  readonly sha: string;
  readonly subject: string;
}

/**
 * What came after one commit until another, the newest first (`contents: read`). Never throws.
 *
 * @param most at most 250
 * @returns the newest `most` of them, and how many there are
 */
export async function commitsBetween(
  github: Github,
  base: string,
  head: string,
  most: number,
): Promise<Result<{ readonly commits: readonly CommitBetween[]; readonly count: number }, Refused>> {
  return ask("contents: read", async () => {
    // Asked without a page, GitHub gives the latest 250, of which the last is the newest; with one, the oldest come first.
    const { data } = await github.rest.repos.compareCommits({ base, head });
    const newest = data.commits.slice(-most).toReversed();
    const subject = (message: string): string => message.split(/\r?\n/u, 1)[0] ?? "";
    return {
      commits: newest.map(({ sha, commit }) => ({ sha, subject: subject(commit.message) })),
      count: data.total_commits,
    };
  });
}

/** As the API takes a ref's name. */
function unprefixed(ref: string): string {
  return ref.replace(/^refs\//u, "");
}

/**
 * Makes a ref at a commit that the repository has (`contents: write`). Leaves an existing one where it is. Never
 * throws.
 *
 * @param ref whole, as in `refs/heads/x`
 */
export async function createRef(github: Github, ref: string, commit: string): Promise<Result<void, Refused>> {
  return ask("contents: write", async () => {
    try {
      await github.rest.git.createRef({ ref, sha: commit });
    } catch (error) {
      if (!saysThat(error, /reference already exists/iu)) throw error;
    }
  });
}

/**
 * Puts a ref at a commit that the repository has (`contents: write`): a new one, or one that was there before with
 * nothing that is not in the commit. Leaves one that is elsewhere. Never throws.
 *
 * @param ref whole, as in `refs/heads/x`
 * @param move `from`: where it was seen; null: nowhere
 */
export async function putRef(
  github: Github,
  ref: string,
  { from, to }: { readonly from: string | null; readonly to: string },
): Promise<Result<void, Refused>> {
  if (from === null) return createRef(github, ref, to);
  return ask("contents: write", async () => {
    await github.rest.git.updateRef({ ref: unprefixed(ref), sha: to, force: false });
  });
}

/** Why a ref is left; `moved`: it is not where it was seen. */
interface RefLeft extends Trouble {
  readonly moved: boolean;
}

/**
 * Deletes a ref of the repository on the network, if it is still where it was seen. Never throws.
 *
 * @param ref whole, as in `refs/smithers-loops/x`
 * @param expected the commit that it was seen at
 * @returns `already`: it was already gone
 */
export type DeleteRef = (ref: string, expected: string) => Promise<Result<{ readonly already: boolean }, RefLeft>>;

/** How long one ref may take, in milliseconds. */
const WITHIN_MS = 30_000;

/** Deletes refs by git, one after the other: a push can compare and swap, which the API cannot (`contents: write`). */
export function createRefDeleter(place: RemoteGitPlace, signal: AbortSignal): DeleteRef {
  const inTurn = oneAtATime();
  return (ref, expected) =>
    inTurn(async () => {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
      try {
        const remote = new RemoteGit(place, bounded);
        await remote.prepare(null);
        return await deleteRef(remote, ref, expected);
      } catch (error) {
        return left(bounded.aborted ? "there was no answer in time" : briefly(error));
      }
    });
}

async function deleteRef(remote: RemoteGit, ref: string, expected: string): ReturnType<DeleteRef> {
  const pushed = await remote.push([{ ref, to: null, expected }]);
  if (pushed.ok) return done({ already: false });
  if (pushed.trouble.kind !== "stale") return left(withCure(pushed.trouble));
  const listed = await remote.list(ref);
  if (!listed.ok) return left(listed.trouble.because);
  const now = listed.value.get(ref);
  if (now === undefined) return done({ already: true });
  if (now === expected) return left("the server could not delete it");
  const because = `it was at ${expected.slice(0, 12)}, and now it is at ${now.slice(0, 12)}`;
  return failed({ moved: true, because });
}

function left(because: string): Result<never, RefLeft> {
  return failed({ moved: false, because });
}
