import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { resume, run } from "../../src/commands/run.ts";
import { gitRepository } from "../support/git-repository.ts";
import { inProcess } from "../support/in-process.ts";

const WORKS = "grep -qx done work.txt\n";
const BENT = "true\n";

/** A loop that has stopped because its agent made the test ask for nothing, and left it so. */
async function stoppedLoop(limits: Readonly<Record<string, string>> = {}) {
  const repository = await gitRepository({
    "work.txt": "open\n",
    "check.sh": "sh tests/test_work.sh\n",
    "tests/test_work.sh": WORKS,
  });
  await repository.git("config", "user.name", "Ada");
  await repository.git("config", "user.email", "ada@example.org");
  const script = path.join(repository.path, ".git", "script.json");
  const turns = [{ files: { "tests/test_work.sh": BENT } }, { files: { "notes.md": "It is green.\n" } }];
  await writeFile(script, JSON.stringify({ turns, then: "fail" }));
  const flags = { provider: "scripted", script, "loop-id": "bent", json: "on", ...limits };
  const task = { prompt: "Make work.txt say done.", "success-cmd": '["sh","check.sh"]' };
  const ran = await inProcess(run, repository.path, { ...flags, ...task });
  return { repository, flags, ran, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() };
}

test("a test that was made to ask for nothing is refused, told, and accepted once by a person, with name and time [C40, C43, POST 7a]", async () => {
  await using loop = await stoppedLoop();
  expect(loop.ran.stderr).toContain("what judges the work was bent: tests/test_work.sh:1: ");
  expect(loop.ran.code).toBe(4);
  expect(JSON.parse(loop.ran.stdout)).toMatchObject({
    stop_reason: { kind: "weak_proof", weaknesses: [{ kind: "judges_bent", bends: [{ was: WORKS.trim() }] }] },
  });
  const accepted = await inProcess(resume, loop.repository.path, { ...loop.flags, "accept-proof": "on" });
  expect(accepted.code).toBe(0);
  expect(accepted.stderr).not.toContain("iteration 3");
  expect(JSON.parse(accepted.stdout)).toMatchObject({
    ...{ status: "completed", iteration: 2 },
    stop_reason: { kind: "proof_accepted", by: "Ada <ada@example.org>" },
    strength: { weaknesses: [{ kind: "judges_bent" }], accepted: { by: "Ada <ada@example.org>" } },
  });
});

test("a spent cap is no reason to refuse it, for it takes no turn [C43, PRE 5a]", async () => {
  await using loop = await stoppedLoop({ "max-iterations": "1" });
  expect(JSON.parse(loop.ran.stdout)).toMatchObject({ stop_reason: { kind: "max_iterations" } });
  const accepted = await inProcess(resume, loop.repository.path, { ...loop.flags, "accept-proof": "on" });
  expect([accepted.code, JSON.parse(accepted.stdout)]).toMatchObject([0, { status: "completed", iteration: 1 }]);
});

test("it is refused for files that have changed since, and the loop stays as it is [C43]", async () => {
  await using loop = await stoppedLoop();
  await loop.repository.write("work.txt", "another\n");
  const refused = await inProcess(resume, loop.repository.path, { ...loop.flags, "accept-proof": "on" });
  expect([refused.code, refused.stdout]).toEqual([64, expect.stringContaining('"code":"PROOF_OF_OTHER_TREE"')]);
  await loop.repository.write("work.txt", "open\n");
  const accepted = await inProcess(resume, loop.repository.path, { ...loop.flags, "accept-proof": "on" });
  expect(accepted.code).toBe(0);
});
