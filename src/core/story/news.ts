import { seenOnOneLine } from "../text.ts";
import { recordsById, type Stories, type StoryRecord } from "./stories.ts";

/** At most this many stories are named in one run's news. */
const NAMED = 20;
const TITLE_LENGTH = 80;

/**
 * What a run finds when it has read the document anew, for a person: one sentence for each, of which the first are given.
 *
 * @param before null: the loop begins
 * @param after what `reconcile` has made of it
 */
export function storyNews(before: Stories | null, after: Stories): readonly string[] {
  const former = recordsById(before ?? { records: [] });
  const news = after.records.flatMap((record) => newsOf(former.get(record.id), record) ?? []);
  const total =
    before === null || before.total === after.total
      ? []
      : [`The PRD ${after.prd} has ${after.total} stories now; it had ${before.total}.`];
  const more = news.length > NAMED ? [`… and ${news.length - NAMED} more stories are not as they were.`] : [];
  return [...total, ...news.slice(0, NAMED), ...more];
}

function newsOf(before: StoryRecord | undefined, record: StoryRecord): string | undefined {
  const { id, passing, changed, gone } = record;
  const name = `${id} ${seenOnOneLine(record.title, TITLE_LENGTH)}`;
  if (gone) {
    return before?.gone === true
      ? undefined
      : `${name} is not in the PRD any more; what the loop knows of it is kept, and it is not worked on.`;
  }
  if (before?.gone === true) return `${name} is in the PRD again.`;
  if (passing?.how === "taken_over" && before?.passing?.how !== "taken_over") {
    return `${name} is taken as passed because prd.json says so; the loop itself has not proved it here.`;
  }
  if (passing === null && before !== undefined && before.passing !== null) {
    return `${name} had passed, but its commit is not part of the branch and prd.json does not call it passed: it is pending again.`;
  }
  if (changed) return `${name} has passed and says something else now: retry ${id} to have it done again.`;
  if (before !== undefined && before.blocked !== null && record.blocked === null) {
    return `${name} was blocked and says something else now: it is tried again.`;
  }
  return undefined;
}
