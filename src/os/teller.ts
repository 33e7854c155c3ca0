import type { RunnerLog } from "./runner-log.ts";

/** Tells people what a job does: in its log, and important things in its summary as well. Each text once. */
export interface Teller {
  /** a line of the log, in our own words */
  readonly line: (text: string) => void;
  readonly notice: (text: string) => void;
  /** the same, louder */
  readonly warning: (text: string) => void;
  /** for what makes the job fail */
  readonly error: (text: string) => void;
  /** the notices, warnings and errors so far, for the summary */
  readonly told: readonly string[];
}

export function createTeller(log: Pick<RunnerLog, "line" | "notice" | "warning" | "error">): Teller {
  const told: string[] = [];
  const once = (level: "notice" | "warning" | "error") => (text: string) => {
    if (told.includes(text)) return;
    told.push(text);
    log[level](text);
  };
  return {
    line: (text) => log.line(text),
    notice: once("notice"),
    warning: once("warning"),
    error: once("error"),
    told,
  };
}
