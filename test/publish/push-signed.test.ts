import { describe, expect, test } from "vitest";
import { BRANCH, publishStage } from "./publish-stage.ts";

const SIGNED = { inputs: { "sign-commits": "true" } };
/** Long enough on any machine, and short enough that GitHub could not make one commit more in it. */
const SOON = 45_000;
const MOST_COMMITS = 16;

describe.concurrent("commits that GitHub signs (sign-commits)", () => {
  test("goes on from what GitHub has made, also where that could not be fetched", async () => {
    await using at = await publishStage();
    const job = await at.job(SIGNED);
    const branch = await at.checkOut(job);
    const first = await at.work("a.txt");
    const pushed = await branch.push(first, SOON);
    const made = await at.tip(BRANCH);
    expect(pushed).toMatchObject({ ok: true, value: { head: made } });
    expect([branch.tip, branch.here, await at.git("rev-parse", "HEAD")]).toEqual([made, made, made]);
    expect(made).not.toBe(first);
    expect(await at.git("status", "--porcelain")).toBe("");
    expect(job.notices).toEqual([]);

    const second = await at.work("b.txt");
    at.remote.fault = () => ({ status: 503, text: "no" });
    expect(await branch.push(second, SOON)).toMatchObject({ ok: true });
    at.remote.fault = undefined;
    const next = await at.tip(BRANCH);
    expect([branch.tip, branch.here, await at.git("rev-parse", "HEAD")]).toEqual([next, second, second]);
    expect(job.notices.join("\n")).toContain(
      `GitHub has made ${next.slice(0, 12)} of ${second.slice(0, 12)}, which stays`,
    );

    const third = await at.work("c.txt");
    expect(await branch.secretIn(third, SOON)).toBeNull();
    expect(await branch.push(third, SOON)).toMatchObject({ ok: true });
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
    const branch = await at.checkOut(job);
    await at.work("a.txt");
    for (let number = 2; number <= MOST_COMMITS; number++)
      await at.git("commit", "-q", "--allow-empty", "-m", `step ${number}`);
    expect(await branch.push(await at.work("z.txt"), SOON)).toMatchObject({ ok: true });
    expect(await at.remote.git("rev-list", "--count", `main..${await at.tip(BRANCH)}`)).toBe("1");
    expect(job.notices).toEqual([
      `${MOST_COMMITS + 1} commits became one on ${BRANCH}: with sign-commits GitHub creates them itself, and there are too many for the API in the time there is.`,
      expect.stringMatching(
        /^GitHub does not show the loop's commits as verified \(unsigned\)\. It signs for the job's own/u,
      ),
    ]);
  });

  test("nothing is made where there is nothing to build on, or history was rewritten", async () => {
    await using at = await publishStage();
    const job = await at.job(SIGNED);
    const main = await at.git("rev-parse", "HEAD");
    const none = await at.branches(job).reopen({ name: BRANCH, tip: null, head: null });
    expect(await none?.push(main, SOON)).toMatchObject({ trouble: { kind: "incomplete" } });
    const work = await at.work("a.txt");
    const rewritten = await at.branches(job).reopen({ name: BRANCH, tip: work, head: main });
    const because = `the work does not hold ${work.slice(0, 12)}, where ${BRANCH} was: history was rewritten`;
    expect(await rewritten?.push(main, SOON)).toMatchObject({ trouble: { kind: "not_fast_forward", because } });
    const unknown = await at.branches(job).reopen({ name: BRANCH, tip: "--all", head: main });
    expect(await unknown?.push(main, SOON)).toMatchObject({
      trouble: { kind: "unreachable", because: expect.stringContaining("is not the id") },
    });
    expect(at.api.requests).toEqual([]);
  });
});

test.concurrent.for([
  { name: "pushed", inputs: {} },
  { name: "made by GitHub", inputs: SIGNED.inputs },
])("post goes on from what main has $name and not noted; what somebody set back stays so [C13]", async ({ inputs }) => {
  await using at = await publishStage();
  const job = await at.job({ inputs });
  const branch = await at.checkOut(job);
  const note = { name: BRANCH, tip: branch.tip, head: branch.head };
  expect(await branch.push(await at.work("a.txt"), SOON)).toMatchObject({ ok: true });
  const made = await at.tip(BRANCH);
  const again = await at.branches(job).reopen(note);
  expect(await again?.push(made, SOON)).toMatchObject({ ok: true, value: { head: made } });
  const post = await at.branches(job).reopen(note);
  expect(await post?.push(await at.work("b.txt"), SOON)).toMatchObject({ ok: true });
  const next = await at.tip(BRANCH);
  expect([post?.tip, await at.git("rev-parse", "HEAD")]).toEqual([next, next]);
  expect(await at.remote.git("rev-parse", `${next}^`)).toBe(made);
  await at.remote.git("update-ref", `refs/heads/${BRANCH}`, made);
  expect(await post?.push(await at.work("c.txt"), SOON)).toMatchObject({ trouble: { kind: "moved", now: made } });
});
