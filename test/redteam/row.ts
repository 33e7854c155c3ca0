/** One attack, and the tests that show that it is stopped. */
export interface Row {
  /** a threat of docs/threats.md, or one of the doors that stood open: `door 1` */
  readonly id: string;
  readonly attack: string;
  readonly by: string;
  /** `<file below test>: <words of the full title>`; a title with placeholders is named by what stands between them */
  readonly proofs: readonly string[];
  /** nothing stops it here; the proof is that people are told */
  readonly told?: true;
}

/** Where a proof is, and the words of its title. */
export function proofOf(proof: string): { readonly file: string; readonly words: string } {
  const at = proof.indexOf(": ");
  return { file: proof.slice(0, at), words: proof.slice(at + 2) };
}

const JOB = "redteam/job.long.test.ts";

/** A proof from the job of a hostile agent, which is tried as each user. */
export const inJob = (words: string): string => `${JOB}: ${words}`;
