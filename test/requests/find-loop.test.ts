import { describe, expect, test } from "vitest";
import { findLoop, type Whereabouts } from "../../src/requests/find-loop.ts";
import { markerOf } from "../../src/views/github/markers.ts";
import { aState } from "../support/builders.ts";
import { aCarriedRecord } from "../support/fake-carriers.ts";
import { type Asking, asking, HEAD, LOOP, OURS } from "../support/asking.ts";

const PULL = { number: 7, headBranch: "feature", body: "" };
const MARK = markerOf({ workflow: "smithers.yml", job: "loop", loopId: LOOP });

const find = (at: Asking, where: Partial<Whereabouts> = {}, branch = "smithers/<loop-id>") =>
  findLoop(at.github, { ...PULL, ...where }, branch);
const FOUND = { ok: true, value: { loopId: LOOP } };
const NONE = { ok: true, value: null };

describe("the loop of a pull request", () => {
  test("is found by its branch, and by any template", async () => {
    await using at = await asking();
    await at.loop({ branch: `smithers/${LOOP}` });
    expect(await find(at, { headBranch: `smithers/${LOOP}` })).toMatchObject(FOUND);
    await at.loop({ branch: `bots/${LOOP}/work` });
    expect(await find(at, { headBranch: `bots/${LOOP}/work` }, "bots/<loop-id>/work")).toMatchObject(FOUND);
    expect(await find(at, { headBranch: `bots/${LOOP}/play`, number: null }, "bots/<loop-id>/work")).toEqual(NONE);
  });

  test("is found by the pull request's own text and by our comment, however far back that is", async () => {
    await using at = await asking();
    await at.loop();
    expect(await find(at, { body: `<!-- smithers:loop ${LOOP} -->\nwords` })).toMatchObject(FOUND);
    at.comment(`${MARK}\n\nstatus`, { author: OURS });
    for (let count = 0; count < 150; count += 1) at.comment("words");
    expect(await find(at)).toMatchObject(FOUND);
  });

  test("is not named by others' comments, nor by a marker in the middle of one [T15]", async () => {
    await using at = await asking();
    await at.loop();
    await at.loop({ loopId: "newer" });
    at.comment(`${MARK}\n\nstatus`, { author: "olga" });
    at.comment(`> ${MARK}`, { author: OURS });
    expect(await find(at)).toMatchObject({ value: { loopId: "newer" } });
    at.comment(`${MARK}\n\nstatus`, { author: OURS });
    expect(await find(at)).toMatchObject(FOUND);
  });

  test("counts only when its own record says that it is this pull request's [T15]", async () => {
    await using at = await asking();
    await at.loop({ number: 8 });
    at.comment(`${MARK}\n`, { author: OURS });
    expect(await find(at)).toEqual(NONE);
    await at.loop({ number: null, branch: "other" });
    expect(await find(at)).toEqual(NONE);
    await at.loop({ number: null, branch: "feature" });
    expect(await find(at)).toMatchObject(FOUND);
    await at.loop({ state: { github: null } });
    expect(await find(at)).toEqual(NONE);
  });

  test("is the one that could go on, where another one on the same pull request is over", async () => {
    await using at = await asking();
    const done = { status: "completed", stop_reason: { kind: "promise", verified: true } } as const;
    await at.loop({ loopId: "older", state: done });
    const where = { headBranch: "smithers/older" };
    expect(await find(at, where)).toMatchObject({ value: { loopId: "older" } });
    at.comment(`${markerOf({ workflow: "ci.yml", job: "loop", loopId: "done" })}\n`, { author: OURS });
    await at.loop({ loopId: "done", state: done });
    expect(await find(at, where)).toMatchObject({ value: { loopId: "older" } });
    expect(await find(at)).toMatchObject({ value: { loopId: "done" } });
    at.comment(`${MARK}\n`, { author: OURS });
    await at.loop();
    expect(await find(at, where)).toMatchObject(FOUND);
  });

  test("of a branch without a pull request is the one that works on it", async () => {
    await using at = await asking();
    const branch = `smithers/${LOOP}`;
    await at.loop({ branch });
    expect(await find(at, { number: null, headBranch: branch })).toMatchObject(FOUND);
    await at.loop({ branch: "other" });
    expect(await find(at, { number: null, headBranch: branch })).toEqual(NONE);
  });

  test.for(["smithers/../x", "smithers/", "smithers/a.lock", "smithers/a/b", "feature"])(
    "no loop is looked for by the branch %s",
    async (headBranch) => {
      await using at = await asking();
      expect(await find(at, { headBranch, number: null })).toEqual(NONE);
      expect(at.api.requests).toEqual([]);
    },
  );

  test.for([
    { status: "running", run: "in_progress", running: true },
    { status: "running", run: "completed", running: false },
    { status: "running", run: "gone", running: false },
    { status: "paused_hard_stop", run: "in_progress", running: false },
  ] as const)("that is $status, with its run $run, runs: $running", async ({ status, run, running }) => {
    await using at = await asking();
    await at.loop({ branch: `smithers/${LOOP}`, state: { status }, run });
    const found = await find(at, { headBranch: `smithers/${LOOP}` });
    expect(found).toMatchObject({ value: { running, state: { status }, commit: expect.stringMatching(/^e+1$/u) } });
  });

  test("is believed to run where nobody may ask whether it does", async () => {
    await using at = await asking({ contents: "read" });
    await at.loop({ branch: `smithers/${LOOP}`, run: "completed" });
    expect(await find(at, { headBranch: `smithers/${LOOP}` })).toMatchObject({ value: { running: true } });
  });

  test("is unknown where it cannot be read: damaged, another's, of a later version, or GitHub fails", async () => {
    await using at = await asking();
    const headBranch = `smithers/${LOOP}`;
    const unread = async () => find(at, { headBranch });
    await at.loop({ branch: headBranch, state: { max_iterations: -1 } });
    expect(await unread()).toMatchObject({ ok: false, trouble: { because: expect.stringContaining("is damaged") } });
    await at.loop({ branch: headBranch, state: { loop_id: "other" } });
    expect(await unread()).toMatchObject({
      ok: false,
      trouble: { because: expect.stringContaining("its loop_id is not that") },
    });
    await at.api.world.refs.set(`refs/smithers-loops/${LOOP}`, "f".repeat(40));
    expect(await unread()).toMatchObject({ ok: false, trouble: { kind: "absent" } });
    at.api.fail("git/get-ref", { status: 500, body: { message: "Oops" } });
    expect(await unread()).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
  });

  test("is read from a blob when its record is too long for a file, and has to be that of its ref", async () => {
    await using at = await asking();
    const headBranch = `smithers/${LOOP}`;
    const record = { ...aCarriedRecord(1), state: aState({ loop_id: "other", revision: 1 }), loop_id: "other" };
    await at.loop({ branch: headBranch });
    const file = { type: "file", encoding: "none", content: "", sha: HEAD };
    at.api.fail("repos/get-content", { status: 200, body: file });
    const content = Buffer.from(JSON.stringify(record)).toString("base64");
    at.api.fail("git/get-blob", { status: 200, body: { content, encoding: "base64", sha: HEAD, size: 1 } });
    expect(await find(at, { headBranch })).toMatchObject({
      ok: false,
      trouble: { because: `refs/smithers-loops/${LOOP} holds the record of another loop` },
    });
  });

  test("is found by its record alone as long as nothing names it, among any number of others", async () => {
    await using at = await asking();
    for (let count = 0; count < 40; count += 1) await at.loop({ loopId: `another-pr-1-${count}`, number: 1 });
    expect(await find(at)).toEqual(NONE);
    const reads = at.api.requests.filter(({ operation }) => operation === "repos/get-content");
    expect(reads).toHaveLength(30);
    await at.loop({ state: { status: "running" }, run: "in_progress" });
    expect(await find(at)).toMatchObject({ value: { loopId: LOOP, running: true } });
  });

  test("is not hidden by another one that is damaged, and is unknown where one cannot be read", async () => {
    await using at = await asking();
    await at.loop({ loopId: "damaged", state: { max_iterations: -1 } });
    expect(await find(at)).toEqual(NONE);
    at.api.fail("git/list-matching-refs", { status: 500, body: { message: "Oops" } });
    expect(await find(at)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
    at.api.fail("repos/get-content", { status: 500, body: { message: "Oops" } });
    expect(await find(at)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
    await at.loop();
    expect(await find(at)).toMatchObject(FOUND);
  });

  test("is unknown where our comments cannot be read", async () => {
    await using at = await asking();
    at.api.fail("graphql/repository", { status: 401, body: { message: "Bad credentials" } }, 9);
    expect(await find(at)).toMatchObject({ ok: false, trouble: { because: "GitHub does not know the token" } });
  });
});
