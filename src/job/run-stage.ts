import { OUTPUTS } from "../config/action.ts";
import { UsageError } from "../core/errors.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import { createRunnerLog, type RunnerLog } from "../os/runner-log.ts";
import { asInputs } from "../views/run-view.ts";
import type { LoopPlace } from "../store/place.ts";
import { presentError } from "../app/present-error.ts";
import type { TextStream } from "../app/shell.ts";

/** The process that a stage of the Action is. */
export interface Host extends Pick<NodeJS.Process, "env" | "platform"> {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** the script that runs, absolute; the other programs of the Action lie beside its folder */
  readonly script: string;
  /** when it began; milliseconds since the epoch */
  readonly startedAt: number;
}

/**
 * What a stage does.
 *
 * @param about is told the loop as soon as it is known which one it is, so that an error can say how it stands
 * @returns the exit code
 */
type Stage = (host: Host, log: RunnerLog, about: About) => Promise<number>;

export type About = (place: LoopPlace) => void;

const FLUSH_MS = 5_000;

/**
 * Runs a stage of the Action as this process, and ends it. This module has to stay small: what it imports is read before
 * the first line of the log, and everything else only once that is out.
 *
 * @param load gives the stage, with all that it needs
 */
export async function runAsProcess(load: () => Promise<Stage>, firstLine?: string): Promise<never> {
  const { env, stdout, stderr, platform, argv } = process;
  const startedAt = Math.round(performance.timeOrigin);
  const exitCode = await runStage({ env, stdout, stderr, platform, script: argv[1] ?? "", startedAt }, load, firstLine);
  // Open sockets of the services would keep the process alive: when the answer is given, it ends.
  process.exit(exitCode);
}

/** @returns the exit code: that of the stage, 1 when something went wrong */
export async function runStage(host: Host, load: () => Promise<Stage>, firstLine?: string): Promise<number> {
  const log = createRunnerLog(host.stdout);
  if (firstLine !== undefined) log.line(firstLine);
  let place: LoopPlace | undefined;
  try {
    const stage = await load();
    return await stage(host, log, (known) => {
      place = known;
    });
  } catch (error) {
    await tellError(error, log, place);
    return 1;
  } finally {
    await log.drained(Date.now() + FLUSH_MS);
  }
}

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
    const [{ setOutputs }, { writeJobSummary }, { errorSummary }, state] = await Promise.all([
      import("../reporters/job-files.ts"),
      import("../reporters/job-files.ts"),
      import("../views/github/job-summary.ts"),
      place === undefined ? undefined : storedIn(place),
    ]);
    setOutputs(await outputsOfError(thrown, place, state));
    await writeJobSummary(errorSummary({ problems, state, word: asInputs }));
  } catch {
    // Where there is nobody to hand outputs to, the annotation is all there is.
  }
}

/** The loop as far as it got; undefined: none was begun or brought back. */
async function storedIn({ stateFile }: LoopPlace): Promise<LoopState | undefined> {
  const { readState } = await import("../store/state-file.ts");
  // The error may be just this.
  return readState(stateFile).catch(() => undefined);
}

/** All of them, for a job can only ask for what is there. */
async function outputsOfError(
  thrown: unknown,
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
  return { ...(await outputsOf(state, place, null)), ...status, "summary-file": "", resumable: String(!isOver) };
}
