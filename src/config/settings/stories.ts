import { isPrdName, isStoryId } from "../../core/story/story.ts";
import { MOST_JOBS } from "../../core/story/waves.ts";
import { ACTION_ONLY, type SettingRows } from "../setting.ts";
import { FREE } from "./consent.ts";

/** How the loop works through the stories of a product requirements document (PRD). */
export const STORY_SETTINGS = {
  prd: {
    is: { type: "string", default: null, placeholder: "name", check: prdName },
    help: "The PRD to work through: the name of its folder in .daedalus/prds.",
    consent: FREE,
  },
  story: {
    is: { type: "string", default: null, placeholder: "id", check: storyId, where: ["flag", "environment", "input"] },
    help: "The one story to work on, such as US-003; without it, one after the other.",
    consent: FREE,
  },
  "max-stories": {
    is: { type: "integer", default: null, unsetWord: "off", min: 1, max: 100_000 },
    help: "How many stories may pass in this run before it ends; the next one goes on.",
    consent: FREE,
  },
  "wave-size": {
    is: { type: "integer", default: 20, min: 1, max: MOST_JOBS, ...ACTION_ONLY },
    help: "For job plan: how many stories run side by side at most; with more than one agent each, 256 jobs at most.",
    consent: FREE,
  },
  attempts: {
    is: { type: "integer", default: 1, min: 1, max: 16, ...ACTION_ONLY },
    help: "For jobs plan and land without prd: how many agents try the whole task side by side, of which the best one's pull request is made ready; 1 is off. A story of a PRD has its own attempts.",
    consent: FREE,
  },
  "story-attempts": {
    is: { type: "integer", default: 3, min: 1, max: 100 },
    help: "How many iterations a story gets before it is marked as blocked.",
    consent: FREE,
  },
  "on-blocked-story": {
    is: { type: "choice", choices: ["continue", "stop"], default: "continue" },
    help: "What follows a story that is blocked: the next one that does not depend on it, or the end of the run.",
    consent: FREE,
  },
} as const satisfies SettingRows;

function prdName(value: string): string | undefined {
  return isPrdName(value)
    ? undefined
    : 'a letter or digit, then at most 63 letters, digits, ".", "_" or "-", and no word that is a command';
}

function storyId(value: string): string | undefined {
  return isStoryId(value) ? undefined : "a story's id, such as US-003";
}
