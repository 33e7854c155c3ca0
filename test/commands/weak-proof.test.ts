import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { run } from "../../src/commands/run.ts";
import { gitRepository } from "../support/git-repository.ts";
import { inProcess } from "../support/in-process.ts";

const HARD = "import test from 'node:test';\nimport { two } from '../two.mjs';\ntest('two', () => two());\n";
const EASY = "import test from 'node:test';\ntest('one', () => {});\n";
const TURNS = [
  { delete: ["test/hard.test.mjs"], lastMessage: "All tests pass." },
  { files: { "test/hard.test.mjs": HARD, "two.mjs": "export const two = () => 2;\n" }, lastMessage: "Now they do." },
];

test("an agent that deletes the test which fails is found out, told, and done once it is back [C21, POST 5]", async () => {
  await using repository = await gitRepository({ "test/hard.test.mjs": HARD, "test/easy.test.mjs": EASY });
  const script = path.join(repository.path, ".git", "script.json");
  await writeFile(script, JSON.stringify({ turns: TURNS, then: "fail" }));
  const flags = { provider: "scripted", script, prompt: "Make the tests pass.", "loop-id": "weak" };
  const check = { "success-cmd": `["${process.execPath}","--test","test/*.test.mjs"]` };
  const { code, stdout, stderr } = await inProcess(run, repository.path, { ...flags, ...check, json: "on" });
  expect(stderr).toContain("weak proof: 1 test file was deleted: test/hard.test.mjs\n");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ iteration: 2, strength: { weaknesses: [], tampering: null } });
  const kept = path.join(repository.path, ".codex/waylon-smithers/loops/weak/tests.json");
  expect(JSON.parse(await readFile(kept, "utf8"))).toMatchObject({
    iteration: 0,
    files: [{ path: "test/easy.test.mjs" }, { path: "test/hard.test.mjs" }],
  });
});
