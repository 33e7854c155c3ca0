import type { Random } from "./random.ts";

/** An input, and what has to hold of it. */
export interface Case {
  /** as it is told to a person */
  readonly input: unknown;
  /** @throws anything when it shows a fault */
  check(): void | Promise<void>;
}

/** Something that reads what others wrote. */
export interface Target {
  readonly name: string;
  /** what it tries: `file#export`, below `src` */
  readonly covers: readonly string[];
  draw(random: Random): Case;
  /** ends what the target has opened */
  close(): Promise<void>;
}

/** A target whose cases have one type. */
export function target<Input>(made: {
  readonly name: string;
  readonly covers: readonly string[];
  draw(random: Random): Input;
  check(input: Input): void | Promise<void>;
  close?(): Promise<void>;
}): Target {
  return {
    ...{ name: made.name, covers: made.covers },
    draw(random) {
      const input = made.draw(random);
      return { input, check: () => made.check(input) };
    },
    async close() {
      await made.close?.();
    },
  };
}

/** Fails the case. */
export function hold(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`does not hold: ${what}`);
}

type Kind = abstract new (...some: never[]) => Error;

/** What a reading gives; undefined when it refuses with an error that it may refuse with. */
export function unless<T>(refusal: Kind, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof refusal) return undefined;
    throw error;
  }
}

/** The same for what takes time. */
export async function unlessLater<T>(refusal: Kind, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof refusal) return undefined;
    throw error;
  }
}
