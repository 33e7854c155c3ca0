import { UsageError } from "../../core/errors.ts";
import { accepted, type Ledger, obeyed, retried } from "../../core/story/ledger.ts";
import { storyDigest } from "../../core/story/stories.ts";
import type { Prd } from "../../core/story/story.ts";
import { sha256 } from "../../os/digest.ts";
import type { PrdRequest } from "../../requests/verify-prd.ts";
import type { KeptLedger } from "./kept-ledger.ts";

/** A run that may have been asked for something. */
export interface AskedRun {
  readonly asked: PrdRequest | null;
  readonly runId: number;
  /** from 1 */
  readonly attempt: number;
  /** tells a person */
  readonly notice: (text: string) => void;
}

/**
 * Does to the ledger what a person has asked of a story (`retry`, `accept`).
 *
 * @throws UsageError `NO_SUCH_STORY`
 * @throws OperationalError `LEDGER_UNKNOWN`
 */
export async function obey(ledger: KeptLedger, prd: Prd, run: AskedRun): Promise<void> {
  await ledger.change((now) => obeying(now, prd, run));
}

/** The same ledger: nothing is asked, or it was done before. */
function obeying(ledger: Ledger, { name, stories }: Prd, { asked, runId, attempt, notice }: AskedRun): Ledger {
  if (asked === null || asked.story === null) return ledger;
  const { story, verb, words } = asked;
  const request = asked.request ?? `run:${runId}`;
  if (wasObeyed(ledger.obeyed, request, attempt)) {
    notice(
      `What ${request} asks for was done before, so it is not done again. This run goes on with the PRD as it is.`,
    );
    return ledger;
  }
  const wanted = stories.find(({ id }) => id === story);
  if (wanted === undefined) {
    const next = `Name one of its stories, such as ${stories[0]?.id ?? "US-001"}.`;
    throw new UsageError({ code: "NO_SUCH_STORY", what: `${name} has no story ${story}. Nothing was done.`, next });
  }
  if (verb === "retry") return obeyed(retried(ledger, story, words), request);
  return obeyed(accepted(ledger, story, asked.asker, storyDigest(wanted, sha256)), request);
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
