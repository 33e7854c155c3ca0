import type { Config } from "../../config/config.ts";
import { OperationalError } from "../../core/errors.ts";
import type { Ledger } from "../../core/story/ledger.ts";
import { createLedgerRef, type HeldLedger, type LedgerRef, type LedgerTrouble } from "../../git/ledger/ledger-ref.ts";
import type { GithubContext } from "../../github/context.ts";
import { type JobPlace, marksOf } from "../../store/place.ts";

/** How often somebody else may have been first. */
const MOST_TRIES = 10;
/** How long one reading or writing may take, in milliseconds. */
const WITHIN_MS = 60_000;

/** The job that reads or changes a ledger. */
interface LedgerJob {
  readonly context: Pick<GithubContext, "serverUrl" | "repository" | "runId" | "attempt">;
  readonly config: Pick<Config, "githubToken">;
  readonly place: JobPlace;
}

/** A PRD's ledger, as a job changes it step by step: nothing else writes it. */
export class KeptLedger {
  readonly #ref: LedgerRef;
  readonly #by: string;
  #held: HeldLedger;

  private constructor(ref: LedgerRef, by: string, held: HeldLedger) {
    this.#ref = ref;
    this.#by = by;
    this.#held = held;
  }

  /** That of a PRD of the job's repository. @throws OperationalError `LEDGER_UNKNOWN` */
  static async ofJob({ context, config, place }: LedgerJob, prd: string): Promise<KeptLedger> {
    const { serverUrl, repository, runId, attempt } = context;
    const url = `${serverUrl}/${repository.owner}/${repository.name}`;
    const at = { url, token: config.githubToken, folder: place.gitFolder("ledger"), mark: marksOf(place).tools };
    return KeptLedger.open(createLedgerRef(at, prd), `run ${runId}, attempt ${attempt}`);
  }

  /**
   * @param by whose changes they are
   * @throws OperationalError `LEDGER_UNKNOWN`
   */
  static async open(ref: LedgerRef, by: string): Promise<KeptLedger> {
    return new KeptLedger(ref, by, await held(ref));
  }

  get now(): Ledger {
    return this.#held.ledger;
  }

  /** What its waves have noted. Words of others. */
  get notes(): string {
    return this.#held.notes;
  }

  /**
   * Makes a change, again where somebody else has changed the ledger meanwhile.
   *
   * @param change returns what it was given where there is nothing left to do
   * @param note goes with it, below what was noted before
   * @throws OperationalError `LEDGER_UNKNOWN`
   */
  async change(change: (ledger: Ledger) => Ledger, note = ""): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const wanted = change(this.#held.ledger);
      if (wanted === this.#held.ledger || (await this.put(wanted, note))) return;
    }
    throw unknown({ kind: "moved", because: "other runs change it all the time" });
  }

  /**
   * Puts another one in its place, unless somebody has changed it meanwhile.
   *
   * @returns false: somebody has, nothing was written, and `now` is what they have made of it
   * @throws OperationalError `LEDGER_UNKNOWN`
   */
  async put(wanted: Ledger, note = ""): Promise<boolean> {
    const from = { ...this.#held, notes: `${this.#held.notes}${note}` };
    const written = await this.#ref.write(from, wanted, this.#by, WITHIN_MS);
    if (!written.ok && written.trouble.kind !== "moved") throw unknown(written.trouble);
    this.#held = written.ok ? written.value : await held(this.#ref);
    return written.ok;
  }
}

async function held(ref: LedgerRef): Promise<HeldLedger> {
  const read = await ref.read(WITHIN_MS);
  if (read.ok) return read.value;
  throw unknown(read.trouble);
}

function unknown({ kind, because }: LedgerTrouble): OperationalError {
  return new OperationalError({
    code: "LEDGER_UNKNOWN",
    what: `The ledger of this PRD could not be read or written: ${because}. No story was started on it.`,
    next: kind === "refused" ? NOT_OURS : "Put that right, and run it again; what has landed is on the PRD's branch.",
  });
}

const NOT_OURS =
  "Merge what has landed, then delete that ref (`git push origin --delete` and its name): the PRD begins with what its prd.json says.";
