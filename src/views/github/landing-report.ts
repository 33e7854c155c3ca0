import { grouped } from "../amounts.ts";
import { cut } from "../plain-text.ts";
import {
  assembled,
  type Block,
  bullets,
  code,
  COMMENT_BYTES,
  fitting,
  heading,
  type Hole,
  inline,
  marked,
  paragraph,
  table,
  verbatim,
} from "./markdown.ts";

/** A story as its PRD's pull request shows it. Titles and reasons are words of others. */
export interface StoryStanding {
  readonly id: string;
  readonly title: string;
  readonly how: "passed" | "accepted" | "taken_over" | "blocked" | "pending" | "in_progress";
  /** who has accepted it; null: nobody, or it is not known */
  readonly by: string | null;
  /** with which it landed; null: none */
  readonly commit: string | null;
  /** of its criteria, how many are proved; null: not known */
  readonly proved: number | null;
  readonly criteria: number;
  readonly attempts: number;
  /** why it is not there: what blocks it, or why its last work did not land; "": nothing is known */
  readonly why: string;
}

/** How a PRD is after a wave. */
export interface PrdReport {
  readonly prd: string;
  readonly branch: string;
  /** of the last wave */
  readonly wave: number;
  /** in the order of the PRD */
  readonly stories: readonly StoryStanding[];
  /** what comes next, as a sentence */
  readonly next: string;
  /** what this wave has made of its stories; empty: it only tells again */
  readonly fates: readonly StoryTold[];
}

/** What a wave has made of a story. Words of others. */
interface StoryTold {
  readonly id: string;
  readonly text: string;
  /** of several candidates, those that have not landed, by their loops */
  readonly lost: readonly { readonly loop: string; readonly why: string }[];
}

const TITLE = 120;
const REASON = 400;

export function prdTitle({ prd, stories }: Pick<PrdReport, "prd" | "stories">): string {
  return `PRD ${prd}: ${passedIn(stories)} of ${stories.length} stories passed`;
}

/** The text of the pull request of a PRD's branch. @param marker its first line */
export function prdPullRequest(report: PrdReport, marker: string): string {
  return marked(marker, partsOf(report));
}

/** The same for the job's summary, which has more room, with what the wave has made of its stories. */
export function landingSummary(report: PrdReport): string {
  const [outcome, ways, stories] = partsOf(report);
  return assembled(
    [outcome, ["what the wave has done", (room) => fateBlocks(report.fates, room)], ways, stories],
    900_000,
  );
}

/** What a wave has made of its stories, as a comment on the pull request of the PRD's branch. */
export function waveComment(report: PrdReport): string {
  const { wave, fates, next } = report;
  return assembled(
    [
      ["the wave", [heading(3, `Wave ${wave} is closed`), paragraph`${whereOf(report)} ${next}`]],
      ["its stories", (room) => fateBlocks(fates, room)],
    ],
    COMMENT_BYTES,
  );
}

function fateBlocks(fates: PrdReport["fates"], room: number): Block[] {
  const lines: readonly { readonly rank: number; readonly line: Hole }[] = fates.flatMap(({ id, text, lost }) => [
    { rank: 0, line: inline`${id}: ${cut(text, REASON)}` },
    ...lost.map(({ loop, why }) => ({ rank: 1, line: inline`${id}, not ${code(loop)}: ${cut(why, REASON)}` })),
  ]);
  if (lines.length === 0) return [];
  const blockOf = (some: typeof lines) => bullets(some.map(({ line }) => line));
  const shown = fitting(lines, room - REST, ({ rank }) => rank, blockOf);
  const rest = lines.length - shown.length;
  return [blockOf(shown), ...(rest > 0 ? [paragraph`${grouped(rest)} more: see the ledger of the PRD.`] : [])];
}

/** What is said on the pull request of a story's loop when its commit is on the PRD's branch. */
export function landedComment(
  id: string,
  commit: string,
  { branch, passed }: { readonly branch: string; readonly passed: "proved" | "accepted" | null },
): string {
  const how = passed === "accepted" ? "as it was, because it was accepted" : "proved there once more";
  return assembled(
    [["the landing", [paragraph`${id} has landed on ${code(branch)} as ${code(commit.slice(0, 12))}, ${how}.`]]],
    COMMENT_BYTES,
  );
}

