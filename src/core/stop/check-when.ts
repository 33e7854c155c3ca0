import { z } from "zod";
import { count, type Stored } from "../schema.ts";
import type { CheckResult } from "../verdict.ts";

/**
 * When quality commands are asked (C30): with `claim` only when the agent says that it is done, with `change` also after
 * every turn that changed something and claimed nothing, with `auto` after such a turn if they cost little beside the work.
 */
export type CheckWhen = "auto" | "claim" | "change";

/** What tells whether the quality commands cost little: they, and the turns since they were asked last. */
export const sinceAsked = z.looseObject({
  /** turns since then that changed something */
  turns: count,
  /** how long the turns since then worked, in milliseconds */
  worked_ms: z.number().nonnegative(),
  /** how long the commands took together, in milliseconds; null: they have never been asked */
  check_ms: z.number().nonnegative().nullable(),
});
export type SinceAsked = Stored<typeof sinceAsked>;
export const NEVER_ASKED: SinceAsked = { turns: 0, worked_ms: 0, check_ms: null };

/** A turn as far as it tells whether it changed something. */
interface ChangingTurn {
  readonly change: { readonly files: number } | null;
  readonly claim: { readonly block: { readonly files_modified: number | null } | null };
}

/** Whether a turn changed something. What cannot be measured, and is not denied by the agent, counts as a change. */
export function changedSomething({ change, claim }: ChangingTurn): boolean {
  return (change?.files ?? claim.block?.files_modified ?? 1) > 0;
}

/** Counts a turn that has ended. */
export function countTurn(
  { turns, worked_ms: worked, ...since }: SinceAsked,
  turn: ChangingTurn & { readonly duration_ms: number },
): SinceAsked {
  return { ...since, turns: turns + (changedSomething(turn) ? 1 : 0), worked_ms: worked + turn.duration_ms };
}

/**
 * Counts that checks were asked.
 *
 * @param commands the quality commands, as people would type them; other checks do not count
 * @param cutOff whether they did not come to their end: then they take at least this long, and are still to be asked
 */
export function countAsked(
  since: SinceAsked,
  checks: readonly CheckResult[],
  commands: readonly string[],
  cutOff: boolean,
): SinceAsked {
  const own = checks.filter(({ role, command }) => role === "quality" && commands.includes(command));
  if (own.length === 0) return since;
  const took = own.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return cutOff
    ? { ...since, check_ms: Math.max(took, since.check_ms ?? 0) }
    : { turns: 0, worked_ms: 0, check_ms: took };
}

/** The checks may take this part of the time that the turns since they were asked last have taken. */
const SMALL_PART = 4;
/** After this many turns that changed something they are asked, whatever they cost. */
const MOST_TURNS = 3;

/** Whether a turn that changed something and claimed nothing is followed by the quality commands. */
export function isDue(when: CheckWhen, { turns, worked_ms: worked, check_ms: checks }: SinceAsked): boolean {
  if (when !== "auto") return when === "change";
  return turns >= MOST_TURNS || checks === null || checks * SMALL_PART <= worked;
}
