import type { LoopState } from "../core/state.ts";
import { DONE, done, failed, type Result, type Trouble } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import type { NamedPullRequest } from "../github/pulls.ts";
import { tipOf } from "../github/refs.ts";
import { ask } from "../github/refusal.ts";
import type { Intent } from "./intent.ts";

/**
 * Why a request does not hold for the current commit.
 *
 * - `moved`: it was about something else; `because` is a sentence without its final full stop
 * - `unknown`: GitHub does not say; `because` is part of a sentence
 */
interface Unpinned extends Trouble {
  readonly kind: "moved" | "unknown";
}

/** What a loop's own record says that it has pushed last, and when at the latest; asked only where GitHub does not list the push. */
export type OwnPush = () => Promise<{ readonly head: string; readonly at: number } | null>;

/** A branch as somebody saw it. */
interface Seen {
  readonly branch: string;
  /** the branch's tip now */
  readonly head: string;
  /** when they saw it; milliseconds since the epoch */
  readonly at: number;
  readonly ownPush: OwnPush;
}

/** The last push of a loop, by its state. */
export function ownPushOf(state: LoopState | undefined): { readonly head: string; readonly at: number } | null {
  const head = state?.github?.head ?? null;
  return state === undefined || head === null ? null : { head, at: Date.parse(state.updated_at) };
}

/**
 * Holds a request to the commit that was seen when it was made (T6): a label and a check name it, a comment was written
 * when it was there. Never throws.
 *
 * @returns the commit that it holds for
 */
export async function pinHead(
  github: Github,
  { headSha, headBranch, at }: Intent,
  pull: NamedPullRequest | null,
  ownPush: OwnPush,
): Promise<Result<string, Unpinned>> {
  if (headSha === null) {
    if (pull === null || at === null) return moved("What it was about is not known");
    const unchanged = await unchangedSince(github, {
      ...{ branch: pull.headBranch, head: pull.headSha, at, ownPush },
    });
    return unchanged.ok ? done(pull.headSha) : unchanged;
  }
  const tip = pull === null ? await tipOf(github, `refs/heads/${headBranch ?? ""}`) : done(pull.headSha);
  if (!tip.ok && tip.trouble.kind === "absent") return moved("The branch that it was about is gone");
  if (!tip.ok) return unknown(`where the branch is now cannot be told: ${tip.trouble.because}`);
  return tip.value === headSha ? tip : moved(`That was about commit ${headSha}, and now there is ${tip.value}`);
}

/**
 * Whether a branch has stayed as somebody saw it, by GitHub's own clock (`contents: read`): the dates in commits are
 * their authors'. What is not known counts as a push. Never throws.
 */
export async function unchangedSince(
  github: Github,
  { branch, head, at, ownPush }: Seen,
): Promise<Result<undefined, Unpinned>> {
  const answer = await ask("contents: read", () =>
    github.rest.repos.listActivities({ ref: `refs/heads/${branch}`, per_page: 1 }),
  );
  if (!answer.ok) return unknown(`whether ${branch} was pushed to since cannot be told: ${answer.trouble.because}`);
  const [last] = answer.value.data;
  // A second is all that the time of a comment is written down to.
  if (last !== undefined && !(Date.parse(last.timestamp) < Math.floor(at / 1_000) * 1_000)) {
    return moved(`${branch} was pushed to since, at ${last.timestamp}: it is at ${last.after} now`);
  }
  if (last?.after === head) return DONE;
  // The list lags behind the push, and nobody but the loop can have pushed what it has pushed itself.
  const own = await ownPush();
  if (own !== null && own.head === head && own.at < at) return DONE;
  if (last === undefined) return moved(`GitHub does not say when ${branch} was pushed to`);
  return moved(`GitHub does not know yet when ${branch} was pushed to ${head}`);
}

function moved(because: string): Result<never, Unpinned> {
  return failed({ kind: "moved", because });
}

function unknown(because: string): Result<never, Unpinned> {
  return failed({ kind: "unknown", because });
}
