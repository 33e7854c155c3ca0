import { statusOf } from "./github-refusal.ts";
import { type Failure, failureOf } from "./attempt.ts";

/** What GitHub says to a question, or why it does not. */
export type Answer<T> =
  | { readonly answered: true; readonly value: T }
  /** `absent`: there is no such thing, or the token may not see it */
  | ({ readonly answered: false; readonly absent: boolean } & Failure);

/**
 * Asks GitHub something. Never throws.
 *
 * @param permission the line of `permissions:` that it needs
 */
export async function ask<T>(permission: string, question: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { answered: true, value: await question() };
  } catch (error) {
    const absent = [404, 410].includes(statusOf(error) ?? 0);
    return { answered: false, absent, ...failureOf(error, permission) };
  }
}
