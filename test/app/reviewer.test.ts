import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createReviewer, leavingNothing, reviewerOf, reviewing, withReviewer } from "../../src/app/review/reviewer.ts";
import { createGitWorkspace } from "../../src/git/workspace.ts";
import { systemClock } from "../../src/os/clock.ts";
import { resolve } from "../config/support.ts";
import { reviewSaying } from "../support/fake-reviewer.ts";
import { gitRepository } from "../support/git-repository.ts";

const REQUEST = { iteration: 1, prompt: "Look.", timeoutMs: 20_000, idleTimeoutMs: 20_000 };
const never = new AbortController().signal;
const config = (flags: Readonly<Record<string, string>>) => resolve({ flags: { prompt: "x", ...flags } }).config;

async function measured() {
  const repository = await gitRepository({ "a.txt": "a\n" });
  const folder = path.join(repository.path, ".git", "loop");
  const workspace = await createGitWorkspace({ root: repository.path, folder, excluded: [] });
  const write = (name: string) => writeFile(path.join(repository.path, name), "vandalised\n");
  return { repository, workspace, write };
}

test("what a reviewer changes is undone and told, and unfinished work stays [C52]", async () => {
  const { repository, workspace, write } = await measured();
  await using _ = repository;
  await writeFile(path.join(repository.path, "b.txt"), "work\n");
  const told: string[] = [];
  const reviewer = leavingNothing(
    {
      ask: async () => {
        for (const name of ["a.txt", "b.txt", "c.txt"]) await write(name);
        return reviewSaying("Fine.");
      },
    },
    workspace,
    (text) => told.push(text),
  );
  expect(await reviewer.ask(REQUEST, never)).toMatchObject({ lastMessage: "Fine." });
  expect(await repository.git("status", "--short")).toBe("?? b.txt");
  expect(told).toEqual([
    expect.stringMatching(/^the reviewer changed c\.txt, .*review-1\.patch of the loop's folder$/u),
  ]);
});

test("a reviewer that commits ends the run, and nothing is hidden [C52]", async () => {
  const { repository, workspace, write } = await measured();
  await using _ = repository;
  const ask = async () => {
    await write("a.txt");
    await repository.git("commit", "-qam", "mine");
    return reviewSaying("Fine.");
  };
  await expect(leavingNothing({ ask }, workspace, () => {}).ask(REQUEST, never)).rejects.toMatchObject({
    code: "REVIEWER_LEFT_FILES",
  });
});

test("an agent that cannot be kept from changing files does not review where nothing is measured [C52, W-25]", async () => {
  const flags = { reviewer: "always", provider: "command", "provider-command": '["true"]' };
  const place = { workspaceRoot: "/nowhere", folder: "/nowhere/f", mark: "m", env: {}, clock: systemClock };
  const reviewer = await createReviewer(
    { ...place, config: config(flags) },
    undefined,
    () => undefined,
    () => {},
  );
  expect(await reviewer.ask(REQUEST, never)).toMatchObject({ type: "turn.failed", failure: { kind: "bad_request" } });
  const nobody = await createReviewer(
    { ...place, config: config({}) },
    undefined,
    () => undefined,
    () => {},
  );
  await expect(nobody.ask(REQUEST, never)).rejects.toThrow("without a reviewer");
});

test("who reviews is the agent of the turns, or another with its own model [C52]", () => {
  expect(reviewerOf(config({}))).toBeNull();
  expect(reviewerOf(config({ reviewer: "thin", model: "m" }))).toEqual({ name: "codex", model: "m" });
  const other = config({
    reviewer: "thin",
    "reviewer-agent": "codex/gpt/x",
    provider: "command",
    "provider-command": '["x"]',
  });
  expect(reviewerOf(other)).toEqual({ name: "codex", model: "gpt/x" });
  expect(reviewing(other, { name: "codex", model: "gpt/x" })).toMatchObject({ provider: "codex", model: "gpt/x" });
  expect(withReviewer(["command"], other)).toEqual(["command", "codex"]);
  expect(withReviewer(["codex"], config({}))).toEqual(["codex"]);
});
