import { z } from "zod";
import { count, type Stored } from "../schema.ts";
import { joined } from "../text.ts";

/** What a reviewer can hold against the work. */
const objectionKind = z.enum(["missing", "by_heart", "narrowed", "bypassed", "made_to_look_done"]);

export const objection = z.looseObject({
  about: objectionKind,
  /** in the reviewer's words, at most 600 UTF-16 units */
  why: z.string(),
  /** in the reviewer's words, as in `src/a.ts:12`, at most 200 UTF-16 units; null: no single place */
  where: z.string().nullable(),
});
export type Objection = Stored<typeof objection>;

/**
 * `clear`: nothing against the work; `veto`: something is; `unreadable`: the answer is not in its form; `failed`: there is
 * none. Only a veto keeps a loop from completing (C50).
 */
const answerKind = z.enum(["clear", "veto", "unreadable", "failed"]);

/** What the loop remembers of its reviewer; constant in size. */
export const review = z.looseObject({
  /** the last one; null: nobody has been asked */
  answer: answerKind.nullable(),
  /** why there is none that counts, in one sentence; "" else */
  why: z.string(),
  /** of a veto, at most 10 */
  objections: z.array(objection),
  /** the iteration whose work it is about, see `workNames` */
  iteration: count,
  /** names of that work: as the turn has left it, and after its checks */
  of: z.array(z.string()),
  /** the work tree that was looked at, see `Snapshot.tree`; null: not known */
  tree: z.string().nullable(),
  /** since the loop or its story began, or a person let the loop go on */
  vetoes: count,
  /** since the loop began; none of it is in the loop's `spent` */
  spent: z.looseObject({
    reviews: count,
    tokens: count,
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    ms: z.number().nonnegative(),
    /** of the sessions whose cost is known, in millionths of a USD, and how many have no known one */
    cost: count.default(0),
    unpriced: count.default(0),
  }),
  /** what was used since the last iteration was closed */
  open_tokens: count.default(0),
});
export type Review = Stored<typeof review>;

export const NOT_REVIEWED = {
  ...{ answer: null, why: "", objections: [], iteration: 0, of: [], tree: null, vetoes: 0 },
  spent: {
    reviews: 0,
    tokens: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    ms: 0,
    cost: 0,
    unpriced: 0,
  },
  open_tokens: 0,
};

/** What a reviewer holds against the work, as part of a sentence. */
const HELD: Readonly<Record<Objection["about"], string>> = {
  missing: "asked for, and missing",
  by_heart: "answered by heart",
  narrowed: "less than was asked for",
  bypassed: "bypassed",
  made_to_look_done: "made to look done",
};

/** Objections for people and prompts: `src/a.ts:12: answered by heart: …`. What the reviewer says in them is untrusted. */
export function objectionTexts(objections: readonly Objection[]): readonly string[] {
  return objections.map(({ about, why, where }) => joined(": ", [where ?? "", HELD[about], why]));
}
