import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import {
  closeWave,
  DOCUMENT,
  job,
  matrixOf,
  PRD_TEXT,
  PROMISE,
  pullOf,
  shop,
  TITLE,
  WORK,
} from "./waves-story-stage.ts";

const EACH = [1, 2].map((nth) => ({ files: { [`${nth}.txt`]: "x\n", "done.txt": "done\n" }, lastMessage: PROMISE }));
const FIRST = "prd-shop.us-001.1";

let ci: Ci;
beforeAll(async () => {
  ci = await shop();
});
afterAll(async () => ci[Symbol.asyncDispose]());

test("a planned story becomes one commit, a draft and a record, once [D-08, C27]", async () => {
  const { world } = ci.api;
  const plan = await job(ci, "9001", { job: "plan" });
  const { commit = "", "prd-branch": base = "" } = plan.outputs;
  expect(matrixOf(plan)).toEqual([{ story: "US-001", loop: FIRST }]);
  const of = { ...WORK, base, story: "US-001", "loop-id": FIRST };
  const unseen = await job(ci, "9001", { ...of, "pull-request": "never" }, commit);
  expect(unseen.main.log).toContain("the closing job of the wave would find nothing of this story");
  const done = await job(ci, "9001", { ...of, branch: "elsewhere/<loop-id>" }, commit);
  expect(done.outputs).toMatchObject({ status: "completed", "stop-reason": "stories_passed", "loop-id": FIRST });
  const work = `refs/heads/smithers/${FIRST}`;
  expect(await ci.remote.git("log", "--format=%s%n%(trailers)", `${commit}..${work}`)).toBe(
    `feat: [US-001] - ${TITLE}\nSmithers-Loop: ${FIRST}\nSmithers-Iteration: 2\nSmithers-Story: US-001\nSmithers-Prd: shop\n`,
  );
  // Neither the agent nor its loop marks the PRD.
  expect(await ci.remote.git("diff", "--name-only", commit, work)).toBe("done.txt\none.txt");
  expect(done.main.log).toContain(DOCUMENT);
  expect(pullOf(ci, FIRST)).toMatchObject({
    ...{ state: "open", labels: [], title: "feat: [US-001] - Buy $(id) @\u200Beveryone" },
    pull: { draft: true, base: "shop" },
  });
  expect(pullOf(ci, FIRST)?.body).toContain("The closing job of its wave proves it once more on `shop`");
  expect(pullOf(ci, FIRST)?.body).not.toMatch(/smithers continue|\*\*Next:/u);
  expect(world.comments).toEqual([]);
  expect(await ci.refOf(FIRST)).toMatch(/^[0-9a-f]{40}$/u);
  expect(await ci.remote.git("rev-parse", "refs/heads/shop")).toBe(commit);

  // Somebody runs an old job again when its wave is over.
  await closeWave(ci, (open) => open);
  const late = await job(ci, "9001", of, commit);
  expect(late.conclusion).toBe("failure");
  expect(late.main.log).toContain("is over, or another run's");
  expect(ci.api.problems).toEqual([]);
});

test("a whole PRD in one job goes to the branch that it names, a commit for each story, as on the command line [D-08, D-33]", async () => {
  const whole = await startCi({
    files: { [DOCUMENT]: PRD_TEXT.replace(',"pauseAfter":true', ""), "agent.json": JSON.stringify({ turns: EACH }) },
    byRef: true,
  });
  onTestFinished(async () => whole[Symbol.asyncDispose]());
  await using machine = await whole.machine();
  // The job that publishes would look for it elsewhere.
  const split = { ...WORK, job: "run", carriers: "ref,artifact", "github-token": whole.remote.readToken };
  const refused = await machine.run({ inProcess: true, inputs: { ...split, "loop-id": "prd-shop" } });
  expect(refused).toMatchObject({ conclusion: "failure" });
  expect(refused.log).toContain("Give both jobs the input branch: shop.");
  const done = await machine.run({ inProcess: true, inputs: { ...WORK, "loop-id": "prd-shop" } });
  expect(done.outputs).toMatchObject({ status: "completed", "stop-reason": "stories_passed", branch: "shop" });
  expect(await whole.remote.git("log", "--format=%s", "main..refs/heads/shop")).toBe(
    `feat: [US-002] - Story US-002\nfeat: [US-001] - ${TITLE}`,
  );
  const marked = await whole.remote.git("show", `refs/heads/shop:${DOCUMENT}`);
  expect(marked.match(/"passes":true/gu)).toHaveLength(2);
  expect(whole.api.world.issues).toMatchObject([{ pull: { headBranch: "shop", base: "main", draft: false } }]);
});
