import type { Invocation, Operand } from "../app/command.ts";
import type { Flags } from "../config/read.ts";
import { UsageError } from "../core/errors.ts";

/** What a command about an iteration takes without flags. */
export const LOOP_AND_ITERATION: Operand = {
  shape: "[words...]",
  about: "a loop (its id, or the beginning of it), the number of an iteration, or both",
};

/**
 * The loop and the iteration that a command is about, as in `logs`, `logs 3`, `logs fix-tests` and `logs fix-tests 3`.
 * A loop whose id is a number is named with --loop-id.
 *
 * @returns the flags with the loop in them; `iteration`: null: none was named
 * @throws UsageError when there are more words than that
 */
export function loopAndIteration({ operand, flags }: Invocation): {
  readonly flags: Flags;
  readonly iteration: number | null;
} {
  const words = operand.split(/\s+/u).filter((word) => word !== "");
  const numbers = words.filter((word) => /^\d{1,9}$/u.test(word));
  const [loop, ...others] = words.filter((word) => !numbers.includes(word));
  if (others.length > 0 || numbers.length > 1) {
    throw new UsageError({
      code: "OPERANDS_UNCLEAR",
      what: `"${operand}" is more than one loop and one iteration.`,
      next: "Name a loop by the beginning of its id, and an iteration by its number, at most one of each.",
    });
  }
  const [number] = numbers;
  const named = loop === undefined ? flags : { ...flags, "loop-id": [...(flags["loop-id"] ?? []), loop] };
  return { flags: named, iteration: number === undefined ? null : Number(number) };
}

/** @param last the newest iteration of the loop */
export function noIteration(asked: number, last: number): UsageError {
  return new UsageError({
    code: "ITERATION_UNKNOWN",
    what: `There is no iteration ${asked}.`,
    next: last === 0 ? "The loop has not begun one yet." : `Name one from 1 to ${last}, or none.`,
  });
}
