import type { Matcher } from "../ports.ts";
import type { PromiseRule } from "../task.ts";
import { lastLine, withoutCodeAndQuotes, withoutStatusBlocks } from "./markup.ts";

export interface PromiseFinding {
  /** the literal detector of the seed (W-37) */
  readonly detected: boolean;
  /** an occurrence counts (section 5.3) */
  readonly counts: boolean;
  readonly hint: string | null;
}

const ABSENT: PromiseFinding = { detected: false, counts: false, hint: null };

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
  const counts = countsAs(message, rule, token);
  return { detected, counts, hint: counts ? null : droppedHint(rule, token) };
}

function countsAs(message: string, rule: PromiseRule, token: string): boolean {
  if (rule.guard === "final-line") return lastLine(withoutStatusBlocks(message)) === token;
  const text = rule.guard === "code" ? withoutCodeAndQuotes(message) : message;
  return rule.mode === "plain" ? hasWholeWord(text, token) : text.includes(token);
}

async function findPattern(message: string, rule: PromiseRule, matcher: Matcher): Promise<PromiseFinding> {
  const raw = await matcher.test(rule.text, message);
  if (raw === "timed_out") {
    return { ...ABSENT, hint: "The promise pattern took too long on your last message and was given up." };
  }
  if (raw === "none" || rule.guard === "off") return { detected: raw === "match", counts: raw === "match", hint: null };
  const guarded =
    rule.guard === "final-line"
      ? await matcher.test(`^(?:${rule.text})$`, lastLine(withoutStatusBlocks(message)))
      : await matcher.test(rule.text, withoutCodeAndQuotes(message));
  const counts = guarded === "match";
  return { detected: true, counts, hint: counts ? null : droppedHint(rule, `a line matching /${rule.text}/`) };
}

/** `DONE` is not in `ABANDONED` (P11). */
function hasWholeWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = `${text.slice(0, at).slice(-1)} ${text.charAt(at + word.length)}`;
    if (!/[\p{L}\p{N}_]/u.test(around)) return true;
  }
  return false;
}

/** C22: an agent whose promise never counts has to be told so. */
function droppedHint(rule: PromiseRule, token: string): string {
  const where =
    rule.guard === "final-line" ? "not alone on the last line" : "only inside code, a quotation or another word";
  return `Your last message held the promise, but ${where}, so it did not count. When everything is done, end your message with exactly: ${token}`;
}

/** P8: near-miss spellings are not the promise, and the next prompt says what was nearly right (C24). */
function nearMiss(message: string, rule: PromiseRule, token: string): string | null {
  if (rule.mode !== "tag" || !squeeze(message).includes(squeeze(token))) return null;
  return `Your last message held something close to the promise, which does not count. The exact text is: ${token}`;
}

function squeeze(text: string): string {
  return text.replaceAll(/\s/gu, "").toLowerCase();
}
