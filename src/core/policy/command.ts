import { visible } from "../text.ts";
import { PRD_FORM, type PrdAsk, readPrdAsk } from "./prd-ask.ts";

export const COMMANDS = [
  "continue",
  "start",
  "fix",
  "prd",
  "reset-circuit",
  "accept",
  "pause",
  "stop",
  "cancel",
  "status",
] as const;
export type Command = (typeof COMMANDS)[number];

/** Commands for a loop: all but the one for a PRD. */
export type LoopCommand = Exclude<Command, "prd">;

type ReadCommand =
  | {
      readonly kind: "command";
      readonly command: LoopCommand;
      /** guidance or the task; "" without. Somebody's words: data, bounded, without hidden characters */
      readonly text: string;
    }
  | { readonly kind: "command"; readonly command: "prd"; readonly ask: PrdAsk }
  | { readonly kind: "not_for_us" }
  /** `reason` is a sentence for its author */
  | { readonly kind: "malformed"; readonly reason: string };

/** A longer guidance or task is refused, never cut: half of an instruction is another instruction (UTF-16 units). */
export const TEXT_LIMIT = 8_192;

/** What may follow each command; `prd` has a grammar of its own. */
const TAKES = {
  continue: "text",
  start: "text",
  fix: "text",
  prd: "ask",
  "reset-circuit": "nothing",
  accept: "nothing",
  pause: "nothing",
  stop: "nothing",
  cancel: "nothing",
  status: "nothing",
} as const satisfies Record<Command, "text" | "ask" | "nothing">;

const LINE_END = /\r\n|[\n\u2028\u2029]/gu;

/** What GitHub's own filter in a workflow lets through too: it does not see the case of letters. */
const MEANT_FOR_US = /^\s*\/smithers(?![\w-])/iu;
const COMMAND_LINE = /^\/smithers +(\S+)(?: +(.*))?$/u;
const WORD = /^[a-z-]{1,20}$/u;

/**
 * Reads a comment: `/smithers <command> [text]` at the very beginning; text of `continue`, `start` and `fix`, and the words of
 * `prd … retry`, go on in the following lines. A comment that is meant for us and not written exactly so is malformed as a whole. What a reader of
 * the text cannot see is left out (T1).
 */
export function readCommand(body: string): ReadCommand {
  const lines = body.split(LINE_END);
  const seen = visible(lines.join("\n"));
  if (!MEANT_FOR_US.test(seen)) return { kind: "not_for_us" };
  const [first = "", ...rest] = lines;
  const line = COMMAND_LINE.exec(first.trimEnd());
  if (line === null) return malformed(`A command is the beginning of a comment: ${KNOWN}.`);
  const [, word = "", after = ""] = line;
  const command = COMMANDS.find((known) => known === word);
  if (command === undefined) return malformed(`${WORD.test(word) ? `“${word}”` : "That"} is none of ${KNOWN}.`);
  const text = visible([after, ...rest].join("\n")).trim();
  if (
    rest.some((other) =>
      visible(other)
        .split("\n")
        .some((part) => MEANT_FOR_US.test(part)),
    )
  )
    return malformed("A comment holds one command only.");
  return accept(command, text);
}

/** A review whose first line is only this asks the loop to go on with it. */
const BARE = /^\/smithers[ \t]*(?=\r?\n|$)/u;

/**
 * Reads the text of a review (C109): the same, and a bare `/smithers` is `/smithers continue`. Without it a review that
 * requests changes says `continue` as well, and all of its text is what it says.
 */
export function readReview(body: string, requestsChanges: boolean): ReadCommand {
  const read = readCommand(body.replace(BARE, "/smithers continue"));
  if (read.kind !== "not_for_us" || !requestsChanges) return read;
  return { kind: "command", command: "continue", text: visible(body.replaceAll(LINE_END, "\n")).trim() };
}

function accept(command: Command, text: string): ReadCommand {
  if (TAKES[command] === "nothing" && text !== "") return malformed(`Nothing may follow ${command}.`);
  if (text.length > TEXT_LIMIT) {
    return malformed(`The text has ${text.length} characters, and at most ${TEXT_LIMIT} are taken.`);
  }
  if (command !== "prd") return { kind: "command", command, text };
  const ask = readPrdAsk(text);
  return ask.ok ? { kind: "command", command, ask: ask.value } : malformed(ask.trouble.because);
}

const KNOWN = COMMANDS.map((command) => (command === "prd" ? PRD_FORM : `/smithers ${command}`)).join(", ");

function malformed(reason: string): ReadCommand {
  return { kind: "malformed", reason };
}
