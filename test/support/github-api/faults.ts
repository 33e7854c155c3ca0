import type { Answer } from "./operation.ts";

/**
 * What an operation does in place of its work: an answer, a cut connection, or nothing at all. `lose`: it does its work,
 * and the answer never comes.
 */
export type Fault = Answer | "drop" | "hang" | "lose";

/** Faults that are due, by operation; each is used as often as it was asked for. */
export class Faults {
  readonly #due = new Map<string, { fault: Fault; left: number }>();

  set(operation: string, fault: Fault, times: number): void {
    this.#due.set(operation, { fault, left: times });
  }

  take(operation: string): Fault | undefined {
    const due = this.#due.get(operation);
    if (due === undefined || due.left === 0) return undefined;
    due.left -= 1;
    return due.fault;
  }
}
