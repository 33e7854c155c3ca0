import { OperationalError, type Problem } from "../core/errors.ts";
import type { CommitRequest, Workspace } from "../core/ports.ts";
import { done, failed, type Result } from "../core/result.ts";
import type { BranchInHand } from "./branch-in-hand.ts";
import { checkedOut } from "../git/repository.ts";
import type { CiPlace, NoCiPlace } from "../checks/ci/ci-gate.ts";
import { ciProblem } from "../checks/ci/ci-verdict.ts";

const PUSH_MS = 60_000;
const LOOK_MS = 20_000;

/** From where to where the work goes. */
export interface CiRoute {
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  readonly workspace: Workspace;
  /** of the workspace */
  readonly root: string;
  /** the workflow's file */
  readonly file: string;
  /** takes a line of the log */
  readonly line: (text: string) => void;
}

/**
 * Commits the work as it stands and pushes it to the loop's branch, as an ending does. Whatever is there already is left
 * alone.
 *
 * @param withinMs so long the push may take
 */
export async function bringToCi(
  { hand, workspace, root, file, line }: CiRoute,
  request: CommitRequest,
  withinMs: number,
): Promise<Result<CiPlace, NoCiPlace>> {
  const unjudged = (problem: Problem): Result<never, NoCiPlace> => failed({ because: problem.what, problem });
  const not = (why: string, next: string): Result<never, NoCiPlace> => unjudged(ciProblem(file, why, next));
  if (hand === undefined) return not("this run has no branch on GitHub that the work could be pushed to", BRANCH_NEXT);
  try {
    await workspace.commit(request);
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    const { code, message: what, next } = error;
    return unjudged({ code, what, next });
  }
  const commit = await checkedOut(root);
  if (commit === null) return not("there is no commit that it could judge", RESUME);
  const { name, tip, here } = hand;
  if (tip !== null && commit === here) return done({ branch: name, head: tip });
  const secret = await hand.secretIn(commit, Math.min(LOOK_MS, withinMs));
  if (secret !== null) return not(`nothing was pushed to ${name}, for ${secret.replace(/\.$/u, "")}`, RESUME);
  const pushed = await hand.push(commit, Math.min(PUSH_MS, withinMs));
  if (pushed.pushed) {
    line(`pushed to ${name}: ${pushed.head}`);
    return done({ branch: name, head: pushed.head });
  }
  if (pushed.because === "moved") return not(`somebody moved ${name} while the loop was at work`, MOVED_NEXT);
  const next = "next" in pushed && pushed.next !== "" ? pushed.next : RESUME;
  return not(`nothing was pushed to ${name}: ${pushed.why}`, next);
}

const RESUME = "Put that right, then resume the loop; its work is kept.";
const BRANCH_NEXT =
  "The log says why. Put that right, then resume the loop; its work is kept, and CI is asked before another turn.";
const MOVED_NEXT = "Resume the loop: it puts its work on top of what is there now, and asks CI of that.";
