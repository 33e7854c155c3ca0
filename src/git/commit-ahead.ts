import { type Committing, type Prepared, prepareCommit } from "./commit-preparation.ts";
import type { Staged } from "./staging.ts";

/**
 * Prepares the commit of what was staged last, while others work. One preparation at a time: they share an index, and
 * nobody but a commit asks what became of it.
 */
export class CommitAhead {
  readonly #use: Committing;
  readonly #headStartMs: number;
  #planned: NodeJS.Timeout | undefined;
  #prepared: Promise<Prepared | undefined> = Promise.resolve(undefined);

  /** @param headStartMs what whoever waits for the state of the work tree has to go on with first; 0: nothing */
  constructor(use: Committing, headStartMs: number) {
    this.#use = use;
    this.#headStartMs = headStartMs;
  }

  /** Plans the preparation, in place of an earlier one that has not begun. */
  plan(staged: Staged): void {
    clearTimeout(this.#planned);
    if (this.#headStartMs === 0) return this.#begin(staged);
    this.#planned = setTimeout(() => this.#begin(staged), this.#headStartMs);
    this.#planned.unref();
  }

  /**
   * What was prepared last, if it has begun; what has not is not begun any more.
   *
   * @returns undefined when nothing is there, or it failed: then the commit has to see for itself
   */
  async take(): Promise<Prepared | undefined> {
    clearTimeout(this.#planned);
    const prepared = await this.#prepared;
    this.#prepared = Promise.resolve(undefined);
    return prepared;
  }

  #begin(staged: Staged): void {
    this.#prepared = this.#prepared.then(() => prepareCommit(this.#use, staged)).catch(() => undefined);
  }
}
