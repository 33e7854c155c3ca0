import type { LoopState } from "../../core/state.ts";
import { storySubject } from "../../core/settle.ts";
import { recordOf } from "../../core/story/stories.ts";
import { runOfCandidate, storyOfLoop } from "../../core/story/wave-names.ts";
import { alert, type Block, code, inline } from "./markdown.ts";

/** What people can say of a story whose job has not brought it to its end. */
interface Way {
  readonly comment: string;
  readonly does: string;
}

/** The subject of the commit that a story's loop makes in a wave (0035), in others' words; undefined: the loop is no story's. */
export function subjectInWave({ loop_id: loopId, stories }: Pick<LoopState, "loop_id" | "stories">) {
  const at = storyOfLoop(loopId);
  if (at === null) return undefined;
  const title = (stories === null ? undefined : recordOf(stories, at.story)?.title) ?? `a story of ${at.prd}`;
  return storySubject({ id: at.story, title });
}

const CANDIDATE = inline`**This is one of several candidates for the same task.** The job land of its run proves the best one once more, makes that one's pull request ready, and closes the others.`;

/** What becomes of the pull request of a story or of a candidate, and that nobody has to do it. @param base onto which it lands */
export function waveStoryBlocks({ loop_id: loopId, status }: LoopState, base: string): Block[] {
  const at = storyOfLoop(loopId);
  if (at === null) return runOfCandidate(loopId) === null ? [] : [alert("NOTE", [CANDIDATE])];
  const of = inline`**This is one story of the PRD ${code(at.prd)}: ${code(at.story)}. Do not merge it.**`;
  if (status === "completed") {
    const lands = inline`The closing job of its wave proves it once more on ${code(base)}, puts it there as one commit, and closes this pull request.`;
    return [alert("NOTE", [of, lands])];
  }
  const open = inline`It has not passed. The closing job of its wave counts the attempt: a story that may be tried again gets a pull request of its own in the next wave, and this one is closed; one that is blocked waits here for a person.`;
  return [alert("WARNING", [of, open])];
}

/** The commands for a story of a wave: they are the PRD's, because no loop goes on by itself there; undefined: it is none. */
export function waysInWave({ loop_id: loopId, status }: Pick<LoopState, "loop_id" | "status">): Way[] | undefined {
  const at = storyOfLoop(loopId);
  if (at === null) return undefined;
  const command = `/smithers prd ${at.prd}`;
  const look = { comment: `${command} status`, does: "Says how all its stories stand." };
  if (status === "completed") return [look];
  return [
    {
      comment: `${command} retry ${at.story}`,
      does: "Lets it be tried again. What you write behind it, or below it, is told to the agent as your words.",
    },
    { comment: `${command} accept ${at.story}`, does: "Takes the story as passed; it lands nothing of this branch." },
    look,
  ];
}

/** Why nobody lets the loop of a story go on by itself, and what to say instead; whole sentences. */
export function wordsOfWave({ prd, story }: NonNullable<ReturnType<typeof storyOfLoop>>) {
  const [retry, run] = [`/smithers prd ${prd} retry ${story}`, `/smithers prd ${prd} run`];
  return {
    because: `This is ${story} of the PRD ${prd}: its waves work on it and land it, and no other job does.`,
    next: `Comment ${retry} [words] to have it tried again, or ${run} to go on with all that is open.`,
  };
}
