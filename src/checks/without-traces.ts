import { OperationalError, type Problem } from "../core/errors.ts";
import type { Gate, TakenOut } from "../core/ports.ts";
import type { LoopState, Snapshot } from "../core/state.ts";

/** Where checks run. */
interface Measured {
  snapshot(): Promise<Snapshot | null>;
  /** puts back what was written since, of all files or of some, and keeps it as `file` */
  takeOut(since: Snapshot, file: string, only?: readonly string[]): Promise<TakenOut>;
}

const NAMED = 5;
/** At most this many are known again by the next run. */
const KNOWN_AGAIN = 1000;

/**
 * A gate that leaves the work tree as it was judged: what a check writes, and git does not ignore, is taken out again when
 * all have ended, so that it neither counts as somebody's work nor gets into a commit. Where that cannot be done, the
 * checks have proved nothing.
 *
 * @param notice tells a person, once for the same files
 */
export function withoutTraces(gate: Gate, workspace: Measured, notice: (text: string) => void): Gate {
  const told = new Set<string>();
  return {
    async judge(evidence, signal) {
      const before = await workspace.snapshot();
      const verdict = await gate.judge(evidence, signal);
      if (before === null) return verdict;
      const patch = patchOf(evidence.iteration);
      const { text, problem } = await takenOut(workspace, before, patch);
      if (text !== "" && !told.has(text.replace(patch, ""))) notice(text);
      told.add(text.replace(patch, ""));
      return problem === undefined ? verdict : { result: "unrunnable", checks: verdict.checks, problem };
    },
  };
}

type Stored = Pick<LoopState, "status" | "phase" | "snapshot" | "iteration" | "stop_reason" | "verdict">;

/**
 * The same for a run that was killed while checks ran on what its turn had left: until they have ended, nothing is taken out.
 * Where HEAD names something else by now, the loop ends for that, and nothing is touched. Of a run whose checks have left
 * what could not be put back, those files alone are looked at again.
 *
 * @throws OperationalError while they are as the checks have left them
 */
export async function takeOutOfKilled(
  state: Stored,
  workspace: Measured,
  notice: (text: string) => void,
): Promise<void> {
  const { status, phase, snapshot: left, iteration } = state;
  const only = leftBehind(state);
  const wasKilled = status === "running" && phase === "unproved";
  if (left === null || (only === undefined && !wasKilled)) return;
  if (only === undefined && (await workspace.snapshot())?.head !== left.head) return;
  const { text, problem } = await takenOut(workspace, left, patchOf(iteration), only);
  if (text !== "" && only === undefined)
    notice(
      `the last run was killed while its checks ran: ${text}. If somebody else has changed that since, git apply brings it back`,
    );
  if (problem !== undefined) throw new OperationalError(problem);
}

/** What the checks of the last run have left, and it could not put back. */
function leftBehind({ stop_reason: reason, verdict }: Stored): readonly string[] | undefined {
  if (reason?.kind === "gate_unrunnable") return reason.problem.files;
  return verdict?.result === "unrunnable" ? verdict.problem.files : undefined;
}

interface Told {
  /** what was put back; "": nothing */
  readonly text: string;
  /** why not all was */
  readonly problem?: Problem;
}

async function takenOut(workspace: Measured, since: Snapshot, patch: string, only?: readonly string[]): Promise<Told> {
  try {
    const { made, changed, left } = await workspace.takeOut(since, patch, only);
    const text = made.length + changed.length === 0 ? "" : written(made, changed, patch);
    return left.length === 0 ? { text } : { text, problem: problemOf(left) };
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    const { code, message: what, next } = error;
    return { text: "", problem: { code, what, next } };
  }
}

function problemOf(left: TakenOut["left"]): Problem {
  const files = left.flatMap((one) => one.files);
  const cures = left.flatMap(({ cure }) => (cure === undefined ? [] : [cure]));
  return {
    code: "CHECKS_LEFT_FILES",
    what: `The checks changed ${list(files)}, and that cannot be put back: ${left.map(({ why }) => why).join("; ")}. It is no story's work. All is in your work tree, unharmed.`,
    next: `Put it back as it was${cures.length === 0 ? "" : ` (${cures.join("; ")})`}, or commit it yourself if it is right, and let no check change it; then resume the loop.`,
    files: files.slice(0, KNOWN_AGAIN),
  };
}

function patchOf(iteration: number): string {
  return `checks-${iteration}.patch`;
}

function written(made: readonly string[], changed: readonly string[], patch: string): string {
  const cures = [
    ...(made.length > 0 ? [`Have git ignore ${changed.length > 0 ? list(made) : "what they write"}`] : []),
    ...(changed.length > 0
      ? [`Let them only look at ${list(changed)}: what formats or updates files is the agent's to run`]
      : []),
  ];
  return `the checks wrote ${list([...made, ...changed])}; that is no work of a story, so it is out of the work tree, and kept in ${patch} of the loop's folder. ${cures.join(". ")}`;
}

function list(files: readonly string[]): string {
  const rest = files.length - NAMED;
  const named = [...files.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])];
  return named.length === 1 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1) ?? ""}`;
}
