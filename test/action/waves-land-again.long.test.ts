import { afterEach, describe, expect, test } from "vitest";
import { aPrd, aStory, type LandStage, landStage, PRD_FILE } from "./land-stage.ts";

let at: LandStage;
afterEach(async () => at[Symbol.asyncDispose]());

const LOOP = "prd-shop.us-001.1";

/** Puts a commit on a branch. @returns it, and what it was put on */
async function push(branch: string, files: Readonly<Record<string, string>>, message: string, to = branch) {
  const { clone, ci } = at;
  await clone.git("fetch", "-q", ci.remote.folder, `refs/heads/${branch}`);
  await clone.git("checkout", "-q", "-f", "--detach", "FETCH_HEAD");
  const before = await clone.git("rev-parse", "HEAD");
  for (const [name, text] of Object.entries(files)) await clone.write(name, text);
  await clone.git("add", "-A");
  await clone.git("commit", "-q", "-m", message);
  const commit = await clone.git("rev-parse", "HEAD");
  await clone.git("push", "-q", ci.remote.folder, `${commit}:refs/heads/${to}`);
  return { commit, before };
}

describe("what is no story's fault, and what is", () => {
  test("two closing jobs at once land a story once, and the second names the commit of the first", async () => {
    at = await landStage([aStory(1)]);
    await at.plan();
    await at.leave({ story: "US-001", loop: LOOP, files: { "1.txt": "1\n" } });
    const trailers = `Smithers-Loop: ${LOOP}\nSmithers-Story: US-001\nSmithers-Prd: shop`;
    const files = { "1.txt": "1\n", [PRD_FILE]: aPrd([aStory(1, { passes: true })]) };
    const theirs = await push("shop", files, `feat: [US-001] - Story 1\n\n${trailers}`, "other");
    const land = `git -C ${at.ci.remote.folder} update-ref refs/heads/shop ${theirs.commit} ${theirs.before} || true`;
    expect(await at.land({ inputs: { "quality-commands": JSON.stringify([land]) } })).toMatchObject({
      conclusion: "success",
    });
    expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
    expect(await at.entry("US-001")).toMatchObject({ state: "passed", commit: theirs.commit, take: 1 });
    expect(at.pullOf(`smithers/${LOOP}`)).toMatchObject({ state: "closed" });
  }, 120_000);

  test("a story that takes away what a check runs, or cannot be checked out, goes back, and the others land", async () => {
    at = await landStage([aStory(1), aStory(2), aStory(3)], { "check.sh": "exit 0\n" });
    await at.plan();
    await at.leave({ story: "US-001", loop: LOOP, files: { "1.txt": "1\n", "check.sh": null } });
    await at.leave({ story: "US-002", loop: "prd-shop.us-002.1", files: { "2.txt": "1\n" } });
    const { clone, ci } = at;
    const third = await at.leave({ story: "US-003", loop: "prd-shop.us-003.1", files: { "3.txt": "3\n" } });
    await clone.git("read-tree", third);
    const blob = await clone.git("rev-parse", `${third}:3.txt`);
    await clone.git("update-index", "--add", "--cacheinfo", `100644,${blob},${"x".repeat(300)}`);
    const tree = await clone.git("write-tree");
    const message = await clone.git("log", "-1", "--format=%B", third);
    const long = await clone.git("commit-tree", tree, "-p", `${third}^`, "-m", message);
    await clone.git("push", "-q", "-f", ci.remote.folder, `${long}:refs/heads/smithers/prd-shop.us-003.1`);
    expect(await at.land({ inputs: { "quality-commands": "bash check.sh" } })).toMatchObject({ conclusion: "success" });
    expect(await at.landed()).toEqual(["feat: [US-002] - Story 2"]);
    const { feedback } = await at.entry("US-001");
    expect(feedback).toContain("a check cannot be run that can be without it");
    expect(feedback).toContain("bash check.sh");
    expect((await at.entry("US-003")).feedback).toContain("could not be checked out");
  }, 120_000);

  test("what cannot be proved on the branch either leaves the wave open, and says how to go on", async () => {
    at = await landStage([aStory(1)]);
    await at.plan();
    await at.leave({ story: "US-001", loop: LOOP, files: { "1.txt": "1\n" } });
    const job = await at.land({ inputs: { "quality-commands": "no-such-program" } });
    expect(job.conclusion).toBe("failure");
    expect(job.log).toContain("neither could shop without it");
    expect(job.log).toContain("/smithers prd shop retry US-001");
    expect(await at.entry("US-001")).toMatchObject({ state: "in_progress", take: 1, attempts: 0 });
    expect(await at.ledger()).toMatchObject({ wave: { is_open: true } });
  }, 120_000);
});

