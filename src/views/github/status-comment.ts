import { tokensOf } from "../../core/review/standing.ts";
import { workedMs } from "../../core/cost/spent.ts";
import type { IterationRecord, LoopState, Phase } from "../../core/state.ts";
import { counted, duration, grouped } from "../amounts.ts";
import type { Line } from "../plain-text.ts";
import { callsText, circuitText } from "../progress.ts";
import type { RunView } from "../run-view.ts";
import { waitText } from "../event-lines.ts";
import { outputBlocks, suspectBlocks } from "./evidence.ts";
import { type GithubPlace, type PublicationFacts, pushes, writesPullRequest } from "./facts.ts";
import { failedRunBlocks, flakeBlocks, repairedPieces } from "./failed-run.ts";
import { authorBlocks, ciBlocks, linkBlocks, noteBlocks, pageBlocks, workBlocks } from "./links.ts";
import { type Block, bullets, code, heading, inline, marked, paragraph, type Piece } from "./markdown.ts";
import { markerOf } from "./markers.ts";
import { dangerBlocks, headlineBlocks, nextStepBlocks, outcomeDetails, proofSentence } from "./outcome.ts";
import { storyBlocks } from "./stories.ts";
import { waysOnBlocks } from "./slash-commands.ts";

/** Of the progress bar. */
const CELLS = 20;

/** What is known of a loop while it runs. */
export interface LiveFacts extends GithubPlace {
  /** when this run began, in milliseconds since the epoch */
  readonly startedAt: number;
  /** when its time is up, in milliseconds since the epoch; null: no limit */
  readonly deadline: number | null;
  /** what happens right now, where somebody listens to the agent; null: only its state is known */
  readonly activity: string | null;
  /** the checks of this iteration so far */
  readonly checks: readonly Line[];
  /** title of the item that is worked on; null: the task itself */
  readonly item: string | null;
  /** the setting `max-tokens`; null: no limit */
  readonly maxTokens: number | null;
  /** the setting `max-total-minutes`, in milliseconds; null: no limit */
  readonly maxTotalMs: number | null;
  /** milliseconds since the epoch */
  readonly now: number;
}

/**
 * The status comment of a loop that runs now (D-30): at most 60,000 characters of Markdown, whose first line is the marker
 * that the comment is found by. An ending's is `finalComment`.
 */
export function statusComment(view: RunView, facts: LiveFacts): string {
  const { state } = view;
  return marked(markerOf({ ...facts, loopId: state.loop_id }), [
    ["progress", progressBlocks(state)],
    ["dangerous settings", dangerBlocks(view)],
    ["what happens now", [bullets(nowItems(view, facts))]],
    ["stories", storyBlocks(view)],
    ["what you can say now", waysOnBlocks(view)],
    ["links", [...linkBlocks(facts), ...authorBlocks(view)]],
  ]);
}

function progressBlocks({ iteration, max_iterations: most }: LoopState): Block[] {
  const share = Math.min(iteration / Math.max(most, 1), 1);
  const full = Math.round(share * CELLS);
  return [
    heading(2, `🔄 Smithers is at work: iteration ${iteration} of ${most}`),
    paragraph`${code("█".repeat(full) + "░".repeat(CELLS - full))} ${Math.round(share * 100)} %`,
  ];
}

function nowItems(view: RunView, facts: LiveFacts): Piece[][] {
  const { state } = view;
  const { activity, item, now, startedAt } = facts;
  const row = (name: string, value: string): Piece[] => inline`**${name}:** ${value}`;
  const last = state.iterations.at(-1);
  return [
    row("Now", activity ?? activityIn(state)),
    ...(item === null ? [] : [row("Item", item)]),
    ...(state.repair === null ? [] : [inline`**Repairs:** ${repairedPieces(state.repair)}`]),
    row("Checks", checkStatus(view, facts)),
    ...(last === undefined ? [] : [row("Last result", lastResult(last))]),
    row("Budget left", budgetLeft(state, facts)),
    row("Circuit", circuitText(state)),
    row("Calls of the agent", callsText(state)),
    row("Running for", `${duration(now - startedAt)}, as of ${new Date(now).toISOString()}`),
  ];
}

const PHASES = {
  ready: "between two iterations",
  turn: "the agent is at work",
  unproved: "the checks run",
  unsettled: "the iteration's work is put away",
  settled: "between two iterations",
} as const satisfies Record<Phase, string>;

function activityIn({ phase, not_before: notBefore, checks }: LoopState): string {
  if (phase === "unproved" && checks.ci_workflow !== null)
    return `the checks run, and CI (${checks.ci_workflow}) if they pass`;
  return notBefore === null ? PHASES[phase] : waitText(notBefore, notBefore);
}

/** The finished checks of this iteration, else the last results. */
function checkStatus(view: RunView, { checks }: LiveFacts): string {
  const texts = checks.slice(-10).map(({ text }) => text);
  return texts.length === 0 ? proofSentence(view) : texts.join("; ");
}

function lastResult(record: IterationRecord): string {
  const { iteration, agent, checks, files_changed: files, lines_added: added, lines_removed: removed } = record;
  const change = files === null ? "" : `, ${counted(files, "file")} (+${added} -${removed})`;
  return `iteration ${iteration}: agent ${agent.replaceAll("_", " ")}${change}, checks ${checks.replaceAll("_", " ")}`;
}

function budgetLeft(state: LoopState, facts: LiveFacts): string {
  const { iteration, max_iterations: most, spent } = state;
  const { deadline, maxTokens, maxTotalMs, now } = facts;
  const left = [counted(Math.max(most - iteration, 0), "iteration")];
  if (deadline !== null) left.push(duration(Math.max(deadline - now, 0)));
  if (maxTokens !== null) left.push(`${grouped(Math.max(maxTokens - tokensOf(state), 0))} tokens`);
  if (maxTotalMs !== null) left.push(`${duration(Math.max(maxTotalMs - workedMs(spent), 0))} of work in all`);
  return left.join(", ");
}

/**
 * The status comment after the run (W-38, W-39): at most 60,000 characters of Markdown, under the same marker as during
 * the run.
 */
export function finalComment(view: RunView, facts: PublicationFacts): string {
  return endingComment(view, facts, []);
}

/** The same on the issue that a loop works on, where people look for the pull request first. */
export function issueComment(view: RunView, facts: PublicationFacts): string {
  return endingComment(view, facts, workBlocks(view, facts));
}

function endingComment(view: RunView, facts: PublicationFacts, work: readonly Block[]): string {
  // A person's pull request keeps its own text, so what that would say of the failed run has no other place.
  const isTold = writesPullRequest(view, facts);
  return marked(markerOf({ ...facts, loopId: view.state.loop_id }), [
    ["outcome", [...headlineBlocks(view), ...outcomeDetails(view)]],
    ["the work", work],
    ["what to do next", nextStepBlocks(view, facts)],
    ["dangerous settings", dangerBlocks(view)],
    ["changed tests and CI files", suspectBlocks(view, facts)],
    ["the failed run", isTold ? [] : [...failedRunBlocks(view), ...flakeBlocks(view)]],
    ["what could not be done", noteBlocks(facts)],
    ["stories", storyBlocks(view)],
    ["how to go on", waysOnBlocks(view, facts)],
    ["CI", pushes(view, facts) ? ciBlocks(facts) : []],
    ["output of the failing check", outputBlocks(view)],
    ["the report", pageBlocks(facts.page)],
    ["links", [...linkBlocks(facts, facts.ahead || facts.pullRequest !== null), ...authorBlocks(view)]],
  ]);
}
