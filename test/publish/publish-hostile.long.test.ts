import { describe, expect, test } from "vitest";
import { DONE, HALF, known, prepared, there } from "./publish-prepared.ts";
import { BOT, BRANCH, publishStage } from "./publish-stage.ts";

const refusing = (status: number, message: string) => ({ status, body: { message } });

describe.concurrent("an obstacle on GitHub is a note, and the work is on its branch", () => {
  test("the base branch is gone", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    await at.remote.git("update-ref", "-d", "refs/heads/main");
    const done = await run(DONE);
    expect(done).toMatchObject({ head: commit, pull_request: null });
    expect(done.facts.notes).toEqual([
      "There is no pull request of this work: there is no branch main for it to be merged into; bring it back, or set `base` to another one.",
    ]);
    expect([await at.tip(BRANCH), there(at).statuses]).toEqual([commit, [["success", commit]]]);
  });

  test("the conversation is locked", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const facts = known(at);
    at.api.fail("pulls/create-review", refusing(422, "Unprocessable Entity: lock prevents review"), 9);
    at.api.fail("issues/create-comment", refusing(403, "Unable to create comment because issue is locked."), 9);
    const done = await run(HALF, facts);
    expect(done).toMatchObject({ head: commit, pull_request: { number: 7 } });
    const why = "the conversation is locked; unlock it on its page.";
    expect(done.facts.notes).toEqual([
      `There is no review of the HARD STOP: ${why}`,
      `The status comment is not up to date: ${why}`,
    ]);
    expect(there(at)).toMatchObject({ labels: ["smithers:paused"], statuses: [["pending", commit]] });
  });

  test("the commit has all the statuses that GitHub takes, and issues are disabled", async () => {
    await using at = await publishStage();
    const { run, commit } = await prepared(at);
    const facts = known(at);
    const full = refusing(422, "This SHA and context has reached the maximum number of statuses.");
    at.api.fail("repos/create-commit-status", full, 9);
    at.api.fail("issues/add-labels", refusing(410, "Issues are disabled for this repo"), 9);
    at.api.fail("issues/remove-label", refusing(410, "Issues are disabled for this repo"), 9);
    const done = await run(HALF, facts);
    expect(done).toMatchObject({ head: commit, pull_request: { number: 7 } });
    expect(done.facts.notes).toEqual([
      expect.stringMatching(/^The commit status smithers\/loop is not set: the commit has 1,000 statuses/u),
      expect.stringMatching(/^Labels are missing: GitHub answered 410/u),
      expect.stringMatching(/^The label smithers:continue is left: GitHub answered 410/u),
    ]);
    expect(there(at)).toMatchObject({ reviews: 1, comments: 1 });
  });

  test("labels are spelled otherwise: they are the same to GitHub", async () => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    const facts = known(at);
    at.api.world.issues[0]?.labels.push("Smithers:Paused", "SMITHERS:CONTINUE");
    expect((await run(HALF, facts)).facts.notes).toEqual([]);
    expect(there(at).labels).toEqual(["Smithers:Paused"]);
  });
});

describe.concurrent("what a task says does not act on GitHub [C13, T10]", () => {
  test.for([
    {
      what: "closing words and mentions",
      prompt: "Closes #1 for @everyone\r\nfixes GH-2",
      title: /^smithers: Closes #\u200B1 for @\u200Beveryone$/u,
    },
    { what: "100,000 characters", prompt: "x ".repeat(50_000), title: /^smithers: [x ]{69,70}…$/u },
    { what: "only marks", prompt: "\u202E\u0007 \n#", title: /^smithers: a-loop$/u },
  ])("$what", async ({ prompt, title }) => {
    await using at = await publishStage();
    const { run } = await prepared(at);
    expect((await run({ ...DONE, prompt, loop_id: "a-loop" })).facts.notes).toEqual([]);
    const [pull] = at.api.world.issues;
    expect(pull).toMatchObject({ author: BOT, title: expect.stringMatching(title) });
    expect(pull?.body.length).toBeLessThan(65_536);
  });
});
