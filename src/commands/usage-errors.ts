import { suggest } from "../config/suggest.ts";
import { UsageError } from "../core/errors.ts";
import type { CommandRow } from "../app/command.ts";

export function commandLineError(message: string, program: string, commands: readonly CommandRow[]): UsageError {
  const [first = "", ...rest] = message
    .replace(/^error: /u, "")
    .trim()
    .split("\n");
  const hint = /\((?<meant>Did you mean .*)\)/u.exec(rest.join(" "))?.groups?.["meant"];
  return new UsageError({
    code: "COMMAND_LINE",
    what: `${first.replace(/\.$/u, "")}.`,
    next: hint ?? wayOut(first, program, commands),
  });
}

/** What to do about it: the parser names the command that got too much, and the operand that is missing. */
function wayOut(message: string, program: string, commands: readonly CommandRow[]): string {
  const missing = /^missing required argument '(?<name>.+)'/u.exec(message)?.groups?.["name"];
  const lacking = commands.find(({ operand }) => operand?.shape === `<${missing}>`);
  if (lacking !== undefined) return `Write ${program} ${lacking.name} <${missing}>; --help has an example.`;
  if (!message.startsWith("too many arguments")) return `${program} --help-all lists every command and every flag.`;
  const named = /^too many arguments for '(?<name>[^']+)'/u.exec(message)?.groups?.["name"];
  const command = commands.find(({ name }) => name === named);
  if (command === undefined || command.operand?.setting === "prompt") return "Put the prompt into quotes.";
  if (command.own?.includes("guidance")) return wordsFor(program);
  return `${program} ${command.name} --help tells what it takes.`;
}

/** Somebody who resumes has something to say, and says it where the loop's name stands. */
export function wordsForAName(words: string, program: string): UsageError {
  return new UsageError({
    code: "GUIDANCE_AS_NAME",
    what: `resume takes a loop's name, and "${words}" is none.`,
    next: wordsFor(program),
  });
}

function wordsFor(program: string): string {
  return `A loop keeps its task. What the agent has to know besides: ${program} resume --guidance "WORDS"; another task: ${program} run "PROMPT".`;
}

const COULD_BE_A_COMMAND = /^[a-z][\w-]{2,}$/iu;

/**
 * A prompt of one bare word could be a command, mistyped or of another version: `smithers statsu` must not start a loop.
 * Whoever means it as a prompt says `run`.
 */
export function refuseMistypedCommand(prompt: string, program: string, commands: readonly CommandRow[]): void {
  if (!COULD_BE_A_COMMAND.test(prompt)) return;
  const names = commands.map(({ name }) => name);
  const meant = suggest(prompt, names);
  const instead = meant === undefined ? `The commands are ${names.join(", ")}.` : `Did you mean ${program} ${meant}?`;
  throw new UsageError({
    code: "COMMAND_UNKNOWN",
    what: `There is no command ${prompt}.`,
    next: `${instead} If it is a prompt: ${program} run ${prompt}`,
  });
}

/** Help that there is not. @param known the headings over the flags, and the commands */
export function unknownTopic(
  topic: string,
  known: { readonly program: string; readonly commands: readonly CommandRow[]; readonly groups: readonly string[] },
): UsageError {
  const { program, commands, groups } = known;
  const meant = suggest(topic, [...commands.map(({ name }) => name), ...groups.map((group) => group.toLowerCase())]);
  const instead = meant === undefined ? "" : `Did you mean ${program} help ${meant}? `;
  return new UsageError({
    code: "TOPIC_UNKNOWN",
    what: `There is no help on ${topic}.`,
    next: `${instead}Topics are the commands and ${groups.join(", ")}.`,
  });
}
