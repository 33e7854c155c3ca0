import { pickStory, storyOf, storyTally } from "../story/pick.ts";
import { recordOf, recordsById } from "../story/stories.ts";
import { stop, type StopRule } from "./rule.ts";

/** The ending names at most this many blocked stories. */
const NAMED = 20;

/** PRE 6, POST 6: nothing is left to work on, because all that was asked for has passed, or because the rest waits. */
export const storiesDone: StopRule = ({ prd }, { stories: known }) => {
  if (prd === null || known === null || pickStory(prd, known) !== undefined) return undefined;
  const { passed, open } = storyTally(prd, known);
  const total = prd.stories.length;
  const wanted = prd.only === null ? open : open.filter(({ id }) => id === prd.only);
  const isEnough = prd.maxStories !== null && known.passed_in_run >= prd.maxStories;
  if (wanted.length === 0 || isEnough) return stop({ kind: "stories_passed", passed, total });
  const records = recordsById(known);
  const blocked = wanted.flatMap(({ id }) => {
    const mark = records.get(id)?.blocked ?? null;
    return mark === null ? [] : [{ id, why: mark.why }];
  });
  const waiting = wanted.length - blocked.length;
  return stop({ kind: "stories_blocked", stories: blocked.slice(0, NAMED), blocked: blocked.length, waiting });
};

/**
 * POST 1a: the next commit would be built on something else than the story: one of the turn's own, or another branch. Nothing is
 * judged before a person has seen it.
 */
export const headMoved: StopRule = (_task, { stories: known }) => {
  if (known?.stands === undefined || known.moved === undefined) return undefined;
  return stop({ kind: "head_moved", from: known.stands, to: known.moved });
};

/** POST 6: the story that was worked on is blocked, and that ends the run (`on-blocked-story: stop`). */
export const storyBlocked: StopRule = ({ prd }, { stories: known }) => {
  const record = known === null || known.active === null ? undefined : recordOf(known, known.active);
  if (prd?.onBlocked !== "stop" || record === undefined || record.blocked === null) return undefined;
  return stop({ kind: "story_blocked", story: record.id, why: record.blocked.why });
};

/** POST 9: a story that a person wants to see has passed. */
export const storyReview: StopRule = ({ prd }, { stories: known, last_turn: turn }) => {
  const record = known === null || turn?.item === undefined ? undefined : recordOf(known, turn.item);
  if (prd === null || record === undefined || record.passing === null) return undefined;
  const { id, title, passing } = record;
  if (storyOf(prd, id)?.pauseAfter !== true) return undefined;
  return stop({ kind: "story_review", story: id, title, commit: passing.commit });
};
