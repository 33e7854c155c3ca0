import { expect, test } from "vitest";
import { type CauseFacts, causeOf, type JobFacts } from "../../../src/core/repair/cause.ts";

const JOB: JobFacts = { name: "test", steps: ["Run npm test"], hasRun: true, text: "not ok 7", greenAttempts: [] };
const GREEN = { sha: "a".repeat(40), url: "https://x/1", branch: "feature" };
const BASE = { branch: "main", url: "https://x/2", sha: "c".repeat(40), isGreen: false, failed: ["lint"] };
const FACTS: CauseFacts = {
  ...{ jobs: [JOB], greenOnCommit: null, base: null, branch: "feature" },
  range: { green: null, commits: [], count: 0 },
};

type Row = readonly [name: string, kind: string, said: RegExp, job: Partial<JobFacts>, facts?: Partial<CauseFacts>];

const since = (count: number): Partial<CauseFacts> => ({ range: { green: GREEN, commits: [], count } });

test.for<Row>([
  ["green in another attempt of the run", "flaky", /attempt 1, 3/u, { greenAttempts: [1, 3] }],
  ["green in another run of the commit", "flaky", /same commit/u, {}, { greenOnCommit: { url: "https://x/3" } }],
  [
    "red on the base as well",
    "base",
    /newest run of the base, “main” at cccccccccccc/u,
    {},
    { base: { ...BASE, failed: ["test"] } },
  ],
  ["red on the base in another job", "unknown", /Neither/u, {}, { base: BASE }],
  ["no runner ever began", "infrastructure", /No runner has begun/u, { hasRun: false }],
  ["no step failed", "infrastructure", /No step of job “test”/u, { steps: [] }],
  ["the runner's own step failed", "infrastructure", /“Set up job”/u, { steps: ["Set up job"] }],
  [
    "the network was gone",
    "infrastructure",
    /network: “npm error code ETIMEDOUT”/u,
    { text: "x\nnpm error code ETIMEDOUT\n" },
  ],
  ["a name was not found", "infrastructure", /network/u, { text: "getaddrinfo ENOTFOUND registry.invalid" }],
  ["a gateway was down", "infrastructure", /network/u, { text: "received 503 Service Unavailable" }],
  ["the disk was full", "infrastructure", /the runner/u, { text: "write: No space left on device" }],
  ["the runner was shut down", "infrastructure", /the runner/u, { text: "The runner has received a shutdown signal." }],
  [
    "a quota was used up",
    "infrastructure",
    /a quota/u,
    { text: "toomanyrequests: You have reached your pull rate limit" },
  ],
  ["nobody paid", "infrastructure", /a quota/u, { text: "recent account payments have failed or your spending limit" }],
  ["it came with commits", "branch", /green on “feature” at aaaaaaaaaaaa, 2 commits before/u, {}, since(2)],
  ["it came with one commit", "branch", /1 commit before/u, {}, since(1)],
  ["the base is green", "branch", /newest run of the base/u, {}, { base: { ...BASE, isGreen: true, failed: [] } }],
  ["nothing is known", "unknown", /Neither/u, {}],
])("%s: %s [C105]", ([, kind, said, job, facts = {}]) => {
  const cause = causeOf({ ...FACTS, jobs: [{ ...JOB, ...job }], ...facts });
  expect(cause.kind).toBe(kind);
  expect(cause.evidence.map(({ text }) => text).join(" ")).toMatch(said);
});

test("what GitHub has recorded counts before what a log says, and all that holds is told [C105]", () => {
  const job = { ...JOB, greenAttempts: [1], text: "npm error code ETIMEDOUT" };
  const known = { ...since(2), greenOnCommit: { url: "https://x/3" }, base: { ...BASE, isGreen: true, failed: [] } };
  const cause = causeOf({ ...FACTS, ...known, jobs: [job] });
  expect(cause).toMatchObject({ kind: "flaky", evidence: [{ url: null }, { url: "https://x/3" }] });
  const both = causeOf({ ...FACTS, ...known, greenOnCommit: null });
  expect(both.evidence.map(({ url }) => url)).toEqual(["https://x/1", "https://x/2"]);
});

test("an outage further up was got over, and a log without a job says nothing [C105]", () => {
  const text = ["getaddrinfo EAI_AGAIN", ...Array.from({ length: 20 }, (_, line) => `line ${line}`)].join("\n");
  expect(causeOf({ ...FACTS, jobs: [{ ...JOB, text }] }).kind).toBe("unknown");
  expect(causeOf({ ...FACTS, jobs: [] }).evidence[0]?.text).toBe("GitHub does not tell which of its jobs failed.");
});
