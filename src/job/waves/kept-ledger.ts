import type { Ledger } from "../../core/story/ledger.ts";
import type { HeldLedger, LedgerRef } from "../../git/ledger/ledger-ref.ts";
import { heldLedger, LEDGER_MS, ledgerUnknown } from "./ledger-of-job.ts";

/** So often somebody else may have been first. */
const MOST_TRIES = 10;

/** A PRD's ledger, as a job changes it step by step. */
export class KeptLedger {
  readonly #ref: LedgerRef;
  readonly #by: string;
  #held: HeldLedger;

  private constructor(ref: LedgerRef, by: string, held: HeldLedger) {
    this.#ref = ref;
    this.#by = by;
    this.#held = held;
  }

  /**
   * @param by whose changes they are
   * @throws OperationalError `LEDGER_UNKNOWN`
   */
  static async open(ref: LedgerRef, by: string): Promise<KeptLedger> {
    return new KeptLedger(ref, by, await heldLedger(ref.read(LEDGER_MS)));
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
      if (wanted === this.#held.ledger) return;
      const from = { ...this.#held, notes: `${this.#held.notes}${note}` };
      const written = await this.#ref.write(from, wanted, this.#by, LEDGER_MS);
      if (written.ok) {
        this.#held = written.value;
        return;
      }
      if (written.trouble.kind !== "moved") throw ledgerUnknown(written.trouble);
      this.#held = await heldLedger(this.#ref.read(LEDGER_MS));
    }
    throw ledgerUnknown({ kind: "moved", because: "other runs change it all the time" });
  }
}
