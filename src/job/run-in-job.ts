import { runPlan } from "../app/run-plan.ts";
import { compose, type Composition, type CiMeans } from "../app/compose.ts";
import { preflight } from "../app/preflight.ts";
import { generationOf, type Plan } from "../app/plan.ts";
import type { WorkingHours } from "../app/to-task.ts";
import { howToResume } from "../app/view-of.ts";
import type { Gate, Ports, Reporter } from "../core/ports.ts";
import { endingSubject } from "../core/settle.ts";
import type { LoopState } from "../core/state.ts";
import { hurry } from "../os/supervise.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { actionLogReporter } from "../reporters/action-log.ts";
import { allOf } from "../reporters/all-of.ts";
import { asInputs } from "../views/run-view.ts";

/** What a run of the loop inside a job needs. */
interface RunInJob {
  /** the agent's program is on its path */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: RunnerLog;
  /** tells a person */
  readonly notice: (text: string) => void;
  /**
   * Called once, after the preflight, with whether something that the agent writes runs without isolation; throws
   * UsageError when the run's result could not be published.
   */
  readonly hours: (isUnisolated: boolean) => Promise<WorkingHours>;
  /** no checkpoint is waited for any more */
  readonly release: () => void;
  /** makes the ports those of a job */
  readonly adapt: (ports: Ports) => Ports;
  /** reports on GitHub; undefined: the loop has no comment there */
  readonly comment: (deadline: () => number | null) => Promise<Reporter | undefined>;
  readonly ci: (means: CiMeans) => Gate;
  /** commits of others; undefined: nothing is published from here */
  readonly published: (() => Promise<readonly string[]>) | undefined;
  /** lets programs isolate themselves; whether something has changed */
  readonly repairMachine: () => Promise<boolean>;
  /** is called with the final state while the lock is still held */
  readonly conclude: (state: LoopState) => Promise<void>;
}

/** How it went. */
export interface RanInJob {
  readonly state: LoopState;
  /** why nothing was done, when the stored ending stays (PRE 4) */
  readonly left: string | null;
}

/** Runs the loop on this machine: the same composition as the command line's, with the job's log and its checkpoints. */
export async function runInJob(plan: Plan, job: RunInJob): Promise<RanInJob> {
  const { opening, stored } = plan;
  if (opening.do === "leave" && stored !== undefined) return { state: stored, left: asInputs(opening.because) };
  if (opening.do === "publish" && stored !== undefined) {
    await commitAgain(plan, job, stored, opening.because);
    return { state: stored, left: null };
  }
  let deadline: number | null = null;
  const log = actionLogReporter({ log: job.log, now: Date.now, deadline: () => deadline });
  const comment = await job.comment(() => deadline);
  const composition = await composeFor(plan, job, comment ? allOf([log, comment]) : log);
  await preflight(plan, composition);
  const hours = await job.hours(composition.isUnisolated());
  ({ deadline } = hours);
  // What the ref takes longer for would be taken from the reserve.
  if (deadline !== null) setTimeout(job.release, Math.max(0, deadline - hours.reserveMs - Date.now())).unref();
  const { state, left } = await runPlan(plan, composition, hours, job.conclude);
  return { state, left: left === undefined ? null : asInputs(left) };
}

/**
 * No turn is taken: the ending that is stored is this run's as well, and its work is made a commit again, for those that it
 * had were lost with their machine.
 *
 * @throws OperationalError when git, or the state of the repository, does not allow a commit; nothing is lost
 */
async function commitAgain(plan: Plan, job: RunInJob, stored: LoopState, because: string | null): Promise<void> {
  job.notice("How this loop ended is not published yet: that comes first, and no turn is taken.");
  if (because !== null) job.notice(asInputs(because).replaceAll("<resume>", howToResume(stored)));
  const { ports } = await composeFor(
    plan,
    job,
    actionLogReporter({ log: job.log, now: Date.now, deadline: () => null }),
  );
  const { loop_id: loopId, iteration, status } = stored;
  const message = endingSubject(stored, status, plan.settings.identity.prompt);
  await ports.workspace.commit({ message, loopId, iteration });
}

async function composeFor(
  plan: Plan,
  { env, ci, adapt, published, repairMachine }: RunInJob,
  reporter: Reporter,
): Promise<Composition> {
  const { place, settings, prd } = plan;
  const generation = generationOf(plan);
  const composition = await compose({
    ...settings,
    ci,
    published,
    repairMachine,
    place,
    prd,
    generation,
    env,
    reporter,
    onSecondInterrupt: hurry,
  });
  return { ...composition, ports: adapt(composition.ports) };
}
