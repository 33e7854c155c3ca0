import { describe, expect, test } from "vitest";
import { githubPlaceOf, MOST_WORK_BY_ITSELF_MS, publicationFacts } from "../../src/publish/publication-facts.ts";
import { SETTING_BY_NAME } from "../../src/config/settings.ts";
import { MOST_CONTINUATIONS, type LoopState } from "../../src/core/state.ts";
import { aPull } from "../support/github-api/server.ts";
import { someStories } from "../support/stories.ts";
import { aState } from "../views/a-state.ts";
import { ended } from "../views/publication-facts.ts";
import { BRANCH, type PublishStage, publishStage, type StageJob } from "./publish-stage.ts";

const LINK = {
  ...{ branch: BRANCH, head: "b".repeat(40), pull_request: null },
  ...{ authorised_by: null, obeyed: null, continuations: 0 },
};
const TIME_UP = ended({ kind: "time_budget" });

/** What decides about an ending of a loop that has checked out its branch, and may have worked there. */
async function facts(
  at: PublishStage,
  { job: given, state = {}, files = [], checksOut: takes = true }: Situation = {},
) {
  const job = await at.job(given);
  const branch = takes ? await at.checkOut(job) : undefined;
  for (const file of files) await at.work(file);
  const began = branch?.head ?? null;
  return publicationFacts(at.sources(job, branch), aState({ github: LINK, ...state }), at.access(), {
    began,
    withinMs: 15_000,
  });
}

interface Situation {
  readonly job?: StageJob;
  readonly state?: Partial<LoopState>;
  readonly files?: readonly string[];
  readonly checksOut?: boolean;
}

describe.concurrent("what is known when a loop has ended [C13]", () => {
  test("the work is ahead, and tests and workflows that it changed are named", async () => {
    await using at = await publishStage();
    const files = ["a.ts", "a.test.ts", ".github.txt"];
    const known = await facts(at, { files });
    const head = await at.git("rev-parse", "HEAD");
    expect(known).toMatchObject({ head, ahead: true, branch: BRANCH, base: "main", token: "github-token" });
    expect([known.changedTests, known.changedCi, known.notes]).toEqual([["a.test.ts"], [], []]);
  });

  test("where each story is one commit, what somebody else has committed is not published [D-08]", async () => {
    await using at = await publishStage();
    const head = await at.git("rev-parse", "HEAD");
    const stories = someStories([], { stands: { head, branch: BRANCH } });
    expect(await facts(at, { files: ["a.ts"], state: { stories } })).toMatchObject({ head, ahead: false });
  });

  test("nothing was done on a new branch: it is not ahead", async () => {
    await using at = await publishStage();
    expect(await facts(at)).toMatchObject({ ahead: false, changedTests: [] });
  });

  test("nothing was done on a branch that is there: it is as far as it was", async () => {
    await using at = await publishStage();
    const tip = await at.push(BRANCH);
    expect(await facts(at)).toMatchObject({ ahead: true, head: tip });
  });

  test("no branch checked out: what is known of GitHub is what the loop knew", async () => {
    await using at = await publishStage();
    expect(await facts(at, { checksOut: false, files: ["a.ts"] })).toMatchObject({ ahead: false, head: LINK.head });
  });

  test.for([
    { what: "the setting", job: { inputs: { base: "release" } }, base: "release" },
    { what: "the branch that runs", job: { env: { GITHUB_REF: "refs/heads/dev" } }, base: "dev" },
    { what: "the default one", job: { env: { GITHUB_REF: "refs/pull/7/merge" } }, base: "main" },
  ])("what it is to be merged into: $what", async ({ job, base }) => {
    await using at = await publishStage();
    const { context, settings } = await at.job(job);
    expect(githubPlaceOf(context, settings.config, BRANCH)).toMatchObject({ base, branch: BRANCH, job: "loop" });
  });

  test.for([
    {
      what: "the one that the loop knows",
      pull: aPull({ number: 7, headBranch: BRANCH, base: "release" }),
      known: true,
    },
    { what: "a person's that nobody told it of", pull: aPull({ number: 7, headBranch: BRANCH, base: "release" }) },
    {
      what: "none that is open",
      pull: aPull({ number: 7, headBranch: BRANCH, base: "r", state: "closed" }),
      base: "main",
    },
    { what: "a draft that cannot be read", known: true, draft: true, base: "main" },
  ])(
    "the base is the pull request's own: $what [C96]",
    async ({ pull, known = false, draft = false, base = "release" }) => {
      await using at = await publishStage();
      await at.push(BRANCH);
      if (pull !== undefined) at.api.world.issues.push(pull);
      const link = { number: 7, url: "https://github.com/o/r/pull/7", own: false };
      const found = await facts(at, { state: { github: { ...LINK, pull_request: known ? link : null } } });
      expect(found).toMatchObject({ base, pullRequest: known ? { ...link, draft } : null });
    },
  );

  test.for([
    { what: "no word", env: {}, variable: undefined, disabled: false, asked: 1 },
    {
      what: "the workflow hands over that they are off",
      env: { SMITHERS_DISABLED: "true" },
      variable: undefined,
      disabled: true,
      asked: 0,
    },
    {
      what: "the workflow hands over that they are on",
      env: { SMITHERS_DISABLED: "" },
      variable: "true",
      disabled: false,
      asked: 0,
    },
    { what: "the variable says that they are off", env: {}, variable: "1", disabled: true, asked: 1 },
  ])("the kill switch of the repository: $what [T20]", async ({ env, variable, disabled, asked }) => {
    await using at = await publishStage({ contents: "write", variables: "read" });
    if (variable !== undefined) at.api.world.variables.set("SMITHERS_DISABLED", variable);
    const job = { env, inputs: { "self-continue": "auto", "max-tokens": "9", "max-total-minutes": "90" } };
    const { selfContinue } = await facts(at, { job, state: TIME_UP });
    expect(selfContinue).toMatchObject({
      setting: "auto",
      disabled,
      mostTokens: 9,
      mostMs: 90 * 60_000,
      refused: null,
    });
    expect(at.api.requests.filter(({ operation }) => operation === "actions/get-repo-variable")).toHaveLength(asked);
  });

  test("the variable is not asked for when nothing depends on it", async () => {
    await using at = await publishStage();
    await facts(at, { state: TIME_UP });
    const inputs = { "self-continue": "auto" };
    const { selfContinue } = await facts(at, { job: { inputs }, state: ended({ kind: "max_iterations", max: 3 }) });
    expect(selfContinue).toMatchObject({ mostMs: MOST_WORK_BY_ITSELF_MS, most: MOST_CONTINUATIONS });
    const help = SETTING_BY_NAME.get("self-continue")?.help ?? "";
    expect(help).toMatch(new RegExp(`${MOST_CONTINUATIONS} times.* ${MOST_WORK_BY_ITSELF_MS / 3_600_000} hours`, "u"));
    expect(at.api.requests.map(({ path }) => path)).toEqual(["/graphql", "/graphql"]);
  });
});
