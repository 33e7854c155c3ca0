import { presentError } from "../app/present-error.ts";
import type { RestoredLoop } from "../carry/restore.ts";
import { OUTPUTS } from "../config/action.ts";
import { OperationalError, UsageError } from "../core/errors.ts";
import { outcomeOf, type StopReason } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import type { LoopPlace } from "../store/place.ts";
import { reasonDetail } from "../views/reason.ts";
import { asInputs } from "../views/run-view.ts";

/**
 * Says what went wrong: an annotation for each problem, outputs for steps that look at them, and a summary. Never throws.
 *
 * @param place of the loop; undefined: it was not known yet which one
 * @param ending that it is; else it has none, or is the configuration
 */
export async function tellError(
  thrown: unknown,
  log: RunnerLog,
  place?: LoopPlace,
  ending = thrown instanceof UsageError ? "config" : "",
): Promise<void> {
  const { problems, text } = presentError(thrown, "smithers");
  const [first] = problems;
  if (first?.code === "BUG") log.foreign(text);
  for (const { what, next } of problems) log.error(asInputs(`${what}\nNext: ${next}`));
  try {
    const [{ setOutputs, writeJobSummary }, { errorSummary }, state] = await Promise.all([
      import("../reporters/job-files.ts"),
      import("../views/github/job-summary.ts"),
      place === undefined ? undefined : storedIn(place),
    ]);
    await setOutputs(await outputsOfError(ending, log, place, state));
    writeJobSummary(log.secrets.hiddenInWords(errorSummary({ problems, state, word: asInputs })));
  } catch {
    // If outputs cannot be set, the annotation has to do.
  }
}

/** The loop as far as it got; undefined: none was begun or restored. */
async function storedIn({ stateFile }: LoopPlace): Promise<LoopState | undefined> {
  const { readState } = await import("../store/state-file.ts");
  // The error may be just this.
  return readState(stateFile).catch(() => undefined);
}

/** All of them, because a job can only ask for outputs that exist. */
async function outputsOfError(
  ending: string,
  { secrets }: RunnerLog,
  place: LoopPlace | undefined,
  state: LoopState | undefined,
): Promise<Readonly<Record<string, string>>> {
  const status = { status: "error", "stop-reason": ending };
  if (place === undefined || state === undefined) {
    return { ...Object.fromEntries(OUTPUTS.map(({ name }) => [name, ""])), ...status, resumable: "false" };
  }
  const { outputsOf } = await import("./report.ts");
  const { stop_reason: reason } = state;
  const isOver = reason !== null && outcomeOf(reason).resumableBy === "nobody";
  return {
    ...(await outputsOf(state, place, null, secrets)),
    ...status,
    "summary-file": "",
    resumable: String(!isOver),
  };
}

export const BEGINS_WITHOUT_ANSWER =
  "Nothing that may hold this loop could be asked, and begin-without-answer is set, so it starts over. If an earlier run has begun it, its iterations are paid for again.";

/**
 * Tells that a run does not know whether its loop has begun, and so ends before there is a loop here (C55). Nothing is
 * saved anywhere.
 *
 * @returns the ending
 */
export async function tellUnanswered(unanswered: RestoredLoop["unanswered"], log: RunnerLog): Promise<StopReason> {
  const reason: StopReason = { kind: "carriers_unreachable", unanswered: [...unanswered] };
  const { sentence, next } = outcomeOf(reason);
  const what = `${sentence} ${reasonDetail(reason, asInputs)}`;
  const problem = new OperationalError({
    code: "CARRIERS_UNREACHABLE",
    what,
    next: next.replace("<resume>", "a further run of this workflow"),
  });
  await tellError(problem, log, undefined, reason.kind);
  return reason;
}
