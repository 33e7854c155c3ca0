import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { CodexProvider } from "../../../src/agents/codex/provider.ts";
import { tempFolder } from "../../support/temp-folder.ts";

/** What a stand-in for Codex is asked, and what preflight makes of its answers. */
async function preflightWith(answers: string, sandbox: "workspace-write" | "danger-full-access") {
  await using folder = await tempFolder();
  const binary = path.join(folder.path, "answers");
  await writeFile(binary, `#!/bin/sh\necho "$1" >> asked\n${answers}\n`);
  await chmod(binary, 0o755);
  const provider = new CodexProvider({
    workspaceRoot: folder.path,
    folder: path.join(folder.path, "loop"),
    mark: `preflight-${path.basename(folder.path)}`,
    env: { PATH: process.env["PATH"] ?? "" },
    binary,
    sandbox,
    model: null,
    profile: null,
    approval: null,
    network: false,
    skipGitRepoCheck: true,
    extraArgs: [],
  });
  const failure = await provider.preflight(new AbortController().signal);
  const asked = (await readFile(path.join(folder.path, "asked"), "utf8")).trim().split("\n");
  return { failure, asked };
}

test("a sandbox that starts answers for the program as well [W-35]", async () => {
  expect(await preflightWith("exit 0", "workspace-write")).toEqual({ failure: undefined, asked: ["sandbox"] });
});

test("without a sandbox the program itself is asked [W-35]", async () => {
  expect(await preflightWith("exit 0", "danger-full-access")).toEqual({ failure: undefined, asked: ["--version"] });
});

test("a sandbox that does not start is the first turn's to tell, so that the loop can be resumed [W-35]", async () => {
  const answers = '[ "$1" = --version ]';
  expect(await preflightWith(answers, "workspace-write")).toEqual({
    failure: undefined,
    asked: ["sandbox", "--version"],
  });
});

test("a program that answers nothing is told before there is a loop [W-35]", async () => {
  const { failure, asked } = await preflightWith("exit 1", "workspace-write");
  expect(failure).toMatchObject({ kind: "not_installed" });
  expect(asked).toEqual(["sandbox", "--version"]);
});
