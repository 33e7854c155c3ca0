import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { addFile, answer, message } from "../support/model-server.ts";

const TASK = {
  prompt: "Write a.txt and b.txt.",
  "success-sh": "test -f a.txt && test -f b.txt",
  "full-auto": "true",
  "api-key": "sk-secret-key",
};

test("C11 C25 W-02: the next run, on an empty machine, goes on with the same loop in the same session", async () => {
  await using ci = await startCi({
    publishes: false,
    files: { "README.md": "hello\n" },
    script: ({ prompts, outputs }) =>
      outputs.length === 0
        ? answer([addFile(prompts.length === 1 ? "a.txt" : "b.txt", "text\n")])
        : answer([message("Working.")]),
  });
  await using first = await ci.machine();
  const paused = await first.run({ inputs: { ...TASK, "max-iterations": "1" } });
  expect(paused.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
  await using second = await ci.machine();
  const done = await second.run({ inputs: TASK });
  expect(done.outputs).toMatchObject({ status: "completed", iterations: "2", "loop-id": paused.outputs["loop-id"] });
});
