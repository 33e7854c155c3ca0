import type { KeptSettings } from "../../src/config/kept.ts";
import { resolveSettings, type Resolved, type SettingsInput } from "../../src/config/resolve.ts";
import { type Problem, UsageError } from "../../src/core/errors.ts";

/** Settings as a test gives them: a flag's single text needs no list. */
export interface Given {
  readonly flags?: Readonly<Record<string, string | readonly string[]>>;
  readonly env?: Readonly<Record<string, string>>;
  /** as a workflow gives them; present: this is the Action */
  readonly inputs?: Readonly<Record<string, string>>;
  /** text of `.smithers.toml` */
  readonly file?: string;
  /** text of `.codex-solo.json` */
  readonly solo?: string;
  /** text of `.loopr/config` */
  readonly loopr?: string;
  /** what the loop was given */
  readonly kept?: KeptSettings;
}

function input(given: Given): SettingsInput {
  const flags = Object.entries(given.flags ?? {}).map(
    ([name, texts]) => [name, typeof texts === "string" ? [texts] : texts] as const,
  );
  return {
    flags: Object.fromEntries(flags),
    env: given.env ?? {},
    ...(given.inputs === undefined ? {} : { inputs: runnersVariables(given.inputs) }),
    ...(given.kept === undefined ? {} : { kept: given.kept }),
    ...(given.file === undefined ? {} : { file: { path: ".smithers.toml", text: given.file } }),
    foreign: [
      ...(given.solo === undefined ? [] : [{ system: "solo" as const, path: ".codex-solo.json", text: given.solo }]),
      ...(given.loopr === undefined ? [] : [{ system: "loopr" as const, path: ".loopr/config", text: given.loopr }]),
    ],
  };
}

/** Inputs as the runner hands them over. */
function runnersVariables(inputs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(inputs).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text]));
}

/** Resolves settings that are without mistakes. */
export function resolve(given: Given = {}): Resolved {
  return resolveSettings(input(given));
}

/** The problems of settings; empty: none. */
export function problemsOf(given: Given): readonly Problem[] {
  try {
    resolveSettings(input(given));
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
}

/** Place, expectation and cure of all problems, as a person reads them. */
export function complaint(given: Given): string {
  return problemsOf(given)
    .map((problem) => `${problem.what} ${problem.next}`)
    .join("\n");
}
