import { expect, test } from "vitest";
import { liveComment } from "../../src/job/on-github.ts";
import { aPull } from "../support/github-api/server.ts";
import { aState, turnEnded } from "../views/a-state.ts";
import { BOT, BRANCH, LOOP, publishStage } from "../publish/publish-stage.ts";

test.each([
  { whose: "this run's", isOurs: true, comments: [expect.stringContaining("What you can say now")], told: [] },
  { whose: "another run's", isOurs: false, comments: [], told: [/another run goes on with this loop/u] },
])("the comment of a loop that is $whose [W-46]", async ({ isOurs, comments, told }) => {
  await using at = await publishStage();
  const { world } = at.api;
  world.issues.push(aPull({ number: 7, author: BOT, headBranch: BRANCH }));
  const lines: string[] = [];
  const job = await at.job();
  const { context, place, settings, host } = job;
  const pullRequest = { number: 7, url: "https://github.com/o/r/pull/7", own: true };
  const github = { branch: BRANCH, pullRequest, askedBy: null, resetsCircuit: false, request: null, continuations: 0 };
  const reporter = await liveComment(
    { place, settings, taskRequest: { by: "trigger", guidance: null, github }, stored: undefined, prd: null },
    {
      ...{ context, github: at.github, startedAt: host.startedAt },
      checkpoints: { isOurs: async () => isOurs },
      log: { foreign: (line) => lines.push(line) },
    },
    () => null,
  );
  if (reporter === undefined) throw new Error("there is no comment");
  reporter.report(turnEnded(), aState({ loop_id: LOOP, status: "running", stop_reason: null }));
  await reporter.flush(Date.now() + 20_000);
  expect(world.comments.map(({ body }) => body)).toEqual(comments);
  expect(lines).toEqual(told.map((pattern) => expect.stringMatching(pattern)));
});
