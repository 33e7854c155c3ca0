import { z } from "zod";
import { count, type Stored } from "../schema.ts";

/** Whose form a status block has; all are read the same way (C1). */
const blockName = z.enum(["ralph", "loopr", "lisa", "smithers"]);
export type BlockName = Stored<typeof blockName>;

/** A status block of any form, in one form. Null stands for what it does not say. */
const statusBlock = z.looseObject({
  name: blockName,
  status: z.enum(["IN_PROGRESS", "COMPLETE", "BLOCKED", "ERROR", "UNKNOWN"]).nullable(),
  exit_signal: z.boolean().nullable(),
  work_type: z.enum(["tests", "code", "docs", "other"]).nullable(),
  files_modified: count.nullable(),
  errors: count.nullable(),
  tests_status: z.enum(["PASSING", "FAILING", "UNKNOWN"]).nullable(),
  tasks_completed: count.nullable(),
  /** at most 500 UTF-16 units */
  summary: z.string().nullable(),
  /** fields that this version does not know; at most 20 */
  other: z.record(z.string(), z.string()),
});
export type StatusBlock = Stored<typeof statusBlock>;

/** What the agent says about its own work. A claim never ends a loop by itself: it asks for proof. */
export const claim = z.looseObject({
  /** the seed's literal detector: the promise occurs somewhere in the last message (W-37, W-48) */
  detected: z.boolean(),
  /** an occurrence survived `promise-guard`: the agent says it is done */
  done: z.boolean(),
  /** the same for the done token (S-10) */
  token_done: z.boolean().default(false),
  /** why a detected or nearly right promise does not count; goes into the next prompt */
  hint: z.string().nullable(),
  /** the BLOCKED section of the message, at most 1 KiB (W-51) */
  blocked: z.string().nullable(),
  /** a step that only a person can take, in the agent's words; absent: it names none */
  person: z.string().exactOptional(),
  /** the lines under `NOTES:`, at most ten (C18) */
  notes: z.array(z.string()),
  /** the sentence of the message, or of its status block, that admits that something is left (C36); null: none */
  unfinished: z.string().nullable().default(null),
  /** what it admits is a stub, or does not work; absent: it is not */
  broken: z.boolean().exactOptional(),
  /** no promise that counts stands alone on the last line (C35); absent: one does, or none counts */
  mention: z.boolean().exactOptional(),
  /** there is nothing in the message but the promise (C38); absent: there is more */
  bare: z.boolean().exactOptional(),
  /** the status block of the turn, in any form (C1); null: none */
  block: statusBlock.nullable().default(null),
});
export type Claim = Stored<typeof claim>;

/** What the agent's own status block says against its claim, as part of a sentence; null: nothing (section 4.3). */
export function vetoOf({ block }: Claim): string | null {
  if (block === null) return null;
  if (block.exit_signal === false) return "EXIT_SIGNAL: false";
  if (block.status === "BLOCKED" || block.status === "ERROR") return `STATUS: ${block.status}`;
  if (block.tests_status === "FAILING") return "TESTS_STATUS: FAILING";
  return (block.errors ?? 0) > 0 ? `ERRORS: ${block.errors}` : null;
}
