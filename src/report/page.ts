import { createHash } from "node:crypto";
import type { LoopEvent } from "../core/events.ts";
import { whyRed } from "../core/progress/failures.ts";
import { checkLabel } from "../core/verdict.ts";
import { counted, grouped } from "../views/amounts.ts";
import { verdict } from "../views/at-a-glance.ts";
import { cut, oneLine } from "../views/plain-text.ts";
import { proofOf } from "../views/proof.ts";
import { nextStep, type RunView } from "../views/run-view.ts";
import {
  activeText,
  shownStories,
  shownTitle,
  standText,
  storiesReport,
  STORY_SIGNS,
  tallyText,
} from "../views/story-rows.ts";
import { chartsHtml } from "./charts.ts";
import { firstScreen } from "./first-screen.ts";
import { copyButton, markup, Html, source } from "./html.ts";
import { iterationHtml, type IterationTexts, rawHtml } from "./iteration-part.ts";
import { type History, historyOf, moment, type ToldIteration } from "./iterations.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/** What a page is made from. All of it may leave this machine: secrets are out of it already. */
export interface ReportMaterial {
  readonly view: RunView;
  /** of the generation, from its beginning */
  readonly events: AsyncIterable<LoopEvent>;
  /** whether readers may see what the agent was asked, what it said and what it changed */
  readonly withTexts: boolean;
  /** what of an iteration is kept in files, read when it is asked for; the newest is asked for first */
  readonly textsOf: (iteration: number) => Promise<IterationTexts>;
}

/** A page is never longer, in bytes. */
const LIMIT = 10_000_000;
/** Iterations that the page shows; of more the newest. */
const MOST_ITERATIONS = 2_000;
const MOST_STORIES = 500;

/**
 * The page about a loop: one file that loads nothing. Everything that others wrote is text in it.
 *
 * @param limit bytes; above it, what the oldest iterations wrote is left out, and it is said there
 */
export async function reportPage(material: ReportMaterial, limit = LIMIT): Promise<string> {
  const { view, withTexts } = material;
  const history = await historyOf(material.events);
  const shown = history.iterations.slice(-MOST_ITERATIONS);
  const top = firstScreen(view, history, shown);
  const parts = { top, charts: chartsHtml(shown), agent: agentHtml(material, history), stories: storiesHtml(view) };
  const empty = shown.map((iteration) => iterationHtml(iteration, LEFT_OUT));
  const overhead = size(document(view, parts, [beforeHtml(history), ...empty], withTexts));
  const raw = await rawWithin(material, shown, limit - overhead);
  const rows = shown.map((iteration) => iterationHtml(iteration, raw.get(iteration.iteration) ?? LEFT_OUT));
  const rest = history.iterations.length - shown.length;
  const older =
    rest > 0 &&
    markup`<p>
      ${counted(rest, "earlier iteration")} are not on this page: it shows the last ${grouped(MOST_ITERATIONS)}.
    </p>`;
  return document(view, parts, [markup`${older}`, beforeHtml(history), ...rows], withTexts);
}

const LEFT_OUT = markup`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;

/** What iterations wrote, from the newest back, as long as there is room. */
async function rawWithin(
  { textsOf, withTexts }: ReportMaterial,
  shown: readonly ToldIteration[],
  room: number,
): Promise<ReadonlyMap<number, Html>> {
  const kept = new Map<number, Html>();
  let left = room;
  for (const iteration of shown.toReversed()) {
    const raw = rawHtml(iteration, await textsOf(iteration.iteration), withTexts);
    left -= size(raw.text);
    if (left < 0) break;
    kept.set(iteration.iteration, raw);
  }
  return kept;
}

function size(text: string): number {
  return Buffer.byteLength(text);
}

function beforeHtml({ before }: History): Html {
  const shown = before.slice(0, 100);
  if (shown.length === 0) return markup``;
  return markup`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${shown.map(({ text }) => markup`<li>${cut(text, 1_000)}</li>`)}
      </ul>
    </div>
  </details>`;
}

/** What another agent, or a chat, needs to help. */
function agentHtml({ view, withTexts }: ReportMaterial, history: History): Html {
  const { state } = view;
  const { failing: check } = proofOf(state);
  const names = state.failing?.failing ?? [];
  const parts = [
    withTexts ? `Task:\n${state.prompt.trim()}` : "",
    `State:\n${verdict(view).text}`,
    names.length === 0 ? "" : `Failing tests:\n${names.map((name) => `- ${oneLine(name)}`).join("\n")}`,
    check === null ? "" : `Last output of ${oneLine(checkLabel(check))}:\n${check.tail.trim() || whyRed(check)}`,
    `Decision:\n${[...history.ending.map(({ text }) => text), `next: ${nextStep(view)}`].join("\n")}`,
  ];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return markup`${copyButton("for-an-agent", "for an agent")}
    <details>
      <summary>Task, failing tests, last output and decision, as one text</summary>
      ${source("for-an-agent", text, "for an agent")}
    </details>`;
}

function storiesHtml({ state, prd }: RunView): Html | null {
  const report = storiesReport(state, prd);
  if (report === null) return null;
  const active = activeText(report);
  const { rows, rest } = shownStories(report.stories, MOST_STORIES);
  return markup`<p>${tallyText(report)}.${active !== undefined && ` At work on ${active}.`}</p>
    <ul>
      ${rows.map(
        (row) =>
          markup`<li class="searched" id="${row.id}">
            <span aria-hidden="true">${STORY_SIGNS[row.status]}</span> <strong>${row.id}</strong> ${shownTitle(row)}:
            ${standText(row)}${row.commit !== null && markup`, <code>${row.commit.slice(0, 12)}</code>`}
          </li>`,
      )}
    </ul>
    ${rest !== "" && markup`<p>${rest}.</p>`}`;
}

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Nothing is loaded or sent, and no script but ours runs. */
function policy(): string {
  return [
    "default-src 'none'",
    `script-src ${digest(SCRIPT)}`,
    `style-src ${digest(STYLE)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

const WITHHELD = markup`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;

/** The parts of a page, in their order. */
interface Parts {
  readonly top: Html;
  readonly charts: Html;
  readonly agent: Html;
  /** null: the loop has none */
  readonly stories: Html | null;
}

function document(view: RunView, parts: Parts, iterations: readonly Html[], withTexts: boolean): string {
  const { loop_id: id, generation, updated_at: at, iteration } = view.state;
  const none = iteration === 0 ? "None has begun." : "The events of this loop are gone, so they are not known.";
  const list = iterations.every(({ text }) => text === "") ? markup`<p>${none}</p>` : markup`${iterations}`;
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new Html(`<meta http-equiv="Content-Security-Policy" content="${policy()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${id}</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${parts.top} ${withTexts ? null : WITHHELD} ${below(parts, list)}</main>
        <footer>
          <p>
            Loop ${id}, generation ${generation}, as of ${moment(at)}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new Html(`<script>${SCRIPT}</script>`)}
      </body>
    </html> `.text;
}

/** What is below the first screen. */
function below({ charts, agent, stories }: Parts, iterations: Html): Html {
  const section = (id: string, name: string, content: Html): Html =>
    markup`<section aria-labelledby="${id}">
      <h2 id="${id}">${name}</h2>
      ${content}
    </section>`;
  return markup`${section("agent", "Copy for an agent", agent)} ${section("charts", "Charts", charts)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${stories !== null && " and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${section("iterations", "Iterations", iterations)}
    ${stories !== null && section("stories", "Stories", stories)}`;
}
