import { resultOf } from "../views/result.ts";
import { endingOf, type RunView } from "../views/run-view.ts";
import { summary } from "../views/summary.ts";
import type { Invocation } from "../app/command.ts";
import { printJson, printLines, type Shell } from "../app/shell.ts";

/** Writes what became of a loop, for people or for machines. */
export function tell(view: RunView, { json }: Pick<Invocation, "json">, shell: Shell): void {
  if (json) printJson(shell, resultOf(view));
  else printLines(shell, summary(view));
}

/** The same at the end of a run. @returns the ending's exit code (section 4.5) */
export function tellEnding(view: RunView, invocation: Pick<Invocation, "json">, shell: Shell): number {
  tell(view, invocation, shell);
  const ending = endingOf(view.state);
  if (ending === undefined) throw new Error(`The loop ${view.state.loop_id} was left without an ending.`);
  return ending.outcome.exitCode;
}
