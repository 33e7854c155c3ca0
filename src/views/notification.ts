import type { LoopEvent } from "../core/events.ts";
import { outcomeOf } from "../core/outcome.ts";
import { waitText } from "./event-lines.ts";
import { cut, oneLine } from "./plain-text.ts";

/**
 * What `--notify` says of an event: how the loop ended, a HARD STOP included, or that it waits for a limit. Undefined for all
 * else, the interval between iterations among it: nobody has to come for that.
 */
export function notificationOf(event: LoopEvent, loopId: string): string | undefined {
  if (event.type === "loop_stopped") {
    const { status, sentence } = outcomeOf(event.reason);
    return `${loopId} ${status}: ${sentence}`;
  }
  if (event.type !== "wait_started" || event.why === "interval") return undefined;
  return `${loopId} ${waitText(event, null)}`;
}

const ESC = "\u001B";
const BEL = "\u0007";
/** Desktops cut what is longer, in UTF-16 units. */
const LONGEST = 160;
/** Terminals without a desktop, or that would show a sequence they do not know. */
const ONLY_RINGS = /^(?:$|dumb\b|linux\b|vt\d+|screen\b)/u;

/**
 * What tells a terminal something: its bell, and where there may be a desktop behind it a notification: OSC 777 for those on
 * VTE, OSC 9 for all others, through tmux in its envelope. No character of the text can end or begin a sequence.
 *
 * @param env of the program that writes to the terminal
 */
export function notification(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const { TERM = "", TMUX = "", VTE_VERSION = "" } = env;
  const said = cut(oneLine(text), LONGEST);
  // Before a number, OSC 9 means something else to some.
  const told = VTE_VERSION === "" ? `${ESC}]9;smithers: ${said}${BEL}` : `${ESC}]777;notify;smithers;${said}${BEL}`;
  if (TMUX !== "") return `${BEL}${ESC}Ptmux;${told.replaceAll(ESC, ESC + ESC)}${ESC}\\`;
  return ONLY_RINGS.test(TERM) ? BEL : `${BEL}${told}`;
}
