import type { Flake } from "../../src/core/verdict.ts";
import { expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { type CauseFacts, causeOf, type JobFacts } from "../../src/core/repair/cause.ts";
import type { Repair } from "../../src/core/repair/repair.ts";
import { failedRunBlocks, flakeBlocks } from "../../src/views/github/failed-run.ts";
import { pullRequestText } from "../../src/views/github/pull-request.ts";
import { chosenReply } from "../../src/views/github/relay-reply.ts";
import { finalComment, statusComment } from "../../src/views/github/status-comment.ts";
import { assembled } from "../../src/views/github/markdown.ts";
import { proofOf } from "../../src/views/proof.ts";
import { reasonDetail } from "../../src/views/reason.ts";
import { aView } from "./a-state.ts";
import { aPullRequest, COMPLETED, ended, someFacts } from "./publication-facts.ts";
import { aCheck, aFailedRun, aRepair, aState, aVerdict } from "../support/builders.ts";

function shown(repair: Repair | null): string {
  return assembled([["run", failedRunBlocks({ state: aState({ repair }) })]], 60_000);
}

const FLAKE = { command: "npm test", tests: ["adds up"], red: "not ok 7", green: "ok 7", tries: 1 };
const word = (advice: string): string => advice;

test("people see which job failed, why as far as it shows, with links, and what was seen here [C105]", () => {
  const text = shown(aRepair({ here: "red", more_jobs: 2 }));
  expect(text).toContain("### The failed run");
  expect(text).toContain("/job/1) and 2 other jobs, for commit `bbbbbbbbbbbb`.");
  expect(text).toContain("**Cause: caused by this branch.**");
  expect(text).toContain("[Look.](https://github.com/o/r/actions/runs/88)");
  expect(text).toContain("It showed here as well, before the first turn.");
  expect(text).toContain("`bbbbbbbbbbbb` feat: add");
  expect(text).toContain("not ok 7 adds up");
  expect(shown(null).trim()).toBe("");
});

test("that a pull request's run looked at a merge, which nothing here does, is told [C182]", () => {
  const of = (commits: number): string => shown(aRepair({ behind: { base: "main`<b>", count: commits } }));
  expect(of(3)).toMatch(
    /merged with its base, which has 3 commits that the branch has not: [^\n]+ The base is `+ ?main/u,
  );
  expect(of(1)).toContain("which has a commit that the branch has not");
  expect(of(1)).not.toContain("\n<b>");
  expect(shown(aRepair({}))).not.toContain("merged with");
});

const OTHER = { id: 89, name: "Lint [x](https://evil) @octo", url: "https://github.com/o/r/actions/runs/89" };
/** As one sees it: nothing is a link, and nobody is called. */
const SHOWN =
  "[Lint \\[x\\](https:\u200B//evil) @\u200Bocto](https://github.com/o/r/actions/runs/89): `/smithers fix 89`";

test("other runs that are red are named with the comment that asks for them [C114]", () => {
  expect(shown(aRepair({ others: [OTHER] }))).toContain(`- ${SHOWN}`);
  expect(chosenReply(OTHER, [OTHER, { ...OTHER, id: 7, name: "" }])).toMatch(/- \[7\]\(\S+\): `\/smithers fix 7`/u);
  expect(chosenReply({ ...OTHER, name: "" }, [OTHER])).toContain("It is [89](");
});

test("the loop's comment says what is repaired, and on a person's pull request why it failed as well [C105, C114]", () => {
  const repair = aRepair({ here: "red", others: [OTHER] });
  const live = { ...someFacts(), startedAt: 0, now: 1, deadline: null, activity: null, checks: [], item: null };
  const running = (of: Repair): string =>
    statusComment(aView({ repair: of }, { alive: true }), { ...live, maxTokens: null, maxTotalMs: null });
  expect(running(repair)).toMatch(
    /\*\*Repairs:\*\* \[CI\]\(\S+\), job \[test\]\(\S+\); 1 other run red for the same commit/u,
  );
  expect(running(aRepair({ jobs: [] }))).toMatch(/\*\*Repairs:\*\* \[CI\]\(\S+\)\n/u);
  const ending = (own: boolean): string =>
    finalComment(
      aView({ ...ended(COMPLETED), repair }),
      someFacts({ pullRequest: aPullRequest({ own, draft: false }) }),
    );
  expect(ending(false)).toContain("**Cause: caused by this branch.**");
  expect(ending(false)).toContain(SHOWN);
  expect(ending(true)).not.toContain("**Cause:");
});

const JOBS = aFailedRun().jobs.map((job) => ({ ...job, log: "" }));

test.for<readonly [name: string, repair: Partial<Repair>, has: string]>([
  ["green here", { here: "green" }, "It did not show here: the checks were green before the first turn."],
  [
    "not tried, no command",
    { command: null, not_here: "the job needs services" },
    "It was not tried here before the first turn. The job's own command cannot be run here: the job needs services.",
  ],
  ["no command, no reason", { command: null }, "cannot be run here: it is not known."],
  [
    "no jobs known",
    { jobs: [], run: { ...aFailedRun().run, workflow: "" } },
    "[ci.yml](https://github.com/o/r/actions/runs/88), for",
  ],
  ["no log, no commits", { jobs: JOBS, range: { green: null, commits: [], count: 0 } }, "for commit"],
  [
    "evidence without a place",
    { cause: { kind: "unknown", evidence: [{ text: "Nothing is known.", url: null }] } },
    "Nothing is known.",
  ],
])("%s [C105]", ([, repair, has]) => {
  expect(shown(aRepair(repair))).toContain(has);
});

test.for<readonly [name: string, checks: Partial<LoopState["checks"]>, repair: Partial<Repair>, said: string | null]>([
  [
    "success-cmd alone",
    { success_cmd: ["make", "all"] },
    {},
    'The failed job "test" itself is not asked on GitHub: what the loop\'s workflow names proves the work.',
  ],
  [
    "another workflow",
    { ci_workflow: "other.yml" },
    { jobs: [] },
    "The failed job itself is not asked on GitHub: what the loop's workflow names proves the work.",
  ],
  [
    "the job's own command",
    { success_sh: "npm test" },
    {},
    'The failed job "test" itself is not asked on GitHub: its command proves the work here, as the base has it.',
  ],
  [
    "and what nothing asks",
    { success_sh: "npm test" },
    { unasked: ["e2e", "docs"] },
    'The failed job "test" itself is not asked on GitHub: its command proves the work here, as the base has it. Nothing has asked what failed as well: "e2e", "docs".',
  ],
  ["the whole workflow", { ci_workflow: "ci.yml" }, { proves: [] }, null],
  ["success-cmd and that very job", { success_cmd: ["make"], ci_workflow: "ci.yml" }, {}, null],
])("what proves a repair is told, and whether that very job is asked: %s [C116]", ([, checks, repair, said]) => {
  const { checks: none } = aState();
  const state = aState({
    ...{ status: "completed", stop_reason: COMPLETED, repair: aRepair(repair), verdict: aVerdict("passed") },
    checks: { ...none, success_cmd: null, success_sh: null, ci_workflow: null, quality_commands: [], ...checks },
  });
  const { sentence } = proofOf(state);
  const text = assembled([["run", failedRunBlocks({ state })]], 60_000);
  expect(sentence).toMatch(said === null ? /^Verified: .* passed\.$/u : /^Verified: .* passed\. The failed job/u);
  expect(sentence.endsWith(said ?? " passed.")).toBe(true);
  const asked = repair.proves === undefined ? "“test”" : "ci.yml";
  expect(text).toContain(said ?? `The work is done only when GitHub shows ${asked} green on it.`);
});

const JOB: JobFacts = { name: "test", steps: ["Run npm test"], hasRun: true, text: "not ok 7", greenAttempts: [] };
const BASE = { branch: "main", url: "https://x/2", sha: "c".repeat(40), isGreen: false, failed: ["test"] };
const GREEN = { sha: "a".repeat(40), url: "https://x/1", branch: "feature" };
const [BRANCH, RED_BASE, FLAKY, INFRA] = [
  "**Cause: caused by this branch.**",
  "**Cause: already red on the base.**",
  "**Cause: flaky.**",
  "**Cause: infrastructure: network, runner or quota.**",
];

/** What the pull request says for what GitHub has told: the class, and then what speaks for it. */
test.for<
  readonly [name: string, heading: string, evidence: string, job: Partial<JobFacts>, facts?: Partial<CauseFacts>]
>([
  [
    "commits since it was green",
    BRANCH,
    "- The workflow was green on “feature” at aaaaaaaaaaaa, 2 commits before. [Look.](https://x/1)",
    {},
    { range: { green: GREEN, commits: [], count: 2 } },
  ],
  [
    "a green base",
    BRANCH,
    "- The newest run of the base, “main” at cccccccccccc, is green. [Look.](https://x/2)",
    {},
    { base: { ...BASE, isGreen: true, failed: [] } },
  ],
  [
    "a base that was red",
    RED_BASE,
    "- Job “test” is red in the newest run of the base, “main” at cccccccccccc. [Look.](https://x/2)",
    {},
    { base: BASE },
  ],
  [
    "another attempt",
    FLAKY,
    "- Job “test” was green in attempt 1 of the same run, so for the same commit.",
    { greenAttempts: [1] },
  ],
  [
    "another run",
    FLAKY,
    "- Job “test” was green on the same commit in another run. [Look.](https://x/3)",
    {},
    { greenOnCommit: { url: "https://x/3" } },
  ],
  [
    "the network",
    INFRA,
    "- The log speaks of the network: “getaddrinfo ENOTFOUND a.invalid”",
    { text: "getaddrinfo ENOTFOUND a.invalid" },
  ],
  ["the runner", INFRA, "- No runner has begun with job “test”.", { hasRun: false }],
  [
    "a quota",
    INFRA,
    "- The log speaks of a quota: “toomanyrequests: slow down”",
    { text: "toomanyrequests: slow down" },
  ],
])("the pull request names the class and its evidence: %s [C105, C119]", ([, heading, evidence, job, facts = {}]) => {
  const none = { greenOnCommit: null, base: null, branch: "feature", range: { green: null, commits: [], count: 0 } };
  const cause = causeOf({ ...none, jobs: [{ ...JOB, ...job }], ...facts });
  const { body } = pullRequestText(
    aView({ ...ended(COMPLETED), repair: aRepair({ cause, here: "red" }) }),
    someFacts(),
  );
  expect(body).toContain(`${heading}\n\n${evidence}\n`);
});

test("what was red and green here before a turn is flaky, whatever GitHub tells; that is told as well [C105, C119]", () => {
  const first = { ...aVerdict("failed"), flake: FLAKE };
  const text = (here: "red" | null): string =>
    assembled([["run", failedRunBlocks({ state: aState({ repair: aRepair({ here }), first_check: first }) })]], 60_000);
  expect(text("red")).toMatch(
    /\*\*Cause: flaky\.\*\*\n\n- “npm test” was red and green here, on the same files[^]*- [^]*Look\./u,
  );
  expect(text(null)).toContain(BRANCH);
});

test("what was red here for other tests each time is flaky, and what was red every time is not [C166]", () => {
  const text = (more: Partial<Flake>): string => {
    const flake = { ...FLAKE, green: "", other: "not ok 8", ...more };
    const state = aState({ repair: aRepair({ here: "red" }), first_check: { ...aVerdict("failed"), flake } });
    return assembled([["run", failedRunBlocks({ state })]], 60_000);
  };
  expect(text({})).toContain("**Cause: flaky.**\n\n- “npm test” was red here for other tests each time");
  expect(text({ stable: ["takes"] })).toContain(BRANCH);
});

test.for([
  [undefined, "Verified: `npm test` passed."],
  [1, "Verified: `npm test` passed. The commands were asked again once on the same files, and were green."],
  [3, "Verified: `npm test` passed. The commands were asked again 3 times on the same files, and were green."],
] as const)("a proof says how often it was asked again: %s [C103, C119]", ([repeated, sentence]) => {
  const verdict = {
    ...aVerdict("passed", [aCheck({ command: "npm test" })]),
    ...(repeated === undefined ? {} : { repeated }),
  };
  const { checks } = aState();
  const state = aState({
    status: "completed",
    stop_reason: COMPLETED,
    verdict,
    checks: { ...checks, success_sh: "npm test" },
  });
  expect(proofOf(state).sentence).toBe(sentence);
});

test("a flake is shown with both outputs, by the names of its tests [C103]", () => {
  const of = (flake: typeof FLAKE | undefined) => ({
    ...aVerdict("failed"),
    ...(flake === undefined ? {} : { flake }),
  });
  const flaky = (first: typeof FLAKE | undefined, later?: typeof FLAKE): string =>
    assembled([["flaky", flakeBlocks({ state: aState({ first_check: of(first), verdict: of(later) }) })]], 60_000);
  expect(flaky(FLAKE)).toMatch(/### Flaky[^]*`npm test` was red and green[^]*`adds up`[^]*not ok 7[^]*ok 7/u);
  expect(flaky(undefined, { ...FLAKE, tests: [] })).toContain("was red and green");
  expect(flaky(undefined).trim()).toBe("");
  // What ended the loop is told before what was seen at its beginning.
  expect(flaky(FLAKE, { ...FLAKE, tests: ["takes"] })).not.toContain("adds up");
  const other = { ...FLAKE, green: "", other: "not ok 8", stable: ["lint"] };
  expect(flaky(other)).toMatch(
    /`npm test` was red on the same files for different tests\.[^]*`adds up`[^]*Red every time, and so no flake:\n\n- `lint`[^]*not ok 7[^]*The other red output[^]*not ok 8/u,
  );
});

test("endings that are no success say why, and never that the work is verified [C102, C103]", () => {
  const ending = { kind: "not_reproduced", run: "https://x/88", job: "test", cause: "flaky" } as const;
  const green = reasonDetail({ ...ending, why: "green_here" }, word);
  expect(green).toContain("green before anything was changed. Cause, as far as it shows: flaky.");
  expect(reasonDetail({ ...ending, why: "unchanged" }, word)).toContain("green although nothing was changed");
  const flaky = "npm test was red and green on the same files";
  expect(reasonDetail({ kind: "flaky", ...FLAKE }, word)).toBe(`${flaky}: adds up.`);
  expect(reasonDetail({ kind: "flaky", ...FLAKE, tests: [] }, word)).toBe(`${flaky}.`);
  const other = reasonDetail({ kind: "flaky", ...FLAKE, green: "", other: "not ok 8" }, word);
  expect(other).toBe("npm test was red for different tests on the same files: adds up.");
  const state = aState({ stop_reason: { ...ending, why: "unchanged" }, verdict: aVerdict("passed") });
  expect(proofOf({ ...state, checks: { ...state.checks, success_sh: "npm test" } }).result).toBe("not_verified");
});
