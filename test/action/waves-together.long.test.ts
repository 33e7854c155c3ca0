import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { closed, type Ledger, ledgerText, parseLedger, sentBack } from "../../src/core/story/ledger.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { dispatchEvent } from "../support/github-api/webhooks.ts";
import { headOf } from "../support/git-repository.ts";
import type { Job } from "../support/runner/runner.ts";

const DOCUMENT = ".daedalus/prds/shop/prd.json";
const TITLE = "Buy $(id) @everyone";
const PROMISE = "<promise>TASK_COMPLETE</promise>";

const story = (id: string, more: object) => ({
  ...{ id, title: `Story ${id}`, description: "", acceptanceCriteria: ["It works."], priority: 1, passes: false },
  ...more,
});
const prd = JSON.stringify({
  ...{ project: "Shop", branchName: "shop", description: "A shop." },
  userStories: [
    story("US-001", { title: TITLE, dependsOn: [], pauseAfter: true }),
    story("US-002", { dependsOn: ["US-001"] }),
  ],
});
const TURNS = [
  { files: { "one.txt": "half\n", [DOCUMENT]: "{}" }, lastMessage: "Not yet." },
  { files: { "done.txt": "done\n" }, lastMessage: PROMISE },
];
const RED = [{ files: { "two.txt": "2\n" }, delete: ["done.txt"], lastMessage: PROMISE }];
const WORK = {
  ...{ provider: "scripted", script: "agent.json", sandbox: "workspace-write", "quality-commands": "test -f done.txt" },
  ...{ "pull-request": "auto", "self-continue": "auto", "job-timeout-minutes": "60", prd: "shop" },
};

let ci: Ci;
beforeAll(async () => {
  ci = await startCi({
    files: {
      ...{ [DOCUMENT]: prd, "agent.json": JSON.stringify({ turns: TURNS }) },
      "red.json": JSON.stringify({ turns: RED }),
    },
    byRef: true,
  });
});
afterAll(async () => ci[Symbol.asyncDispose]());

async function ledger(): Promise<Ledger> {
  const read = parseLedger(await ci.remote.git("show", "refs/smithers-prd/shop:ledger.json"), "shop");
  if (!read.ok) throw new Error(read.trouble.because);
  return read.value;
}

function matrixOf({ outputs }: Job): unknown {
  return z.object({ include: z.array(z.unknown()) }).parse(JSON.parse(outputs["matrix"] ?? "")).include;
}

/** A job of the run that was dispatched for the PRD. */
async function job(runId: string, inputs: Record<string, string>, at?: string): Promise<Job> {
  const event = dispatchEvent(ci.api.world, {
    ...{ workflow: ".github/workflows/prd.yml", ref: "main", login: "me" },
    inputs: { smithers: '{"command":"prd","prd":"shop","verb":"run"}' },
  });
  await using machine = await ci.machine();
  const sha = await headOf(machine.workspace);
  if (at !== undefined) await machine.git("checkout", "-q", "--detach", at);
  const github = { run_id: runId, sha, actor: "me", triggering_actor: "me" };
  return await machine.run({ inProcess: true, event, inputs, github });
}

/** What the closing job of a wave does in the end. @param changed of the ledger while the wave is open */
async function closeWave(changed: (open: Ledger) => Ledger): Promise<void> {
  await using machine = await ci.machine();
  const { workspace } = machine;
  const git = (...args: string[]) => machine.git(...args);
  await git("checkout", "-q", "--orphan", "ledger");
  await git("rm", "-rfq", ".");
  await writeFile(path.join(workspace, "ledger.json"), ledgerText(closed(changed(await ledger()))));
  await git("add", "ledger.json");
  await git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "Close");
  await git("push", "-qf", "origin", "HEAD:refs/smithers-prd/shop");
}

const LAND = { job: "land", prd: "shop", "quality-commands": "test -f done.txt" };

const FIRST = "prd-shop.us-001.1";
const pullOf = (loop: string) => ci.api.world.issues.find(({ pull }) => pull?.headBranch === `smithers/${loop}`);

