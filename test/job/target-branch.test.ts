import { describe, expect, test } from "vitest";
import { type TargetBranch, targetBranchOf } from "../../src/job/target-branch.ts";
import type { Opening } from "../../src/core/open-loop.ts";
import type { GithubLink } from "../../src/core/state.ts";
import type { BranchOptions } from "../../src/publish/publish-branch.ts";
import type { GithubAccess } from "../../src/github/access.ts";
import { aPull } from "../support/github-api/server.ts";
import { aState } from "../views/a-state.ts";
import {
  BOT,
  BRANCH,
  type JobOnStage,
  type PublishStage,
  publishStage,
  refusalOf,
  type StageJob,
} from "../publish/publish-stage.ts";

const BEGIN: Opening = { do: "begin", generation: 1 };
const RESUME: Opening = { do: "resume" };
const RENEW: Opening = { do: "renew", generation: 3 };

const OWN = { number: 7, url: "https://github.com/o/r/pull/7", own: true };

function aLink(overrides: Partial<GithubLink> = {}): GithubLink {
  const known = { authorised_by: null, obeyed: null, continuations: 0 };
  return { branch: BRANCH, head: "b".repeat(40), pull_request: OWN, ...known, ...overrides };
}

interface Question {
  readonly opening: Opening;
  readonly link?: GithubLink | null;
  readonly pullNumber?: number;
  readonly job?: StageJob;
}

/** GitHub with the loop's own pull request 7, and with 8 of a person. */
async function ask(
  at: PublishStage,
  { opening, link: github = null, pullNumber = 0, job }: Question,
): Promise<TargetBranch> {
  const stored = opening.do === "begin" ? undefined : aState({ github });
  const question = { opening, stored, pullNumber: pullNumber === 0 ? null : pullNumber };
  return targetBranchOf(sources(await at.job(job), at.github), question);
}

function sources({ context, place, settings, teller }: JobOnStage, github: GithubAccess | undefined): BranchOptions {
  return { context, config: settings.config, place, github, notice: teller.notice };
}

async function withPulls(state: "open" | "closed" = "open", merged = false): Promise<PublishStage> {
  const at = await publishStage();
  at.api.world.issues.push(
    aPull({ number: 7, author: BOT, headBranch: BRANCH, state, merged }),
    aPull({ number: 8, headBranch: "feature" }),
  );
  return at;
}

const named = (branch: string): TargetBranch => ({ branch, pullRequest: null });

