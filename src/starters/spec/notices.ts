import type { ChecklistItem } from "../../core/checklist/parse.ts";
import { isAllTicked, tallyOf } from "../../core/checklist/tally.ts";
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
  const lists = titlesOfLists(assigned);
  if (lists.length > 0) {
    const others = lists.length > NAMED ? ` and ${lists.length - NAMED} more` : "";
    const named = lists.slice(0, NAMED).map((title) => `"${title}"`);
    notices.push(`The lists of ${named.join(", ")}${others} are no work by their heading and went to ${PROMPT_NAME}.`);
  }
  const stops = plan.split("\n").filter((line) => line.includes("HARD STOP")).length;
  if (stops > 0) notices.push(`${stops} of the plan's lines say HARD STOP: the run ends there, for a person to look.`);
  if (isAllTicked(tallyOf(items))) notices.push(`Every item of ${PLAN_NAME} is ticked, so the loop has nothing to do.`);
  if (!hasCommands) notices.push(`No section tells how to build and test: fill in the commands of ${AGENT_NAME}.`);
  if (prompt.length > LONG_PROMPT) notices.push(`${PROMPT_NAME} is long and sent with every turn: shorten it.`);
  return notices;
}

/** The sections whose lists were taken for prose. */
function titlesOfLists(assigned: readonly Assigned[]): readonly string[] {
  return assigned
    .filter(({ section, plan }) => section.kind === "prose" && plan.length === 0)
    .filter(({ section }) => section.blocks.some(({ is }) => is === "list"))
    .map(({ section }) => section.heading?.title ?? "the beginning");
}
