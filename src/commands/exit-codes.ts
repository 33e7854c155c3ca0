import { type Outcome, OUTCOMES } from "../core/outcome.ts";
import { USAGE_EXIT_CODE } from "../app/present-error.ts";

/** The exit codes as the help lists them (section 4.5); they come from the table of endings. */
export function exitCodesHelp(): string {
  const states = new Map<number, Set<string>>();
  const outcomes: readonly Outcome[] = Object.values(OUTCOMES);
  for (const { exitCode, status } of outcomes) states.set(exitCode, (states.get(exitCode) ?? new Set()).add(status));
  const lines = [...states]
    .map(([code, names]): [number, string] => [code, [...names].join(", ")])
    .concat([[USAGE_EXIT_CODE, "bad usage or configuration; nothing was started or changed"]])
    .toSorted(([a], [b]) => a - b)
    .map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`);
  return ["Exit codes:", ...lines].join("\n");
}
