import { OperationalError, type Problem } from "../../core/errors.ts";
import type { CommitRequest, Workspace } from "../../core/ports.ts";
import type { BranchInHand } from "../../publish/branch-in-hand.ts";
import { checkedOut } from "../../git/repository.ts";
import { ciProblem } from "./ci-verdict.ts";
import type { Surroundings } from "../../app/surroundings.ts";
import { whySecret } from "../../publish/why-secret.ts";

const PUSH_MS = 60_000;
const LOOK_MS = 20_000;

/** What CI is to judge: a commit that is the tip of a branch on GitHub. */
export interface CiPlace {
  readonly branch: string;
  readonly head: string;
}

/** Whether the work is where CI can judge it. */
export type CiWork = ({ readonly there: true } & CiPlace) | { readonly there: false; readonly problem: Problem };

/** From where to where the work goes. */
export interface CiRoute {
  readonly job: Surroundings;
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  readonly workspace: Workspace;
  /** the workflow's file */
  readonly file: string;
}

/**
 * Commits the work as it stands and pushes it to the loop's branch, as an ending does. Whatever is there already is left
 * alone.
 *
 * @param withinMs so long the push may take
 */
export async function bringToCi(
  { job, hand, workspace, file }: CiRoute,
  request: CommitRequest,
  withinMs: number,
): Promise<CiWork> {
  const not = (why: string, next: string): CiWork => ({ there: false, problem: ciProblem(file, why, next) });
  if (hand === undefined) return not("this run has no branch on GitHub that the work could be pushed to", BRANCH_NEXT);
  try {
    await workspace.commit(request);
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    const { code, message: what, next } = error;
    return { there: false, problem: { code, what, next } };
  }
  const commit = await checkedOut(job.place.root);
  if (commit === null) return not("there is no commit that it could judge", RESUME);
  const { name, tip, here } = hand;
  if (tip !== null && commit === here) return { there: true, branch: name, head: tip };
  const secret = await whySecret(job, hand, commit, Math.min(LOOK_MS, withinMs));
  if (secret !== null) return not(`nothing was pushed to ${name}, for ${secret.replace(/\.$/u, "")}`, RESUME);
  const pushed = await hand.push(commit, Math.min(PUSH_MS, withinMs));
  if (pushed.ok) {
    const { head } = pushed.value;
    job.log.line(`pushed to ${name}: ${head}`);
    return { there: true, branch: name, head };
  }
  const { trouble } = pushed;
  if (trouble.kind === "moved") return not(`somebody moved ${name} while the loop was at work`, MOVED_NEXT);
  return not(`nothing was pushed to ${name}: ${trouble.because}`, trouble.next || RESUME);
}

const RESUME = "Put that right, then resume the loop; its work is kept.";
const BRANCH_NEXT =
  "The log says why. Put that right, then resume the loop; its work is kept, and CI is asked before another turn.";
const MOVED_NEXT = "Resume the loop: it puts its work on top of what is there now, and asks CI of that.";
