import { describe, expect, test } from "vitest";
import { BRANCH, publishStage } from "./publish-stage.ts";

const SIGNED = { inputs: { "sign-commits": "true" } };
const SOON = 30_000;

describe.concurrent("sign-commits: the branch in hand", () => {
  test("goes on from what GitHub has made, also where that could not be fetched", async () => {
    await using at = await publishStage();
    const job = await at.job(SIGNED);
    const hand = await at.hand(job);
    const first = await at.work("a.txt");
    const pushed = await hand.push(first, SOON);
    const made = await at.tip(BRANCH);
    expect(pushed).toMatchObject({ pushed: true, head: made });
    expect([hand.tip, hand.here, await at.git("rev-parse", "HEAD")]).toEqual([made, made, made]);
    expect(made).not.toBe(first);
    expect(await at.git("status", "--porcelain")).toBe("");
    expect(job.notices).toEqual([]);

    const second = await at.work("b.txt");
    at.remote.fault = () => ({ status: 503, text: "no" });
    expect(await hand.push(second, SOON)).toMatchObject({ pushed: true });
    at.remote.fault = undefined;
    const next = await at.tip(BRANCH);
    expect([hand.tip, hand.here, await at.git("rev-parse", "HEAD")]).toEqual([next, second, second]);
    expect(job.notices.join("\n")).toContain(
      `GitHub has made ${next.slice(0, 12)} of ${second.slice(0, 12)}, which stays`,
    );

    const third = await at.work("c.txt");
    expect(await hand.secretIn(third, SOON)).toBeNull();
    expect(await hand.push(third, SOON)).toMatchObject({ pushed: true });
    const last = await at.tip(BRANCH);
    expect(await at.git("rev-parse", "HEAD")).toBe(last);
    expect(await at.remote.git("log", "--format=%cn %s", `main..${last}`)).toBe(
      "GitHub c.txt\nGitHub b.txt\nGitHub a.txt",
    );
  });

  test("too many commits for the time become one; a person's token signs nothing; both are told", async () => {
    await using at = await publishStage();
    at.api.world.tokens.set(at.remote.writeToken, { login: "alice", permissions: { contents: "write" } });
    const job = await at.job(SIGNED);
    const hand = await at.hand(job);
    for (const name of ["a.txt", "b.txt", "c.txt"]) await at.work(name);
    expect(await hand.push(await at.git("rev-parse", "HEAD"), 10_000)).toMatchObject({ pushed: true });
    expect(await at.remote.git("rev-list", "--count", `main..${await at.tip(BRANCH)}`)).toBe("1");
    expect(job.notices).toEqual([
      `3 commits became one on ${BRANCH}: with sign-commits GitHub makes them anew, and so many cannot be made by the API in time.`,
      expect.stringMatching(
        /^GitHub does not show the loop's commits as verified \(unsigned\)\. It signs for the job's own/u,
      ),
    ]);
  });

  test("nothing is made where there is nothing to build upon, or history was rewritten", async () => {
    await using at = await publishStage();
    const job = await at.job(SIGNED);
    const main = await at.git("rev-parse", "HEAD");
    const none = await at.branches(job).again({ name: BRANCH, tip: null, head: null });
    expect(await none?.push(main, SOON)).toMatchObject({ because: "refused", kind: "incomplete" });
    const work = await at.work("a.txt");
    const rewritten = await at.branches(job).again({ name: BRANCH, tip: work, head: main });
    const why = `the work does not hold ${work.slice(0, 12)}, where ${BRANCH} was: history was rewritten`;
    expect(await rewritten?.push(main, SOON)).toMatchObject({ because: "refused", kind: "not_fast_forward", why });
    const unknown = await at.branches(job).again({ name: BRANCH, tip: "--all", head: main });
    expect(await unknown?.push(main, SOON)).toMatchObject({
      because: "unreachable",
      why: expect.stringContaining("is not the id"),
    });
    expect(at.api.requests).toEqual([]);
  });
});

test.concurrent.for([
  { name: "pushed", inputs: {} },
  { name: "made by GitHub", inputs: SIGNED.inputs },
])("C13: post goes on from what main has $name and not noted; what somebody set back stays so", async ({ inputs }) => {
  await using at = await publishStage();
  const job = await at.job({ inputs });
  const hand = await at.hand(job);
  const note = { name: BRANCH, tip: hand.tip, head: hand.head };
  expect(await hand.push(await at.work("a.txt"), SOON)).toMatchObject({ pushed: true });
  const made = await at.tip(BRANCH);
  const again = await at.branches(job).again(note);
  expect(await again?.push(made, SOON)).toMatchObject({ pushed: true, head: made });
  const post = await at.branches(job).again(note);
  expect(await post?.push(await at.work("b.txt"), SOON)).toMatchObject({ pushed: true });
  const next = await at.tip(BRANCH);
  expect([post?.tip, await at.git("rev-parse", "HEAD")]).toEqual([next, next]);
  expect(await at.remote.git("rev-parse", `${next}^`)).toBe(made);
  await at.remote.git("update-ref", `refs/heads/${BRANCH}`, made);
  expect(await post?.push(await at.work("c.txt"), SOON)).toMatchObject({ because: "moved", now: made });
});
