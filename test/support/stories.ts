import type { PrdTask, Task } from "../../src/core/task.ts";
import { freshRecord, type Passing, type Stories, type StoryRecord } from "../../src/core/story/stories.ts";
import type { Story } from "../../src/core/story/story.ts";
import { aTask, type TaskOverrides } from "./a-task.ts";

const WHEN = "2026-03-01T12:00:00.000+00:00";

/** A story with one criterion that nothing shows; it depends on none. */
export function aStory(id = "US-001", overrides: Partial<Story> = {}): Story {
  return {
    id,
    title: `Story ${id}`,
    description: "",
    criteria: ["It works."],
    checks: [],
    priority: 1,
    dependsOn: [],
    paths: null,
    provider: null,
    attempts: 1,
    pauseAfter: false,
    passes: false,
    ...overrides,
  };
}

/** A PRD with these stories, of which a run is to do all, with two attempts for each. */
export function aPrd(stories: readonly Story[], overrides: Partial<PrdTask> = {}): PrdTask {
  return {
    name: "shop",
    folder: ".daedalus/prds/shop",
    project: "Shop",
    description: "",
    branchName: null,
    provider: null,
    stories,
    only: null,
    maxStories: null,
    storyAttempts: 2,
    onBlocked: "continue",
    ...overrides,
  };
}

/** Works through a PRD with one quality command. */
export function aPrdTask(prd: PrdTask, overrides: TaskOverrides = {}): Task {
  return aTask({
    ...overrides,
    prd,
    identity: { checks: { quality: ["npm test"] }, prd: prd.name, ...overrides.identity },
    runtime: { commit: "story", session: "fresh", ...overrides.runtime },
  });
}

export function aRecord(id = "US-001", overrides: Partial<StoryRecord> = {}): StoryRecord {
  return { ...freshRecord({ id, title: `Story ${id}`, digest: "d" }), ...overrides };
}

export function aPassedRecord(id: string, passing: Partial<Passing> = {}, overrides: Partial<StoryRecord> = {}) {
  const how = { how: "proved", commit: `c-${id}`, by: null, at: WHEN, proved: 0, criteria: 1 } as const;
  return aRecord(id, { state: "passed", passing: { ...how, ...passing }, ...overrides });
}

export function aBlockedRecord(
  id: string,
  kind: NonNullable<StoryRecord["blocked"]>["kind"] = "attempts",
): StoryRecord {
  return aRecord(id, { attempts: 2, blocked: { kind, why: "it is red", at: WHEN } });
}

/** What a loop remembers. */
export function someStories(records: readonly StoryRecord[] = [], overrides: Partial<Stories> = {}): Stories {
  return { prd: "shop", total: records.length, active: null, passed_in_run: 0, records: [...records], ...overrides };
}
