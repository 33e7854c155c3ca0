import { z } from "zod";
import { PROVIDERS } from "../config/settings/agent.ts";
import { branchTemplate, globs, LONGEST_MINUTES } from "../config/settings/checks.ts";

/** What a document may hold at most. */
export const LIMITS = { bytes: 4 << 20, stories: 2_000, entries: 100 } as const;

/** A demand is the part of a sentence that follows "has to be". */
function demanding<T>(demand: (value: T) => string | undefined): z.core.CheckFn<T> {
  return ({ value, issues }) => {
    const message = demand(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value, continue: true });
  };
}

const says = z.string().regex(/\S/u, "a text that says something");

const line = z
  .string()
  .regex(
    /^(?=.*\S)[^\p{Cc}\u2028\u2029]{1,200}$/u,
    "one line of at most 200 characters, without tabs and control characters",
  );

const provider = z.enum(PROVIDERS.map(({ name }) => name));

export const checkShape = z.looseObject({
  criterion: z
    .union([z.int().min(1), says])
    .describe("Which criterion it proves: its number, 1 for the first, or its exact text."),
  run: z
    .string()
    .regex(/^(?!\s*$)[^\0]*$/u, "a command")
    .describe("The shell command; the criterion is met when it exits with 0."),
  timeout: z
    .number()
    .gt(0)
    .max(LONGEST_MINUTES)
    .optional()
    .describe("Minutes that the command may take; without it, as long as any check."),
});

export const storyShape = z.looseObject({
  id: z
    .string()
    .regex(/^US-\d{3,6}$/u, "US- and a number of three to six digits, such as US-001")
    .describe("The story's name, such as US-001; no two stories have the same."),
  title: line.describe("What is built, in one line; it becomes the commit's title."),
  description: z.string().describe("Who needs it and why, in a few sentences."),
  acceptanceCriteria: z
    .array(says)
    .min(1)
    .max(LIMITS.entries)
    .describe("What has to be true when the story is done: at least one, each of which somebody can check."),
  priority: z.int().min(1).describe("Its turn: the story with the lowest number comes first."),
  passes: z.boolean().describe("Whether it is done. Write false; only the loop writes true."),
  inProgress: z.boolean().optional().describe("Whether it is being worked on. Only the loop writes it."),
  checks: z.array(checkShape).max(LIMITS.entries).optional().describe("Commands that prove single criteria."),
  dependsOn: z
    .array(says)
    .max(LIMITS.stories)
    .optional()
    .describe("Ids of the stories that have to be done first; an empty list says that there are none."),
  paths: z
    .array(z.string())
    .max(LIMITS.entries)
    .check(demanding(globs))
    .optional()
    .describe("Globs of the files that it is going to change; stories whose paths meet never run side by side."),
  provider: provider.optional().describe("Which agent works on it; without it, the PRD's."),
  attempts: z
    .int()
    .min(1)
    .max(16)
    .optional()
    .describe("How many agents try it side by side on GitHub; the best try wins."),
  pauseAfter: z.boolean().optional().describe("Whether a person looks at it before the next story begins."),
});
export type StoryShape = z.output<typeof storyShape>;

/** All of it but the stories, which are looked at one by one. */
export const prdShape = z.looseObject({
  project: line.describe("The project's name."),
  description: z.string().describe("What is built, and for whom."),
  branchName: z
    .string()
    .check(demanding((value) => (branchTemplate(value) === undefined ? undefined : "a branch name that git allows")))
    .optional()
    .describe("The branch that the stories land on."),
  provider: provider.optional().describe("Which agent works on it; without it, the settings say."),
});
/** All of it, for editors. */
export const documentShape = prdShape.extend({
  userStories: z.array(storyShape).max(LIMITS.stories).describe("The stories; each becomes one commit."),
});
export type PrdShape = z.output<typeof prdShape>;
