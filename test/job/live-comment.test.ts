import { expect, test } from "vitest";
import { liveComment } from "../../src/job/live-comment.ts";
import { githubPlaceOf } from "../../src/publish/publication-facts.ts";
import { aPull } from "../support/github-api/server.ts";
import { aState, turnEnded } from "../views/a-state.ts";
import { BOT, BRANCH, LOOP, publishStage } from "../publish/publish-stage.ts";

test.each([
  { whose: "this run's", isOurs: true, comments: [expect.stringContaining("What you can say now")], told: [] },
  { whose: "another run's", isOurs: false, comments: [], told: [/another run goes on with this loop/u] },
])("W-46: the comment of a loop that is $whose", async ({ isOurs, comments, told }) => {
  await using at = await publishStage();
  const { world } = at.api;
  world.issues.push(aPull({ number: 7, author: BOT, headBranch: BRANCH }));
  const lines: string[] = [];
  const job = await at.job();
  const { config } = job.settings;
  const reporter = liveComment({
    ...{ place: job.place, config, startedAt: job.host.startedAt, access: at.access() },
    github: githubPlaceOf(job.context, config, BRANCH),
    pullRequest: { number: 7, url: "https://github.com/o/r/pull/7", own: true },
    deadline: () => null,
    checkpoints: { isOurs: async () => isOurs },
    log: (line) => lines.push(line),
  });
  reporter.report(turnEnded(), aState({ loop_id: LOOP, status: "running", stop_reason: null }));
  await reporter.flush(Date.now() + 20_000);
  expect(world.comments.map(({ body }) => body)).toEqual(comments);
  expect(lines).toEqual(told.map((pattern) => expect.stringMatching(pattern)));
});
