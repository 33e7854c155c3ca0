import { type ChecklistItem, isAllTicked, tallyOf } from "../../core/checklist.ts";
import { AGENT_NAME, PLAN_NAME, PROMPT_NAME } from "../control-files.ts";
import type { Assigned } from "./assign.ts";

/** So many sections are named. */
const NAMED = 5;
/** What is sent with every turn should be shorter. */
const LONG_PROMPT = 32_768;

interface Made {
  readonly assigned: readonly Assigned[];
  readonly items: readonly ChecklistItem[];
  readonly plan: string;
  readonly prompt: string;
  readonly hasCommands: boolean;
}

/** What a person should look at in the files that were made. */
export function noticesOf({ assigned, items, plan, prompt, hasCommands }: Made): readonly string[] {
  const notices: string[] = [];
  const lists = named(assigned.filter(hasProseLists));
  if (lists !== "") notices.push(`The lists of ${lists} are no work by their heading and went to ${PROMPT_NAME}.`);
  const tables = named(assigned.filter(hasWorkTables));
  if (tables !== "") notices.push(`The tables of ${tables} went to ${PROMPT_NAME}: only lists become items.`);
  const stops = plan.split("\n").filter((line) => line.includes("HARD STOP")).length;
  if (stops > 0) notices.push(`${stops} of the plan's lines say HARD STOP: the run ends there, for a person to look.`);
  if (isAllTicked(tallyOf(items))) notices.push(`Every item of ${PLAN_NAME} is ticked, so the loop has nothing to do.`);
  if (!hasCommands) notices.push(`No section tells how to build and test: fill in the commands of ${AGENT_NAME}.`);
  if (prompt.length > LONG_PROMPT) notices.push(`${PROMPT_NAME} is long and sent with every turn: shorten it.`);
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
