import { z } from "zod";
import type { Account } from "./event-payload.ts";

/** How GitHub writes an account down; null: it is gone. */
export const AccountAnswer = z
  .object({ login: z.string(), type: z.string().catch("") })
  .nullish()
  .catch(null);

/** The account that a job's own token acts as. */
export const WORKFLOW_ACCOUNT = "github-actions[bot]";

/** Whether it is the account of the workflows themselves. */
export function isOurselves({ login, type }: Account): boolean {
  return type !== "User" && login === WORKFLOW_ACCOUNT;
}
