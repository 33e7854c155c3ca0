import { z } from "zod";
import { count, type Stored } from "../../schema.ts";
import { seenOnOneLine } from "../../text.ts";

/** At most this many items, files or phrases of a contradiction are named. */
const NAMED = 5;
const NAME_LENGTH = 160;

/** What a claim says, or takes for granted, and what is there instead (C46 to C49). */
export const contradiction = z.looseObject({
  /**
   * `open_items`: items of the plan or the todo file stand open; `lost_items`: were open at the start, and left it without
   * being ticked; `missing_files`, `unchanged_files`: named as written, and not there, or as they were when the loop began;
   * `nothing_modified`: a status block counts modified files, and the tree is unchanged; `numbers`: the promise counts what
   * the message or the plan counts otherwise
   */
  kind: z.enum(["open_items", "lost_items", "missing_files", "unchanged_files", "nothing_modified", "numbers"]),
  /** the plan or todo file; "": it is about neither */
  file: z.string(),
  /** the items, the files, or what is said on both sides; at most 5, in others' words */
  named: z.array(z.string()),
  /** how many items or files there are; what is there where a number is contradicted */
  count,
});
export type Contradiction = Stored<typeof contradiction>;

/** How many claims in a row were contradicted in the same way. */
export const contradicted = z.looseObject({ times: count, by: z.string() });
export type Contradicted = Stored<typeof contradicted>;
export const NOT_CONTRADICTED: Contradicted = { times: 0, by: "" };

export function contradictionOf(kind: Contradiction["kind"], file: string, all: readonly string[]): Contradiction {
  return { kind, file, named: named(all), count: all.length };
}

export function named(all: readonly string[]): readonly string[] {
  return all.slice(0, NAMED).map((name) => seenOnOneLine(name, NAME_LENGTH));
}

const KEY_LENGTH = 500;

/** Counts a claim. @param found null: the turn has claimed nothing */
export function countContradicted(before: Contradicted, found: readonly Contradiction[] | null): Contradicted {
  if (found === null) return before;
  const by = found.map((one) => [one.kind, one.file, one.count, ...one.named].join(" ")).join("\n");
  const key = by.slice(0, KEY_LENGTH);
  if (key === "") return NOT_CONTRADICTED;
  return { times: key === before.by ? before.times + 1 : 1, by: key };
}

/** One sentence for each, without its end; it quotes the agent, and what it has written into the lists. */
export function contradictionWords({ kind, file, named: names, count: all }: Contradiction): string {
  const quoted = names.map((name) => `"${seenOnOneLine(name, NAME_LENGTH)}"`);
  const more = all > names.length ? [`${all - names.length} more`] : [];
  const list = [...quoted, ...more].join(", ");
  const what = seenOnOneLine(file, NAME_LENGTH);
  switch (kind) {
    case "open_items":
      return `${all === 1 ? "an item" : `${all} items`} of ${what} ${all === 1 ? "stands" : "stand"} open: ${list}`;
    case "lost_items":
      return `${all === 1 ? "an item" : `${all} items`} of ${what} ${all === 1 ? "was" : "were"} open when the loop began, and left the file without being ticked: ${list}`;
    case "missing_files":
      return `the message names as written what does not exist: ${list}`;
    case "unchanged_files":
      return `the message names as written what has not changed since the loop began: ${list}`;
    case "nothing_modified":
      return `the status block says ${quoted.join(", ")}, and ${all === 0 ? "nothing has" : `only ${all} of them ${all === 1 ? "has" : "have"}`} changed since the loop began`;
    case "numbers":
      return `the promise says ${quoted.join(", but ")}`;
  }
}
