import { z } from "zod";
import { count, type Stored } from "../schema.ts";

/** Totals since the loop began. They only grow, over every run. */
export const spent = z.looseObject({
  turns: count,
  tokens: count,
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  turn_ms: z.number().nonnegative(),
  check_ms: z.number().nonnegative(),
  resumes: count,
  /** of the turns whose cost is known, in millionths of a USD, and how many these are */
  cost: count.default(0),
  priced_turns: count.default(0),
});
export type Spent = Stored<typeof spent>;
export const NOTHING_SPENT: Spent = {
  turns: 0,
  tokens: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  turn_ms: 0,
  check_ms: 0,
  resumes: 0,
  cost: 0,
  priced_turns: 0,
};

/** What counts against `max-total-minutes`: turns and checks, in milliseconds. */
export function workedMs({ turn_ms: turns, check_ms: checks }: Spent): number {
  return turns + checks;
}
