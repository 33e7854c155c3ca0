import type { Answer } from "./operation.ts";

/** Lists as GitHub gives them: what was just written may not be in them yet. */
export class Lists {
  readonly #lagging = new Map<string, number>();
  /** what a list has said when it was last read in time, by its address */
  readonly #last = new Map<string, unknown>();

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
      return { ...answer, body: this.#last.get(address) ?? emptied(answer.body) };
    }
    this.#last.set(address, answer.body);
    return answer;
  }
}

/** A list, or a count with a list, as GitHub has them of what Actions does. */
function isList(body: unknown): boolean {
  return Array.isArray(body) || (typeof body === "object" && body !== null && "total_count" in body);
}

function emptied(body: unknown): unknown {
  if (Array.isArray(body)) return [];
  const entries = Object.entries(body ?? {}).map(([key, value]: [string, unknown]) => [
    key,
    key === "total_count" ? 0 : Array.isArray(value) ? [] : value,
  ]);
  return Object.fromEntries(entries);
}
