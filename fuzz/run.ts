import { inspect } from "node:util";
import { Random } from "./random.ts";
import type { Case, Target } from "./target.ts";

/** Every run tries these cases, unless it is told another seed. */
export const SEED = "smithers";

/** A case that shows a fault. */
export interface Fault {
  readonly case: number;
  /** what was thrown, with where */
  readonly what: string;
  /** the beginning of the case's input, as JavaScript writes it */
  readonly input: string;
}

/** Which cases of a target are tried: from `first` to before `end`. */
export interface Cases {
  readonly seed: string;
  readonly first: number;
  readonly end: number;
}

/** A target with many faults is wrong in one or two places. */
const MOST_FAULTS = 5;
const SHOWN = 2_000;

export function caseOf(target: Target, seed: string, number: number): Case {
  return target.draw(new Random(`${seed}/${target.name}/${number}`));
}

/**
 * Tries cases of a target in this process.
 *
 * @param begins told of each case before it is tried
 * @returns the faults, one of each kind
 */
export async function tryCases(
  target: Target,
  { seed, first, end }: Cases,
  begins: (number: number) => void = () => {},
): Promise<readonly Fault[]> {
  const faults = new Map<string, Fault>();
  for (let number = first; number < end && faults.size < MOST_FAULTS; number += 1) {
    begins(number);
    const one = caseOf(target, seed, number);
    try {
      // A promise for each of 100,000 cases would cost more than most of them.
      const checking = one.check();
      if (checking !== undefined) await checking;
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const kind = what.split("\n", 2).join("\n").replaceAll(/\d+/gu, "0").slice(0, 300);
      if (!faults.has(kind)) faults.set(kind, { case: number, what: what.slice(0, SHOWN), input: shown(one) });
    }
  }
  return [...faults.values()];
}

/** The beginning of a case's input, as JavaScript writes it. */
export function shown({ input }: Case): string {
  return inspect(input, { depth: 8, maxStringLength: SHOWN, breakLength: 120 }).slice(0, 2 * SHOWN);
}

/** What a person types to see a case again. */
export function commandFor(target: string, seed: string, number: number): string {
  const other = seed === SEED ? "" : ` --seed ${seed}`;
  return `npm run fuzz -- --target ${target} --case ${number}${other}`;
}
