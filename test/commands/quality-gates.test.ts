import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { resume, run } from "../../src/commands/run.ts";
import { gitRepository } from "../support/git-repository.ts";
import { inProcess } from "../support/in-process.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** Red at its first run only; slow until the work is done. */
const gates = (name: string): string => `quality-commands = [
  { name = "${name}", run = "echo run >> runs.txt; [ $(wc -l < runs.txt) -ne 1 ]", flaky = true },
  { name = "speed", run = "test -f fast.txt || sleep 60", timeout = 0.05 },
  "true",
]
`;
const CLAIM = "Done. <promise>TASK_COMPLETE</promise>";

test("named, flaky and timed gates refuse and believe a claim; a resumed loop has the names of now [D-22, D-47, C25]", async () => {
  await using repository = await gitRepository({ "a.txt": "" });
  await using mine = await tempFolder();
  const file = path.join(mine.path, "gates.toml");
  await writeFile(file, gates("unit tests"));
  const script = path.join(repository.path, ".git", "script.json");
  const turns = [{ lastMessage: CLAIM }, { files: { "fast.txt": "" }, lastMessage: CLAIM }];
  await writeFile(script, JSON.stringify({ turns, then: "fail" }));
  const flags = { provider: "scripted", script, "loop-id": "gates", "config-file": file, "full-auto": "on" };
  const first = { prompt: "Be fast.", "max-iterations": "1", "check-first": "off" };
  const refused = await inProcess(run, repository.path, { ...flags, ...first });
  expect(refused.stderr).toMatch(/check passed \(exit 0, .*, green at the second try, exit 1 before\): unit tests \(/u);
  expect(refused.stderr).toMatch(/check failed \(timed out, .*\): speed \(test -f fast\.txt/u);
  expect(refused.stderr).toContain("claim refused: speed (test -f fast.txt || sleep 60) is red");
  expect(await readFile(path.join(repository.path, "runs.txt"), "utf8")).toBe("run\nrun\n");

  await writeFile(file, gates("all the tests"));
  const done = await inProcess(resume, repository.path, { ...flags, "max-iterations": "3", json: "on" });
  expect(done.stderr).toMatch(/check passed \(exit 0, [^,]*\): all the tests \(/u);
  expect(JSON.parse(done.stdout)).toMatchObject({ status: "completed", iteration: 2 });
});

test("a dry run tells machines of the gates, and no variable's secret [D-22, T2]", async () => {
  await using repository = await gitRepository({ ".smithers.toml": gates("unit tests") });
  const flags = { provider: "command", "provider-command": '["cat"]', prompt: "x", trust: "on", "full-auto": "on" };
  const env = { MY_SECRET_TOKEN: "a-long-secret-value-of-mine" };
  const { stdout } = await inProcess(run, repository.path, { ...flags, "dry-run": "on", json: "on" }, { env });
  expect(JSON.parse(stdout).settings.gates).toMatchObject([
    { name: "unit tests", timeoutMs: null, flaky: true },
    { name: "speed", timeoutMs: 3_000, flaky: false },
    { name: null, run: "true" },
  ]);
  expect(stdout).not.toContain("a-long-secret-value-of-mine");
});
