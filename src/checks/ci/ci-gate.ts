import type { Problem } from "../../core/errors.ts";
import type { CheckEvent, Clock, Gate } from "../../core/ports.ts";
import type { Result, Trouble } from "../../core/result.ts";
import type { CheckResult, Evidence, Verdict } from "../../core/verdict.ts";
import type { GithubAccess } from "../../github/access.ts";
import type { Github } from "../../github/client.ts";
import { setCommitStatus } from "../../github/statuses.ts";
import type { Teller } from "../../os/teller.ts";
import { CI_CONTEXT } from "../../core/names.ts";
import type { CiSaid } from "../../views/github/facts.ts";
import { isPast, untilDeadline } from "../gates.ts";
import { awaitCi, type CiRun } from "./ci-run.ts";
import { type CiJobs, ciName, ciProblem, ciTail, NO_JOBS, whatFailed, wordOfJobs } from "./ci-verdict.ts";

/** What CI is to judge: a commit that is the tip of a branch on GitHub. */
export interface CiPlace {
  readonly branch: string;
  readonly head: string;
}

/** Why the work is not where CI can judge it. */
export interface NoCiPlace extends Trouble {
  readonly problem: Problem;
}

/** Why a workflow may not judge; `unlike`: something of it is otherwise than in the base, `unread`: GitHub does not tell. */
export interface NotAsBase extends Trouble {
  readonly kind: "unlike" | "unread";
}

/** What CI is asked with. */
export interface CiGateOptions {
  /** `ci-workflow` */
  readonly file: string;
  /** of the workflow that this loop runs in, as in `smithers.yml` */
  readonly ownFile: string;
  readonly jobs?: CiJobs;
  /** commits the current work and brings it to where CI can judge it */
  readonly bring: (iteration: number, withinMs: number) => Promise<Result<CiPlace, NoCiPlace>>;
  /** whether the workflow of a commit may judge it, see `asInBase` */
  readonly trusts: (github: Github, head: string) => Promise<Result<void, NotAsBase>>;
  readonly github: GithubAccess | undefined;
  readonly teller: Teller;
  readonly clock: Clock;
  /** for the eyes of people */
  readonly observe: (event: CheckEvent) => void;
}

const STATUS_MS = 15_000;
const FAILURE_MS = 30_000;
const FILES_MS = 30_000;
const UNKNOWN = "whether its workflow is as on the base is not known";
const OWN_WORD = "what a branch says itself proves nothing";
const RESUME = "Put that right, then resume the loop; its work is on its branch, and CI is asked before another turn.";

/**
 * Proves with a workflow of the repository: commits and pushes the work to the loop's branch, runs the workflow on it,
 * waits for its verdict and reports it as the commit status `smithers/ci`. Does not ask before a turn, because there
 * may be nothing to push, nor between claims (C30). A workflow that the branch has changed is not asked (C118). Does not have CI judge a commit twice, so a proof that was cut off goes on where it was.
 */
export function createCiGate(options: CiGateOptions): Gate {
  const { clock } = options;
  return {
    async judge(evidence, signal) {
      if (signal.aborted || isPast(evidence, clock)) return CUT_OFF;
      if (evidence.occasion === "first" || evidence.occasion === "change") return { result: "passed", checks: [] };
      return untilDeadline(evidence, signal, clock, (until) => bringAndAsk(options, evidence, until));
    },
  };
}

const CUT_OFF: Verdict = { result: "cut_off", checks: [] };

/** Whether the caller has given up. */
type IsOver = () => boolean;

async function bringAndAsk(options: CiGateOptions, evidence: Evidence, signal: AbortSignal): Promise<Verdict> {
  const { file, clock, github } = options;
  const isOver: IsOver = () => signal.aborted || isPast(evidence, clock);
  if (file === options.ownFile) return none(file, "it is the workflow that this loop runs in", OTHER_NEXT);
  options.observe({ type: "check.started", command: ciName(file) });
  const leftMs = evidence.deadline === null ? Infinity : evidence.deadline - clock.now();
  const work = await options.bring(evidence.iteration, leftMs);
  if (isOver()) return CUT_OFF;
  if (!work.ok) return { result: "unrunnable", checks: [], problem: work.trouble.problem };
  if (github === undefined) return none(file, "there is no token to ask GitHub with", RESUME);
  return ask(options, github, work.value, signal, isOver);
}

const OWN_NEXT =
  "Bring that change to the base first, in a pull request of its own. Or name a command as success-cmd, and leave ci-workflow away. Then resume the loop; its work is on its branch.";
const OTHER_NEXT = "Name the workflow that tests the work as ci-workflow, and resume the loop.";

async function ask(
  { file, trusts, teller, clock, observe, jobs = NO_JOBS }: CiGateOptions,
  github: GithubAccess,
  { branch, head }: CiPlace,
  signal: AbortSignal,
  isOver: IsOver,
): Promise<Verdict> {
  const trusted = await trusts(await github.within(FILES_MS), head);
  if (isOver()) return CUT_OFF;
  if (!trusted.ok && trusted.trouble.kind === "unread")
    return none(file, `${UNKNOWN}: ${trusted.trouble.because}`, RESUME);
  if (!trusted.ok) return none(file, `${trusted.trouble.because}, and ${OWN_WORD}`, OWN_NEXT);
  const begun = clock.now();
  const mirror = async ({ url }: CiRun, said: CiSaid): Promise<void> => {
    const { ciStatus } = await import("../../views/github/commit-status.ts");
    const status = { ...ciStatus(file, said), context: CI_CONTEXT, sha: head, targetUrl: url };
    const set = await setCommitStatus(await github.within(STATUS_MS), status);
    if (!set.ok) teller.notice(`The commit status ${CI_CONTEXT} is not set: ${set.trouble.because}.`);
  };
  const ended = await awaitCi({
    access: await github.until(signal),
    question: { workflow: file, branch, sha: head },
    clock,
    isOver,
    begun: async (run) => {
      teller.line(`CI (${file}) ${run.ended ? "has judged" : "judges"} ${head.slice(0, 12)}: ${run.url}`);
      if (!run.ended) await mirror(run, null);
    },
  });
  if (!ended.ok) return ended.trouble.kind === "cut_off" ? CUT_OFF : none(file, ended.trouble.because, RESUME);
  const run = ended.value;
  const word = await wordOfJobs(await github.within(FAILURE_MS), run, jobs);
  await mirror(run, word.says);
  if (word.says === "nothing") return none(file, `the run ${run.url} ${word.why}`, word.next);
  const { says, exitCode, timedOut } = word;
  const failure = async () => ciTail(run, await whatFailed(await github.within(FAILURE_MS), run.id, jobs));
  const tail = says === "passed" ? run.url : await failure();
  const durationMs = Math.max(0, clock.now() - begun);
  const what = { role: "quality", command: ciName(file) } as const;
  const check: CheckResult = { ...what, exitCode, timedOut, durationMs, tail, tests: null };
  observe({ type: "check.ended", check });
  return { result: says, checks: [check] };
}

function none(file: string, why: string, next: string): Verdict {
  return { result: "unrunnable", checks: [], problem: ciProblem(file, why, next) };
}