/** What is said there when it is not. @param why words of others */
export function notLandedComment(id: string, why: string, next: string): string {
  return assembled(
    [
      ["the outcome", [paragraph`${id} has not landed. ${next}`]],
      ["why", why === "" ? [] : [verbatim(why, 4_000)]],
    ],
    COMMENT_BYTES,
  );
}

type Part = Parameters<typeof assembled>[0][number];

/** The most important first: only the table can be cut. */
function partsOf(report: PrdReport): readonly [outcome: Part, ways: Part, stories: Part] {
  const { wave, next, stories } = report;
  return [
    ["the outcome", [heading(2, prdTitle(report)), paragraph`Wave ${wave} is closed. ${whereOf(report)} ${next}`]],
    ["what you can say", wayBlocks(report)],
    ["the stories", (room) => storyBlocks(stories, room)],
  ];
}

/** Where to look for what has landed; pieces of a line. */
function whereOf({ branch, stories }: PrdReport): Hole {
  if (stories.some(({ commit }) => commit !== null)) return inline`What has landed is on ${code(branch)}.`;
  return inline`Nothing has landed on ${code(branch)} yet, so the PRD has no pull request.`;
}

/** Kept free for the line that says how many are not shown. UTF-8 bytes. */
const REST = 100;

/** What a person has to look at is kept longest. */
const RANKS = { blocked: 0, in_progress: 1, pending: 1, taken_over: 2, accepted: 3, passed: 3 } as const;

function storyBlocks(stories: readonly StoryStanding[], room: number): Block[] {
  const blockOf = (some: readonly StoryStanding[]) =>
    table(
      [null, null, null, null, "right"],
      ["Story", "Title", "State", "Commit", "Failed attempts"],
      some.map(cellsOf),
    );
  const rows = fitting(stories, room - REST, ({ how }) => RANKS[how], blockOf);
  const rest = stories.length - rows.length;
  return [blockOf(rows), ...(rest > 0 ? [paragraph`${grouped(rest)} more stories are in the PRD.`] : [])];
}

function cellsOf(story: StoryStanding): Hole[] {
  const commit = story.commit === null ? "" : code(story.commit.slice(0, 12));
  return [code(story.id), cut(story.title, TITLE), stateOf(story), commit, story.attempts];
}

function stateOf({ how, by, proved, criteria, why, attempts }: StoryStanding): string {
  const reason = why === "" ? "" : `: ${cut(why, REASON)}`;
  switch (how) {
    case "passed":
      return proved === null ? "passed" : `passed, proved ${proved} of ${criteria}`;
    case "accepted":
      return `accepted by ${by ?? "a person"}, not proved`;
    case "taken_over":
      return "taken over from the file, not proved";
    case "in_progress":
      return "goes on in the next wave";
    case "blocked":
      return `waits for a person${reason}`;
    case "pending":
      return attempts > 0 || why !== "" ? `begins again${reason}` : "not begun";
  }
}

function wayBlocks({ prd, stories }: PrdReport): Block[] {
  if (passedIn(stories) === stories.length) return [];
  const stuck = stories.find(({ how }) => how === "blocked");
  const ways: Hole[][] = [[code(`/smithers prd ${prd} run`), "Goes on with the open stories, where no wave runs."]];
  if (stuck !== undefined) {
    ways.push([
      code(`/smithers prd ${prd} retry ${stuck.id} [words]`),
      "Lets the story be tried again, with your words.",
    ]);
    ways.push([code(`/smithers prd ${prd} accept ${stuck.id}`), "Takes the story as it is, in your name."]);
  }
  return [table([null, null], ["Comment", "What it does"], ways)];
}

/** Whether a story is done, however it came to that. */
export function hasPassed({ how }: Pick<StoryStanding, "how">): boolean {
  return how === "passed" || how === "accepted" || how === "taken_over";
}

function passedIn(stories: readonly StoryStanding[]): number {
  return stories.filter(hasPassed).length;
}
