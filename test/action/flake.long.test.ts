import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";

/** Red the first time and then green, on the same files: what it counts with is ignored by git. */
const FLAKY = "echo x >> count; if [ $(wc -l < count) -gt 1 ]; then echo ok 7; else echo not ok 7 adds up; exit 1; fi";

test(
  "a flaky check is found before a turn is spent, and told with both outputs [C103]",
  { timeout: 120_000 },
  async () => {
    const task = scriptedTask([{ files: { "done.txt": "" } }]);
    const files = { ...task.files, ".gitignore": "count\n" };
    await using ci = await startCi({ ...task, files, byRef: true, publishes: false });
    await using machine = await ci.machine();
    const inputs = { ...task.inputs, "success-sh": FLAKY, "flake-check": "once" };
    const job = await machine.run({ inputs });
    expect(job.conclusion).toBe("failure");
    expect(job.outputs).toMatchObject({ status: "blocked", "stop-reason": "flaky", iterations: "0" });
    expect(job.log).toContain("Asking the checks again, the whole of them, to see whether they are flaky (1 of 1)");
    expect(job.main.summary).toMatch(/### Flaky[^]*not ok 7 adds up[^]*ok 7/u);
  },
);
