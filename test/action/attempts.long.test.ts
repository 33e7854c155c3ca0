import { afterAll, beforeAll, expect, test } from "vitest";
import { PLAN_OUTPUTS } from "../../src/config/action.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import type { Job } from "../support/runner/runner.ts";

const PROMISE = "<promise>TASK_COMPLETE</promise>";
const script = (files: Record<string, string>) => JSON.stringify({ turns: [{ files, lastMessage: PROMISE }] });
const FILES = {
  "1.json": script({ "done.txt": "done\n", "more.txt": "more\n" }),
  // What a lockfile changes does not count.
  "2.json": script({ "done.txt": "done\n", "package-lock.json": "{\n}\n\n\n" }),
};
const ALL = { attempts: "3", "success-sh": "test -f done.txt", "check-sandbox": "off", "max-tokens": "70000" };
const LOOPS = [1, 2, 3].map((at) => `best-best-of-n.8001-${at}`);

let ci: Ci;
beforeAll(async () => {
  ci = await startCi({ files: FILES, byRef: true });
});
afterAll(async () => ci[Symbol.asyncDispose]());

async function run(inputs: Record<string, string>): Promise<Job> {
  await using machine = await ci.machine({ depth: 1 });
  const github = { run_id: "8001", workflow_ref: "o/r/.github/workflows/best-of-n.yml@refs/heads/main" };
  return await machine.run({ inProcess: true, github, inputs: { ...ALL, ...inputs } });
}

const work = (at: number) =>
  run({
    ...{ provider: "scripted", script: `${at}.json`, sandbox: "workspace-write", prompt: "Make done.txt." },
    ...{ "loop-id": LOOPS[at - 1] ?? "", "self-continue": "auto" },
  });

const pulls = () =>
  LOOPS.map((loop) => {
    const { issues, comments } = ci.api.world;
    const found = issues.find(({ pull }) => pull?.headBranch === `smithers/${loop}`);
    const said = comments.filter(({ issue }) => issue === found?.number).map(({ body }) => body);
    return found && { state: found.state, draft: found.pull?.draft, base: found.pull?.base, said };
  });

test("of agents that try one task, the one with the smallest work that holds gets its pull request ready, once", async () => {
  const main = await ci.remote.git("rev-parse", "refs/heads/main");
  const plan = await run({ job: "plan" });
  expect(Object.keys(plan.outputs).toSorted()).toEqual(PLAN_OUTPUTS.map(({ name }) => name).toSorted());
  expect(plan.outputs).toMatchObject({ stories: "3", commit: main, wave: "", prd: "" });
  expect(JSON.parse(plan.outputs["matrix"] ?? "")).toEqual({ include: LOOPS.map((loop) => ({ loop })) });
  expect(plan.main.log).toContain("3 agents try the task side by side");
  expect(plan.main.summary).toContain("up to 210,000 tokens");

  // The third one's job never came so far.
  for (const at of [1, 2]) expect((await work(at)).outputs).toMatchObject({ status: "completed" });
  const draft = { state: "open", draft: true, base: "main", said: [] };
  expect(pulls()).toEqual([draft, draft, undefined]);
  expect(ci.api.world.issues[0]?.body).toContain("one of several candidates");

  const land = await run({ job: "land" });
  expect(land).toMatchObject({ conclusion: "success" });
  expect(land.main.summary).toContain("Candidate 2 of 3 was chosen");
  expect(land.main.summary).toContain("It was cut off before it had ended.");
  const choice = expect.stringMatching(/\| 1 \| `smithers\/[^`]+` \| 2 \|[^]*\| 2 \| `smithers\/[^`]+` \| 1 \|/u);
  const chosen = [
    { state: "closed", draft: true, base: "main", said: [expect.stringContaining("Candidate 1 was not chosen.")] },
    { state: "open", draft: false, base: "main", said: [choice] },
    undefined,
  ];
  expect(pulls()).toEqual(chosen);
  const refs = await ci.remote.git("for-each-ref", "--format=%(refname)", "refs/smithers-loops", "refs/heads/smithers");
  expect(refs.split("\n")).toHaveLength(4);

  // Somebody runs jobs of the run again.
  const again = await work(1);
  expect(again).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "1" } });
  expect(again.main.log).toContain("another run of the workflow begins new ones");
  expect(await run({ job: "land" })).toMatchObject({ conclusion: "success" });
  expect(pulls()).toEqual(chosen);
  expect(ci.api.world).toMatchObject({ dispatches: [], issues: { length: 2 } });
  expect(ci.api.problems).toEqual([]);
});
