import { pickStory } from "../core/story/pick.ts";
import { freshRecord } from "../core/story/stories.ts";
import type { PrdStanding, StoryRow } from "../views/github/prd-status.ts";
import type { PrdRecord } from "./prd-record.ts";
import type { StoryOnBranch } from "./prds.ts";

/**
 * How the stories of a PRD are: those of its file, in its order, as they are remembered. A story of which nothing is
 * remembered is what the file says.
 *
 * @param record null: nobody has begun
 */
export function standingOf(name: string, stories: readonly StoryOnBranch[], record: PrdRecord | null): PrdStanding {
  const rows = stories.map((story): StoryRow => {
    const { id, title, passes } = story;
    const known = record?.of(story);
    if (known !== undefined) return { id, title, ...known };
    const untouched = { blocked: null, attempts: 0, commit: null, by: null, edited: false };
    return { id, title, ...untouched, state: passes ? "passed" : "pending", passed: passes ? "taken_over" : null };
  });
  return {
    name,
    begun: record !== null,
    running: record?.running === true,
    unclosed: record?.unclosed === true,
    stories: rows,
    next: nextOf(name, stories, rows),
  };
}

/** The story that is worked on next, by the same rule as wherever one is picked. */
function nextOf(name: string, stories: readonly StoryOnBranch[], rows: readonly StoryRow[]): string | null {
  const asked = { ...ABOUT, name, stories: stories.map((story) => ({ ...NOT_ASKED, ...story })) };
  const records = rows.map(({ id, title, state, blocked }) => {
    const mark = blocked === null ? null : ({ kind: "attempts", why: blocked, at: "" } as const);
    return { ...freshRecord({ id, title, digest: "" }), state, blocked: mark };
  });
  const known = { prd: name, total: rows.length, active: null, passed_in_run: 0, records };
  return pickStory(asked, known)?.id ?? null;
}

/** What decides nothing about which story is next. */
const ABOUT = {
  ...{ folder: "", project: "", description: "", branchName: null, provider: null },
  ...({ only: null, maxStories: null, storyAttempts: 1, onBlocked: "continue" } as const),
};
const NOT_ASKED = {
  ...{ description: "", criteria: [], checks: [], paths: null, provider: null, attempts: 1, pauseAfter: false },
};
