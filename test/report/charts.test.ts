import { expect, test } from "vitest";
import { aProved, aRedCheck, aVerdict, someFailing } from "../support/builders.ts";
import { started, turnEnded, turnStarted } from "../views/a-state.ts";
import { iterations, page, parsed } from "./a-report.ts";

function inPage(source: string) {
  const document = parsed(source);
  const charts = Array.from(document.querySelectorAll("figure.chart"));
  const of = (id: string) => charts.find((each) => each.getAttribute("aria-labelledby") === id);
  return { document, charts, of, ids: charts.map((each) => each.getAttribute("aria-labelledby")) };
}

test("each chart has a name, a sentence and its table, and its picture is named by them [C132]", async () => {
  const { of, ids, document } = inPage(await page({ events: [started(), ...iterations(3)] }));
  expect(ids).toEqual(["chart-failing", "chart-time", "chart-tokens", "chart-lines"]);
  for (const id of ids) {
    const svg = of(String(id))?.querySelector("svg");
    expect(svg?.getAttribute("role")).toBe("img");
    expect(svg?.getAttribute("aria-labelledby")).toBe(`${id} ${id}-says`);
    for (const named of [id, `${id}-says`]) expect(document.getElementById(String(named))?.textContent).not.toBe("");
    expect(svg?.outerHTML).not.toMatch(/<style|style=|aria-label=|undefined|NaN/u);
    expect(of(String(id))?.querySelectorAll("tbody tr")).toHaveLength(3);
  }
  const cells = of("chart-tokens")?.querySelector("tbody tr")?.textContent.split(/\s+/u);
  expect(cells?.join(" ").trim()).toBe("1 1,0340.02 USD");
  expect(of("chart-lines")?.querySelectorAll("rect")).toHaveLength(6);
});

test("failing tests are a line over the iterations in which they were counted [C132]", async () => {
  const counted = [4, 2, 0].flatMap((failed, index) => [
    turnStarted(index + 1),
    turnEnded({ iteration: index + 1 }),
    aProved(
      failed === 0
        ? aVerdict("passed")
        : aVerdict("failed", [aRedCheck({ tests: someFailing(["a", "b", "c", "d"].slice(0, failed)) })]),
    ),
  ]);
  const { of } = inPage(await page({ events: [started(), ...counted, turnStarted(4)] }));
  const chart = of("chart-failing");
  expect(chart?.querySelector("figcaption p")?.textContent).toBe(
    "From 4 after the first count to 0 after the last; at most 4.",
  );
  expect(chart?.querySelectorAll("circle")).toHaveLength(3);
  expect(chart?.querySelectorAll(".series path")).toHaveLength(1);
  expect(chart?.querySelector("tbody tr:last-child")?.textContent).toMatch(/4\s*–/u);
});

test.each([
  { duration_ms: 400, unit: "seconds", ticks: ["0", "1"] },
  { duration_ms: 119_000, unit: "seconds", ticks: ["0", "20", "40", "60", "80", "100", "120"] },
  { duration_ms: 4 * 60_000, unit: "minutes", ticks: ["0", "1", "2", "3", "4"] },
  { duration_ms: 3 * 3_600_000, unit: "hours", ticks: ["0", "1", "2", "3"] },
])("$duration_ms ms are drawn in $unit, in whole ones [C132]", async ({ duration_ms, unit, ticks }) => {
  const turns = [1, 2].flatMap((iteration) => [turnStarted(iteration), turnEnded({ iteration, duration_ms })]);
  const { of } = inPage(await page({ events: [started(), ...turns] }));
  const words = Array.from(of("chart-time")?.querySelectorAll("svg text") ?? [], ({ textContent }) => textContent);
  expect(words).toEqual([...ticks, `↑ ${unit}`, "1", "2", "iteration →"]);
});

test("more iterations than points are put together, and it is told [C132]", async () => {
  const { of } = inPage(await page({ events: [started(), ...iterations(301)] }));
  const time = of("chart-time");
  expect(time?.querySelectorAll("rect")).toHaveLength(101);
  expect(time?.querySelector("figcaption p")?.textContent).toContain("Each bar stands for 3 iterations in a row.");
  expect(of("chart-failing")?.querySelector("figcaption p")?.textContent).toContain("Each point stands for 3");
  expect(time?.querySelector("tbody tr th")?.textContent).toBe("1 to 3");
  expect(of("chart-tokens")?.querySelector("tbody tr")?.textContent).toContain("3,102");
});

test.each([0, 1])("of %i iterations nothing is drawn [C132]", async (count) => {
  const { charts, document } = inPage(await page({ events: [started(), ...iterations(count)] }));
  expect(charts).toEqual([]);
  expect(document.querySelector("section[aria-labelledby=charts]")?.textContent).toContain("too little to draw");
});

test("beside few failing tests there is no half of one, and removed lines have no sign [C132]", async () => {
  const { of } = inPage(await page({ events: [started(), ...iterations(3)] }));
  const numbers = (id: string) =>
    Array.from(of(id)?.querySelectorAll("g[text-anchor=end] text") ?? [], (one) => one.textContent);
  const beside = (id: string) => numbers(id).filter((text) => /\d/u.test(text));
  expect(beside("chart-failing")).toEqual(["0", "1"]);
  expect(beside("chart-lines")).toEqual(["1", "0", "1", "2", "3"]);
});

test("many tokens are told shortly beside their chart, and as they are in its table [C132]", async () => {
  const usage = { input: 2_600_000, cachedInput: 0, output: 0, reasoning: 0 };
  const turns = [1, 2].flatMap((iteration) => [turnStarted(iteration), turnEnded({ iteration, usage })]);
  const { of } = inPage(await page({ events: [started(), ...turns] }));
  const tokens = of("chart-tokens");
  expect(tokens?.querySelector("svg")?.textContent).toMatch(/500K.*1M.*1\.5M/u);
  expect(tokens?.querySelector("tbody")?.textContent).toContain("2,600,000");
});