describe.concurrent("where a run's work goes [C13, C25]", () => {
  test("a new loop's goes to the branch that the setting names", async () => {
    await using at = await publishStage();
    expect(await ask(at, { opening: BEGIN })).toEqual(named(BRANCH));
    const job = { inputs: { branch: "bot/<loop-id>/work" } };
    expect(await ask(at, { opening: BEGIN, job })).toEqual(named("bot/a-loop/work"));
    expect(at.api.requests).toEqual([]);
  });

  test("never to the branch that its pull request is for, unless there is to be none", async () => {
    await using at = await publishStage();
    for (const inputs of [{ branch: "main" }, { branch: "trunk", base: "trunk" }]) {
      expect(await refusalOf(ask(at, { opening: BEGIN, job: { inputs } }))).toContain("nobody could review it");
    }
    const job = { inputs: { branch: "main", "pull-request": "never" } };
    expect(await ask(at, { opening: BEGIN, job })).toEqual(named("main"));
  });

  test("a resumed loop's goes where it went, whatever the setting says now, for everybody who asks", async () => {
    await using at = await withPulls("closed");
    const job = { inputs: { branch: "other/<loop-id>" } };
    expect(await ask(at, { opening: RESUME, link: aLink(), pullNumber: 8, job })).toEqual(named(BRANCH));
    expect(await ask(at, { opening: RESUME, link: aLink({ branch: "feature" }) })).toEqual(named("feature"));
    expect(await ask(at, { opening: RESUME })).toEqual(named(BRANCH));
    expect(at.api.requests).toEqual([]);
  });

  test("never to the base by a record alone, only where settings or GitHub say so [T15]", async () => {
    await using at = await withPulls();
    const link = aLink({ branch: "main" });
    const theirs = { ...OWN, number: 8, own: false };
    for (const forged of [link, aLink({ branch: "main", pull_request: null }), { ...link, pull_request: theirs }]) {
      for (const opening of [RESUME, RENEW])
        expect(await refusalOf(ask(at, { opening, link: forged }))).toMatch(
          /^RECORD_NAMES_BASE: .*its work goes to main, .* nothing was done/iu,
        );
    }
    const trunk = { opening: RESUME, link: aLink({ branch: "trunk" }), job: { inputs: { base: "trunk" } } };
    expect(await refusalOf(ask(at, trunk))).toContain("RECORD_NAMES_BASE");
    const job = { inputs: { branch: "main", "pull-request": "never" } };
    expect(await ask(at, { opening: RESUME, link, job })).toEqual(named("main"));
    at.api.world.issues.push(aPull({ number: 9, headBranch: "main" }));
    const of9 = { ...theirs, number: 9 };
    expect(await ask(at, { opening: RESUME, link: { ...link, pull_request: of9 } })).toEqual(named("main"));
  });

  test.for([
    { what: "is open", state: "open", merged: false, branch: BRANCH },
    { what: "was closed", state: "closed", merged: false, branch: `${BRANCH}.g3` },
    { what: "was merged", state: "closed", merged: true, branch: `${BRANCH}.g3` },
  ] as const)("the next generation's, when the pull request $what", async ({ state, merged, branch }) => {
    await using at = await withPulls(state, merged);
    expect(await ask(at, { opening: RENEW, link: aLink() })).toEqual(named(branch));
  });

  test("the next generation's has a branch of its own where there never was a pull request", async () => {
    await using at = await withPulls();
    expect(await ask(at, { opening: RENEW, link: aLink({ pull_request: null }) })).toEqual(named(`${BRANCH}.g3`));
    expect(at.api.requests).toEqual([]);
  });

  test("and where it will never be known whether the pull request is open, which is said", async () => {
    await using at = await withPulls();
    const job = await at.job();
    const stored = aState({ github: aLink({ pull_request: { ...OWN, number: 99 } }) });
    const question = { opening: RENEW, stored, pullNumber: null };
    expect(await targetBranchOf(sources(job, at.github), question)).toEqual(named(`${BRANCH}.g3`));
    expect(job.notices).toEqual([
      expect.stringMatching(/#99, the loop's last one, .*, smithers\/a-loop\.g3; .*close/u),
    ]);
    expect(await targetBranchOf(sources(job, undefined), question)).toEqual(named(`${BRANCH}.g3`));
  });

  test("while GitHub does not answer whether it is open, nothing begins", async () => {
    await using at = await withPulls();
    at.api.fail("pulls/get", { status: 500, body: { message: "oops" } }, 9);
    expect(await refusalOf(ask(at, { opening: RENEW, link: aLink() }))).toMatch(
      /^PULL_REQUEST_UNREADABLE: .*#7 .*in use: .* no turn was spent/u,
    );
  });

  test("a branch that nothing was pushed to is used again", async () => {
    await using at = await publishStage();
    expect(await ask(at, { opening: RENEW, link: aLink({ head: null, pull_request: null }) })).toEqual(named(BRANCH));
  });

  test("what is asked on a person's pull request goes to its branch, and the pull request stays theirs", async () => {
    await using at = await withPulls();
    const url = `${new URL(at.remote.url).origin}/o/r/pull/8`;
    const theirs = { branch: "feature", pullRequest: { number: 8, url, own: false } };
    expect(await ask(at, { opening: BEGIN, pullNumber: 8 })).toEqual(theirs);
    expect(await ask(at, { opening: RENEW, link: aLink(), pullNumber: 8 })).toEqual(theirs);
  });

  test("what is asked again on the loop's own pull request goes to that, which stays the loop's own", async () => {
    await using at = await withPulls();
    expect(await ask(at, { opening: RENEW, link: aLink(), pullNumber: 7 })).toEqual(named(BRANCH));
  });

  test("a fork's branch is in another repository: nothing is done [T3]", async () => {
    await using at = await publishStage();
    at.api.world.issues.push(aPull({ number: 9, headBranch: "main", headRepositoryId: 5 }));
    expect(await refusalOf(ask(at, { opening: BEGIN, pullNumber: 9 }))).toMatch(
      /^REQUEST_NOT_ALLOWED: Pull request #9 comes from a fork/u,
    );
  });

  test.for([
    { name: "there is none", fails: 0, answer: 404 },
    { name: "GitHub has a fault", fails: 9, answer: 500 },
    { name: "the token may not read it", fails: 9, answer: 403 },
  ])("where it cannot be read nothing is done: $name", async ({ fails, answer }) => {
    await using at = await publishStage();
    const message = answer === 403 ? "Resource not accessible by integration" : "oops";
    if (fails > 0) at.api.fail("pulls/get", { status: answer, body: { message } }, fails);
    expect(await refusalOf(ask(at, { opening: BEGIN, pullNumber: 12 }))).toMatch(
      /^PULL_REQUEST_UNREADABLE: Pull request #12 cannot be read/u,
    );
  });
});
