import type { Config } from "../../config/config.ts";
import { OperationalError } from "../../core/errors.ts";
import { createLedgerRef, type HeldLedger, type LedgerRef, type LedgerTrouble } from "../../git/ledger/ledger-ref.ts";
import type { GithubContext } from "../../github/context.ts";
import { type JobPlace, marksOf } from "../../store/place.ts";

/** How long one reading or writing of a ledger may take, in milliseconds. */
export const LEDGER_MS = 60_000;

/** The ledger of a PRD of the job's repository. */
export function ledgerOfJob(
  { serverUrl, repository }: Pick<GithubContext, "serverUrl" | "repository">,
  { githubToken: token }: Pick<Config, "githubToken">,
  place: JobPlace,
  prd: string,
): LedgerRef {
  const url = `${serverUrl}/${repository.owner}/${repository.name}`;
  return createLedgerRef({ url, token, folder: place.gitFolder("ledger"), mark: marksOf(place).tools }, prd);
}

/** @throws OperationalError `LEDGER_UNKNOWN` */
export async function heldLedger(answer: ReturnType<LedgerRef["read"]>): Promise<HeldLedger> {
  const read = await answer;
  if (read.ok) return read.value;
  throw ledgerUnknown(read.trouble);
}

export function ledgerUnknown({ because }: LedgerTrouble): OperationalError {
  return new OperationalError({
    code: "LEDGER_UNKNOWN",
    what: `The ledger of this PRD could not be read or written: ${because}. No story was begun upon it.`,
    next: "Give the job the permission `contents: write`, or try again; what has landed is on the PRD's branch all the same.",
  });
}
