import type { CheckEvent, Clock, Gate, Workspace } from "../../core/ports.ts";
import type { CheckResult, Evidence, Verdict } from "../../core/verdict.ts";
import { cutOffOf } from "../cut-off.ts";
import type { Access } from "../../github/access.ts";
import { whatFailed } from "./ci-failure.ts";
import type { CiRun } from "./ci-run.ts";
import { setCommitStatus } from "../../github/commit-status.ts";
import type { Octokit } from "../../github/octokit.ts";
import { CI_CONTEXT, ciStatus } from "../../views/github/commit-status.ts";
import type { CiSaid } from "../../views/github/facts.ts";
import { awaitCi } from "./await-ci.ts";
import type { BranchInHand } from "../../publish/branch-in-hand.ts";
import { ciName, ciProblem, ciTail, wordOf } from "./ci-verdict.ts";
import { bringToCi, type CiPlace } from "./ci-work.ts";
import type { Surroundings } from "../../app/surroundings.ts";

/** What CI is asked with. */
export interface CiGateOptions {
  readonly job: Surroundings;
  /** `ci-workflow` */
  readonly file: string;
  /** of the commit that CI judges */
  readonly message: string;
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  readonly octokit: () => Promise<Octokit | undefined>;
  readonly workspace: Workspace;
  readonly clock: Clock;
  /** for the eyes of people */
  readonly observe: (event: CheckEvent) => void;
}

const STATUS_MS = 15_000;
const FAILURE_MS = 30_000;
const RESUME = "Put that right, then resume the loop; its work is on its branch, and CI is asked before another turn.";

/**
 * Proves with a workflow of the repository: the work is committed and pushed to the loop's branch, the workflow is run on
 * it, and its verdict is awaited and told by the commit status `smithers/ci`. It is not asked before a turn, for then there
 * may be nothing to push. A commit that CI has judged, or is about to, is not judged again; so a proof that was cut off goes
 * on where it was.
 */
export function createCiGate(options: CiGateOptions): Gate {
  return {
    async judge(evidence, signal) {
      if (signal.aborted || isPast(evidence, options.clock)) return CUT_OFF;
      if (evidence.occasion === "first") return { result: "passed", checks: [] };
      const cut = cutOffOf(evidence, signal, options.clock);
      try {
        return await ask(options, evidence, cut.signal);
      } finally {
        cut.release();
      }
    },
  };
}

const CUT_OFF: Verdict = { result: "cut_off", checks: [] };

/** The machine may have slept over the deadline. */
function isPast({ deadline }: Evidence, clock: Clock): boolean {
  return deadline !== null && deadline <= clock.now();
}

/** One question to CI. */
interface Judging extends CiGateOptions {
  readonly evidence: Evidence;
  readonly signal: AbortSignal;
  /** whether nobody waits any more */
  readonly isOver: () => boolean;
}

async function ask(options: CiGateOptions, evidence: Evidence, signal: AbortSignal): Promise<Verdict> {
  const { job, file, clock, observe, message } = options;
  const isOver = (): boolean => signal.aborted || isPast(evidence, clock);
  if (file === job.context.workflow.file) return none(file, "it is the workflow that this loop runs in", OTHER_NEXT);
  observe({ type: "check.started", command: ciName(file) });
  const leftMs = evidence.deadline === null ? Infinity : evidence.deadline - clock.now();
  const request = { message, loopId: job.place.loopId, iteration: evidence.iteration };
  const work = await bringToCi(options, request, leftMs);
  if (isOver()) return CUT_OFF;
  if (!work.there) return { result: "unrunnable", checks: [], problem: work.problem };
  const octokit = await options.octokit();
  if (octokit === undefined) return none(file, "there is no token to ask GitHub with", RESUME);
  return judge({ ...options, evidence, signal, isOver }, work, octokit);
}

const OTHER_NEXT = "Name the workflow that tests the work as ci-workflow, and resume the loop.";

async function judge(judging: Judging, { branch, head }: CiPlace, octokit: Octokit): Promise<Verdict> {
  const { job, file, clock, observe, isOver } = judging;
  const begun = clock.now();
  const { repository } = job.context;
  const accessFor = (signal: AbortSignal): Access => ({ octokit, repository, signal });
  const mirror = async ({ url }: CiRun, said: CiSaid): Promise<void> => {
    const status = { ...ciStatus(file, said), context: CI_CONTEXT, sha: head, targetUrl: url };
    const set = await setCommitStatus(accessFor(AbortSignal.timeout(STATUS_MS)), status);
    if (!set.done) job.notice(`The commit status ${CI_CONTEXT} is not set: ${set.why}.`);
  };
  const answer = await awaitCi({
    access: accessFor(judging.signal),
    question: { workflow: file, branch, sha: head },
    clock,
    isOver,
    begun: async (run) => {
      job.log.line(`CI (${file}) ${run.ended ? "has judged" : "judges"} ${head.slice(0, 12)}: ${run.url}`);
      if (!run.ended) await mirror(run, null);
    },
  });
  if (answer.answer === "cut_off") return CUT_OFF;
  if (answer.answer === "none") return none(file, answer.why, RESUME);
  const { run } = answer;
  const word = wordOf(run);
  await mirror(run, word.says);
  if (word.says === "nothing") return none(file, `the run ${run.url} ${word.why}`, word.next);
  const tail =
    word.says === "passed"
      ? run.url
      : ciTail(run, await whatFailed(accessFor(AbortSignal.timeout(FAILURE_MS)), run.id));
  const { says, exitCode, timedOut } = word;
  const durationMs = Math.max(0, clock.now() - begun);
  const check: CheckResult = {
    role: "quality",
    command: ciName(file),
    exitCode,
    timedOut,
    durationMs,
    tail,
    tests: null,
  };
  observe({ type: "check.ended", check });
  return { result: says, checks: [check] };
}

function none(file: string, why: string, next: string): Verdict {
  return { result: "unrunnable", checks: [], problem: ciProblem(file, why, next) };
}
