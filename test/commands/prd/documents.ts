import type { Command } from "../../../src/app/command.ts";
import { PRD_VERBS } from "../../../src/commands/prd/verbs.ts";
import { type Besides, type GivenFlags, inProcess, type Said } from "../../support/in-process.ts";

/** Performs a verb as the command line does. */
export async function prd(verb: string, cwd: string, given: GivenFlags = {}, besides: Besides = {}): Promise<Said> {
  const row = PRD_VERBS.find(({ name }) => name === verb);
  if (row === undefined) throw new Error(`There is no verb ${verb}`);
  const command: Command = row.perform;
  return inProcess(command, cwd, given, besides);
}

/** A story as a `prd.json` has it. */
export function aStory(number: number, more: Readonly<Record<string, unknown>> = {}) {
  return {
    id: `US-${String(number).padStart(3, "0")}`,
    title: `Story ${number}`,
    description: "As a customer, I want it.",
    acceptanceCriteria: ["The page says hello"],
    checks: [{ criterion: 1, run: "true" }],
    priority: number,
    passes: false,
    ...more,
  };
}

/** The text of a `prd.json`. */
export function aPrdText(stories: readonly object[] = [aStory(1)]): string {
  return `${JSON.stringify({ project: "Shop", description: "A shop.", userStories: stories }, null, 2)}\n`;
}
