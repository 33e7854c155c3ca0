import { withStories } from "./markdown.ts";

/** What stands in a new document in place of a person's words. A document that still holds one is not run. */
const BLANKS = {
  purpose: "(Write here what is built, for whom, and why.)",
  scope: "(Write here what is no part of it.)",
  title: "(Write here what this story builds, in one line)",
  story: "(Write here who needs it, and what for.)",
  criterion: "(Write here what has to be true when this story is done.)",
  command: "(Write here the command that proves it, or remove this check.)",
} as const;

/** The first of these texts that somebody left in; undefined: none. */
export function blankIn(text: string): string | undefined {
  return Object.values(BLANKS).find((blank) => text.includes(blank));
}

/** The same for the prose of `prd.md`: what its section of stories says is judged where it comes from. */
export function blankInProse(text: string): string | undefined {
  return [BLANKS.purpose, BLANKS.scope].find((blank) => text.includes(blank));
}

/**
 * The two documents of a new PRD; both have blanks to fill in.
 *
 * @param known what is known of it already
 */
export function scaffold(
  name: string,
  { project = name, description = BLANKS.purpose }: { readonly project?: string; readonly description?: string } = {},
): { readonly json: string; readonly markdown: string } {
  const story = {
    id: "US-001",
    title: BLANKS.title,
    description: BLANKS.story,
    acceptanceCriteria: [BLANKS.criterion],
    checks: [{ criterion: 1, run: BLANKS.command }],
    priority: 1,
    passes: false,
  };
  const json = { project, description, userStories: [story] };
  const prose = `# ${name}\n\n${BLANKS.purpose}\n\n## Not part of it\n\n${BLANKS.scope}\n`;
  const unsaid = { dependsOn: null, paths: null, provider: null, attempts: 1, pauseAfter: false };
  const stories = [{ ...story, ...unsaid, criteria: story.acceptanceCriteria, checks: [] }];
  return { json: `${JSON.stringify(json, null, 2)}\n`, markdown: withStories(prose, { stories }) };
}
