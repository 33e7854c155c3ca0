import { dot, lineY, plot, rectY, ruleY } from "@observablehq/plot";
import { totalTokens } from "../core/agent.ts";
import { counted, duration, grouped, usd } from "../views/amounts.ts";
import { drawn } from "./drawing.ts";
import { type Html, markup, type Hole } from "./html.ts";
import type { ToldIteration } from "./iterations.ts";

/** A chart shows at most this many points; more iterations are put together in bins. */
const MOST_POINTS = 150;

/** One iteration as charts see it; null: not known. */
interface Sample {
  readonly iteration: number;
  readonly failing: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
  /** milliseconds */
  readonly time: number;
  readonly added: number | null;
  readonly removed: number | null;
}

/** Iterations that a chart shows as one point. */
interface Bin extends Omit<Sample, "iteration"> {
  readonly from: number;
  readonly to: number;
}

interface Chart {
  readonly id: string;
  readonly name: string;
  readonly unit: (bins: readonly Bin[]) => Unit;
  /** what there is to see, for those who do not see it */
  readonly sentence: (bins: readonly Bin[]) => string;
  readonly columns: readonly (readonly [head: string, cell: (bin: Bin) => string])[];
  /** where the bars or points are; null: nothing is drawn there */
  readonly values: readonly ((bin: Bin) => number | null)[];
  readonly shape: "bars" | "line";
}

/** What an axis counts in. */
interface Unit {
  readonly name: string;
  /** how much of what the bins have is one of them */
  readonly one: number;
}

const countedIn = (name: string) => (): Unit => ({ name, one: 1 });

const TIMES: readonly Unit[] = [
  { name: "hours", one: 3_600_000 },
  { name: "minutes", one: 60_000 },
];

/** The longest unit of which there are two. */
function unitOfTime(bins: readonly Bin[]): Unit {
  const longest = Math.max(...bins.map(({ time }) => time));
  return TIMES.find(({ one }) => longest >= 2 * one) ?? { name: "seconds", one: 1_000 };
}

function sampleOf(each: ToldIteration): Sample {
  const checks = each.checks.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    iteration: each.iteration,
    failing: each.failing,
    tokens: each.usage === null ? null : totalTokens(each.usage),
    cost: each.cost,
    time: each.turn_ms + checks,
    added: each.change?.added ?? null,
    removed: each.change?.removed ?? null,
  };
}

/** Bins of equal length. Amounts are those of all their iterations; failing tests are those at the end. */
function binned(samples: readonly Sample[]): readonly Bin[] {
  const length = Math.ceil(samples.length / MOST_POINTS);
  return samples.flatMap((first, index) => {
    if (index % length !== 0) return [];
    const inside = samples.slice(index, index + length);
    const sum = (of: (one: Sample) => number | null): number | null => total(inside.map(of));
    return {
      from: first.iteration,
      to: inside.reduce((_, { iteration }) => iteration, first.iteration),
      failing: inside.reduce((known: number | null, { failing }) => failing ?? known, null),
      tokens: sum(({ tokens }) => tokens),
      cost: sum(({ cost }) => cost),
      time: inside.reduce((all, { time }) => all + time, 0),
      added: sum(({ added }) => added),
      removed: sum(({ removed }) => removed),
    };
  });
}

/** The sum of what is known; null: nothing is. */
function total(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (value === null ? sum : value + (sum ?? 0)), null);
}

const DASH = "–";
const shown = (value: number | null, how: (value: number) => string): string => (value === null ? DASH : how(value));

const CHARTS: readonly Chart[] = [
  {
    id: "chart-failing",
    name: "Failing tests after each iteration",
    unit: countedIn("failing tests"),
    shape: "line",
    sentence: (bins) => {
      const known = bins.flatMap(({ failing }) => (failing === null ? [] : [failing]));
      return `From ${known[0]} after the first count to ${known.at(-1)} after the last; at most ${Math.max(...known)}.`;
    },
    columns: [["Failing tests", ({ failing }) => shown(failing, grouped)]],
    values: [({ failing }) => failing],
  },
  {
    id: "chart-time",
    name: "Time of each iteration",
    unit: unitOfTime,
    shape: "bars",
    sentence: (bins) => `${most(bins, ({ time }) => time, duration)}, turn and checks together.`,
    columns: [["Time", ({ time }) => duration(time)]],
    values: [({ time }) => time],
  },
  {
    id: "chart-tokens",
    name: "Tokens and cost of each iteration",
    unit: countedIn("tokens"),
    shape: "bars",
    sentence: (bins) =>
      `${most(
        bins,
        ({ tokens }) => tokens,
        (value) => counted(value, "token"),
      )}.`,
    columns: [
      ["Tokens", ({ tokens }) => shown(tokens, grouped)],
      ["Cost", ({ cost }) => shown(cost, usd)],
    ],
    values: [({ tokens }) => tokens],
  },
  {
    id: "chart-lines",
    name: "Lines changed in each iteration",
    unit: countedIn("lines added ↑ removed ↓"),
    shape: "bars",
    sentence: (bins) =>
      `${grouped(all(bins, ({ added }) => added))} lines added and ${grouped(all(bins, ({ removed }) => removed))} removed over all iterations shown; what was removed is below the line.`,
    columns: [
      ["Added", ({ added }) => shown(added, grouped)],
      ["Removed", ({ removed }) => shown(removed, grouped)],
    ],
    values: [({ added }) => added, ({ removed }) => (removed === null ? null : -removed)],
  },
];

