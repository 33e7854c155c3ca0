import { UsageError } from "../../core/errors.ts";
import { accepted, type Ledger, obeyed, retried } from "../../core/story/ledger.ts";
import type { Prd } from "../../core/story/story.ts";
import type { HeldLedger, LedgerRef } from "../../git/ledger/ledger-ref.ts";
import type { PrdRequest } from "../../requests/verify-prd.ts";
import { heldLedger, LEDGER_MS, ledgerUnknown } from "./ledger-of-job.ts";

/** Others may change the ledger at the same moment; so often it is read again. */
const TRIES = 3;

/** A run that may have been asked for something. */
export interface AskedRun {
  readonly asked: PrdRequest | null;
  readonly runId: number;
  /** from 1 */
  readonly attempt: number;
  /** whose change of the ledger it is */
  readonly by: string;
  /** tells a person */
  readonly notice: (text: string) => void;
}

/**
 * The ledger, once what a person has asked of a story is done to it (`retry`, `accept`).
 *
 * @throws UsageError `NO_SUCH_STORY`
 * @throws OperationalError `LEDGER_UNKNOWN`
 */
export async function ledgerOnceObeyed(ref: LedgerRef, prd: Prd, run: AskedRun): Promise<HeldLedger> {
  for (let tries = 1; ; tries += 1) {
    const held = await heldLedger(ref.read(LEDGER_MS));
    const wanted = obey(held.ledger, prd, run);
    if (wanted === held.ledger) return held;
    const written = await ref.write(held, wanted, run.by, LEDGER_MS);
    if (written.ok) return written.value;
    if (written.trouble.kind !== "moved" || tries === TRIES) throw ledgerUnknown(written.trouble);
  }
}

/** The same ledger: nothing is asked, or it was done before. */
function obey(ledger: Ledger, { name, stories }: Prd, { asked, runId, attempt, notice }: AskedRun): Ledger {
  if (asked === null || asked.story === null) return ledger;
  const { story, verb, words } = asked;
  const request = asked.request ?? `run:${runId}`;
  if (wasObeyed(ledger.obeyed, request, attempt)) {
    notice(
      `What ${request} asks for was done before, so it is not done again. This run goes on with the PRD as it is.`,
    );
    return ledger;
  }
  if (!stories.some(({ id }) => id === story)) {
    const next = `Name one of its stories, such as ${stories[0]?.id ?? "US-001"}.`;
    throw new UsageError({ code: "NO_SUCH_STORY", what: `${name} has no story ${story}. Nothing was done.`, next });
  }
  return obeyed(verb === "accept" ? accepted(ledger, story) : retried(ledger, story, words), request);
}

/**
 * Whether a request was obeyed, by the last one that was. When somebody runs an old run again there have been others
 * since, whose numbers are higher.
 */
export function wasObeyed(last: string | null, request: string, attempt: number): boolean {
  if (last === request) return true;
  const [[kind, number], [lastKind, lastNumber]] = [request.split(":"), (last ?? "").split(":")];
  return attempt > 1 && kind === lastKind && Number(number) < Number(lastNumber);
}
