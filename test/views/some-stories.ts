import { freshRecord, type Stories, type StoryRecord } from "../../src/core/story/stories.ts";
import type { Prd, Story } from "../../src/core/story/story.ts";

const AT = "2026-01-06T21:10:00.000+00:00";

/** A story of a document, with `overrides`. */
export function aStory(id: string, overrides: Partial<Story> = {}): Story {
  return {
    ...{ id, title: `Title of ${id}`, description: "", criteria: ["It works"], checks: [], priority: 1 },
    ...{ dependsOn: null, paths: null, provider: null, attempts: 1, pauseAfter: false, passes: false },
    ...overrides,
  };
}

/** The document `shop`. */
export function aPrd(...stories: readonly Story[]): Prd {
  const folder = ".daedalus/prds/shop";
  return { name: "shop", folder, project: "Shop", description: "", branchName: null, provider: null, stories };
}

/** What the loop remembers of a story, with `overrides`. */
export function aRecord(id: string, overrides: Partial<StoryRecord> = {}): StoryRecord {
  return { ...freshRecord({ id, title: `Title of ${id}`, digest: "d" }), ...overrides };
}

/** The record of a story that has passed by its proof. */
export function passed(id: string, overrides: Partial<NonNullable<StoryRecord["passing"]>> = {}): StoryRecord {
  const passing = { how: "proved", commit: "0123456789abcdef", by: null, at: AT, proved: 3, criteria: 5 } as const;
  return aRecord(id, { state: "passed", attempts: 1, passing: { ...passing, ...overrides } });
}

/** The record of a story that waits for a person. */
export function blocked(id: string, why: string, overrides: Partial<StoryRecord> = {}): StoryRecord {
  return aRecord(id, { attempts: 3, blocked: { kind: "question", why, at: AT }, ...overrides });
}

/** What a loop remembers of `shop`. */
export function known(records: readonly StoryRecord[], overrides: Partial<Stories> = {}): Stories {
  return { prd: "shop", total: records.length, active: null, passed_in_run: 0, records: [...records], ...overrides };
}

/** One story of each kind, and the document they are in. */
export const EACH = {
  prd: aPrd(
    aStory("US-001"),
    aStory("US-002"),
    aStory("US-003"),
    aStory("US-004"),
    aStory("US-005"),
    aStory("US-006", { dependsOn: ["US-001", "US-005"] }),
    aStory("US-007"),
  ),
  stories: known(
    [
      passed("US-001"),
      passed("US-002", { how: "accepted", by: "ada", commit: null, proved: 0 }),
      { ...passed("US-003", { how: "taken_over", commit: null, proved: 0 }), changed: true },
      aRecord("US-004", { state: "in_progress", attempts: 2 }),
      blocked("US-005", "Which provider?", { patch: "US-005-18.patch" }),
      aRecord("US-009", { gone: true, attempts: 1 }),
    ],
    { total: 7, active: "US-004" },
  ),
};
