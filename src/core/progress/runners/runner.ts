import type { TestReport } from "../../verdict.ts";

export interface Output {
  readonly text: string;
  /** without line ends, each at most `LINE_LIMIT` long */
  readonly lines: readonly string[];
  /** whether the beginning is missing */
  readonly cut: boolean;
}

/** What one test runner says in the output; `failing` as the runner names it, in any order, perhaps twice. */
export type RunnerReport = Pick<TestReport, "passed" | "failed" | "skipped" | "failing" | "exact" | "early">;

export interface Runner {
  readonly name: string;
  /** output without any of these is not of this runner */
  readonly marks: readonly string[];
  /** null when the runner's own summary is not there: a run that was cut off says nothing */
  read(output: Output): RunnerReport | null;
}

/** Longer lines are cut before they are read, which bounds the time that a hostile one takes. UTF-16 units. */
export const LINE_LIMIT = 2_000;

export const NO_TESTS: RunnerReport = { passed: 0, failed: 0, skipped: 0, failing: [], exact: true, early: false };

/** The sum of several runs; null when there is nothing to add. */
export function summed(reports: readonly RunnerReport[]): RunnerReport | null {
  if (reports.length === 0) return null;
  const total = (of: "passed" | "failed" | "skipped"): number => reports.reduce((sum, report) => sum + report[of], 0);
  return {
    passed: total("passed"),
    failed: total("failed"),
    skipped: total("skipped"),
    failing: reports.flatMap((report) => report.failing),
    exact: reports.every((report) => report.exact),
    early: reports.some((report) => report.early),
  };
}

/** The sum of the summaries in an output; `read` looks at one line and those after it. Null: no summary. */
export function summaries(
  lines: readonly string[],
  read: (line: string, at: number) => RunnerReport | undefined,
): RunnerReport | null {
  return summed(lines.flatMap((line, at) => read(line, at) ?? []));
}

/**
 * Reads a list like `2 failed | 3 passed`; `words` says what each word counts as.
 *
 * @returns undefined when a part is not a number and a word
 */
export function readCounts(list: readonly string[], words: ReadonlyMap<string, Counted>): Counts | undefined {
  const counts = { passed: 0, failed: 0, skipped: 0, ignored: 0 };
  for (const part of list) {
    const [, amount, word] = /^(\d{1,9}) ([a-z ]+)$/u.exec(part) ?? [];
    const counted = word === undefined ? undefined : words.get(word);
    if (counted === undefined) return undefined;
    counts[counted] += Number(amount);
  }
  return counts;
}

export type Counted = "passed" | "failed" | "skipped" | "ignored";
export type Counts = Readonly<Record<Counted, number>>;

/** A test's name without the time that it took: `sums (12.5ms)`. */
export function withoutDuration(name: string): string {
  return name.replace(/ \(\d+(?:\.\d+)? ?m?s\)$/u, "");
}

/** The words of a runner, by what they stand for; those of one kind are divided by commas. */
export function countedWords(words: Partial<Record<Counted, string>>): ReadonlyMap<string, Counted> {
  const kinds = ["passed", "failed", "skipped", "ignored"] as const;
  return new Map(kinds.flatMap((kind) => (words[kind]?.split(", ") ?? []).map((word) => [word, kind] as const)));
}