function all(bins: readonly Bin[], of: (bin: Bin) => number | null): number {
  return Number(total(bins.map(of)));
}

/** Which was the highest. */
function most(bins: readonly Bin[], of: (bin: Bin) => number | null, how: (value: number) => string): string {
  const highest = Math.max(...bins.map((bin) => Number(of(bin))));
  const tops = bins.filter((bin) => Number(of(bin)) === highest);
  return tops
    .slice(0, 1)
    .map((bin) => `Most in ${nameOf(bin)}: ${how(highest)}`)
    .join("");
}

function nameOf({ from, to }: Bin): string {
  return from === to ? `iteration ${from}` : `iterations ${from} to ${to}`;
}

/** The charts that there is anything to show in, each with its name, a sentence and its table. */
export function chartsHtml(iterations: readonly ToldIteration[]): Html {
  const bins = binned(iterations.map(sampleOf));
  const drawn = CHARTS.filter(({ values }) => bins.some((bin) => values.some((of) => Number(of(bin)) !== 0)));
  if (iterations.length < 2 || drawn.length === 0) return markup`<p>There is too little to draw yet.</p>`;
  return markup`<div class="charts">${drawn.map((chart) => chartHtml(chart, bins, iterations.length))}</div>`;
}

function chartHtml(chart: Chart, bins: readonly Bin[], count: number): Html {
  const { id, name, sentence, columns } = chart;
  const each = Math.ceil(count / MOST_POINTS);
  const how =
    each > 1 ? ` Each ${chart.shape === "line" ? "point" : "bar"} stands for ${each} iterations in a row.` : "";
  return markup`<figure class="chart" aria-labelledby="${id}">
    <figcaption>
      <h3 id="${id}">${name}</h3>
      <p id="${id}-says">${sentence(bins)}${how}</p>
    </figcaption>
    ${drawing(chart, bins)}
    <details>
      <summary>Table<span class="hidden">: ${name}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${name}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${columns.map(([head]) => markup`<th scope="col">${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${bins.map(
              (bin) =>
                markup`<tr>
                  <th scope="row">${bin.from === bin.to ? bin.from : `${bin.from} to ${bin.to}`}</th>
                  ${columns.map(([, cell]): Hole => markup`<td>${cell(bin)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`;
}

const MOST_TICKS = 10;

/** Iterations that are named below a chart. */
function ticksOf(bins: readonly Bin[]): readonly number[] {
  const step = Math.ceil(bins.length / MOST_TICKS);
  return bins.flatMap(({ from }, index) => (index % step === 0 ? [from] : []));
}

/** As wide as it is on a phone, or half of a wide window. */
const SIZE = { width: 440, height: 190, marginLeft: 60, marginRight: 12, marginTop: 24, marginBottom: 38 } as const;
/** Of a bar, in what `SIZE` is in: two iterations are no two walls. */
const WIDEST = 48;
const MOST_LINES = 5;
/** From here on a number beside a chart would not fit as it is. */
const LONG = 100_000;
/** `1.5M` */
const SHORTLY = new Intl.NumberFormat("en-US", { notation: "compact" });
/** Points that are dots on their line. */
const MOST_DOTS = 60;

/** The scale of amounts that are counted: no line between two whole numbers, and no number below zero. */
function upright(amounts: readonly number[]) {
  const [low, high] = [Math.floor(Math.min(0, ...amounts)), Math.ceil(Math.max(0, ...amounts))];
  const ticks = Math.min(MOST_LINES, high - low);
  const tickFormat = (value: number): string =>
    Math.abs(value) < LONG ? grouped(Math.abs(value)) : SHORTLY.format(Math.abs(value));
  return { domain: [low, high], nice: ticks, ticks, grid: true, tickFormat };
}

/** The picture as SVG. Its looks are in the page's style, because a strict policy lets no other count. */
function drawing({ id, unit, values, shape }: Chart, bins: readonly Bin[]): Html {
  const middle = ({ from, to }: Bin): number => (from + to) / 2;
  const { name, one } = unit(bins);
  const amounts = values.map((of) => (bin: Bin) => {
    const value = of(bin);
    return value === null ? null : value / one;
  });
  const room = (SIZE.width - SIZE.marginLeft - SIZE.marginRight) / bins.length;
  const inset = Math.max(0.5, (room - WIDEST) / 2);
  const marks = amounts.flatMap((of, index) => {
    const known = bins.filter((bin) => of(bin) !== null);
    const look = { className: index === 0 ? "series" : "series other" };
    if (shape === "line") {
      return [
        lineY(known, { x: middle, y: of, ...look }),
        dot(known.length > MOST_DOTS ? [] : known, { x: middle, y: of, r: 3, fill: "currentColor", ...look }),
      ];
    }
    return rectY(known, {
      x1: ({ from }) => from - 0.5,
      x2: ({ to }) => to + 0.5,
      y: of,
      insetLeft: inset,
      insetRight: inset,
      ...look,
    });
  });
  const x = { label: "iteration", ticks: ticksOf(bins), tickFormat: String };
  const y = {
    label: name,
    ...upright(amounts.flatMap((of) => bins.map((bin) => Number(of(bin))))),
  };
  return drawn((document) => plot({ ...SIZE, document, x, y, marks: [ruleY([0]), ...marks] }), {
    role: "img",
    "aria-labelledby": `${id} ${id}-says`,
    class: "plot",
  });
}
