import type { LoopState } from "../state.ts";
import type { PrdTask, Task } from "../task.ts";
import type { StoryCommand } from "../verdict.ts";
import { NOTHING_ASKED, recordsById, type Stories } from "./stories.ts";
import type { Story } from "./story.ts";

/** The commands that a story's criteria name. */
export function commandsOf({ id, checks }: Story): readonly StoryCommand[] {
  return checks.map(({ run, timeoutMs }) => ({ story: id, run, timeoutMs }));
}

/**
 * Commands of passed stories that have to be asked before a story begins, so that what is red already is not held against
 * it: none of those that are known to be green in this very work tree. Whoever proved the last story has asked them all.
 */
export function commandsBefore(
  task: Task,
  { stories: known, snapshot }: LoopState,
  id: string,
): readonly StoryCommand[] {
  const { prd } = task;
  // Its work is in the work tree already: what is red now may be of its making.
  if (prd === null || known === null || known.active === id) return [];
  const { story, tree, red, unasked } = known.asked ?? NOTHING_ASKED;
  const isSameTree = tree === (snapshot?.tree ?? null);
  if (isSameTree && story === id) return [];
  const all = passedCommands(task, prd, known, id).filter((command) => !isLanded(prd, command));
  if (tree === null || !isSameTree) return all;
  // Somebody else may have mended what was red.
  const open = new Set(red);
  return all.filter((command) => open.has(command.run) || unasked.includes(command.story));
}

/** Commands of passed stories that were green before this one, however they passed: what is red of them is its fault. */
export function commandsAfter(task: Task, prd: PrdTask, known: Stories, id: string): readonly StoryCommand[] {
  const { red, unasked } = known.asked ?? NOTHING_ASKED;
  const isToldApart = new Set(red);
  return passedCommands(task, prd, known, id).filter(
    (command) => isLanded(prd, command) || (!isToldApart.has(command.run) && !unasked.includes(command.story)),
  );
}

/** Commands of passed stories that were red before this one began, by the first story that names each. */
export function commandsRedBefore(prd: PrdTask, { asked }: Pick<Stories, "asked">) {
  return (asked?.red ?? []).flatMap((run) => {
    const story = prd.stories.find(({ checks }) => checks.some((check) => check.run === run));
    return story === undefined ? [] : [{ story: story.id, run }];
  });
}

/** Without what is a quality command as well: those are asked anyway, and have to be green. */
function passedCommands({ identity }: Task, { stories }: PrdTask, known: Stories, id: string) {
  const records = recordsById(known);
  const gates = new Set(identity.checks.quality);
  return stories
    .filter((story) => story.id !== id && records.get(story.id)?.state === "passed")
    .flatMap(commandsOf)
    .filter(({ run }) => !gates.has(run));
}

/** In a wave: it was proved when it landed on the branch from which this story begins. */
function isLanded({ handed }: PrdTask, { story }: StoryCommand): boolean {
  return handed?.proved.includes(story) === true;
}
