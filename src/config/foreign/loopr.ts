import type { Problem } from "../../core/errors.ts";
import { readEntries, type Entry } from "../read.ts";
import { suggest } from "../suggest.ts";
import type { ForeignFile, ForeignReading } from "./foreign.ts";

/** Loopr's keys, and the settings of ours that say the same (L-14 to L-21). */
const KEYS: Readonly<Record<string, string>> = {
  MAX_CALLS_PER_HOUR: "max-calls-per-hour",
  CODEX_TIMEOUT_MINUTES: "iteration-timeout-minutes",
  MAX_ITERATIONS: "max-iterations",
  MAX_CONSECUTIVE_DONE_SIGNALS: "max-consecutive-done-signals",
  MAX_NO_PROGRESS: "max-no-progress",
  MAX_SAME_ERROR: "max-same-error",
  MAX_CONSECUTIVE_TEST_LOOPS: "max-consecutive-test-loops",
  MAX_MISSING_STATUS: "max-missing-status",
};

const ASSIGNMENT = /^([^=\s]+)\s*=\s*(.*)$/u;

/**
 * Reads `.loopr/config`: one KEY=VALUE a line, blank lines and # comments ignored (L-13). Whoever uses it gets the preset
 * loopr, unless another one is chosen (C4).
 */
export function readLooprFile({ path, text }: ForeignFile): ForeignReading {
  const entries: Entry[] = [{ name: "preset", where: path, raw: "loopr" }];
  const problems: Problem[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/u, "")
    .split("\n")
    .entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [, key = "", value = ""] = ASSIGNMENT.exec(line) ?? [];
    const where = `${path} line ${index + 1}`;
    const name = KEYS[key];
    if (key === "") problems.push(noAssignment(where));
    else if (name === undefined) problems.push(unknownKey(`${where} [${key}]`, key));
    else if (value === "") problems.push(noValue(`${where} [${key}]`));
    else entries.push({ name, where: `${where} [${key}]`, raw: value });
  }
  const reading = readEntries("foreign", entries);
  return { ...reading, problems: [...problems, ...reading.problems], notices: [] };
}

function noAssignment(where: string): Problem {
  return {
    code: "LOOPR_CONFIG_SYNTAX",
    what: `${where}: expected KEY=VALUE. Nothing was started.`,
    next: "Correct the line, or make it a comment with # at its beginning.",
  };
}

function unknownKey(where: string, key: string): Problem {
  const known = Object.keys(KEYS).map(spelled);
  const meant = suggest(spelled(key), known);
  return {
    code: "LOOPR_CONFIG_UNKNOWN",
    what: `${where}: Loopr knows no such key.`,
    next:
      meant === undefined
        ? `Remove it; Loopr's keys are ${Object.keys(KEYS).join(", ")}.`
        : `Did you mean ${meant.replaceAll("-", "_").toUpperCase()}?`,
  };
}

/** As the names of settings are spelled. */
function spelled(key: string): string {
  return key.toLowerCase().replaceAll("_", "-");
}

function noValue(where: string): Problem {
  return {
    code: "LOOPR_CONFIG_EMPTY",
    what: `${where}: expected a number behind the equals sign, got nothing.`,
    next: "Give it a value, or remove the line to get the usual one.",
  };
}
