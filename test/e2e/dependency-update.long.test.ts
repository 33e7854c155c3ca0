import { expect, test } from "vitest";
import { repositoryWithCodex } from "../examples/repository.ts";
import { workflowRunEvent } from "../support/github-api/webhooks.ts";
import { addFile, type ModelRequest, type Reply } from "../support/model-server.ts";
import { CI_FILE, ciJudges, logOf, pullRequest, runOfCi, said } from "./failed-runs.ts";
import { claims } from "./says.ts";

const FILES = {
  [CI_FILE]: `name: CI
on: [push, pull_request, workflow_dispatch]
jobs:
  test: { runs-on: ubuntu-24.04, steps: [{ run: npm ci }, { run: npm test }] }
`,
  "package.json": JSON.stringify({ scripts: { test: "sh check.sh" } }),
  // The code has to know the version that is there.
  "check.sh": "! test -f version.txt || test -f adapted.txt || { echo not ok 3 knows the new version; exit 1; }\n",
};
const UPDATES: readonly (readonly [bot: string, branch: string])[] = [
  ["dependabot[bot]", "dependabot/npm_and_yarn/left-pad-2.0.0"],
  ["renovate[bot]", "renovate/left-pad-2.x"],
];

function says({ outputs }: ModelRequest): Reply {
  return [addFile("adapted.txt", "2\n")][outputs.length] ?? claims("the code knows the new version");
}

test.each(UPDATES)(
  "a red update of %s begins its repair by itself, on %s, until that very job is green; a person's red run does not [W-11, C100, C101, C102, C105]",
  { timeout: 240_000 },
  async (bot, branch) => {
    await using github = await repositoryWithCodex(["fix-dependency-update.yml"], says, { files: FILES });
    const { api, remote, model } = github.ci;
    const { world } = api;
    const update = { author: bot, headBranch: branch };
    const tip = await pullRequest(github, 7, "version.txt", "2.0.0", update);
    const main = await remote.git("rev-parse", "main");
    runOfCi(github, { id: 299, branch: "main", sha: main, event: "push" }, { test: "success" }, "");
    const red = { id: 300, branch, sha: tip, actor: bot, triggeringActor: bot };
    const failed = runOfCi(github, red, { test: "failure" }, logOf("not ok 3 knows the new version"));
    const judged = ciJudges(github, { jobs: { test: "success" }, log: "" });

    // Nobody's red run but that of such a bot begins anything, and none that is green.
    const ofOthers = ["alice", "renovate", "other[bot]"].map((actor) => ({ ...failed, actor, triggeringActor: actor }));
    for (const of of ofOthers) expect(await github.happens(workflowRunEvent(world, of, [7]))).toEqual([]);
    expect(await github.happens(workflowRunEvent(world, { ...failed, conclusion: "success" }, [7]))).toEqual([]);

    const [asked, worked, ...more] = await github.happens(workflowRunEvent(world, failed, [7]));
    expect([asked?.outputs["status"], asked?.lacks, more]).toEqual([undefined, [], []]);
    expect(worked?.outputs).toMatchObject({ status: "completed", "stop-reason": "success_command", iterations: "1" });
    expect(worked?.lacks).toEqual([]);
    const [prompt] = model?.requests.map((request) => request.prompt) ?? [];
    expect(prompt).toContain("not ok 3 knows the new version");
    expect(prompt).toContain("Keep the update.");
    expect(prompt).toContain("The failure shows here as well.");
    expect(judged.map(({ ref }) => ref)).toEqual([branch]);
    // The update stays, with the work on top of it, on its own branch: no other one and no other pull request.
    expect(await remote.git("log", "--format=%P", "--name-only", `${tip}..${branch}`)).toBe(`${tip}\n\nadapted.txt`);
    expect(await remote.git("show", `${branch}:version.txt`)).toBe("2.0.0");
    expect(world.issues.map(({ number }) => number)).toEqual([7]);
    const head = await remote.git("rev-parse", branch);
    const onHead = world.statuses.filter(({ sha }) => sha === head).map(({ context, state }) => [context, state]);
    expect(onHead).toEqual([
      ["smithers/ci", "success"],
      ["smithers/loop", "success"],
    ]);
    const [comment] = said(github, 7);
    expect(comment).toMatch(/✅[^]*\*\*Cause: caused by this branch\.\*\*[^]*The newest run of the base, “main”/u);
    expect(api.problems).toEqual([]);
  },
);
