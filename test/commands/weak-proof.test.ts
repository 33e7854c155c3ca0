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

test.each([
  ["is taken, and told as a weak proof, by default", {}, 0, "completed"],
  ["is refused until a person looks, with weak-proof strict", { "weak-proof": "strict" }, 4, "blocked"],
])("a green from a helper that the agent has bent %s [C21, T17]", async (_what, more, code, status) => {
  await using repository = await gitRepository({ "check.sh": ". ./lib.sh\njudge\n", "lib.sh": "judge() { false; }\n" });
  const script = path.join(repository.path, ".git", "script.json");
  const turns = [{ files: { "lib.sh": "judge() { true; }\n" } }, { files: { "more.txt": "more\n" } }];
  await writeFile(script, JSON.stringify({ turns, then: "fail" }));
  const flags = { provider: "scripted", script, prompt: "Make the check pass.", "loop-id": "bent", ...more };
  const ran = await inProcess(run, repository.path, { ...flags, "success-cmd": '["sh","check.sh"]', json: "on" });
  expect(ran.stderr).toContain("weak proof: what judges the work was changed: lib.sh\n");
  expect(ran.code).toBe(code);
  expect(JSON.parse(ran.stdout)).toMatchObject({ status, strength: { weaknesses: [{ kind: "scripts_changed" }] } });
});
