import { allOf as allControls } from "../control/all-of.ts";
import type { Control, Reporter } from "../core/ports.ts";
import { doneSubject } from "../core/settle.ts";
import type { PullRequest, LoopState } from "../core/state.ts";
import { systemClock } from "../os/clock.ts";
import type { Octokit } from "../github/octokit.ts";
import { hurry } from "../os/supervise.ts";
import { actionLogReporter } from "../reporters/action-log.ts";
import { allOf as allReporters } from "../reporters/all-of.ts";
import { carryOut } from "../app/carry-out.ts";
import { type Blueprint, compose, type Composition } from "../app/compose.ts";
import { marksOf } from "../app/place.ts";
import { preflight } from "../app/preflight.ts";
import { generationOf, type Plan } from "../app/start-or-resume.ts";
import type { WorkingHours } from "../app/to-task.ts";
import { withCopies } from "../app/with-copies.ts";
import { asInputs } from "../views/as-inputs.ts";
import type { AskedFor } from "../requests/asked.ts";
import { cancelAtOnce } from "./cancel-at-once.ts";
import type { BranchInHand } from "../publish/branch-in-hand.ts";
import type { Checkpoints } from "../carry/checkpoints.ts";
import { commitEnding } from "../publish/commit-ending.ts";
import { hurriedControl } from "./hurried-control.ts";
import { withSandboxRepair } from "../agents/install/repair-sandbox.ts";
import type { Surroundings } from "../app/surroundings.ts";
import { howToResume } from "../app/view-for-job.ts";
import { writeSummaryFor } from "./write-summary-for.ts";

/** How long the agent has to end itself after a signal: everything has to be on the disk within three seconds. */
const GRACE_MS = 1_500;

/** What a run of the loop inside a job needs. */
export interface Drive {
  readonly job: Surroundings;
  readonly plan: Plan;
  /** asked once, after the preflight, which need not wait for GitHub's answer */
  readonly hours: () => Promise<WorkingHours>;
  /** the agent's program is on its path */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** undefined: the loop's ref is not among the carriers */
  readonly checkpoints: Checkpoints | undefined;
  /** who asks for this run */
  readonly asked: AskedFor;
  /** what people ask of it while it runs */
  readonly requests: Control | undefined;
  readonly octokit: () => Promise<Octokit | undefined>;
  /** the branch that the work goes to; undefined: nothing is published from here */
  readonly hand: BranchInHand | undefined;
  /** waited for after the preflight; throws UsageError when what the run comes to could not be published */
  readonly publishable: () => Promise<void>;
  /** makes a control the one that this process's signals go to */
  readonly listening: (control: Control) => Control;
}

/** How it went. */
export interface Driven {
  readonly state: LoopState;
  /** why nothing was done, when the stored ending stands (PRE 4) */
  readonly left: string | null;
}

/** Runs the loop on this machine: the same composition as the command line's, with the job's log and its checkpoints. */
export async function drive(driving: Drive): Promise<Driven> {
  const { job, plan, checkpoints } = driving;
  if (plan.opening.do === "leave" && plan.stored !== undefined) {
    return { state: plan.stored, left: asInputs(plan.opening.because) };
  }
  if (plan.opening.do === "publish" && plan.stored !== undefined) {
    return { state: await againEnded(driving, plan.stored, plan.opening.because), left: null };
  }
  let deadline: number | null = null;
  const log = actionLogReporter({ log: job.log, now: Date.now, deadline: () => deadline });
  const comment = await commentFor(driving, () => deadline);
  const reporter = comment === undefined ? log : allReporters([log, comment]);
  const composition = await composeFor(driving, withCopies(reporter, plan));
  await preflight(plan, composition);
  await driving.publishable();
  const hours = await driving.hours();
  ({ deadline } = hours);
  // What the ref takes longer for would be taken from the reserve.
  if (deadline !== null) {
    const leftMs = Math.max(0, deadline - hours.reserveMs - Date.now());
    setTimeout(() => checkpoints?.release(), leftMs).unref();
  }
  const carried = await carryOut(plan, composition, hours, async (state) => writeSummaryFor(state, job));
  return { state: carried.state, left: carried.left === undefined ? null : asInputs(carried.left) };
}

/** No turn is taken: the ending that is stored is this run's as well, and its work is committed again. */
async function againEnded(driving: Drive, stored: LoopState, because: string | null): Promise<LoopState> {
  const { job, plan } = driving;
  job.notice("How this loop ended is not published yet: that comes first, and no turn is taken.");
  if (because !== null) job.notice(asInputs(because).replaceAll("<resume>", howToResume(stored)));
  const { ports } = await composeFor(driving, actionLogReporter({ log: job.log, now: Date.now, deadline: () => null }));
  return commitEnding(plan, ports.workspace, stored);
}

/** A loop that has a pull request tells there how it is doing. */
async function commentFor(
  { job, plan, octokit, checkpoints }: Drive,
  deadline: () => number | null,
): Promise<Reporter | undefined> {
  const { github } = plan.asked;
  if (github === null || !job.settings.config.statusComment) return undefined;
  const pullRequest = github.pullRequest ?? pullRequestOn(github.branch, plan);
  if (pullRequest === null) return undefined;
  const [client, { liveComment }] = await Promise.all([octokit(), import("../publish/live-comment.ts")]);
  if (client === undefined) return undefined;
  return liveComment({ job, octokit: client, pullRequest, branch: github.branch, deadline, checkpoints });
}

/** A generation that begins on another branch has none yet. */
function pullRequestOn(branch: string, { stored }: Plan): PullRequest | null {
  const ties = stored?.github ?? null;
  return ties?.branch === branch ? ties.pull_request : null;
}

async function composeFor(driving: Drive, reporter: Reporter): Promise<Composition> {
  const { job, plan, env, checkpoints, listening, asked, requests } = driving;
  const { host, place, notice } = job;
  const say = (text: string): void => reporter.observe({ type: "notice", text });
  const generation = generationOf(plan);
  const ci = await ciOf(driving);
  const composition = await compose({
    ...{ ...plan.settings, ...ci, place, generation, env, reporter, say, onImpatience: hurry },
  });
  const { ports } = composition;
  const control = allControls([
    ports.control,
    ...(checkpoints === undefined ? [] : [checkpoints.control]),
    ...(requests === undefined ? [] : [requests]),
    ...(asked.command === "cancel" ? [cancelAtOnce(asked.asker)] : []),
  ]);
  return {
    ...composition,
    ports: {
      ...ports,
      provider: withSandboxRepair(ports.provider, { notice }, { ...host, mark: marksOf(place).tools }),
      store: checkpoints?.over(ports.store) ?? ports.store,
      control: listening(hurriedControl(control, { hurry, graceMs: GRACE_MS, at: () => checkpoints?.release() })),
    },
  };
}

/** What asks CI, where the task wants it; it is read only then. */
async function ciOf({ job, plan, hand, octokit }: Drive): Promise<Pick<Blueprint, "ci">> {
  const { prompt, checks } = plan.settings.identity;
  if (checks.ci === null) return {};
  const { createCiGate } = await import("../checks/ci/ci-gate.ts");
  const message = doneSubject(prompt);
  return { ci: (means) => createCiGate({ ...means, job, hand, octokit, message, clock: systemClock }) };
}