test("planned stories become one commit, a draft and a record each, and begin again with what is known [D-08, C27]", async () => {
  const { world } = ci.api;
  const plan = await job("9001", { job: "plan" });
  const { commit = "", "prd-branch": base = "" } = plan.outputs;
  expect(matrixOf(plan)).toEqual([{ story: "US-001", loop: FIRST }]);
  const of = { ...WORK, base, story: "US-001", "loop-id": FIRST };
  const done = await job("9001", of, commit);
  expect(done.outputs).toMatchObject({ status: "completed", "stop-reason": "stories_passed", "loop-id": FIRST });
  const work = `refs/heads/smithers/${FIRST}`;
  expect(await ci.remote.git("log", "--format=%s%n%(trailers)", `${commit}..${work}`)).toBe(
    `feat: [US-001] - ${TITLE}\nSmithers-Loop: ${FIRST}\nSmithers-Iteration: 2\nSmithers-Story: US-001\nSmithers-Prd: shop\n`,
  );
  // Neither the agent nor its loop marks the PRD.
  expect(await ci.remote.git("diff", "--name-only", commit, work)).toBe("done.txt\none.txt");
  expect(done.main.log).toContain(DOCUMENT);
  expect(pullOf(FIRST)).toMatchObject({
    ...{ state: "open", labels: [], title: "feat: [US-001] - Buy $(id) @\u200Beveryone" },
    pull: { draft: true, base: "shop" },
  });
  expect(pullOf(FIRST)?.body).toContain("The closing job of its wave proves it once more on `shop`");
  expect(pullOf(FIRST)?.body).not.toMatch(/smithers continue|\*\*Next:/u);
  expect(world.comments).toEqual([]);
  expect(await ci.refOf(FIRST)).toMatch(/^[0-9a-f]{40}$/u);
  expect(await ci.remote.git("rev-parse", "refs/heads/shop")).toBe(commit);

  // Somebody runs an old job again when its wave is over.
  const landing = await job("9001", LAND);
  expect(landing.conclusion).toBe("success");
  const tip = await ci.remote.git("rev-parse", "refs/heads/shop");
  expect(await ci.remote.git("log", "--format=%s", `${commit}..${tip}`)).toBe(`feat: [US-001] - ${TITLE}`);
  expect(await ci.remote.git("diff", "--name-only", commit, tip)).toBe(`${DOCUMENT}\ndone.txt\none.txt`);
  expect(await ledger()).toMatchObject({ stories: { "US-001": { state: "passed", commit: tip } } });
  expect(pullOf(FIRST)).toMatchObject({ state: "closed" });
  // A person looks at it first.
  expect(world.dispatches.filter(({ login }) => login !== "me")).toEqual([]);
  const late = await job("9001", of, commit);
  expect(late.conclusion).toBe("failure");
  expect(late.main.log).toContain("is over, or another run's");

  const second = await job("9002", { job: "plan" });
  expect(second.outputs).toMatchObject({ commit: tip, wave: "2", stories: "1" });
  await closeWave((open) =>
    sentBack(open, "US-002", { attempts: 1, most: 3, feedback: "CONFLICT in a.txt", paths: [] }),
  );
  const third = await job("9003", { job: "plan" });
  const again = "prd-shop.us-002.2";
  expect(matrixOf(third)).toEqual([{ story: "US-002", loop: again }]);
  const red = await job("9003", { ...WORK, script: "red.json", base, story: "US-002", "loop-id": again }, tip);
  // One of three attempts is used up, so there is nothing to show but the record.
  expect(red.outputs).toMatchObject({ status: "blocked", "stop-reason": "stories_blocked", iterations: "2" });
  expect(pullOf(again)).toBeUndefined();
  expect(await ci.remote.git("for-each-ref", `refs/heads/smithers/${again}`)).toBe("");
  expect(await ci.refOf(again)).toMatch(/^[0-9a-f]{40}$/u);
  expect(await job("9003", LAND)).toMatchObject({ conclusion: "success" });
  expect(await ledger()).toMatchObject({
    stories: { "US-002": { state: "pending", blocked: expect.stringContaining("done.txt"), attempts: 3 } },
  });
  expect(ci.api.problems).toEqual([]);
});
