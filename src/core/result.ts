/** Why something did not come about, where that is a value and no exception. */
export interface Trouble {
  /** what happened, as part of a sentence: "GitHub did not answer in time" */
  readonly because: string;
  /** what is unharmed, as a sentence */
  readonly unharmed?: string;
  /** what to do next, as a sentence */
  readonly next?: string;
}

/**
 * The result of an operation that is expected to fail at times. A caller that has to tell kinds of trouble apart names
 * them in a type of its own: `interface Refused extends Trouble { readonly kind: "moved" | "unreachable" }`.
 */
export type Result<T = undefined, E extends Trouble = Trouble> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly trouble: E };

/** What an operation returns that has no value to return. */
export const DONE: Result<undefined, never> = { ok: true, value: undefined };

export function done<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function failed<E extends Trouble>(trouble: E): { readonly ok: false; readonly trouble: E } {
  return { ok: false, trouble };
}