test("a story that the PRD has got between waves is marked on the branch, and one that it has lost stays marked", async () => {
  at = await landStage([aStory(1), aStory(3)]);
  await at.plan();
  await at.leave({ story: "US-001", loop: LOOP, files: { "1.txt": "1\n" } });
  await at.leave({ story: "US-003", loop: "prd-shop.us-003.1", files: { "3.txt": "3\n" } });
  expect(await at.land()).toMatchObject({ conclusion: "success" });
  const main = await push("main", { [PRD_FILE]: aPrd([aStory(1), aStory(2)]) }, "another story");
  expect(main.commit).not.toBe(main.before);
  const next = { github: { run_id: "8002" } };
  expect(await at.plan(next)).toMatchObject({ outputs: { stories: "1" } });
  await at.leave({ story: "US-002", loop: "prd-shop.us-002.1", files: { "2.txt": "2\n" } });
  expect(await at.land(next)).toMatchObject({ conclusion: "success" });
  const all = [1, 2, 3].map((number) => aStory(number, { passes: true }));
  expect(`${await at.ci.remote.git("show", `refs/heads/shop:${PRD_FILE}`)}\n`).toBe(aPrd(all));
}, 120_000);

test("what judges a story is looked at again where it lands, whatever its record says [C21]", async () => {
  const files = { "t.sh": "test -f never.txt\n", "test/a.test.js": "test('a', () => {});\n".repeat(20) };
  at = await landStage([aStory(1), aStory(2), aStory(3)], files);
  await at.plan();
  await at.leave({ story: "US-001", loop: LOOP, files: { "1.txt": "1\n", "t.sh": "exit 0\n" } });
  await at.leave({ story: "US-002", loop: "prd-shop.us-002.1", files: { "2.txt": "2\n", "test/a.test.js": null } });
  const inputs = { "quality-commands": "sh t.sh", "weak-proof": "strict" };
  expect(await at.land({ inputs })).toMatchObject({ conclusion: "success" });
  expect(await at.landed()).toEqual([]);
  expect((await at.entry("US-001")).feedback).toContain("what judges the work was changed: t.sh");

  const next = { github: { run_id: "8002" } };
  await at.plan(next);
  await at.leave({ story: "US-001", loop: "prd-shop.us-001.2", files: { "1.txt": "1\n", "t.sh": "exit 0\n" } });
  await at.leave({ story: "US-002", loop: "prd-shop.us-002.2", files: { "2.txt": "2\n", "test/a.test.js": null } });
  const job = await at.land({ ...next, inputs: { "quality-commands": "sh t.sh" } });
  expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
  expect(job.log).toContain("The checks of US-001 are green on shop, and what judges the work was changed: t.sh");
  expect((await at.entry("US-002")).feedback).toContain("1 test file was deleted: test/a.test.js");
}, 120_000);

test("a story that is taken out of the PRD while its wave is open is given up, and the others land", async () => {
  at = await landStage([aStory(1), aStory(2)]);
  await at.plan();
  await at.leave({ story: "US-001", loop: LOOP, files: { "1.txt": "1\n" } });
  await at.leave({ story: "US-002", loop: "prd-shop.us-002.1", files: { "2.txt": "2\n" } });
  await push("main", { [PRD_FILE]: aPrd([aStory(1)]) }, "without the second one");
  expect(await at.land({ github: { run_id: "8002" } })).toMatchObject({ conclusion: "success" });
  expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
  expect(await at.entry("US-002")).toMatchObject({ state: "pending", take: 2, attempts: 0, blocked: null });
  const pull = at.pullOf("smithers/prd-shop.us-002.1");
  expect(pull).toMatchObject({ state: "closed" });
  expect(pull?.comments.join("")).toContain("not in the PRD any more");
}, 120_000);

test("of several candidates one is red and one was cut off: the take goes on, and nothing of it is given up", async () => {
  at = await landStage([aStory(1, { attempts: 2 })]);
  await at.plan();
  await at.leave({ story: "US-001", loop: `${LOOP}-1`, files: { "x.txt": "1\n" } });
  const open = {
    record: { state: "in_progress", passing: null },
    state: { status: "running", stop_reason: null },
  } as const;
  await at.leave({ story: "US-001", loop: `${LOOP}-2`, files: { "1.txt": "1\n" }, pushes: false, ...open });
  expect(await at.land()).toMatchObject({ conclusion: "success" });
  expect(await at.entry("US-001")).toMatchObject({ state: "in_progress", take: 1, attempts: 0 });
  expect(at.pullOf(`smithers/${LOOP}-1`)).toMatchObject({ state: "open" });

  const next = { github: { run_id: "8002" } };
  expect((await at.plan(next)).outputs["matrix"]).toContain(`${LOOP}-2`);
  await at.leave({ story: "US-001", loop: `${LOOP}-2`, files: { "1.txt": "1\n" } });
  expect(await at.land(next)).toMatchObject({ conclusion: "success" });
  expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
}, 120_000);
