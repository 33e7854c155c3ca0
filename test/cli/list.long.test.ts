import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cli, jsonOf, stage, startCli } from "./run-cli.ts";

const HALF = { turns: [{ lastMessage: "half way" }] };

/** A repository with loop `tests` at its top, and loop `docs` in a folder below. */
async function twoLoops() {
  const repo = await stage();
  await repo.play(HALF);
  const below = path.join(repo.path, "pkg/docs");
  await mkdir(path.join(repo.path, "pkg/other"), { recursive: true });
  await mkdir(below, { recursive: true });
  const flags = ["--provider", "scripted", "--script", path.join(repo.path, "script.json"), "--max-iterations", "1"];
  await cli(["Fix the tests", "--loop-id", "tests", ...flags], repo.path);
  await cli(["Write the docs", "--loop-id", "docs", ...flags], below);
  return { repo, below, beside: path.join(repo.path, "pkg/other") };
}

test.concurrent("all loops of a repository are listed and named from any folder in it, by the beginning of an id [C69]", async () => {
  const { repo, below, beside } = await twoLoops();
  await using _ = repo;
  const listed = jsonOf(await cli(["list", "--json"], beside));
  expect(listed["loops"]).toMatchObject([
    { loop_id: "docs", status: "stopped_max_iterations", workspace: "../docs" },
    { loop_id: "tests", iteration: 1, max_iterations: 1, workspace: "../.." },
  ]);
  expect((await cli(["list"], repo.path)).stdout).toMatch(/^docs \(in pkg\/docs\) .*\ntests .* Fix the tests\n$/u);

  expect(jsonOf(await cli(["status", "te", "--json"], below))).toMatchObject({ loop_id: "tests" });
  expect(jsonOf(await cli(["status", "d", "--json"], repo.path))).toMatchObject({ loop_id: "docs" });
  // Without a name it is the nearest: the top's from beside, its own from below.
  expect(jsonOf(await cli(["status", "--json"], beside))).toMatchObject({ loop_id: "tests" });
  expect(jsonOf(await cli(["status", "--json"], below))).toMatchObject({ loop_id: "docs" });
  expect((await cli(["resume", "docs", "--dry-run"], repo.path)).stdout).toContain("Loop: docs");
  expect(jsonOf(await cli(["cancel", "doc", "--json"], repo.path))).toMatchObject({ status: "canceled" });

  const unknown = await cli(["status", "x"], repo.path);
  expect(unknown).toMatchObject({ code: 64, stdout: "" });
  expect(unknown.stderr).toContain("There is no loop x in");
});

test.concurrent("where several loops could be meant, status shows them and what ends one asks which [C69]", async () => {
  await using repo = await stage();
  const script = await repo.play(HALF);
  for (const id of ["tests-1", "tests-2"])
    await cli(["Fix the tests", "--loop-id", id, ...script, "--max-iterations", "1"], repo.path);
  const shown = await cli(["status"], repo.path);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^tests-2 .*\ntests-1 .*\n$/u);
  const unclear = await cli(["cancel", "tests"], repo.path);
  expect(unclear).toMatchObject({ code: 64, stdout: "" });
  expect(unclear.stderr).toContain("tests-1: stopped_max_iterations, iteration 1 of 1");
  expect((await cli(["cancel", "tests-1", "--loop-id", "tests-2"], repo.path)).stderr).toContain(
    "two texts for loop-id",
  );
});

test.concurrent("the loops of other work trees are listed, and a repository without loops says how to begin [C69]", async () => {
  await using repo = await stage();
  const none = await cli(["list"], repo.path);
  expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining("There is no loop yet. Start one:") });
  const tree = `${await realpath(repo.path)}-tree`;
  await repo.git("worktree", "add", "-q", tree);
  try {
    const script = await repo.play(HALF);
    const flags = [...script.slice(0, 2), "--script", path.join(repo.path, "script.json"), "--max-iterations", "1"];
    await cli(["Fix the tests", "--loop-id", "far", ...flags], tree);
    expect(jsonOf(await cli(["list", "--json"], repo.path))["loops"]).toMatchObject([{ loop_id: "far" }]);
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
});

