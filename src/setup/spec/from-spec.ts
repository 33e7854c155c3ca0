import { type ChecklistItem, parseChecklist, isAllTicked, tallyOf } from "../../core/checklist.ts";
import type { Tally } from "../../core/task.ts";
import {
  AGENT_BLANKS,
  AGENT_HEAD,
  AGENT_NAME,
  HOW_TO_WORK,
  PLAN_HEAD,
  PLAN_NAME,
  PROMPT_NAME,
  SETTINGS_FILE,
  type SetupFile,
} from "../control-files.ts";
import { blocksOf } from "./blocks.ts";
import { outlineOf } from "./outline.ts";
import { assign, type Assigned, itemText, planText, proseText } from "./plan.ts";
import { readable, refusal } from "./readable.ts";

/** A spec as the person named it. */
interface Spec {
  readonly text: string;
  /** what messages call it */
  readonly shown: string;
  /** its path relative to the new folder, with `/` between its parts */
  readonly path: string;
}

/** What a spec was made into. */
export interface Imported {
  readonly files: readonly SetupFile[];
  readonly tally: Tally;
  /** what the person should know in addition */
  readonly notices: readonly string[];
}

/**
 * Makes a Markdown spec into Ralph's control files (R-10), without a model: the same spec gives the same files. Work
 * becomes items of the plan, commands go to `@AGENT.md`, everything else to `PROMPT.md`. No line gets lost.
 *
 * @throws UsageError when it cannot be read, or holds no work
 */
export function fromSpec({ text, shown, path }: Spec): Imported {
  const { markdown, frontMatter } = readable(text, shown);
  const outline = outlineOf(blocksOf(markdown));
  const assigned = assign(outline);
  const plan = `${PLAN_HEAD}\n${planText(assigned)}`;
  const items = parseChecklist(plan, null, String);
  refuseUnreadable(assigned, items.length, shown);
  const commands = proseText(assigned, "agent");
  const prose = proseText(assigned, "prompt");
  const prompt = [
    `# ${outline.title ?? `What ${path} asks for`}\n`,
    about(path),
    ...(frontMatter.length === 0 ? [] : [`\`\`\`\`yaml\n${frontMatter.join("\n")}\n\`\`\`\`\n`]),
    ...(prose === "" ? [] : [prose]),
    HOW_TO_WORK,
  ].join("\n");
  return {
    files: [
      { path: PROMPT_NAME, about: "what it is about; sent with every turn", text: prompt },
      { path: PLAN_NAME, about: "the work, one item a turn", text: plan },
      { path: AGENT_NAME, about: "how to build and test", text: `${AGENT_HEAD}\n${commands || AGENT_BLANKS}` },
      SETTINGS_FILE,
    ],
    tally: tallyOf(items),
    notices: [
      ...noticesOf(assigned, items, plan),
      ...(commands === "" ? [`No section tells how to build and test: fill in the commands of ${AGENT_NAME}.`] : []),
      ...(prompt.length > LONG_PROMPT ? [`${PROMPT_NAME} is long and sent with every turn: shorten it.`] : []),
    ],
  };
}

function about(path: string): string {
  return `The loop sends this file with every turn. It holds what ${path} says around the work; the work itself stands in
${PLAN_NAME}, one item a turn, and how to build and test in ${AGENT_NAME}. In doubt, ${path} decides.
`;
}

/** The loop has to be able to read every item that was written. */
function refuseUnreadable(assigned: readonly Assigned[], read: number, shown: string): void {
  const items = assigned.flatMap(({ plan }) => plan.flatMap((list) => list.items));
  if (items.length === 0) {
    const what = `Nothing in ${shown} is recognised as work.`;
    const doing =
      "Write what has to be done as `- [ ]` items, or as lists below headings such as Requirements, Features, User stories, Acceptance criteria or Tasks";
    throw refusal("SPEC_WITHOUT_ITEMS", what, doing);
  }
  const alone = items.reduce((sum, item) => sum + parseChecklist(itemText(item), null, String).length, 0);
  if (read >= alone) return;
  const what = `${shown} has a code block or a comment in a list that is never closed, and items behind it are hidden.`;
  throw refusal("SPEC_HIDES_ITEMS", what, "Close it");
}

/** At most this many sections are named. */
const NAMED = 5;
/** What is sent with every turn should be shorter. */
const LONG_PROMPT = 32_768;

/** What a person should look at in the plan. */
function noticesOf(assigned: readonly Assigned[], items: readonly ChecklistItem[], plan: string): readonly string[] {
  const notices: string[] = [];
  const lists = named(assigned.filter(hasProseLists));
  if (lists !== "") notices.push(`The lists of ${lists} are no work by their heading and went to ${PROMPT_NAME}.`);
  const tables = named(assigned.filter(hasWorkTables));
  if (tables !== "") notices.push(`The tables of ${tables} went to ${PROMPT_NAME}: only lists become items.`);
  const stops = plan.split("\n").filter((line) => line.includes("HARD STOP")).length;
  if (stops > 0) notices.push(`${stops} of the plan's lines say HARD STOP: the run ends there, for a person to look.`);
  if (isAllTicked(tallyOf(items))) notices.push(`Every item of ${PLAN_NAME} is ticked, so the loop has nothing to do.`);
  return notices;
}

function hasProseLists({ section, plan }: Assigned): boolean {
  return section.kind === "prose" && plan.length === 0 && section.blocks.some(({ is }) => is === "list");
}

/** Tables are not parsed; what looks like the line below a table's head is enough for a notice. */
function hasWorkTables({ section, prompt }: Assigned): boolean {
  return (
    section.kind === "work" && prompt.some(([, ruler = ""]) => ruler.includes("|") && /^[\s|:-]{3,}$/u.test(ruler))
  );
}

/** The titles of sections, in quotes; "" for none. */
function named(parts: readonly Assigned[]): string {
  const titles = parts.map(({ section }) =>
    section.heading === undefined ? "the beginning" : `"${section.heading.title}"`,
  );
  const others = titles.length > NAMED ? ` and ${titles.length - NAMED} more` : "";
  return `${titles.slice(0, NAMED).join(", ")}${others}`;
}
