import { checkScripts } from "../progress/check-scripts.ts";
import type { Judged } from "../progress/strength.ts";
import type { LoopState } from "../state.ts";
import type { Story } from "../story/story.ts";
import type { Task } from "../task.ts";
import type { Evidence, SomePaths } from "../verdict.ts";
import { askedIn } from "./asked.ts";
import { bendsIn, type Judging, notTold, withoutAsked } from "./bends.ts";
import { type ChangedTexts, isJudge } from "./changed-texts.ts";

const NAMED = 20;

/** Whether a green verdict of this evidence can end a loop or a story. */
export function mayComplete({ occasion }: Pick<Evidence, "occasion">): boolean {
  return occasion === "first" || occasion === "turn" || occasion === "claim";
}

/** What the verdicts of a task are held against. */
export function judgingOf(task: Task, { strength, stories: known }: Pick<LoopState, "strength" | "stories">): Judging {
  const { identity, prd } = task;
  const { checks } = identity;
  const stories = prd?.stories.flatMap((story) => story.checks.map(({ run }) => run)) ?? [];
  const story = prd?.stories.find(({ id }) => id === known?.active);
  return {
    asked: askedIn(wordsOf(task, story)),
    checks,
    stories,
    scripts: checkScripts(checks, stories),
    began: strength.began,
    known: strength.bends,
  };
}

/** What people have said of the work; of a PRD only the story that is worked on. */
function wordsOf({ identity, guidance }: Task, story: Story | undefined): string {
  const said = [guidance ?? "", ...(story === undefined ? [] : [story.title, story.description, ...story.criteria])];
  return [...said, identity.prompt].filter((text) => text !== "").join("\n\n");
}

/**
 * Adds what a green verdict could have come from to what weakens it, and takes off what the task asks for.
 *
 * @param texts what has changed since the loop began; null: it is lost
 */
export function withBends(found: Judged, texts: ChangedTexts | null, judging: Judging): Judged {
  if (texts === null) return { ...found, unread: null };
  const kept = withoutAsked(found.weaknesses, judging, texts);
  const bends = notTold(bendsIn(texts, judging), kept);
  const bent = { kind: "judges_bent", count: bends.length, bends: bends.slice(0, NAMED) } as const;
  return {
    ...found,
    weaknesses: bends.length === 0 ? kept : [...kept, bent],
    unread: unreadJudges(texts, judging),
  };
}

function unreadJudges({ unread }: ChangedTexts, { scripts }: Judging): SomePaths {
  const named = new Set(scripts);
  const paths = unread.filter((path) => isJudge(path, named)).toSorted();
  return { count: paths.length, paths: paths.slice(0, NAMED) };
}
