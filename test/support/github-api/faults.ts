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

  #limit: { left: number; times: number; readonly refusal?: Answer } = { left: 0, times: 0 };

  /** After this many more writes, the next ones are refused. */
  limit(left: number, refusal: Answer, times: number): void {
    this.#limit = { left, times, refusal };
  }

  /** What a request is refused with for the rate of those before it. */
  overLimit(method: string): Answer | undefined {
    const limit = this.#limit;
    if (method === "GET" || method === "HEAD" || limit.times <= 0) return undefined;
    if (limit.left > 0) {
      limit.left -= 1;
      return undefined;
    }
    limit.times -= 1;
    return limit.refusal;
  }

  take(operation: string): Fault | undefined {
    const due = this.#due.get(operation);
    if (due === undefined || due.used >= due.times) return undefined;
    due.used += 1;
    return due.faults[(due.used - 1) % due.faults.length];
  }
}
