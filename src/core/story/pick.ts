import type { Item, PrdTask } from "../task.ts";
import type { Digest } from "../schema.ts";
import { recordsById, type Stories, storyDigest } from "./stories.ts";
import type { Story } from "./story.ts";

/**
 * The story to work on now: the one in progress, else the one with the lowest priority number whose `dependsOn` have all
 * passed and that waits for nobody; of equal ones the first in the file (D-15, D-16). Undefined: there is none, or the
 * run has done what it was asked for.
 */
export function pickStory(prd: Pick<PrdTask, "stories" | "only" | "maxStories">, known: Stories): Story | undefined {
  const { only, maxStories } = prd;
  if (maxStories !== null && known.passed_in_run >= maxStories) return undefined;
  const records = recordsById(known);
  const isPassed = (id: string): boolean => records.get(id)?.state === "passed";
  const mayBegin = ({ id, dependsOn }: Story): boolean => {
    if (isPassed(id) || (records.get(id)?.blocked ?? null) !== null) return false;
    return (only === null || id === only) && (dependsOn ?? []).every(isPassed);
  };
  const open = prd.stories.filter(mayBegin);
  const begun = open.find(({ id }) => id === known.active || records.get(id)?.state === "in_progress");
  if (begun !== undefined) return begun;
  return open.reduce<Story | undefined>(
    (first, story) => (first === undefined || story.priority < first.priority ? story : first),
    undefined,
  );
}

/** A story as the loop works on it; what it asks for is in the task. */
export function itemOf(story: Story, digest: Digest): Item {
  return { id: story.id, title: story.title, text: "", digest: storyDigest(story, digest) };
}

export function storyOf({ stories }: PrdTask, id: string): Story | undefined {
  return stories.find((story) => story.id === id);
}

/** The stories that have not passed, as they will come. */
export function itemsLeft(prd: PrdTask, known: Stories): readonly Story[] {
  return storyTally(prd, known).open.toSorted((a, b) => a.priority - b.priority);
}

/** Stories of the document that have passed, and those that have not. */
export function storyTally(prd: PrdTask, known: Stories): { readonly passed: number; readonly open: readonly Story[] } {
  const records = recordsById(known);
  const open = prd.stories.filter(({ id }) => records.get(id)?.state !== "passed");
  return { passed: prd.stories.length - open.length, open };
}
