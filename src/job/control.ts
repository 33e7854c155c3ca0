import type { Checkpoints } from "../carry/checkpoints.ts";
import { createGitRefControl, type GitRefControl } from "../control/git-refs.ts";
import { allOf, requestStream } from "../control/request-stream.ts";
import type { GithubToken } from "../core/ports.ts";
import type { Control, ControlRequest } from "../core/ports.ts";
import type { GithubContext } from "../github/context.ts";
import type { JobProcesses } from "../os/process-tree.ts";
import { hurry, sweepNow } from "../os/supervise.ts";
import type { RunRequest } from "../requests/run-request.ts";
import { type JobPlace, type LoopPlace, marksOf } from "../store/place.ts";

/** How long the agent has to end itself after a signal: everything has to be on the disk within three seconds. */
const GRACE_MS = 1_500;

/**
 * What controls the run of a job: what controls every loop, another run that has taken it, people on GitHub, and what this
 * run was asked for.
 */
export function controlOfJob(
  control: Control,
  checkpoints: Checkpoints | undefined,
  requests: Control | undefined,
  { command, asker }: Pick<RunRequest, "command" | "asker">,
): Control {
  const cancel = command === "cancel" ? cancelAtOnce(asker) : undefined;
  const controls = [control, checkpoints?.control, requests, cancel].filter((one) => one !== undefined);
  return hurriedControl(allOf(controls), { hurry, graceMs: GRACE_MS, at: () => checkpoints?.release() });
}

/** Ends a loop for good that is parked, before a turn is spent. */
function cancelAtOnce(asker: string | null): Control {
  const by = asker === null ? "the workflow's input" : `${asker} on GitHub`;
  return { watch: (signal) => requestStream(signal, (push) => push({ kind: "cancel", by })) };
}

/** What this run knows of the loop's ref. */
export interface TrackedRef {
  /** where it stood when the run began; null: nowhere, or it could not be read */
  readonly follows: string | null;
  /** undefined: the loop's ref is not among the carriers */
  readonly checkpoints: Checkpoints | undefined;
}

/** Hears what people ask of the loop on GitHub while it runs. */
export function listenOnGithub(
  { repository: { owner, name }, serverUrl }: GithubContext,
  place: JobPlace,
  token: GithubToken,
  { by }: Pick<RunRequest, "by">,
  { follows, checkpoints }: TrackedRef,
  tell: (text: string) => void,
): GitRefControl {
  return createGitRefControl({
    loopId: place.loopId,
    url: `${serverUrl}/${owner}/${name}`,
    token,
    folder: place.gitFolder("control"),
    mark: marksOf(place).tools,
    seen: [],
    // A request to a run that died still counts, unless a person has let the loop go on since. If the ref is not known,
    // nobody can be told that they were too late.
    isCurrent: (commit) =>
      checkpoints?.wrote(commit) === true || (by === "trigger" && (follows === null || commit === follows)),
    tell,
  });
}

/**
 * Leaves at once when the runner ends the step while no loop runs: what is on the disk is enough for post.
 *
 * @param leave ends this process
 * @returns what makes a control the one that signals go to, for as long as it is watched
 */
export function leaveOnSignal(leave: (signal: NodeJS.Signals) => void): (of: Control) => Control {
  let watched = 0;
  const listener = (signal: NodeJS.Signals): void => {
    if (watched === 0) leave(signal);
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, listener);
  return (control) => ({
    watch(signal) {
      const requests = control.watch(signal);
      watched += 1;
      signal.addEventListener("abort", () => (watched -= 1), { once: true });
      return requests;
    },
  });
}

/**
 * However this process ends, short of being killed: what it has started for the loop ends with it.
 *
 * @param job what else has begun in this job since main did, and is nobody's
 */
export function leaveNothingBehind(place: LoopPlace, job: JobProcesses | undefined): void {
  process.once("exit", () => sweepNow(marksOf(place).all, job));
}

/**
 * A control whose signals leave the agent little time: the runner kills us ten seconds after the first one, and the
 * checkpoint has to be on the disk long before.
 *
 * @param onSignal what a signal does in addition to asking the loop to stop: `at` at once, `hurry` after the grace
 */
export function hurriedControl(
  control: Control,
  { at, hurry, graceMs }: { readonly at: () => void; readonly hurry: () => void; readonly graceMs: number },
): Control {
  const hurried = async function* (requests: AsyncIterable<ControlRequest>): AsyncGenerator<ControlRequest> {
    for await (const request of requests) {
      if (request.by.startsWith("SIG")) {
        at();
        setTimeout(hurry, graceMs).unref();
      }
      yield request;
    }
  };
  // The signals are listened to from now on, not from when somebody asks for the first one.
  return { watch: (signal) => hurried(control.watch(signal)) };
}
