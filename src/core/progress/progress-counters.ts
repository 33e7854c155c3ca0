import { z } from "zod";
import { count, type Stored } from "../schema.ts";

/** What tells progress from motion (C23). */
export const progress = z.looseObject({
  /** every work tree that the loop has seen, as the first 16 hex digits of its name, newest last; at most 500 */
  trees: z.array(z.string()),
  /** iterations in a row without progress (L-18) */
  no_progress: count,
  /** iterations in a row that failed in the same way (L-19) */
  same_error: count,
  /** how the last iteration failed; null: it did not */
  signature: z.string().nullable(),
  /** iterations in a row that changed nothing but tests (L-20) */
  test_loops: count,
  /** the fewest failing tests since the loop began; null: never known */
  fewest_failures: count.nullable(),
  /** the tests that failed when all of them were known last, as the first 8 hex digits of their digests */
  last_failing: z.array(z.string()).default([]),
  /** tests whose turning green is no longer news, in the same form; at most 400 */
  settled_tests: z.array(z.string()).default([]),
  /** the most items of the checklist that were ticked since the loop began */
  most_ticked: count.default(0),
  /** what the checks counted, see `figuresOf`, each once, newest last; at most 100 */
  figures: z.array(z.string()).default([]),
  /** the furthest that the checks came, see `reachOf`; null: not known */
  furthest: count.nullable().default(null),
  /** the failures since the loop last got further, each once, newest last; at most 50 */
  failures_seen: z.array(z.string()).default([]),
  /** how often another failure than the last one was among them */
  recurring: count.default(0),
  /** what the last turn was not allowed to do, as the first 8 hex digits of digests; at most 8 */
  denied: z.array(z.string()).default([]),
  /** turns in a row in which something of that was denied again, and the checks got no further (C33) */
  denied_again: count.default(0),
});
export type ProgressCounters = Stored<typeof progress>;
export const NO_PROGRESS = {
  trees: [],
  no_progress: 0,
  same_error: 0,
  signature: null,
  test_loops: 0,
  fewest_failures: null,
};
