import { isPassing, refusalOf } from "./github-refusal.ts";

/** Why something was not done on GitHub. */
export interface Failure {
  /** `refused`: it would be again; `unreachable`: at another time it may be done */
  readonly because: "refused" | "unreachable";
  /** part of a sentence, with the cure where there is one */
  readonly why: string;
}

/** Whether something was done on GitHub. */
export type Attempt = { readonly done: true } | ({ readonly done: false } & Failure);

/** @param permission the line of `permissions:` that the request needed */
export function failureOf(error: unknown, permission: string): Failure {
  return { because: isPassing(error) ? "unreachable" : "refused", why: refusalOf(error, permission) };
}

/**
 * Does something on GitHub, whatever comes of it. Never throws.
 *
 * @param permission the line of `permissions:` that it needs
 */
export async function attempt(permission: string, operation: () => Promise<unknown>): Promise<Attempt> {
  try {
    await operation();
    return { done: true };
  } catch (error) {
    return { done: false, ...failureOf(error, permission) };
  }
}
