import { counted, duration, grouped, usd } from "../amounts.ts";
import { columnsOf, cut, line, type Line, oneLine, wrapped } from "../plain-text.ts";
import type { LoopStats } from "./loop-stats.ts";
import {
  countedBy,
  nameOf,
  type LeftOut,
  type LeftOutReason,
  type Sample,
  type Spread,
  type Totals,
  totalsOf,
} from "./totals.ts";

/** What stands where nothing is known, or nothing is to be told. */
export const DASH = "–";

const NAME_SHOWN = 40;
const BARS = 10;
const BAR_WIDTH = 30;

const HEAD = ["Loop", "Ended", "Proved at", "Tokens", "Cost", "False starts", "Saved"];

/** Why loops are not counted, with their number. */
const LEFT_OUT: Readonly<Record<LeftOutReason, (n: number) => string>> = {
  running: (n) => `${n} at work`,
  unreadable: (n) => `${n} cannot be read`,
  newer_version: (n) => `${n} of a newer version`,
  older_copy: (n) => `${n} older than the copy that is counted`,
};

/**
 * The statistics for people: a row a loop, what they come to together, and how many iterations a proof took.
 *
 * @param columns of the terminal; Infinity: there is none
 */
export function statsLines({ loops, leftOut }: Sample, columns: number): readonly Line[] {
  const out = leftOut.length === 0 ? "" : ` Left out: ${leftOutWords(leftOut)}.`;
  if (loops.length === 0) return inColumns([line(`No loop is counted.${out}`)], columns);
  const totals = totalsOf(loops);
  const told = [
    line(""),
    line(`${counted(loops.length, "loop")}: ${endings(totals)}.${out}`),
    ...proofLines(totals, loops.length),
    ...metricLines(totals),
  ];
  return [
    ...table([HEAD, ...loops.map(cellsOf)], columns),
    ...inColumns(told, columns),
    ...chart(loops, columns),
    ...inColumns(costlyLines(totals), columns),
  ];
}

/** Lines that none is wider than the terminal; what belongs to the one before it is indented. */
export function inColumns(lines: readonly Line[], columns: number): readonly Line[] {
  return lines.flatMap(({ text, tone }) => {
    if (columnsOf(text) <= columns) return [line(text, tone)];
    const indent = " ".repeat(text.length - text.trimStart().length + 2);
    return wrapped(text, columns)
      .slice(0, 1)
      .flatMap((first) => {
        const further = wrapped(text.slice(first.length).trimStart(), columns - indent.length);
        return [line(first, tone), ...further.map((each) => line(indent + each, tone))];
      });
  });
}

/**
 * Texts in columns; the first line is the head, the first cell of each a name. In a terminal that is not wide enough, the
 * names have lines of their own; in a narrow one, each cell is told with its head.
 */
export function table(rows: readonly (readonly string[])[], columns: number): readonly Line[] {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => columnsOf(String(cells[column])))));
  const aligned = (cells: readonly string[], from: number): string =>
    cells
      .slice(from)
      .map((cell, index) => cell + " ".repeat(Number(widths[from + index]) - columnsOf(cell)))
      .join("  ")
      .trimEnd();
  const toned = (text: string, index: number): Line => line(text, index === 0 ? "strong" : "plain");
  const width = widths.reduce((sum, each) => sum + each + 2, -2);
  if (width <= columns) return rows.map((cells, index) => toned(aligned(cells, 0), index));
  if (width - Number(widths[0]) <= columns) {
    return rows.flatMap((cells, index) => [
      ...inColumns([toned(String(cells[0]), index)], columns),
      toned(`  ${aligned(cells, 1)}`, index),
    ]);
  }
  return rows.slice(1).flatMap((cells) => {
    const told = cells.slice(1).flatMap((cell, index) => (cell === "" ? [] : [`${head[index + 1]}: ${cell}`]));
    return inColumns([line(String(cells[0]), "strong"), line(`  ${told.join("; ")}`)], columns);
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

/** How many are not counted, by the reason. */
export function leftOutWords(leftOut: readonly LeftOut[]): string {
  return countedBy(leftOut.map(({ reason }) => reason))
    .map(([reason, n]) => LEFT_OUT[reason](n))
    .join(", ");
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
function chart(loops: readonly LoopStats[], columns: number): readonly Line[] {
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
  const width = Math.max(...bins.map(({ name }) => name.length)) + 2;
  const room = Math.max(1, Math.min(BAR_WIDTH, columns - width - String(tallest).length - 3));
  const bars = bins.map(({ name, number }) => {
    const bar = "#".repeat(Math.ceil((number / tallest) * room));
    return line(`${name.padStart(width)} |${bar === "" ? "" : `${bar} `}${number}`);
  });
  const title = line("Iterations to a proof, and the loops that took them:", "strong");
  return [line(""), ...inColumns([title], columns), ...bars];
}

const NAMED = 10;

function costlyLines({ costly, costs }: Totals): readonly Line[] {
  if (costs === null || costly.length === 0) return [];
  const dearest = costly.toSorted((a, b) => Number(b.cost) - Number(a.cost)).slice(0, NAMED);
  const named = dearest.map((loop) => `${oneLine(nameOf(loop))} (${known(loop.cost, usd)})`).join(", ");
  const more = costly.length > NAMED ? ` and ${costly.length - NAMED} more` : "";
  return [line(""), line(`Over twice the median cost of ${usd(costs.median)}: ${named}${more}`, "warn")];
}