test.concurrent("explain tells which rule decided what in every iteration, or in one [C69]", async () => {
  await using repo = await stage();
  const script = await repo.play(HALF);
  await cli(["Fix the tests", "--loop-id", "tests", ...script, "--max-iterations", "2"], repo.path);
  const whole = await cli(["explain"], repo.path);
  expect(whole.code).toBe(0);
  expect(whole.stdout).toContain("decided: go on, because the agent does not claim to be done");
  expect(whole.stdout).toContain("decided: stop, by the rule max_iterations (PRE 8, POST 12)");
  const second = await cli(["explain", "tests", "2"], repo.path);
  expect(second.stdout).not.toContain("Iteration 1,");
  expect(second.stdout).toContain("Iteration 2,");
  expect(jsonOf(await cli(["explain", "1", "--json"], repo.path))["lines"]).toContainEqual({
    iteration: 1,
    text: "decided: go on, because the agent does not claim to be done, and no other rule ends it",
  });
  for (const [words, said] of [
    [["9"], "There is no iteration 9."],
    [["a", "b"], "more than one loop and one iteration"],
  ] as const)
    expect(await cli(["explain", ...words], repo.path)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(said),
    });
  await rm(path.join(repo.path, ".codex/waylon-smithers/loops/tests/events.jsonl"));
  const gone = await cli(["explain"], repo.path);
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining("The events of loop tests are gone") });
});

test.concurrent("logs follow a loop to its end, and its iterations can be looked at one by one [C69, C70]", async () => {
  await using repo = await stage();
  const script = await repo.play({
    turns: [
      { files: { "a.txt": "one\n" }, lastMessage: "half way" },
      { delayMs: 3_000, files: { "b.txt": "two\n" }, lastMessage: "<promise>TASK_COMPLETE</promise>" },
    ],
  });
  const check = "echo checked; test -f b.txt";
  await using run = startCli(
    ["Add two files", "--loop-id", "two", "--quality-commands", check, "--check-when", "change", ...script],
    repo.path,
  );
  await run.said("iteration 2 started");
  const followed = await cli(["logs", "-f"], repo.path);
  expect((await run.done).code).toBe(0);
  expect(followed.stdout).toContain("[1/30] iteration 1 started");
  expect(followed.stdout).toMatch(/\[2\/30\] loop completed \(promise\).*\n$/u);

  const second = (await cli(["logs", "2"], repo.path)).stdout;
  expect(second).toContain("[2/30] agent changed 1 file: b.txt");
  expect(second).not.toContain("a.txt");
  expect((await cli(["diff", "1"], repo.path)).stdout).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n[^]*\n\+one\n$/u);
  const whole = (await cli(["diff", "two"], repo.path)).stdout;
  expect(whole).toContain("+one\n");
  expect(whole).toContain("+two\n");

  const folder = path.join(repo.path, ".codex/waylon-smithers/loops/two");
  const kept = (name: string): Promise<string> => readFile(path.join(folder, name), "utf8");
  expect(await kept("checks_iter_1.txt")).toMatch(/^\$ echo checked; test -f b\.txt {2}\(exit 1, .*\)\nchecked\n\n$/u);
  expect(await kept("prompt_iter_1.txt")).toContain("Add two files");
  expect(await kept("prompt_iter_2.txt")).toContain("checked");
  expect((await cli(["logs", "3"], repo.path)).stderr).toContain("There is no iteration 3.");
  const again = await cli(["logs", "-f"], repo.path);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("is not running") });

  await rm(path.join(folder, "changes_iter_1.patch"));
  await rm(path.join(folder, "agent.log"));
  expect((await cli(["diff", "1"], repo.path)).stderr).toContain("is not kept: only the last 50 iterations are");
  expect((await cli(["logs"], repo.path)).stderr).toContain("has no log");
  expect((await cli(["cancel", "--cleanup-artifacts"], repo.path)).code).toBe(0);
  expect((await cli(["diff"], repo.path)).code).toBe(1);
});

test.concurrent("what cannot be read is told without writing to the terminal, whatever its file is called [C69, T14]", async () => {
  await using repo = await stage();
  const folder = path.join(repo.path, ".codex/waylon-smithers/loops");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "a\u001B[2Jb.json"), "{\n");
  const { code, stderr } = await cli(["list"], repo.path);
  expect(code).toBe(0);
  expect(stderr).toContain("ab cannot be read: ");
  expect(stderr).not.toContain("\u001B");
});
