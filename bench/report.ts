import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { LoopEvent } from "../src/core/events.ts";
import { reportPage } from "../src/report/page.ts";
import { browser } from "../test/support/browser.ts";
import { iterations, stream, whole } from "../test/report/a-report.ts";
import { aView, started } from "../test/views/a-state.ts";
import { atMost, type Figure, median, plain } from "./figure.ts";

const ITERATIONS = 500;
const ROUNDS = 7;
const GOAL_MS = 1_000;

/** What each iteration has to tell: with it the page is as long as it gets. */
const SAID = whole("A line of what an agent says, of a diff or of a check.\n".repeat(120));

/** How long a page of 500 iterations takes to make, and a real browser to show it. */
export async function measureReport(say: (line: string) => void): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "report-"));
  try {
    await using chrome = await browser();
    const file = path.join(folder, "report.html");
    const made: number[] = [];
    const loaded: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      const page = await pageOf([started(), ...iterations(ITERATIONS)]);
      made.push(performance.now() - begun);
      await writeFile(file, page);
      await using opened = await chrome.open();
      await opened.page.goto(pathToFileURL(file).href);
      loaded.push(Number(await opened.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")));
      if (round === 0) say(`a page of ${ITERATIONS} iterations has ${(page.length / 1e6).toFixed(1)} MB`);
    }
    return [
      atMost(`report of ${ITERATIONS} iterations, until a browser shows it`, median(loaded), "ms", GOAL_MS),
      plain(`report of ${ITERATIONS} iterations, until it is made`, median(made), "ms"),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pageOf(events: readonly LoopEvent[]): Promise<string> {
  const texts = { prompt: SAID, changes: SAID, checks: SAID, message: SAID };
  return reportPage({ view: aView(), events: stream(events), withTexts: true, textsOf: async () => texts });
}
