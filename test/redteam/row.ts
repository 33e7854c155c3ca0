/** One attack, and the tests that show that it is stopped. */
export interface Row {
  /** a threat of docs/threats.md, or one of the doors that stood open: `door 1` */
  readonly id: string;
  readonly attack: string;
  readonly by: string;
  /** `<file below test>: <words of the full title>`; a title with placeholders is named by what stands between them */
  readonly proofs: readonly string[];
  /** nothing stops it: words of SECURITY.md, _What is not defended_, that tell people; a proof shows the attack, if cheap */
  readonly told?: string;
}

/** A test that ran, by its file and its full title. */
export interface Tried {
  readonly file: string;
  readonly title: string;
  readonly status: string;
}

/** What came of a row. */
export interface Verdict {
  /** why it is open; undefined: it is not */
  readonly open: string | undefined;
  /** as whom it was not tried, though its proofs can be */
  readonly notTriedAs: readonly string[];
}

/** @param users whom attacks can be tried as; a test that is tried as each says so in its title: `… (root) [T2]` */
export function verdictOf({ proofs }: Row, ran: readonly Tried[], users: readonly string[]): Verdict {
  const seen: string[] = [];
  let open: string | undefined;
  for (const proof of proofs) {
    const { file, words } = proofOf(proof);
    const tests = ran.filter((one) => one.file === file && one.title.includes(words));
    seen.push(...tests.map(({ title }) => title));
    const bad = tests.find(({ status }) => status !== "passed");
    if (tests.length === 0) open ??= `no such test: ${proof}`;
    else if (bad !== undefined) open ??= `${bad.status}: ${bad.title}`;
  }
  const [as, notTriedAs] = [true, false].map((was) =>
    users.filter((who) => seen.some((title) => title.includes(`(${who})`)) === was),
  );
  return { open, notTriedAs: as?.length === 0 ? [] : (notTriedAs ?? []) };
}

/** Where a proof is, and the words of its title. */
export function proofOf(proof: string): { readonly file: string; readonly words: string } {
  const at = proof.indexOf(": ");
  return { file: proof.slice(0, at), words: proof.slice(at + 2) };
}

const JOB = "redteam/job.long.test.ts";

/** A proof from the job of a hostile agent, which is tried as each user. */
export const inJob = (words: string): string => `${JOB}: ${words}`;
