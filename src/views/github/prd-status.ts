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
  inline,
  listed,
  paragraph,
  table,
} from "./markdown.ts";

/** How a PRD is, to be shown. */
export interface PrdStanding {
  readonly name: string;
  /** whether somebody has begun to work on it */
  readonly begun: boolean;
  /** whether a run of it is under way */
  readonly running: boolean;
  /** whether its last wave is still to be closed */
  readonly unclosed: boolean;
  /** in the order of the PRD */
  readonly stories: readonly StoryRow[];
  /** the id of the story that comes next; null: none can */
  readonly next: string | null;
}

export interface StoryRow {
  readonly id: string;
  readonly title: string;
  readonly state: "pending" | "in_progress" | "passed";
  /** why a person has to look at it; null: nobody has to */
  readonly blocked: string | null;
  /** how often it was tried */
  readonly attempts: number;
  /** the commit that it became; null: none yet */
  readonly commit: string | null;
  /** `taken_over`: its file says so, and nobody here knows how; null: it has not passed */
  readonly passed: "proved" | "accepted" | "taken_over" | null;
  /** the login of who accepted it; null: nobody, or it is not known */
  readonly by: string | null;
  /** whether it has passed and reads differently now */
  readonly edited: boolean;
}

/** Rows of the table, and items of the list below it. */
const MOST_ROWS = 100;
const MOST_BLOCKED = 20;
/** UTF-16 units of a title or a reason. */
const TITLE = 120;
const REASON = 400;

/** How a PRD is, and what can be asked of it now (D-30); at most 60,000 characters of Markdown. */
export function prdStatusReply(standing: PrdStanding): string {
  const { name, stories } = standing;
  const passed = stories.filter(({ state }) => state === "passed");
  return assembled(
    [
      ["the outcome", [heading(3, `📋 ${name}: ${passed.length} of ${stories.length} stories passed`)]],
      ["what happens now", [bullets(nowLines(standing))]],
      ["blocked stories", blockedBlocks(standing)],
      ["edited stories", editedBlocks(standing)],
      ["what you can say now", wayBlocks(standing)],
      ["the stories", storyBlocks(standing)],
    ],
    COMMENT_BYTES,
  );
}

function nowLines({ begun, running, unclosed, stories, next }: PrdStanding): readonly Hole[] {
  const blocked = stories.filter(isBlocked).length;
  const open = stories.filter(({ state }) => state !== "passed").length - blocked;
  const upcoming = stories.find(({ id }) => id === next);
  const now = running ? "A run is under way." : begun ? "No run is under way." : "Nobody has begun to work on it.";
  return [
    now,
    ...(unclosed && !running ? [inline`Its last wave is not closed, which ${code("run")} does first.`] : []),
    `${open} open, ${blocked} blocked.`,
    ...(upcoming === undefined ? [] : [`Next: ${upcoming.id}, ${cut(upcoming.title, TITLE)}`]),
  ];
}

function blockedBlocks({ name, stories }: PrdStanding): Block[] {
  const rows = stories.filter(isBlocked);
  if (rows.length === 0) return [];
  const items = rows.map(({ id, blocked }): Hole => `${id}: ${cut(blocked, REASON)}`);
  return [heading(3, "Blocked"), listed(items, MOST_BLOCKED, `see the log of ${name}`)];
}

function editedBlocks({ stories }: PrdStanding): Block[] {
  const edited = stories.filter((row) => row.edited).map(({ id }) => id);
  if (edited.length === 0) return [];
  const items = edited.map(
    (id): Hole => inline`${id} has passed and reads differently now: it waits for ${code("retry")}.`,
  );
  return [listed(items, MOST_BLOCKED, "see the table")];
}

function wayBlocks({ name, running, unclosed, stories }: PrdStanding): Block[] {
  const stuck = stories.find(isBlocked);
  const again = stuck ?? stories.find(({ edited }) => edited);
  const isDone = !unclosed && stories.every(({ state }) => state === "passed");
  const ways: Hole[][] = [];
  if (!running && !isDone) ways.push([code(`/smithers prd ${name} run`), "Goes on with the open stories."]);
  if (again !== undefined) {
    ways.push([
      code(`/smithers prd ${name} retry ${again.id} [words]`),
      "Lets the story be tried again, with your words.",
    ]);
  }
  if (stuck !== undefined) {
    ways.push([code(`/smithers prd ${name} accept ${stuck.id}`), "Takes the story as done, in your name."]);
  }
  if (ways.length === 0) return [];
  return [
    table([null, null], ["Comment", "What it does"], ways),
    paragraph`Only people who may write to this repository are heard.`,
  ];
}

function storyBlocks({ name, stories }: PrdStanding): Block[] {
  const rows = stories.slice(0, MOST_ROWS).map((row): Hole[] => {
    return [
      row.id,
      cut(row.title, TITLE),
      stateOf(row),
      row.attempts,
      row.commit === null ? "" : code(row.commit.slice(0, 12)),
    ];
  });
  const rest = stories.length - rows.length;
  return [
    table([null, null, null, "right", null], ["Story", "Title", "State", "Attempts", "Commit"], rows),
    ...(rest > 0 ? [paragraph`${grouped(rest)} more: see prd.json of ${name}.`] : []),
  ];
}

function stateOf(row: StoryRow): string {
  if (row.state !== "passed")
    return row.state === "pending" && isBlocked(row) ? "blocked" : row.state.replaceAll("_", " ");
  const how = { proved: "passed", accepted: "accepted", taken_over: "taken over, not proved" }[
    row.passed ?? "taken_over"
  ];
  const by = row.passed === "accepted" && row.by !== null ? ` by ${row.by}` : "";
  return `${how}${by}${row.edited ? ", changed since" : ""}`;
}

function isBlocked(row: StoryRow): row is StoryRow & { readonly blocked: string } {
  return row.state !== "passed" && row.blocked !== null;
}
