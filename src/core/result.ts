/** Why something did not come about, where that is a value and no exception. */
export interface Trouble {
  /** what happened, as part of a sentence: "GitHub did not answer in time" */
  readonly because: string;
  /** what nobody has to worry about, as a sentence */
  readonly unharmed?: string;
  /** what to do next, as a sentence */
  readonly next?: string;
}

/**
 * What an operation has come to whose failure is part of the plan. A caller that has to tell kinds of trouble apart names
 * them in a type of its own: `interface Refused extends Trouble { readonly kind: "moved" | "unreachable" }`.
 */
export type Result<T = undefined, E extends Trouble = Trouble> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly trouble: E };

/** What every operation returns that has nothing to hand over. */
export const DONE: Result<undefined, never> = { ok: true, value: undefined };

export function done<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function failed<E extends Trouble>(trouble: E): { readonly ok: false; readonly trouble: E } {
  return { ok: false, trouble };
}
