import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aJob, type GithubApi } from "../../support/github-api/server.ts";
import { HEAD, startFailedRun, WORKFLOW } from "./failed-run-stage.ts";
import { changeRun, plannerOf, REFUSED, refusalOf } from "./plan-stage.ts";

let api: GithubApi;
/** the workflow's file, by commit */
const files = new Map<string, string>();
/** what every commit has besides under `.github/workflows`, by name */
const others = new Map<string, string>();
const plan = plannerOf(() => api, files, others);

beforeEach(async () => {
  others.clear();
  files.clear();
  files.set(HEAD, WORKFLOW);
  api = await startFailedRun(files, others);
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
  if (api.problems.length > 0) throw new Error(api.problems.join("\n"));
});

describe.skipIf(process.platform !== "linux" || process.arch !== "x64")("what GitHub cannot show of a repair", () => {
  const deploy = "  deploy: { environment: production, steps: [{ run: ./deploy }] }\n";
  test("a workflow that deploys is started for no work unless the loop's own names it; nor is what deploys run here [C181]", async () => {
    files.set(HEAD, WORKFLOW + deploy);
    const { checks, told } = await plan({ base: WORKFLOW + deploy });
    expect(checks).toMatchObject({ successShell: "npm test", ci: null });
    const named = await plan({ base: WORKFLOW + deploy, checks: { ci: "ci.yml" } });
    expect([named.checks?.ci, told]).toEqual(["ci.yml", expect.not.stringContaining("on GitHub")]);
    const steps = { "Run ./deploy": "failure" } as const;
    api.world.jobs.splice(0, 1, aJob({ id: 9, runId: 88, name: "deploy", conclusion: "failure", steps }));
    expect(await refusalOf(plan({ base: WORKFLOW + deploy }))).toMatch(
      /deploys to an environment \(“production”\)[^]*GitHub cannot be asked: ci\.yml has a job that deploys[^]*ci-workflow/u,
    );
  });

  test("so does one whose called workflow deploys, through as many files as it takes [C181]", async () => {
    const calls = (file: string) => `  next: { uses: ./.github/workflows/${file} }\n`;
    others.set("a.yml", `on: workflow_call\njobs:\n${calls("b.yml")}${calls("a.yml").replace("next", "again")}`);
    others.set("b.yml", "on: workflow_call\njobs: { build: { steps: [{ run: make }] } }\n");
    const base = WORKFLOW + calls("a.yml");
    files.set(HEAD, base);
    expect((await plan({ base })).checks?.ci).toBe("ci.yml");
    others.set("b.yml", `on: workflow_call\njobs:\n${deploy}`);
    expect((await plan({ base })).checks?.ci).toBeNull();
  });

  test("nor is one that calls a file which cannot be read here, and may deploy [C181]", async () => {
    const file = "of two words.yml";
    others.set(file, `on: workflow_call\njobs:\n${deploy}`);
    const base = `${WORKFLOW}  next: { uses: "./.github/workflows/${file}" }\n`;
    files.set(HEAD, base);
    api.world.jobs.splice(0, 1, aJob({ id: 9, runId: 88, name: "next", conclusion: "failure" }));
    expect(await refusalOf(plan({ base }))).toMatch(/whether that deploys is not known: [^]*ci-workflow/u);
  });

  test.each([
    [
      "a pull request's run looked at a merge with it",
      "pull_request",
      "no fault",
      "base, which has a commit",
      { base: "main", count: 1 },
    ],
    [
      "whether it has is not known",
      "pull_request",
      "git/get-ref",
      "Whether the base has commits that the branch has not is",
      null,
    ],
    ["a push's run looked at the commit itself", "push", "no fault", "What proves the repair", null],
  ])("the base has commits that the branch has not: %s [C182]", async (_what, event, fault, said, behind) => {
    changeRun(api, { event });
    if (fault !== "no fault") api.fail(fault, REFUSED, 9);
    const { failed, told } = await plan();
    expect([failed?.behind, told]).toEqual([behind, expect.stringContaining(said)]);
  });

  test("where GitHub does not tell its jobs, no run that is green as a whole stands in for them [C102, C104]", async () => {
    api.fail("actions/list-jobs-for-workflow-run", REFUSED, 9);
    expect(await refusalOf(plan())).toMatch(
      /GitHub cannot be asked: which of its jobs have to be green is not known: /u,
    );
    expect(await refusalOf(plan({ checks: { ci: "ci.yml" } }))).toMatch(
      /ci-workflow has to show green is not known: /u,
    );
    const { checks, told } = await plan({ checks: { successShell: "make" } });
    expect([checks?.successShell, told]).toEqual([
      "make",
      expect.stringContaining("Which jobs of the run failed is not"),
    ]);
  });
});
