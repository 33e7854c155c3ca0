import { UsageError } from "../../core/errors.ts";
import { isPrdName } from "../../core/story/story.ts";
import type { Person } from "./person.ts";
import { type CriterionDraft, documentOf, idsOf, type StoryDraft } from "./story-drafts.ts";

/** What a person has told. */
interface Told {
  readonly name: string;
  /** of a `prd.json` */
  readonly text: string;
}

/** Somebody who asks, and tells what is wrong with an answer. */
interface Interview {
  readonly ask: (question: string) => Promise<string>;
  readonly tell: (text: string) => void;
}

/**
 * Asks a person for a PRD: its name, what it is about, its stories in their order. Writes nothing.
 *
 * @param name what it was given; "": it is asked for
 * @param project what an empty answer means
 * @throws UsageError `GIVEN_UP` when they end it
 */
export async function interview(
  person: Person,
  tell: (text: string) => void,
  { name, project }: { readonly name: string; readonly project: string },
): Promise<Told> {
  const asking: Interview = {
    tell,
    async ask(question) {
      const answer = await person.ask(question);
      if (answer === undefined) throw givenUp();
      return answer;
    },
  };
  tell("A few questions make a PRD of it. Nothing is written before the end; Ctrl+C gives up.");
  const named = name === "" ? await askName(asking) : name;
  const called = (await asking.ask(`Project [${project}]: `)) || project;
  const description = await asking.ask("What is built, and for whom: ");
  tell("Now the stories, the first one first. An empty title, or done, ends them.");
  return { name: named, text: documentOf(called, description, await askStories(asking)) };
}

export function givenUp(): UsageError {
  return new UsageError({
    code: "GIVEN_UP",
    what: "You ended it before it was complete.",
    next: "Begin again when you like, or take a document: --from FILE.",
  });
}

async function askName({ ask, tell }: Interview): Promise<string> {
  for (;;) {
    const name = await ask("Name of the PRD, such as login-form: ");
    if (isPrdName(name)) return name;
    tell("It needs letters, digits, dots, - and _, beginning with a letter or a digit, and is none of the verbs.");
  }
}

async function askStories(asking: Interview): Promise<readonly StoryDraft[]> {
  const drafts: StoryDraft[] = [];
  for (;;) {
    const id = idsOf([...drafts, { id: null }]).at(-1) ?? "";
    const title = await asking.ask(`${id}, title: `);
    if (isEnd(title)) {
      if (drafts.length > 0) return drafts;
      asking.tell("A PRD has at least one story.");
      continue;
    }
    const description = await asking.ask("  Who needs it, and why: ");
    const criteria = await askCriteria(asking);
    drafts.push({ id, title, description, criteria, dependsOn: await askDependsOn(asking, drafts) });
  }
}

async function askCriteria({ ask, tell }: Interview): Promise<readonly CriterionDraft[]> {
  const criteria: CriterionDraft[] = [];
  for (;;) {
    const text = await ask(`  Criterion ${criteria.length + 1}, what somebody can check (empty: no more): `);
    if (!isEnd(text)) criteria.push({ text, run: (await ask("    Command that shows it (empty: none): ")) || null });
    else if (criteria.length > 0) return criteria;
    else tell("  A story has at least one criterion.");
  }
}

/** Nothing to ask of the first story. */
async function askDependsOn(
  { ask, tell }: Interview,
  earlier: readonly StoryDraft[],
): Promise<StoryDraft["dependsOn"]> {
  const known = earlier.map(({ id }) => id);
  while (known.length > 0) {
    const answer = await ask("  Needs which stories first, such as US-001 (empty: does not say; none: none): ");
    if (isEnd(answer)) return null;
    const ids = answer.toLowerCase() === "none" ? [] : answer.toUpperCase().split(/[\s,]+/u);
    if (ids.every((id) => known.includes(id))) return ids;
    tell(`  There are ${known.join(", ")} so far.`);
  }
  return null;
}

function isEnd(answer: string): boolean {
  return answer === "" || answer.toLowerCase() === "done";
}
