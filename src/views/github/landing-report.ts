import { grouped } from "../amounts.ts";
import { cut } from "../plain-text.ts";
import {
  assembled,
  type Block,
  bullets,
  code,
  COMMENT_BYTES,
  heading,
  type Hole,
  marked,
  paragraph,
  table,
  verbatim,
} from "./markdown.ts";

/** A story as its PRD's pull request shows it. Titles and reasons are words of others. */
export interface StoryStanding {
  readonly id: string;
  readonly title: string;
  readonly how: "passed" | "accepted" | "blocked" | "pending" | "in_progress";
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
  readonly fates: readonly { readonly id: string; readonly text: string }[];
}

const MOST_ROWS = 300;
const TITLE = 120;
const REASON = 400;

export function prdTitle({ prd, stories }: Pick<PrdReport, "prd" | "stories">): string {
  return `PRD ${prd}: ${passedIn(stories)} of ${stories.length} stories passed`;
}

/** The text of the pull request of a PRD's branch. @param marker its first line */
export function prdPullRequest(report: PrdReport, marker: string): string {
  return marked(marker, partsOf(report));
}

/** The same for the job's summary, which has more room. */
export function landingSummary(report: PrdReport): string {
  return assembled(partsOf(report), 900_000);
}

/** What a wave has made of its stories, as a comment on the pull request of the PRD's branch. */
export function waveComment({ wave, fates, next, branch }: PrdReport): string {
  const lines = fates.map(({ id, text }): Hole => `${id}: ${cut(text, REASON)}`);
  return assembled(
    [
      ["the wave", [heading(3, `Wave ${wave} is closed`), paragraph`Its stories land on ${code(branch)}.`]],
      ["what comes next", [paragraph`${next}`]],
      ["its stories", lines.length === 0 ? [] : [bullets(lines)]],
    ],
    COMMENT_BYTES,
  );
}

/** What is said on the pull request of a story's loop when its commit is on the PRD's branch. */
export function landedComment(id: string, commit: string, branch: string): string {
  return assembled(
    [
      [
        "the landing",
        [paragraph`${id} has landed on ${code(branch)} as ${code(commit.slice(0, 12))}, proved there once more.`],
      ],
    ],
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

function partsOf(report: PrdReport): readonly (readonly [string, readonly Block[]])[] {
  const { wave, branch, next, stories } = report;
  return [
    [
      "the outcome",
      [heading(2, prdTitle(report)), paragraph`Wave ${wave} is closed; its stories are on ${code(branch)}. ${next}`],
    ],
    ["the stories", storyBlocks(stories)],
    ["what you can say", wayBlocks(report)],
  ];
}

function storyBlocks(stories: readonly StoryStanding[]): Block[] {
  const rows = stories
    .slice(0, MOST_ROWS)
    .map((story): Hole[] => [
      code(story.id),
      cut(story.title, TITLE),
      stateOf(story),
      story.commit === null ? "" : code(story.commit.slice(0, 12)),
      story.attempts,
    ]);
  const rest = stories.length - rows.length;
  return [
    table([null, null, null, null, "right"], ["Story", "Title", "State", "Commit", "In vain"], rows),
    ...(rest > 0 ? [paragraph`${grouped(rest)} more stories are in the PRD.`] : []),
  ];
}

function stateOf({ how, proved, criteria, why }: StoryStanding): string {
  if (how === "passed") return proved === null ? "passed" : `passed, proved ${proved} of ${criteria}`;
  if (how === "accepted") return "accepted by a person";
  if (how === "in_progress") return "in progress";
  const reason = why === "" ? "" : `: ${cut(why, REASON)}`;
  return how === "blocked" ? `blocked${reason}` : `waits${reason}`;
}

function wayBlocks({ prd, stories }: PrdReport): Block[] {
  if (passedIn(stories) === stories.length) return [];
  const stuck = stories.find(({ how }) => how === "blocked");
  const ways: Hole[][] = [[code(`/smithers prd ${prd} run`), "Goes on with the open stories."]];
  if (stuck !== undefined) {
    ways.push([code(`/smithers prd ${prd} retry ${stuck.id} [words]`), "Lets the story be tried again."]);
    ways.push([code(`/smithers prd ${prd} accept ${stuck.id}`), "Takes the story as done, in your name."]);
  }
  return [table([null, null], ["Comment", "What it does"], ways)];
}

function passedIn(stories: readonly StoryStanding[]): number {
  return stories.filter(({ how }) => how === "passed" || how === "accepted").length;
}
