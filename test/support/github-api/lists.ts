import type { Answer } from "./operation.ts";

/** Lists as GitHub gives them: what was just written may not be in them yet. */
export class Lists {
  readonly #lagging = new Map<string, number>();
  /** what a list has said when it was last read in time, by its address */
  readonly #last = new Map<string, readonly unknown[]>();

  lag(operation: string, times: number): void {
    this.#lagging.set(operation, times);
  }

  /** An answer as who asks sees it. */
  seen(operation: string, { pathname, search }: URL, method: string, answer: Answer): Answer {
    if (method !== "GET" || answer.status !== 200 || !isList(answer.body)) return answer;
    const left = this.#lagging.get(operation) ?? 0;
    const address = pathname + search;
    if (left > 0) {
      this.#lagging.set(operation, left - 1);
      return { ...answer, body: this.#last.get(address) ?? [] };
    }
    this.#last.set(address, answer.body);
    return answer;
  }
}

function isList(body: unknown): body is readonly unknown[] {
  return Array.isArray(body);
}
