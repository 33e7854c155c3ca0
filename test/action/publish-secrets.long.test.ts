import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";

/** With characters that Markdown escapes. */
const SECRET = "sk_very_secret_key_1234";
const ENCODED = Buffer.from(SECRET).toString("base64");
const TASK = scriptedTask([
  {
    files: { "a-{{iteration}}.txt": "a\n", "TODO.md": "HARD STOP: is it the right one?\n" },
    lastMessage: `I have used ${SECRET}, that is ${ENCODED}.`,
  },
]);
const INPUTS = {
  ...TASK.inputs,
  "api-key": SECRET,
  "loop-id": "a-loop",
  "success-sh": `echo The key is ${SECRET}. >&2; false`,
  "todo-file": "TODO.md",
  "job-timeout-minutes": "60",
};

let ci: Ci;
beforeAll(async () => {
  ci = await startCi({ files: { ...TASK.files, "TODO.md": "- [ ] ask\n" } });
});
afterAll(() => ci[Symbol.asyncDispose]());

test("nothing that a loop says on GitHub holds a secret of its job [T2, T16]", async () => {
  const { world } = ci.api;
  await using first = await ci.machine();
  const stopped = await first.run({ inputs: { ...INPUTS, "max-iterations": "2" } });
  expect(stopped.outputs).toMatchObject({ status: "paused_hard_stop", "pr-number": expect.any(String) });
  const said = [...world.issues, ...world.comments, ...world.reviews, ...world.statuses].map((row) =>
    JSON.stringify(row),
  );
  expect(said.join("\n")).toContain("The key is ***.");
  expect(world.reviews[0]?.body).toContain("is it the right one?");
  const message = await ci.remote.git("log", "-1", "--format=%B", "refs/heads/smithers/a-loop");
  for (const text of [...said, message, stopped.main.summary]) {
    const plain = text.replaceAll("\\", "");
    for (const secret of [SECRET, ENCODED]) expect(plain).not.toContain(secret);
  }
});
