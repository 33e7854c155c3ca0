import type { Answer } from "./operation.ts";

/**
 * What an operation does in place of its work: an answer, a cut connection, or nothing at all. `lose`: it does its work,
 * and the answer never comes.
 */
export type Fault = Answer | "drop" | "hang" | "lose";

/** Faults that are due, by operation; each is used as often as it was asked for. */
export class Faults {
  readonly #due = new Map<string, { faults: readonly Fault[]; used: number; times: number }>();

  /** @param fault several take turns */
  set(operation: string, fault: Fault | readonly Fault[], times: number): void {
    const faults = [fault].flat();
    this.#due.set(operation, { faults, used: 0, times: faults.length * times });
  }

  take(operation: string): Fault | undefined {
    const due = this.#due.get(operation);
    if (due === undefined || due.used >= due.times) return undefined;
    due.used += 1;
    return due.faults[(due.used - 1) % due.faults.length];
  }
}
