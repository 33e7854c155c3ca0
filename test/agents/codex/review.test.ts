import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { CODEX } from "../../../src/agents/codex/agent.ts";
import { onlyLooking, type CodexOptions } from "../../../src/agents/codex/command-line.ts";
import { systemClock } from "../../../src/os/clock.ts";
import { resolve } from "../../config/support.ts";
import { aTurnRequest, collect, theEnd } from "../../contract/provider-contract.ts";
import { codexHome } from "../../support/codex-home.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { addFile, answer, command, message, startModelServer } from "../../support/model-server.ts";

test("a review of the real Codex may change nothing, whatever the settings and the model say [C50, C52]", async () => {
  await using server = await startModelServer([
    answer([command("echo vandalised > README.md; touch new.txt; cat README.md"), addFile("patched.txt", "new\n")]),
    message("I have looked."),
  ]);
  await using home = await codexHome(server);
  await using repository = await gitRepository();
  const flags = {
    prompt: "x",
    sandbox: "danger-full-access",
    "provider-args": '["--yolo","-c","sandbox_mode=\\"danger-full-access\\""]',
  };
  const { config } = resolve({ flags });
  const folder = path.join(repository.path, ".git", "loop");
  const { provider } = await CODEX.turn({
    ...{ config, workspaceRoot: repository.path, folder, mark: path.basename(repository.path), env: home.env },
    ...{ key: null, clock: systemClock, reviews: true },
  });
  const events = await collect(provider, aTurnRequest({ prompt: "Look." }));
  expect(theEnd(events).lastMessage).toBe("I have looked.");
  expect(events.find(({ type }) => type === "command.ended")).toMatchObject({
    output: expect.stringContaining("hello"),
  });
  expect(await repository.git("status", "--short")).toBe("");
  expect((await readdir(folder)).toSorted()).toEqual(["review_iter_1.jsonl", "review_message_iter_1.txt"]);
  expect(await readFile(path.join(folder, "review_iter_1.jsonl"), "utf8")).toContain("I have looked.");
});

test.each<[readonly string[], readonly string[]]>([
  [[], []],
  [["--yolo", "--dangerously-bypass-approvals-and-sandbox", "--full-auto"], []],
  [["-s", "danger-full-access", "-sworkspace-write", "--sandbox", "x", "--sandbox=x"], []],
  [["-a", "never", "--ask-for-approval=never", "--add-dir", "/etc"], []],
  [["-c", 'sandbox_mode="x"', "--config", "sandbox_workspace_write.network_access=true"], []],
  [["-csandbox_mode=x", "--config=sandbox_mode=x", "-c", "approval_policy=x"], []],
  [
    ["-c", 'model_provider="mine"', "--config=model=x", "-m", "y", "--oss"],
    ["-c", 'model_provider="mine"', "--config=model=x", "-m", "y", "--oss"],
  ],
])("of %j a review is given %j [C52]", (extraArgs, kept) => {
  const options: CodexOptions = {
    ...{ workspaceRoot: "/w", folder: "/w/f", mark: "m", env: {}, sandbox: "danger-full-access", model: null },
    ...{ profile: null, approval: "on-request", network: true, skipGitRepoCheck: false, extraArgs },
  };
  expect(onlyLooking(options)).toMatchObject({
    sandbox: "read-only",
    network: false,
    approval: "never",
    extraArgs: kept,
  });
});
