import { presentError } from "../app/present-error.ts";
import { OUTPUTS } from "../config/action.ts";
import { UsageError } from "../core/errors.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import type { LoopPlace } from "../store/place.ts";
import { asInputs } from "../views/run-view.ts";

/**
 * Says what went wrong: an annotation for each problem, outputs for steps that look at them, and a summary. Never throws.
 *
 * @param place of the loop; undefined: it was not known yet which one
 */
export async function tellError(thrown: unknown, log: RunnerLog, place?: LoopPlace): Promise<void> {
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
    await setOutputs(await outputsOfError(thrown, log, place, state));
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
  thrown: unknown,
  { secrets }: RunnerLog,
  place: LoopPlace | undefined,
  state: LoopState | undefined,
): Promise<Readonly<Record<string, string>>> {
  const status = { status: "error", "stop-reason": thrown instanceof UsageError ? "config" : "" };
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
