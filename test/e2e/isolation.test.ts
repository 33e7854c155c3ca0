import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { addFile, command } from "../support/model-server.ts";
import { expectExit } from "./expect-exit.ts";
import { claims, worksOn } from "./says.ts";
import { KEY, workbench, type Workbench } from "./workbench.ts";

async function allText(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), "utf8")))).join("\n");
}

/** Everything of git that belongs to the person: branch, refs, index, stash and configuration. */
async function personsGit({ repository }: Workbench): Promise<string> {
  const questions = [
    ["symbolic-ref", "HEAD"],
    ["for-each-ref"],
    ["ls-files", "--stage"],
    ["stash", "list"],
    ["reflog", "--all"],
    ["config", "--local", "--list"],
  ];
  return (await Promise.all(questions.map((question) => repository.git(...question)))).join("\n");
}

describe.concurrent("what a loop with the real Codex leaves alone", () => {
  test("the key and other secrets reach neither the agent's commands nor the checks", async () => {
    const secrets = { GITHUB_TOKEN: "ghs-e2e-token", MY_PASSWORD: "pw-e2e" };
    await using bench = await workbench([command("env > agent.txt"), claims()]);
    const args = ["--loop-id", "secrets", "--full-auto", "--quality-commands", "env > check.txt"];

    const run = await bench.run(["Go.", ...args], { env: secrets });

    expectExit(run, 0);
    expect(bench.model.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const loopFiles = await allText(path.join(bench.repository.path, ".codex"));
    const texts = [await bench.read("agent.txt"), await bench.read("check.txt"), loopFiles, run.stdout, run.stderr];
    for (const text of texts) {
      expect(text).toMatch(/\S/u);
      for (const secret of [KEY, ...Object.values(secrets)]) expect(text).not.toContain(secret);
    }
  });

  test("index, stash and branch stay as they are, and git does not see the loop's files [C13, C11]", async () => {
    await using bench = await workbench([addFile("new.txt", "1\n"), worksOn("one"), claims()], {
      files: { "tracked.txt": "a\n", "staged.txt": "a\n" },
    });
    const { repository } = bench;
    await repository.write("tracked.txt", "stashed\n");
    await repository.git("stash");
    await repository.write("staged.txt", "staged\n");
    await repository.git("add", "staged.txt");
    await repository.write("staged.txt", "not staged\n");
    const before = await personsGit(bench);

    const run = await bench.run(["Go.", "--loop-id", "alone", "--full-auto"]);

    expectExit(run, 0);
    expect(await personsGit(bench)).toBe(before);
    expect(await repository.git("status", "--porcelain")).toBe("MM staged.txt\n?? new.txt");
  });

  test("--commit iteration commits every iteration, with trailers [C13]", async () => {
    await using bench = await workbench([
      ...[addFile("one.txt", "1\n"), worksOn("one")],
      ...[addFile("two.txt", "2\n"), claims()],
    ]);

    const run = await bench.run(["Write files.", "--loop-id", "commits", "--full-auto", "--commit", "iteration"]);

    expectExit(run, 0);
    const log = await bench.repository.git(
      "log",
      "--reverse",
      "--name-only",
      "--format=%(trailers:key=Smithers-Loop,key=Smithers-Iteration,separator=%x2C)",
    );
    expect(log.split("\n").filter((line) => line !== "")).toEqual([
      "README.md",
      ...["Smithers-Loop: commits,Smithers-Iteration: 1", "one.txt"],
      ...["Smithers-Loop: commits,Smithers-Iteration: 2", "two.txt"],
    ]);
    expect(await bench.repository.git("status", "--porcelain")).toBe("");
  });
});
