import { counted, duration, grouped, usd } from "../amounts.ts";
import { cut, line, type Line, oneLine } from "../plain-text.ts";
import type { LoopStats } from "./loop-stats.ts";
import { countedBy, nameOf, type LeftOutReason, type Sample, type Spread, type Totals, totalsOf } from "./totals.ts";

/** What stands where nothing is known, or nothing is to be told. */
export const DASH = "–";

const NAME_SHOWN = 40;
const BARS = 10;
const BAR_WIDTH = 30;

const HEAD = ["Loop", "Ended", "Proved at", "Tokens", "Cost", "False starts", "Saved"];

/** Why loops are not counted, behind their number. */
const LEFT_OUT: Readonly<Record<LeftOutReason, string>> = {
  running: "at work",
  unreadable: "cannot be read",
  newer_version: "of a newer version",
  older_copy: "older copies of a loop that is counted",
};

/** The statistics for people: a row a loop, what they come to together, and how many iterations a proof took. */
export function statsLines({ loops, leftOut }: Sample): readonly Line[] {
  const out = leftOutText({ loops, leftOut });
  if (loops.length === 0) return [line(`No loop is counted.${out}`)];
  const totals = totalsOf(loops);
  return [
    ...table([HEAD, ...loops.map(cellsOf)]),
    line(""),
    line(`${counted(loops.length, "loop")}: ${endings(totals)}.${out}`),
    ...proofLines(totals, loops.length),
    ...metricLines(totals),
    ...chart(loops),
    ...costlyLines(totals),
  ];
}

/** Texts in columns; the first line is the head. */
export function table(rows: readonly (readonly string[])[]): readonly Line[] {
  const width = (column: number): number => Math.max(...rows.map((cells) => String(cells[column]).length));
  return rows.map((cells, index) => {
    const text = cells.map((cell, column) => cell.padEnd(width(column))).join("  ");
    return line(text.trimEnd(), index === 0 ? "strong" : "plain");
  });
}

function cellsOf(loop: LoopStats): readonly string[] {
  const { where, status, provedAt, tokens, cost, falseStarts, runs, savedMs } = loop;
  const name = where === "" ? nameOf(loop) : `${nameOf(loop)} (in ${where})`;
  return [
    cut(oneLine(name), NAME_SHOWN),
    status,
    provedAt === null ? DASH : String(provedAt),
    known(tokens, grouped),
    known(cost, usd),
    falseStarts === null ? DASH : `${falseStarts} of ${counted(runs, "run")}`,
    known(savedMs, duration),
  ];
}

/** A number as it is told; a dash where it is not known. */
export function known(value: number | null, tell: (value: number) => string): string {
  return value === null ? DASH : tell(value);
}

function endings(totals: Totals): string {
  return totals.endings.map(([status, number]) => `${number} ${status}`).join(", ");
}

function leftOutText({ leftOut }: Sample): string {
  if (leftOut.length === 0) return "";
  const parts = countedBy(leftOut.map(({ reason }) => reason)).map(([reason, n]) => `${n} ${LEFT_OUT[reason]}`);
  return ` Left out: ${parts.join(", ")}.`;
}

function proofLines(
  { proofs, provedAt, perProof, runs, falseStarts, savedMs }: Totals,
  loops: number,
): readonly Line[] {
  const when = provedAt === null ? "" : `, at iteration ${spreadText(provedAt, shortened)}`;
  const took = `${known(perProof.tokens, (tokens) => counted(Math.round(tokens), "token"))}, ${known(perProof.cost, usd)}`;
  return [
    line(`Proved: ${proofs} of ${loops}${when}`),
    line(`A proof takes: ${took} (all that these loops used, by their proofs)`),
    line(`False starts: ${known(falseStarts, grouped)} of ${counted(runs, "run")} ended without a turn's change`),
    line(`Time saved: ${known(savedMs, duration)} of turns that a later run went on from`),
  ];
}

/** `3 (median of 5; 1 to 9)`. */
function spreadText({ n, median, least, most }: Spread, tell: (value: number) => string): string {
  return n === 1 ? `${tell(median)} (n=1)` : `${tell(median)} (median, n=${n}; ${tell(least)} to ${tell(most)})`;
}

/** To one decimal. */
export function shortened(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function metricLines({ metrics, eventsOf }: Totals): readonly Line[] {
  if (metrics === null)
    return [line(`Completion, interruptions, resumes, refused claims: ${DASH} (no loop has its events)`)];
  const percent = (value: number | null): string => known(value, (share) => `${shortened(share * 100)} %`);
  const { stories } = metrics;
  return [
    line(`By the events of ${counted(eventsOf, "loop")}:`),
    line(`  completed before the iteration cap: ${percent(metrics.completion_rate)}`),
    line(`  iterations to complete (median): ${known(metrics.median_iterations_to_complete, shortened)}`),
    line(
      `  interruptions by a person, each completed loop: ${known(metrics.human_interruptions_per_completed, shortened)}`,
    ),
    line(`  resumes that went well: ${percent(metrics.resume_success_rate)}`),
    line(`  claims to be done that were refused: ${metrics.refused_claims}`),
    ...(stories === null
      ? []
      : [
          line(`  stories passed: ${stories.passed} of ${stories.total}`),
          line(`  stories completed without a person: ${percent(stories.completed_without_person)}`),
          line(`  passed stories whose checks were green: ${percent(stories.passed_with_green_checks)}`),
        ]),
  ];
}

/** How many proofs took how many iterations, a bar each, with the number behind it. */
function chart(loops: readonly LoopStats[]): readonly Line[] {
  const taken = loops.flatMap(({ provedAt }) => (provedAt === null ? [] : [provedAt]));
  if (taken.length === 0) return [];
  const most = taken.reduce((a, b) => Math.max(a, b));
  const size = Math.ceil(most / BARS);
  const bins = Array.from({ length: Math.ceil(most / size) }, (_, index) => {
    const [first, last] = [index * size + 1, (index + 1) * size];
    const number = taken.filter((one) => one >= first && one <= last).length;
    return { name: size === 1 ? String(first) : `${first}-${last}`, number };
  });
  const tallest = Math.max(...bins.map(({ number }) => number));
  const width = Math.max(...bins.map(({ name }) => name.length));
  const bars = bins.map(({ name, number }) => {
    const bar = "#".repeat(Math.ceil((number / tallest) * BAR_WIDTH));
    return line(`${name.padStart(width + 2)} |${bar === "" ? "" : `${bar} `}${number}`);
  });
  return [line(""), line("Iterations to a proof, and the loops that took them:", "strong"), ...bars];
}

function costlyLines({ costly, costs }: Totals): readonly Line[] {
  if (costs === null || costly.length === 0) return [];
  const named = costly.map((loop) => `${oneLine(nameOf(loop))} (${known(loop.cost, usd)})`);
  return [line(""), line(`Over twice the median cost of ${usd(costs.median)}: ${named.join(", ")}`, "warn")];
}
