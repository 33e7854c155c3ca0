import { allOf as allControls, requestStream } from "../control/request-stream.ts";
import type { Control, Provider, Reporter } from "../core/ports.ts";
import { endingSubject } from "../core/settle.ts";
import type { LoopState } from "../core/state.ts";
import { hurry } from "../os/supervise.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { actionLogReporter } from "../reporters/action-log.ts";
import { allOf as allReporters } from "../reporters/all-of.ts";
import { asInputs } from "../views/run-view.ts";
import { runPlan } from "../app/run-plan.ts";
import { compose, type Composition } from "../app/compose.ts";
import { preflight } from "../app/preflight.ts";
import { generationOf, type Plan } from "../app/plan.ts";
import type { WorkingHours } from "../app/to-task.ts";
import type { RunRequest } from "../requests/run-request.ts";
import type { Checkpoints } from "../carry/checkpoints.ts";
import type { LoopOnGithub } from "./loop-on-github.ts";
import { hurriedControl } from "./on-signal.ts";
import { howToResume } from "../app/view-of.ts";

/** How long the agent has to end itself after a signal: everything has to be on the disk within three seconds. */
const GRACE_MS = 1_500;

/** What a run of the loop inside a job needs. */
export interface Drive {
  readonly plan: Plan;
  /** the agent's program is on its path */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** asked once, after the preflight; throws UsageError when what the run comes to could not be published */
  readonly hours: () => Promise<WorkingHours>;
  /** undefined: the loop's ref is not among the carriers */
  readonly checkpoints: Checkpoints | undefined;
  /** what people ask of it while it runs; undefined: nobody can */
  readonly requests: Control | undefined;
  /** what this run was asked for */
  readonly asked: Pick<RunRequest, "command" | "asker">;
  /** makes a control the one that this process's signals go to */
  readonly listening: (control: Control) => Control;
  /** makes a provider one that mends what keeps it from starting */
  readonly mending: (provider: Provider) => Provider;
  readonly onGithub: LoopOnGithub;
  readonly log: RunnerLog;
  /** tells a person */
  readonly notice: (text: string) => void;
  /** is called with the final state while the lock is still held */
  readonly conclude: (state: LoopState) => Promise<void>;
}

/** How it went. */
export interface Driven {
  readonly state: LoopState;
  /** why nothing was done, when the stored ending stands (PRE 4) */
  readonly left: string | null;
}

/** Runs the loop on this machine: the same composition as the command line's, with the job's log and its checkpoints. */
export async function drive(driving: Drive): Promise<Driven> {
  const { plan, checkpoints, onGithub, conclude } = driving;
  if (plan.opening.do === "leave" && plan.stored !== undefined) {
    return { state: plan.stored, left: asInputs(plan.opening.because) };
  }
  if (plan.opening.do === "publish" && plan.stored !== undefined) {
    return { state: await againEnded(driving, plan.stored, plan.opening.because), left: null };
  }
  let deadline: number | null = null;
  const log = actionLogReporter({ log: driving.log, now: Date.now, deadline: () => deadline });
  const comment = await onGithub.comment(() => deadline);
  const reporter = comment === undefined ? log : allReporters([log, comment]);
  const composition = await composeFor(driving, reporter);
  await preflight(plan, composition);
  const hours = await driving.hours();
  ({ deadline } = hours);
  // What the ref takes longer for would be taken from the reserve.
  if (deadline !== null) {
    const leftMs = Math.max(0, deadline - hours.reserveMs - Date.now());
    setTimeout(() => checkpoints?.release(), leftMs).unref();
  }
  const carried = await runPlan(plan, composition, hours, conclude);
  return { state: carried.state, left: carried.left === undefined ? null : asInputs(carried.left) };
}

/** Ends a loop for good that is parked, before a turn is spent: that is what this run was asked for. */
function cancelAtOnce(asker: string | null): Control {
  const by = asker === null ? "the workflow's input" : `${asker} on GitHub`;
  return { watch: (signal) => requestStream(signal, (push) => push({ kind: "cancel", by })) };
}

/**
 * No turn is taken: the ending that is stored is this run's as well, and its work is made a commit again, for those that it
 * had were lost with their machine.
 *
 * @throws OperationalError when git, or the state of the repository, does not allow a commit; nothing is lost
 */
async function againEnded(driving: Drive, stored: LoopState, because: string | null): Promise<LoopState> {
  const { plan, notice, log } = driving;
  notice("How this loop ended is not published yet: that comes first, and no turn is taken.");
  if (because !== null) notice(asInputs(because).replaceAll("<resume>", howToResume(stored)));
  const { ports } = await composeFor(driving, actionLogReporter({ log, now: Date.now, deadline: () => null }));
  const { loop_id: loopId, iteration, status } = stored;
  const message = endingSubject(stored, status, plan.settings.identity.prompt);
  await ports.workspace.commit({ message, loopId, iteration });
  return stored;
}

async function composeFor(driving: Drive, reporter: Reporter): Promise<Composition> {
  const { plan, env, checkpoints, requests, asked, listening, mending, onGithub } = driving;
  const generation = generationOf(plan);
  const ci = await onGithub.ci();
  const composition = await compose({
    ...{ ...plan.settings, place: plan.place, generation, env, reporter, onSecondInterrupt: hurry, ci },
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
      provider: mending(ports.provider),
      store: checkpoints?.over(ports.store) ?? ports.store,
      control: listening(hurriedControl(control, { hurry, graceMs: GRACE_MS, at: () => checkpoints?.release() })),
    },
  };
}
