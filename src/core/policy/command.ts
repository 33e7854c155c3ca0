import { visible } from "../text.ts";

export const COMMANDS = ["continue", "start", "prd", "reset-circuit", "pause", "stop", "cancel", "status"] as const;
export type Command = (typeof COMMANDS)[number];

type ReadCommand =
  | {
      readonly kind: "command";
      readonly command: Command;
      /** guidance, the task or the name of a PRD; "" without. Somebody's words: data, bounded, without hidden characters */
      readonly text: string;
    }
  | { readonly kind: "not_for_us" }
  /** `reason` is a sentence for its author */
  | { readonly kind: "malformed"; readonly reason: string };

/** A longer guidance or task is refused, never cut: half of an instruction is another instruction (UTF-16 units). */
export const TEXT_LIMIT = 8_192;

/** What may follow each command; a PRD's name is a folder's. */
const TAKES = {
  continue: "text",
  start: "text",
  prd: "name",
  "reset-circuit": "nothing",
  pause: "nothing",
  stop: "nothing",
  cancel: "nothing",
  status: "nothing",
} as const satisfies Record<Command, "text" | "name" | "nothing">;

const LINE_END = /\r\n|[\n\u2028\u2029]/gu;

/** What GitHub's own filter in a workflow lets through too: it does not see the case of letters. */
const MEANT_FOR_US = /^\s*\/smithers(?![\w-])/iu;
const COMMAND_LINE = /^\/smithers +(\S+)(?: +(.*))?$/u;
const WORD = /^[a-z-]{1,20}$/u;
const PRD_NAME = /^[A-Za-z0-9](?!.*\.\.)[A-Za-z0-9._-]{0,99}$/u;

/**
 * Reads a comment: `/smithers <command> [text]` at the very beginning; text of `continue` and `start` goes on in the
 * following lines. A comment that is meant for us and not written exactly so is malformed as a whole. What a reader of
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

function accept(command: Command, text: string): ReadCommand {
  const takes = TAKES[command];
  if (takes === "nothing" && text !== "") return malformed(`Nothing may follow ${command}.`);
  if (takes === "name" && !PRD_NAME.test(text)) return malformed(`${command} is followed by the name of a PRD alone.`);
  if (text.length > TEXT_LIMIT) {
    return malformed(`The text has ${text.length} characters, and at most ${TEXT_LIMIT} are taken.`);
  }
  return { kind: "command", command, text };
}

const KNOWN = COMMANDS.map((command) => `/smithers ${command}`).join(", ");

function malformed(reason: string): ReadCommand {
  return { kind: "malformed", reason };
}
