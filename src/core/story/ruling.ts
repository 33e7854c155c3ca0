import type { EventOf } from "../events.ts";
import type { Digest } from "../schema.ts";
import { recordOf, type Stories, storyDigest, type StoryRecord } from "./stories.ts";
import type { Prd, Story } from "./story.ts";

/**
 * Why a person's word about a story would be none, in one sentence; null: it counts.
 *
 * @param prd as the document says now
 * @param known what the loop remembers; null: nothing yet
 */
export function whyNotRuled(
  { name, stories }: Pick<Prd, "name" | "stories">,
  known: Stories | null,
  { id, ruling }: Pick<EventOf<"story_ruled">, "id" | "ruling">,
  digest: Digest,
): string | null {
  const story = stories.find((one) => one.id === id);
  const record = known === null ? undefined : recordOf(known, id);
  if (story === undefined) {
    return record === undefined
      ? `The PRD ${name} has no story ${id}.`
      : `The story ${id} is not in the PRD ${name} any more.`;
  }
  // What only the file calls passed, no loop has looked at yet.
  if (record === undefined && story.passes) return ruling === "retry" ? null : `The story ${id} has passed already.`;
  if (record?.state === "passed") {
    if (ruling === "retry" || saysOtherwise(story, record, digest) || record.passing?.how === "taken_over") return null;
    return `The story ${id} has passed already.`;
  }
  if (ruling === "accept" || (record !== undefined && wasTried(record))) return null;
  return `The story ${id} has not been tried yet; it comes when it is its turn.`;
}

/** What a person has said to the next attempt they may say otherwise before it begins. */
function wasTried({ blocked, attempts, words, patch }: StoryRecord): boolean {
  return blocked !== null || attempts > 0 || words !== null || patch !== null;
}

function saysOtherwise(story: Story, record: { readonly digest: string }, digest: Digest): boolean {
  return storyDigest(story, digest) !== record.digest;
}
