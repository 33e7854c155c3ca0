import type { StatusBlock } from "./status-block.ts";

/**
 * What the agent says about its own work. A claim never ends a loop by itself: it asks for proof (section 4).
 */
export interface Claim {
  /** the seed's literal detector: the promise occurs somewhere in the last message (W-37, W-48) */
  readonly detected: boolean;
  /** an occurrence survived `promise-guard`: the agent says it is done (section 5.3) */
  readonly done: boolean;
  /** the same of the done token (S-10) */
  readonly token_done: boolean;
  /** why a detected or nearly right promise does not count; goes into the next prompt */
  readonly hint: string | null;
  /** the BLOCKED section of the message, at most 1 KiB (W-51) */
  readonly blocked: string | null;
  /** the lines under `NOTES:`, at most ten (C18) */
  readonly notes: readonly string[];
  /** the sentence that names unfinished work in the same breath as the promise (C22); null: there is none */
  readonly unfinished: string | null;
  /** the status block of the turn, whoever's form it has (C1); null: there is none */
  readonly block: StatusBlock | null;
}

/** The claim of a turn that said nothing. */
export const NO_CLAIM: Claim = {
  detected: false,
  done: false,
  token_done: false,
  hint: null,
  blocked: null,
  notes: [],
  unfinished: null,
  block: null,
};

/** What the agent's own status block says against its claim, as part of a sentence; null: nothing (section 4.3). */
export function vetoOf({ block }: Claim): string | null {
  if (block === null) return null;
  if (block.exit_signal === false) return "EXIT_SIGNAL: false";
  if (block.status === "BLOCKED" || block.status === "ERROR") return `STATUS: ${block.status}`;
  return block.tests_status === "FAILING" ? "TESTS_STATUS: FAILING" : null;
}
