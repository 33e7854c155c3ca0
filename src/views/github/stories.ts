import type { RunView } from "../run-view.ts";
import { undoneLine } from "../story-lines.ts";
import {
  activeText,
  shownStories,
  shownTitle,
  standText,
  type StoriesReport,
  storiesReport,
  STORY_SIGNS,
  type StoryRow,
  tallyText,
} from "../story-rows.ts";
import { type Block, code, heading, type Hole, paragraph, table } from "./markdown.ts";

/** How far the PRD is, and each story of it with a sign (D-13, D-24, D-30); [] without a PRD. */
export function storyBlocks({ state, prd }: Pick<RunView, "state" | "prd">): Block[] {
  const report = storiesReport(state, prd);
  if (report === null) return [];
  const { rows, rest } = shownStories(report.stories);
  return [
    heading(3, `Stories of ${report.prd}`),
    ...tallyBlocks(report),
    ...(rows.length === 0 ? [] : [table([null, null, null, null, null], HEADS, rows.map(cells))]),
    ...(rest === "" ? [] : [paragraph`${rest}: see summary.json, or ${code(`smithers prd status ${report.prd}`)}`]),
    ...report.undone.map((one) => paragraph`${undoneLine(one, state.artifacts.dir).text}`),
  ];
}

const HEADS = ["", "Story", "Title", "How it is", "Commit"];

function tallyBlocks(report: StoriesReport): Block[] {
  const active = activeText(report);
  return [paragraph`**${tallyText(report)}**`, ...(active === undefined ? [] : [paragraph`**At work:** ${active}`])];
}

function cells(row: StoryRow): Hole[] {
  const { id, status, commit } = row;
  return [
    STORY_SIGNS[status],
    code(id),
    shownTitle(row),
    standText(row),
    commit === null ? "" : code(commit.slice(0, 7)),
  ];
}
