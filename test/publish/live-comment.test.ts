import { expect, test } from "vitest";
import { liveComment } from "../../src/publish/live-comment.ts";
import { aPull } from "../support/github-api/server.ts";
import { aState, turnEnded } from "../views/a-state.ts";
import { BOT, BRANCH, LOOP, publishStage } from "./publish-stage.ts";

test.each([
  { whose: "this run's", isOurs: true, comments: [expect.stringContaining("What you can say now")], told: [] },
  { whose: "another run's", isOurs: false, comments: [], told: [/another run goes on with this loop/u] },
])("W-46: the comment of a loop that is $whose", async ({ isOurs, comments, told }) => {
  await using at = await publishStage();
  const { world } = at.api;
  world.issues.push(aPull({ number: 7, author: BOT, headBranch: BRANCH }));
  const lines: string[] = [];
  const job = await at.job();
  const reporter = liveComment({
    job: { ...job, log: { ...job.log, foreign: (line: string) => lines.push(line) } },
    octokit: at.octokit,
    pullRequest: { number: 7, url: "https://github.com/o/r/pull/7", own: true },
    branch: BRANCH,
    deadline: () => null,
    checkpoints: { isOurs: async () => isOurs },
  });
  reporter.report(turnEnded(), aState({ loop_id: LOOP, status: "running", stop_reason: null }));
  await reporter.flush(Date.now() + 20_000);
  expect(world.comments.map(({ body }) => body)).toEqual(comments);
  expect(lines).toEqual(told.map((pattern) => expect.stringMatching(pattern)));
});
