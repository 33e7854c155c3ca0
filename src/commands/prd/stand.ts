import { pickStory } from "../../core/story/pick.ts";
import { freshRecord, recordOf, type Stories, type StoryRecord } from "../../core/story/stories.ts";
import type { Story } from "../../core/story/story.ts";
import { parsedJson } from "../../core/text.ts";
import type { PrdDocument } from "../../prd/document.ts";

/** What of a story only the engine writes. */
export interface EngineKeys {
  readonly passes: boolean;
  readonly inProgress: boolean;
}

/** A story, and what is known of it. */
export interface StandingStory {
  readonly story: Story;
  readonly record: StoryRecord;
}

/** How far a PRD is. */
export interface Standing {
  /** in the order of the file */
  readonly stories: readonly StandingStory[];
  /** the story that comes next; undefined: none can be begun */
  readonly next: Story | undefined;
}

/**
 * How far the stories are: what the loop remembers, and for the rest what the file says.
 *
 * @param known the loop's record; null: there is no loop, or nobody asked it
 */
export function standOf({ prd, text }: PrdDocument, known: Stories | null): Standing {
  const said = engineKeysOf(text);
  const stories = prd.stories.map((story) => {
    const record = known === null ? undefined : recordOf(known, story.id);
    return { story, record: record ?? recordInFile(story, said.get(story.id)) };
  });
  const records = stories.map(({ record }) => record);
  const all: Stories = {
    prd: prd.name,
    total: records.length,
    active: known?.active ?? null,
    passed_in_run: 0,
    records,
  };
  return { stories, next: pickStory({ ...prd, ...UNLIMITED }, all) };
}

/** As a run without any wish would go on. */
const UNLIMITED = { only: null, maxStories: null, storyAttempts: 1, onBlocked: "continue" } as const;

function recordInFile({ id, title, passes }: Story, said: EngineKeys | undefined): StoryRecord {
  const open = said?.inProgress === true ? "in_progress" : "pending";
  return { ...freshRecord({ id, title, digest: "" }), state: passes ? "passed" : open };
}

/** The engine's keys of each story in the text of a `prd.json`, by id; what is no story is left out. */
export function engineKeysOf(text: string): ReadonlyMap<string, EngineKeys> {
  const value = parsedJson(text);
  const stories: readonly unknown[] =
    isRecord(value) && Array.isArray(value["userStories"]) ? value["userStories"] : [];
  const keys = new Map<string, EngineKeys>();
  for (const story of stories)
    if (isRecord(story) && typeof story["id"] === "string")
      keys.set(story["id"], { passes: story["passes"] === true, inProgress: story["inProgress"] === true });
  return keys;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How many stories are how; `open` are all that have not passed, those that are blocked included. */
export interface Tally {
  readonly total: number;
  readonly open: number;
  readonly passed: number;
  readonly blocked: number;
}

export function tallyOf(stories: readonly StandingStory[]): Tally {
  const passed = stories.filter(({ record }) => record.state === "passed").length;
  const blocked = stories.filter(({ record }) => record.state !== "passed" && record.blocked !== null).length;
  return { total: stories.length, open: stories.length - passed, passed, blocked };
}

/** "5 stories" */
export function storiesText(count: number): string {
  return `${count} ${count === 1 ? "story" : "stories"}`;
}

/** "3 open, 2 passed, 1 blocked" */
export function tallyText({ open, passed, blocked }: Tally): string {
  return `${open} open, ${passed} passed${blocked === 0 ? "" : `, ${blocked} blocked`}`;
}

/** For machines. */
export function storiesAsJson(stories: readonly StandingStory[]): readonly object[] {
  return stories.map(({ story, record }) => {
    const { id, title, priority, dependsOn } = story;
    const { state, blocked, attempts, passing, changed } = record;
    return {
      ...{ id, title, priority, depends_on: dependsOn, state, attempts },
      ...{ blocked: blocked?.why ?? null, blocked_kind: blocked?.kind ?? null },
      // A passed story whose text has changed since waits for retry.
      ...{ passing, changed },
    };
  });
}
