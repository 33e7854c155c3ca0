import type { Matcher } from "../ports.ts";
import type { PromiseRule } from "../task.ts";
import { seenOnOneLine } from "../text.ts";
import { lastLine, saidLines, withoutStatusBlocks } from "./markup.ts";
import { shownBy } from "./quotation.ts";

export interface PromiseFinding {
  /** the literal detector of the seed (W-37) */
  readonly detected: boolean;
  /** an occurrence counts (section 5.3) */
  readonly counts: boolean;
  /** one that counts stands alone on the last line, whatever the guard says (C35) */
  readonly strict: boolean;
  readonly hint: string | null;
}

const ABSENT: PromiseFinding = { detected: false, counts: false, strict: false, hint: null };

/** The exact text by which the agent says that it is done; null when no text can be named. */
export function promiseToken(rule: PromiseRule): string | null {
  if (rule.mode === "tag") return `<promise>${rule.text}</promise>`;
  return rule.mode === "plain" ? rule.text : null;
}

/** The done token as a promise: plain words under the guard of the promise (S-10, C22). */
export function tokenRule(doneToken: string | null, { guard }: PromiseRule): PromiseRule {
  return { text: doneToken ?? "", mode: doneToken === null ? "off" : "plain", guard };
}

/** Looks for the promise in the agent's last message, and nowhere else (C8). @param message normalised text */
export async function findPromise(message: string, rule: PromiseRule, matcher: Matcher): Promise<PromiseFinding> {
  if (rule.mode === "off") return ABSENT;
  const token = promiseToken(rule);
  if (token === null) return findPattern(message, rule, matcher);
  const detected = message.includes(token);
  if (!detected) return { ...ABSENT, hint: nearMiss(message, rule, token) };
  const last = atTheEnd(message, (line) => line === token);
  if (rule.guard === "off") return counted(rule.mode === "tag" || holdsToken(message, rule, token), last.counts, "");
  const found = rule.guard === "final-line" ? last : saidSomewhere(message, rule, token);
  return counted(found.counts, last.counts, droppedHint(rule, token, found.shown));
}

function counted(counts: boolean, strict: boolean, hint: string): PromiseFinding {
  return { detected: true, counts, strict: counts && strict, hint: counts || hint === "" ? null : hint };
}

/** Whether the promise is made, else the words of the message that only show it; null: there are none. */
interface Occurrence {
  readonly counts: boolean;
  readonly shown: string | null;
}

/** The last line, where it is the promise. */
function atTheEnd(message: string, isPromise: (line: string) => boolean): Occurrence {
  const text = withoutStatusBlocks(message).trimEnd();
  if (!isPromise(lastLine(text))) return { counts: false, shown: null };
  const lines = saidLines(text);
  const shown = shownBy(lines, lines.length - 1, null);
  return { counts: shown === null, shown };
}

/** Outside of code and block quotes; the last place that only shows it is told. */
function saidSomewhere(message: string, rule: PromiseRule, token: string): Occurrence {
  const lines = saidLines(message);
  const places = lines.flatMap((line, at) => (line !== null && holdsToken(line, rule, token) ? [{ line, at }] : []));
  const because = places.slice(-PLACES).map(({ line, at }) => {
    const isAlone = line.replaceAll(DECORATION, "") === token;
    return shownBy(lines, at, isAlone ? null : line.slice(0, line.indexOf(token)));
  });
  return { counts: because.includes(null), shown: because.at(-1) ?? null };
}

const PLACES = 40; // no more of the places that hold the promise are looked at, from the end of the message
const TABLE_ROW = /^\s*\|.*\|\s*$/u;
const DECORATION = /^[\s*_"'“”]+|[\s*_"'“”.!]+$/gu;

async function findPattern(message: string, rule: PromiseRule, matcher: Matcher): Promise<PromiseFinding> {
  const raw = await matcher.test(rule.text, message);
  if (raw === "timed_out") {
    return { ...ABSENT, hint: "The promise pattern took too long on your last message and was given up." };
  }
  if (raw === "none") return ABSENT;
  const alone = await matcher.test(`^(?:${rule.text})$`, lastLine(withoutStatusBlocks(message)));
  const last = atTheEnd(message, () => alone === "match");
  if (rule.guard === "off") return counted(true, last.counts, "");
  const counts = rule.guard === "final-line" ? last.counts : await isSaid(message, rule, last.shown, matcher);
  return counted(counts, last.counts, droppedHint(rule, `a line matching /${rule.text}/`, last.shown));
}

/** Whether a pattern matches outside of code, block quotes and tables, and not only in a last line that shows it. */
async function isSaid(message: string, rule: PromiseRule, shown: string | null, matcher: Matcher): Promise<boolean> {
  const last = shown === null ? null : lastLine(withoutStatusBlocks(message));
  const said = saidLines(message).filter((line) => line !== null && !TABLE_ROW.test(line) && line.trim() !== last);
  return (await matcher.test(rule.text, said.join("\n"))) === "match";
}

function holdsToken(text: string, { mode }: PromiseRule, token: string): boolean {
  return mode === "plain" ? hasWholeWord(text, token) : text.includes(token);
}

/** `DONE` is not in `ABANDONED` (P11). */
function hasWholeWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = `${text.slice(0, at).slice(-1)} ${text.charAt(at + word.length)}`;
    if (!/[\p{L}\p{N}_]/u.test(around)) return true;
  }
  return false;
}

/** C22: an agent whose promise never counts has to be told so. @param shown the words that only show it */
function droppedHint(rule: PromiseRule, token: string, shown: string | null): string {
  const where =
    shown !== null
      ? `your words around it only show it ("${seenOnOneLine(shown, SHOWN)}")`
      : rule.guard === "final-line"
        ? "not alone on the last line"
        : "only inside code, a quotation or another word";
  return `Your last message held the promise, but ${where}, so it did not count. When everything is done, end your message with exactly: ${token}`;
}

const SHOWN = 300;

/** P8: near-miss spellings are not the promise, and the next prompt says what was nearly right (C24). */
function nearMiss(message: string, rule: PromiseRule, token: string): string | null {
  if (rule.mode !== "tag" || !squeeze(message).includes(squeeze(token))) return null;
  return `Your last message held something close to the promise, which does not count. The exact text is: ${token}`;
}

function squeeze(text: string): string {
  return text.replaceAll(/\s/gu, "").toLowerCase();
}
