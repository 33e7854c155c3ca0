import type { PlannedStory, WavePlan } from "../../core/story/waves.ts";
import { counted, grouped } from "../amounts.ts";
import { assembled, type Block, code, heading, listed, paragraph, table } from "./markdown.ts";

/** GitHub drops a summary of more than 1 MiB, without failing the step. UTF-8 bytes. */
const LIMIT_BYTES = 900_000;
/** At most this many rows fit. */
const MOST_ROWS = 1_000;
/** Stories that are named in one sentence. */
const MOST_NAMES = 20;

/** A wave as it is told. */
export interface WaveTold {
  readonly prd: string;
  readonly branch: string;
  readonly commit: string;
  /** null: none begins */
  readonly number: number | null;
  readonly plan: WavePlan;
  /** each story's title, by its id. Somebody's words: data */
  readonly titles: ReadonlyMap<string, string>;
  /** what the loop of one story uses, and of how many that is the mean; null: not known */
  readonly tokens: { readonly mean: number; readonly of: number } | null;
  /** what a person should know of stories that had passed, in whole sentences */
  readonly remarks: readonly string[];
}

/** The plan of a wave as Markdown: what runs, why the rest waits, and what it writes to GitHub. Pure. */
export function waveSummary(told: WaveTold): string {
  const { plan } = told;
  return assembled(
    [
      ["the wave", [heading(2, titleOf(told)), ...placeOf(told)]],
      ["what is to be known", told.remarks.length === 0 ? [] : [listed(told.remarks, MOST_NAMES, "see the log")]],
      ["its stories", plan.stories.length === 0 ? [] : [storyTable(plan.stories, told)]],
      ["what it may use", priceBlocks(told)],
      ["what it writes", plan.stories.length === 0 ? [] : [paragraph`${foreseen(plan)}`]],
      ["what waits", waitingBlocks(told)],
    ],
    LIMIT_BYTES,
  );
}

/** What several agents side by side may cost, before they do (best of N). */
function priceBlocks({ plan, tokens }: WaveTold): Block[] {
  const several = plan.stories.filter(({ candidates }) => candidates > 1);
  if (several.length === 0) return [];
  const loops = several.reduce((sum, { candidates }) => sum + candidates, 0);
  const what = `${counted(loops, "agent")} try ${storiesOf(several.length)} side by side, and the best one of each lands.`;
  if (tokens === null) return [paragraph`${what} What that may cost is not known: no story has landed yet.`];
  const all = grouped(loops * tokens.mean);
  return [
    paragraph`${what} That may take about ${all} tokens, by the mean of ${storiesOf(tokens.of)} that landed (${grouped(tokens.mean)} each).`,
  ];
}

/** What somebody who has asked for a wave hears of it. @param wave null: none begins */
export function waveReply(
  prd: string,
  wave: { readonly number: number; readonly stories: readonly string[] } | null,
): string {
  if (wave === null) return `No story of the PRD ${prd} can begin now. The summary of this run says why.`;
  const { number, stories } = wave;
  const shown = stories.slice(0, MOST_NAMES).join(", ");
  const more = stories.length > MOST_NAMES ? ` and ${stories.length - MOST_NAMES} more` : "";
  return `Wave ${number} of the PRD ${prd} has begun with ${shown}${more}.`;
}

/** How much a wave writes to GitHub, and what is left after it; whole sentences. */
export function foreseen({ writes, waves, waitMinutes }: WavePlan): string {
  const { branches, pullRequests, comments, statuses, changes, pushes } = writes;
  const kinds = [
    `${grouped(branches)} branches`,
    counted(pullRequests, "pull request"),
    counted(comments, "comment"),
    `${grouped(statuses)} commit ${statuses === 1 ? "status" : "statuses"}`,
    `${grouped(changes)} changes of these`,
    `${grouped(pushes)} pushes`,
  ];
  const wait =
    waitMinutes === 0 ? "" : ` By GitHub's limits that takes ${counted(waitMinutes, "minute")} longer than the work.`;
  const left = waves.more
    ? `more than ${counted(waves.atLeast, "wave")} are left`
    : `at least ${counted(waves.atLeast, "wave")} ${waves.atLeast === 1 ? "is" : "are"} left, this one included`;
  return `If each story takes one iteration, this wave writes about ${kinds.slice(0, -1).join(", ")} and ${kinds.at(-1)} to GitHub.${wait} If every story passes at once, ${left}.`;
}

function titleOf({ prd, number, plan }: WaveTold): string {
  if (number !== null) return `PRD ${prd}: wave ${number}, ${storiesOf(plan.stories.length)}`;
  return plan.waiting.length === 0 ? `PRD ${prd}: every story has passed` : `PRD ${prd}: no story can begin`;
}

function storiesOf(count: number): string {
  return count === 1 ? "1 story" : `${grouped(count)} stories`;
}

function placeOf({ branch, commit }: WaveTold): Block[] {
  return [paragraph`The stories begin from ${code(commit.slice(0, 12))} and land on ${code(branch)}, in this order.`];
}

function storyTable(stories: readonly PlannedStory[], { titles }: WaveTold): Block {
  const rows = stories.map(({ id, candidates }) => [code(id), titles.get(id) ?? "", candidates]);
  return table([null, null, "right"], ["Story", "Title", "Agents"], rows);
}

function waitingBlocks({ plan: { waiting }, titles }: WaveTold): Block[] {
  if (waiting.length === 0) return [];
  const rows = waiting.slice(0, MOST_ROWS).map(({ id, why }) => [code(id), titles.get(id) ?? "", why]);
  const more = waiting.length - rows.length;
  return [
    heading(3, "What waits"),
    table([null, null, null], ["Story", "Title", "Why"], rows),
    ...(more > 0 ? [paragraph`${storiesOf(more)} more wait; the log of the job says why.`] : []),
  ];
}
