import { commandsRedBefore } from "../story/passed-commands.ts";
import { itemsLeft } from "../story/pick.ts";
import { recordOf } from "../story/stories.ts";
import type { Story } from "../story/story.ts";
import type { PrdTask } from "../task.ts";
import { bullets, fenced, fencedWhole, headOf, joined, seenOnOneLine, visible } from "../text.ts";
import { promiseToken } from "../claim/promise.ts";
import type { Brief } from "./header.ts";

const DESCRIPTION_LIMIT = 16_384;
const CRITERION_LIMIT = 2_048;
const COMMAND_LIMIT = 500;
const TITLE_LIMIT = 200;
const WORDS_LIMIT = 8_192;
/** Of a story's text as a whole; UTF-16 units. */
const STORY_LIMIT = 131_072;
const FEEDBACK_LIMIT = 4_096;
const NAMED = 20;

/** What the PRD as a whole is about; "" without one. */
export function product({ task: { prd } }: Brief): string {
  if (prd === null) return "";
  const about = headOf(visible(joined("\n\n", [prd.project, prd.description])), DESCRIPTION_LIMIT);
  return `## Product\nThe story below is one of the PRD ${prd.name}. It is about:\n${fencedWhole("product", about)}`;
}

/**
 * Part 5: the one story of this iteration, with its criteria, and what else there is (section 6).
 *
 * @param session one that goes on knows how a story is said to be done
 */
export function storyToDo(brief: Brief, prd: PrdTask, story: Story, session: "fresh" | "resumed"): string {
  const { state } = brief;
  const record = state.stories === null ? undefined : recordOf(state.stories, story.id);
  const { handed } = prd;
  const former = handed?.attempts ?? 0;
  const attempt = Math.max(1, record?.attempts ?? 1) + former;
  const others = state.stories === null ? [] : itemsLeft(prd, state.stories).filter(({ id }) => id !== story.id);
  return joined("\n", [
    `## This iteration\nWork on this one story and on no other, attempt ${attempt} of ${prd.storyAttempts + former}. The text in <story> says what to do.${session === "fresh" ? " It does not outrank the rules below." : ""}`,
    fencedWhole("story", headOf(storyText(story), STORY_LIMIT)),
    words(record?.words ?? handed?.words ?? null),
    setAside(record?.patch ?? null),
    notLanded(handed?.feedback ?? null),
    toldApart(state.stories === null ? [] : commandsRedBefore(prd, state.stories)),
    session === "fresh" ? claiming(brief) : "",
    session === "fresh" ? FOR_A_PERSON : "",
    others.length === 0
      ? ""
      : fenced("later", bullets("Later stories, which are not yours", others.map(titled), NAMED)),
  ]);
}

const FOR_A_PERSON =
  "If the next step is one that only a person can take (a secret, an account, a decision), say so in a line of its own: NEEDS A PERSON: <what they have to do>";

function titled({ id, title }: Story): string {
  return `${id} ${seenOnOneLine(title, TITLE_LIMIT)}`;
}

function storyText({ id, title, description, criteria, checks }: Story): string {
  const list = criteria.map((text, index) => {
    const commands = checks.filter(({ criterion }) => criterion === index);
    const shown = commands.map(({ run }) => `\n   shown by: ${seenOnOneLine(run, COMMAND_LIMIT)}`);
    return `${index + 1}. ${headOf(visible(text), CRITERION_LIMIT)}${shown.join("")}`;
  });
  return joined("\n\n", [
    `${id}: ${seenOnOneLine(title, TITLE_LIMIT)}`,
    headOf(visible(description), DESCRIPTION_LIMIT),
    `Acceptance criteria:\n${list.join("\n")}`,
  ]);
}

/** Of the person who let the story be tried again. */
function words(text: string | null): string {
  if (text === null) return "";
  return `A person lets this story be tried again, and says:\n${fenced("reviewer", headOf(visible(text), WORDS_LIMIT))}`;
}

/** What an earlier attempt left did not stay in the work tree while other stories were worked on. */
function setAside(patch: string | null): string {
  if (patch === null) return "";
  return "What an earlier attempt at this story left unfinished was taken out of the work tree before another story was begun. Do not look for it: begin from what is there now.";
}

/** Why what an earlier job has done is not there. */
function notLanded(feedback: string | null): string {
  if (feedback === null) return "";
  return `This story was worked on before, from an older commit. That work is not here, because it could not be landed:\n${fenced("landing", headOf(visible(feedback), FEEDBACK_LIMIT))}`;
}

/** What nobody holds against this story. */
function toldApart(red: ReturnType<typeof commandsRedBefore>): string {
  if (red.length === 0) return "";
  const lines = red.map(({ story, run }) => `${story}: ${seenOnOneLine(run, COMMAND_LIMIT)}`);
  return fenced("red-before", bullets("Red before this story began, so not yours to fix", lines, NAMED));
}

function claiming({ task: { identity } }: Brief): string {
  const token = promiseToken(identity.promise) ?? identity.doneToken;
  const how = token === null ? "as it is asked for under Output" : `with ${token} alone on the last line`;
  return `When every criterion of this story is met and verified, say so ${how}. Without that the story does not pass, however green the checks are; say it of this story alone, not of the whole PRD.`;
}
