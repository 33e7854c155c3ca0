import type { EventOf } from "../core/events.ts";
import type { LoopState } from "../core/state.ts";
import { recordOf, type StoryBlocked, type StoryRecord } from "../core/story/stories.ts";
import { keptText, type Undone } from "../core/story/undone.ts";
import { counted, grouped } from "./amounts.ts";
import { line, type Line, oneLine, type Tone } from "./plain-text.ts";
import type { RunView } from "./run-view.ts";
import {
  activeText,
  hasPassed,
  isShown,
  proofOfStory,
  provedText,
  shownStories,
  shownTitle,
  standText,
  storiesReport,
  type StoryRow,
  tallyText,
} from "./story-rows.ts";

/** How an iteration leaves its story, and its commit. */
export function storyEndLines({ story, commit }: EventOf<"settled">, { stories }: LoopState): readonly Line[] {
  if (story === undefined) return [];
  if (story.ends === "blocked") return [storyBlockedLine(story)];
  const title = oneLine((stories && recordOf(stories, story.id)?.title) ?? "");
  const proof = proofOfStory(story);
  const shown = isShown(proof) ? `; ${provedText(proof)}` : "";
  const how = commit === null ? ", without a commit because nothing had to be changed" : "";
  return [line(`${story.id} has passed${how}: ${title}${shown}`, "good")];
}

export function storyBlockedLine({ id, kind, why }: StoryBlocked): Line {
  return line(`${id} is blocked (${kind}): ${oneLine(why)}`, "warn");
}

/**
 * What a story's own commands said before it began: `US-001 before it begins: 2 of 3 commands red, which its work
 * has to turn green`; and which of stories
 * that have passed are red already.
 */
export function examinedLines({ id, before, others }: EventOf<"story_examined">): readonly Line[] {
  const red = before.filter(({ green }) => !green).length;
  const wanted = red === 0 ? "" : ", which its work has to turn green";
  const own = line(`${id} before it begins: ${red} of ${counted(before.length, "command")} red${wanted}`, "dim");
  if (others === undefined) return [own];
  const count = `${others.red.length} of ${counted(others.asked, "command")}`;
  const shown = others.red.slice(0, COMMANDS_SHOWN).map(({ story, run }) => oneLine(`${story}: ${run}`));
  const rest = others.red.length - shown.length;
  const named = `: ${shown.join("; ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const told = others.red.length === 0 ? "" : `${named}. This is not held against ${id}`;
  const tone = others.red.length === 0 ? "dim" : "warn";
  return [
    ...(before.length === 0 ? [] : [own]),
    line(`${id} before it begins: ${count} of stories that have passed red${told}`, tone),
  ];
}

const COMMANDS_SHOWN = 5;

export function shelvedLine({ id, patch }: EventOf<"story_shelved">): readonly Line[] {
  if (patch === null) return [];
  return [line(`${id}: its unfinished work is out of the work tree, in ${patch} of the loop's folder`, "warn")];
}

/** A document of the PRD that somebody has changed during a turn. @param folder the loop's, for people */
export function undoneLine(undone: Undone, folder: string): Line {
  const text = `${oneLine(undone.file)} was changed during a turn, by the agent or somebody else, and is put back: ${keptText(undone, folder)}`;
  return line(text, "warn");
}

export function ruledLine({ id, ruling, by, words }: EventOf<"story_ruled">): Line {
  const said = words === null ? "" : `: ${oneLine(words)}`;
  return line(
    `${id} is ${ruling === "accept" ? "accepted" : "to be tried again"}, says ${oneLine(by)}${said}`,
    "strong",
  );
}

/**
 * What the PRD says as a run begins: `5 stories, 2 passed`, and what a person has to know of its edits. Nothing without a
 * PRD.
 *
 * @param state as it is with what was read in it
 */
export function storiesReadLines(
  { stories: read }: Pick<EventOf<"loop_started" | "loop_resumed">, "stories">,
  { stories: known }: LoopState,
): readonly Line[] {
  if (read === undefined || known === null) return [];
  const passed = known.records.filter(({ state, gone }) => state === "passed" && !gone);
  const named = (word: string, of: readonly StoryRecord[], tone: Tone = "warn"): readonly Line[] =>
    of.length === 0 ? [] : [line(`${word}: ${listed(of.map(({ id }) => id))}`, tone)];
  return [
    line(`stories of ${read.prd}: ${grouped(read.stories.length)}, of which ${grouped(passed.length)} have passed`),
    ...named(
      "passed by the file alone, not proved here",
      passed.filter(({ passing }) => passing?.how === "taken_over"),
    ),
    ...named(
      "changed since they passed, and wait for retry",
      passed.filter(({ changed }) => changed),
    ),
    ...named(
      "no longer in the PRD",
      known.records.filter(({ gone }) => gone),
      "dim",
    ),
  ];
}

const IDS_SHOWN = 20;

function listed(ids: readonly string[]): string {
  const rest = ids.length - IDS_SHOWN;
  return `${ids.slice(0, IDS_SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** How far the PRD is (D-13): the tally, the story that is worked on, and a line for each. Nothing without a PRD. */
export function storySummary({ state, prd }: Pick<RunView, "state" | "prd">): readonly Line[] {
  const report = storiesReport(state, prd);
  if (report === null) return [];
  const active = activeText(report);
  const { rows, rest } = shownStories(report.stories);
  return [
    line(`PRD ${report.prd}: ${tallyText(report)}.`, "strong"),
    ...(active === undefined ? [] : [line(`Story at work: ${active}`)]),
    ...storyRowLines(rows),
    ...(rest === "" ? [] : [line(`  … ${rest}`, "dim")]),
    ...report.undone.map((one) => undoneLine(one, state.artifacts.dir)),
  ];
}

/** A line for each story: its mark, how it is, and its commit. */
export function storyRowLines(rows: readonly StoryRow[]): readonly Line[] {
  return rows.map((row) => line(storyText(row), TONES[row.status]));
}

/** `  [x] US-001 Add a cart: passed, proved 1 of 1: red before, green after; commit 1234567` */
function storyText(row: StoryRow): string {
  const commit = row.commit === null ? "" : `; commit ${row.commit.slice(0, 7)}`;
  return `  ${markOf(row)} ${row.id} ${shownTitle(row)}: ${standText(row)}${commit}`;
}

function markOf({ status }: StoryRow): string {
  if (hasPassed({ status })) return "[x]";
  return status === "blocked" ? "[!]" : status === "in_progress" ? "[>]" : "[ ]";
}

const TONES = {
  passed: "good",
  accepted: "good",
  taken_over: "plain",
  blocked: "warn",
  in_progress: "strong",
  waiting: "dim",
  pending: "plain",
} as const satisfies Record<StoryRow["status"], Tone>;
