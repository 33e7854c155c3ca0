import { z } from "zod";
import { headOf, parsedJson, seenOnOneLine } from "../text.ts";
import { objection, type Objection } from "./review.ts";

/** What an answer comes to. */
export type Answer =
  | { readonly answer: "clear" }
  | { readonly answer: "veto"; readonly objections: readonly Objection[] }
  | { readonly answer: "unreadable"; readonly why: string };

/** How an answer begins and ends; what is asked for says the same. */
export const ANSWER_TAG = "review";

const MOST_OBJECTIONS = 10;
const WHY_LENGTH = 600;
const WHERE_LENGTH = 200;
/** A longer answer is none; UTF-16 units. */
const ANSWER_LENGTH = 65_536;

const form = z.object({
  verdict: z.enum(["clear", "veto"]),
  objections: z.array(objection.extend({ where: z.string().nullish() })).default([]),
});

/**
 * Reads the last message of a reviewer: one JSON object between `<review>` and `</review>` at its end. A veto needs a
 * reason, and what comes without any of it is no veto (C50).
 */
export function readAnswer(message: string): Answer {
  const text = answerIn(message);
  if (text === undefined) return unreadable("it does not end with the answer that it was asked for");
  const read = form.safeParse(parsedJson(text));
  if (!read.success) return unreadable("what it ends with is not in the form that it was asked for");
  const { verdict, objections } = read.data;
  if (verdict === "clear") return { answer: "clear" };
  const told = objections.slice(0, MOST_OBJECTIONS).flatMap(({ about, why, where }) => {
    const said = seenOnOneLine(headOf(why, ANSWER_LENGTH), WHY_LENGTH);
    return said === "" ? [] : [{ about, why: said, where: placeOf(where) }];
  });
  return told.length === 0 ? unreadable("it vetoes and gives no reason") : { answer: "veto", objections: told };
}

function placeOf(where: string | null | undefined): string | null {
  const said = seenOnOneLine(where ?? "", WHERE_LENGTH);
  return said === "" ? null : said;
}

function answerIn(message: string): string | undefined {
  const [open, close] = [`<${ANSWER_TAG}>`, `</${ANSWER_TAG}>`];
  const end = message.trimEnd();
  const from = end.lastIndexOf(open);
  if (!end.endsWith(close) || from === -1 || end.length - from > ANSWER_LENGTH) return undefined;
  return end.slice(from + open.length, -close.length).trim();
}

function unreadable(why: string): Answer {
  return { answer: "unreadable", why };
}
