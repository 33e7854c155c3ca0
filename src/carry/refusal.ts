import { OperationalError } from "../core/errors.ts";
import type { Restored } from "../core/carry.ts";
import { failed } from "../core/result.ts";

/**
 * The answer for something that was found and does not hold.
 *
 * @param consequence what a person has to know first
 */
export function refusal(error: unknown, consequence: string): Extract<Restored, { ok: false }> {
  const newer = error instanceof OperationalError && error.code === "STATE_NEWER";
  const told = error instanceof OperationalError ? `${error.message}${newer ? ` ${error.next}` : ""}` : String(error);
  return failed({ kind: newer ? "newer" : "refused", because: `${consequence}. ${told}` });
}
