import { expect, test } from "vitest";
import { landed, sentBack } from "../../src/core/story/ledger.ts";
import { closeWave, job, land, matrixOf, pullOf, shop, WORK } from "./waves-story-stage.ts";

const FIRST = "prd-shop.us-001.1";

test("a story that is sent back begins anew, with the attempts that it has left, on what has landed [D-32]", async () => {
  await using ci = await shop();
  const plan = await job(ci, "9001", { job: "plan" });
  const { commit = "", "prd-branch": base = "" } = plan.outputs;
  await job(ci, "9001", { ...WORK, base, story: "US-001", "loop-id": FIRST }, commit);
  const tip = await land(ci, FIRST);
  await closeWave(ci, (open) => landed(open, "US-001", tip));
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
  expect(ci.api.problems).toEqual([]);
});
