import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sentBack } from "../../src/core/story/ledger.ts";
import type { Ci } from "../support/ci/ci.ts";
import type { Job } from "../support/runner/runner.ts";
import { closeWave, DOCUMENT, job, ledger, matrixOf, pullOf, shop, TITLE, WORK } from "./waves-story-stage.ts";

let ci: Ci;
beforeAll(async () => {
  ci = await shop();
});
afterAll(async () => ci[Symbol.asyncDispose]());

const LAND = { job: "land", prd: "shop", "quality-commands": "test -f done.txt" };

const FIRST = "prd-shop.us-001.1";

/** The numbers in which a plan says what its wave writes. */
function foreseen({ main }: Job): readonly number[] {
  const [said = ""] = /this wave writes about .* to GitHub/u.exec(main.summary) ?? [];
  return [...said.matchAll(/\d+/gu)].map(Number);
}

/** Counts what is written from now on, as GitHub sees it. */
async function writing({ api, remote }: Ci) {
  const from = api.requests.length;
  const file = path.join(remote.folder, "pushed");
  await remote.hook("post-receive", `cat >> ${file}`);
  return async () => {
    const written = api.requests.slice(from).filter(({ method, operation }) => {
      return method !== "GET" && !operation.startsWith("graphql/");
    });
    const count = (...operations: string[]) => written.filter(({ operation }) => operations.includes(operation)).length;
    const pushed = (await readFile(file, "utf8")).trimEnd().split("\n");
    const requests = count("pulls/create");
    const comments = count("issues/create-comment");
    const statuses = count("repos/create-commit-status");
    const made = count("git/create-ref");
    const branches = made + pushed.filter((line) => /^0+ .* refs\/heads\//u.test(line)).length;
    const changes = written.length - made - requests - comments - statuses;
    return { branches, requests, comments, statuses, changes, pushes: pushed.length };
  };
}

test("planned stories land, or begin again with what is known; what a wave writes is what its plan has foreseen [D-32]", async () => {
  const { world } = ci.api;
  const wrote = await writing(ci);
  const plan = await job(ci, "9001", { job: "plan" });
  const { commit = "", "prd-branch": base = "" } = plan.outputs;
  expect(matrixOf(plan)).toEqual([{ story: "US-001", loop: FIRST }]);
  const of = { ...WORK, base, story: "US-001", "loop-id": FIRST };
  const done = await job(ci, "9001", of, commit);
  expect(done.outputs).toMatchObject({ status: "completed", "stop-reason": "stories_passed", "loop-id": FIRST });
  // Somebody runs an old job again when its wave is over.
  const landing = await job(ci, "9001", LAND);
  expect(landing.conclusion).toBe("success");
  const tip = await ci.remote.git("rev-parse", "refs/heads/shop");
  expect(await ci.remote.git("log", "--format=%s", `${commit}..${tip}`)).toBe(`feat: [US-001] - ${TITLE}`);
  expect(await ci.remote.git("diff", "--name-only", commit, tip)).toBe(`${DOCUMENT}\ndone.txt\none.txt`);
  expect(await ledger(ci)).toMatchObject({ stories: { "US-001": { state: "passed", commit: tip } } });
  expect(pullOf(ci, FIRST)).toMatchObject({ state: "closed" });
  const [branches, requests, comments, statuses, changes = 0, pushes = 0] = foreseen(plan);
  // A second iteration; and a person looks at it first, so that no next wave is asked for, nor is that noted.
  expect(await wrote()).toEqual({
    ...{ branches, requests, comments, statuses, changes: changes - 1, pushes: pushes + 2 - 1 },
  });
  expect(world.dispatches.filter(({ login }) => login !== "me")).toEqual([]);
  const late = await job(ci, "9001", of, commit);
  expect(late.conclusion).toBe("failure");
  expect(late.main.log).toContain("is over, or another run's");

  const second = await job(ci, "9002", { job: "plan" });
  expect(second.outputs).toMatchObject({ commit: tip, wave: "2", stories: "1" });
  await closeWave(ci, (open) =>
    sentBack(open, "US-002", { attempts: 1, most: 3, feedback: "CONFLICT in a.txt", paths: [] }),
  );
  const third = await job(ci, "9003", { job: "plan" });
  const again = "prd-shop.us-002.2";
  expect(matrixOf(third)).toEqual([{ story: "US-002", loop: again }]);
  const red = await job(ci, "9003", { ...WORK, script: "red.json", base, story: "US-002", "loop-id": again }, tip);
  // One of three attempts is used up, so there is nothing to show but the record.
  expect(red.outputs).toMatchObject({ status: "blocked", "stop-reason": "stories_blocked", iterations: "2" });
  expect(pullOf(ci, again)).toBeUndefined();
  expect(await ci.remote.git("for-each-ref", `refs/heads/smithers/${again}`)).toBe("");
  expect(await ci.refOf(again)).toMatch(/^[0-9a-f]{40}$/u);
  expect(await job(ci, "9003", LAND)).toMatchObject({ conclusion: "success" });
  expect(await ledger(ci)).toMatchObject({
    stories: { "US-002": { state: "pending", blocked: expect.stringContaining("done.txt"), attempts: 3 } },
  });
  expect(ci.api.problems).toEqual([]);
});
