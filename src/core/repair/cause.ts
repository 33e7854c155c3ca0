import { seenOnOneLine } from "../text.ts";
import type { Cause, CauseEvidence, Since } from "./repair.ts";

/** What is known of a failed job. Names and texts are others' words. */
export interface JobFacts {
  readonly name: string;
  /** the names of the steps that failed */
  readonly steps: readonly string[];
  /** whether a runner has ever begun with it */
  readonly hasRun: boolean;
  /** the end of what the failing steps printed, and what the runner said about the job */
  readonly text: string;
  /** attempts of the same run in which it was green */
  readonly greenAttempts: readonly number[];
}

/** What GitHub knows around a failed run. */
export interface CauseFacts {
  /** the failed jobs; the first is what the loop is about */
  readonly jobs: readonly JobFacts[];
  /** a run of the same workflow on the same commit in which the job was green; null: none is known */
  readonly greenOnCommit: { readonly url: string } | null;
  /** the newest run of the workflow on the base branch; null: not known, or the failed run is the base's own */
  readonly base: {
    readonly branch: string;
    readonly url: string;
    readonly sha: string;
    readonly isGreen: boolean;
    /** the names of its failed jobs */
    readonly failed: readonly string[];
  } | null;
  readonly branch: string | null;
  readonly range: Since;
}

const QUOTED = 200;
/** An outage ends a step; what is further up was got over. */
const LAST_LINES = 15;

/** Steps of the runner's own, before and behind those of the workflow. */
const OWN_STEPS: ReadonlySet<string> = new Set([
  "Set up job",
  "Initialize containers",
  "Set up runner",
  "Complete job",
]);

/** What shows in the words of a log that it was not the work; others write there, so it is told as a quotation. */
const OUTAGES: readonly (readonly [what: string, words: RegExp])[] = [
  [
    "the runner",
    /runner has received a shutdown signal|lost communication with the server|hosted runner encountered/iu,
  ],
  ["the runner", /No space left on device|ENOSPC\b/u],
  ["a quota", /\b429 Too Many Requests\b|\btoomanyrequests\b|rate limit exceeded|reached your pull rate limit/iu],
  ["a quota", /spending limit|recent account payments have failed|exceeded (?:your|the) [\w -]{0,40}quota/iu],
  [
    "the network",
    /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b|Could not resolve host|Temporary failure in name resolution/iu,
  ],
  [
    "the network",
    /\b(?:502 Bad Gateway|503 Service Unavailable|504 Gateway Time-?out)\b|TLS handshake timeout|\bnpm error code (?:ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/iu,
  ],
];

/** A rule of classification: the evidence; [] where it does not hold. */
type CauseRule = readonly [
  kind: Cause["kind"],
  evidence: (job: JobFacts, facts: CauseFacts) => readonly CauseEvidence[],
];

/** The first that holds wins: what GitHub itself has recorded before what a log says. */
const RULES: readonly CauseRule[] = [
  ["flaky", flaky],
  ["base", redOnBase],
  ["infrastructure", infrastructure],
  ["branch", changedSince],
];

/** Why a run has failed, by the first of its jobs (C105). Pure; what is not known is not guessed. */
export function causeOf(facts: CauseFacts): Cause {
  const [job] = facts.jobs;
  if (job === undefined) return { kind: "unknown", evidence: [said("GitHub does not tell which of its jobs failed.")] };
  for (const [kind, look] of RULES) {
    const evidence = look(job, facts);
    if (evidence.length > 0) return { kind, evidence };
  }
  return { kind: "unknown", evidence: [said("Neither a green run before it nor one of the base is known.")] };
}

function flaky({ name, greenAttempts }: JobFacts, { greenOnCommit }: CauseFacts): readonly CauseEvidence[] {
  const job = quoted(name);
  return [
    ...(greenAttempts.length === 0
      ? []
      : [said(`Job ${job} was green in attempt ${greenAttempts.join(", ")} of the same run, so for the same commit.`)]),
    ...(greenOnCommit === null
      ? []
      : [said(`Job ${job} was green on the same commit in another run.`, greenOnCommit.url)]),
  ];
}

function redOnBase({ name }: JobFacts, { base }: CauseFacts): readonly CauseEvidence[] {
  if (base === null || !base.failed.includes(name)) return [];
  const at = `${quoted(base.branch)} at ${base.sha.slice(0, 12)}`;
  return [said(`Job ${quoted(name)} is red in the newest run of the base, ${at}.`, base.url)];
}

function infrastructure({ name, steps, hasRun, text }: JobFacts): readonly CauseEvidence[] {
  if (!hasRun) return [said(`No runner has begun with job ${quoted(name)}.`)];
  if (steps.length === 0) return [said(`No step of job ${quoted(name)} has failed: the runner or GitHub ended it.`)];
  const own = steps.find((step) => OWN_STEPS.has(step));
  if (own !== undefined) return [said(`It failed in ${quoted(own)}, which is the runner's own step.`)];
  const last = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-LAST_LINES);
  for (const [what, words] of OUTAGES) {
    const line = last.find((one) => words.test(one.slice(0, 2_000)));
    if (line !== undefined) return [said(`The log speaks of ${what}: ${quoted(line)}`)];
  }
  return [];
}

function changedSince(_job: JobFacts, { base, branch, range }: CauseFacts): readonly CauseEvidence[] {
  const { green, count } = range;
  const isGreenBase = base?.isGreen === true;
  if (green === null && !isGreenBase) return [];
  const commits = count === 1 ? "1 commit" : `${count} commits`;
  return [
    ...(green === null
      ? []
      : [
          said(
            `The workflow was green on ${quoted(green.branch)} at ${green.sha.slice(0, 12)}, ${commits} before.`,
            green.url,
          ),
        ]),
    ...(isGreenBase && base.branch !== branch
      ? [said(`The newest run of the base, ${quoted(base.branch)} at ${base.sha.slice(0, 12)}, is green.`, base.url)]
      : []),
  ];
}

function said(text: string, url: string | null = null): CauseEvidence {
  return { text, url };
}

function quoted(text: string): string {
  return `“${seenOnOneLine(text, QUOTED)}”`;
}
