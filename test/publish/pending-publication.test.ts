import { describe, expect, test } from "vitest";
import { resumePublication } from "../../src/publish/pending-publication.ts";
import type { GithubLink, Unpublished } from "../../src/core/state.ts";
import { aState } from "../views/a-state.ts";
import { BRANCH, type JobOnStage, type PublishStage, publishStage, refusalOf } from "./publish-stage.ts";

const LINK: GithubLink = {
  ...{ branch: BRANCH, head: null, pull_request: null },
  ...{ authorised_by: null, obeyed: null, continuations: 0 },
};
const BESIDE = `${BRANCH}.run-1`;

function resumed(at: PublishStage, job: JobOnStage, unpublished: Partial<Unpublished> | null) {
  const all: Unpublished = { what: "branch", base: null, tip: null, kept_on: null, ...unpublished };
  const stored = aState({ github: unpublished === null ? LINK : { ...LINK, unpublished: all } });
  const { place, teller } = job;
  const means = { branches: at.branches(job), place, github: at.github, notice: teller.notice };
  return resumePublication(means, stored);
}

describe.concurrent("an ending is published after all where its work was done [C25]", () => {
  test("on a branch of its own, which begins there whatever is checked out now; twice is once", async () => {
    await using at = await publishStage();
    const job = await at.job();
    const base = await at.git("rev-parse", "HEAD");
    await at.push("main");
    await at.git("pull", "-q", "--ff-only");
    for (const tip of ["", base]) {
      expect(await at.tip(BRANCH)).toBe(tip);
      expect(await resumed(at, job, { base })).toMatchObject({ name: BRANCH, tip: base, head: base });
      expect(await at.git("rev-parse", "HEAD")).toBe(base);
    }
    expect(job.notices).toEqual([]);
  });

  test("on another branch that holds the work: it goes from there to its own", async () => {
    await using at = await publishStage();
    const job = await at.job();
    const [base, commit] = [await at.git("rev-parse", "HEAD"), await at.push(BESIDE)];
    const branch = await resumed(at, job, { base, kept_on: BESIDE });
    expect([await at.git("rev-parse", "HEAD"), branch?.name, branch?.tip]).toEqual([commit, BRANCH, null]);
    expect(await branch?.push(commit, 20_000)).toMatchObject({ ok: true });
    expect(await at.tip(BRANCH)).toBe(commit);
  });

  test("where only its pull request is missing, on the branch as it is", async () => {
    await using at = await publishStage();
    const tip = await at.push(BRANCH);
    expect(await resumed(at, await at.job(), { what: "pull_request", tip })).toMatchObject({ tip, head: tip });
  });
});

describe.concurrent("and not where somebody was faster, who hears where the work is [T6]", () => {
  test("the branch was moved, or there is nothing to make up for: nothing is changed", async () => {
    await using at = await publishStage();
    const job = await at.job();
    const before = await at.git("rev-parse", "HEAD");
    expect(await resumed(at, job, null)).toBeUndefined();
    expect(at.remote.requests).toEqual([]);
    const [tip, theirs] = [await at.push(BRANCH), await at.push(BRANCH, "more.txt")];
    expect(await resumed(at, job, { tip })).toBeUndefined();
    await at.remote.git("update-ref", "-d", `refs/heads/${BRANCH}`);
    expect(await resumed(at, job, { tip: theirs, kept_on: BESIDE })).toBeUndefined();
    expect(job.notices).toEqual([
      expect.stringContaining(`it was at ${tip.slice(0, 12)} and is at ${theirs.slice(0, 12)} now. What is kept of it`),
      expect.stringContaining(`and was deleted. The work is on the branch ${BESIDE}: merge that by hand.`),
    ]);
    expect(await at.git("rev-parse", "HEAD")).toBe(before);
  });

  test("the branch that held the work was deleted", async () => {
    await using at = await publishStage();
    const job = await at.job();
    expect(await resumed(at, job, { kept_on: BESIDE })).toBeUndefined();
    expect(job.notices).toEqual([expect.stringContaining(`deleted the branch ${BESIDE}`)]);
  });
});

describe.concurrent("and not now, where that cannot be told or done: nothing is lost, and no turn is spent", () => {
  const NOT_NOW = /^ENDING_UNPUBLISHED: .* kept as it was, and no turn was spent\.$/u;

  test("git does not answer", async () => {
    await using at = await publishStage();
    const job = await at.job();
    at.remote.fault = () => ({ status: 500, text: "oops" });
    expect(await refusalOf(resumed(at, job, {}))).toMatch(NOT_NOW);
  });

  test("the token may not begin the branch", async () => {
    await using at = await publishStage({ contents: "read" });
    const base = await at.git("rev-parse", "HEAD");
    await at.work("other.txt");
    const refused = await refusalOf(resumed(at, await at.job(), { base }));
    expect(refused).toMatch(NOT_NOW);
    expect(refused).toContain("contents: write");
  });

  test("what is checked out is in the way", async () => {
    await using at = await publishStage();
    const tip = await at.push(BRANCH, "README.md");
    await at.git("rm", "-q", "README.md");
    expect(await refusalOf(resumed(at, await at.job(), { tip }))).toMatch(NOT_NOW);
  });
});
