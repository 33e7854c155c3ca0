import { describe, expect, test } from "vitest";
import { command, patch } from "../support/model-server.ts";
import { expectExit } from "./expect-exit.ts";
import { claims, worksOn } from "./says.ts";
import { workbench } from "./workbench.ts";

const DONE = "<promise>DONE</promise>";

describe.concurrent("the seed's examples with the real Codex [W-68]", () => {
  test("going through TODO.md, and resuming where it paused [W-68]", async () => {
    const files = { "TODO.md": "- [x] one\n\nHARD STOP\n\n- [x] two\n" };
    await using bench = await workbench([worksOn("looked at the list"), claims("all ticked", DONE)], { files });

    const paused =
      await bench.shell(`smithers "Go through TODO.md step-by-step. Ensure tests pass. Output <promise>DONE</promise> only when complete." \\
      --completion-promise DONE \\
      --max-iterations 50 \\
      --todo-file TODO.md \\
      --loop-id repo-2026-01-06T21-10-00`);
    const resumed = await bench.shell("smithers resume --loop-id repo-2026-01-06T21-10-00");

    expectExit(paused, 3);
    expect(paused.stdout).toContain("resume --loop-id repo-2026-01-06T21-10-00\n");
    expectExit(resumed, 0);
    expect(bench.model.requests[0]?.prompt).toContain("The work is listed in TODO.md.");
    expect(await bench.state("repo-2026-01-06T21-10-00")).toMatchObject({
      status: "completed",
      iteration: 2,
      completion_promise: "DONE",
      codex: { sandbox: "read-only" },
    });
  });

  test("fixing failing tests until they are green [W-68, W-17]", async () => {
    const files = {
      "sum.js": "export const sum = (a, b) => a - b;\n",
      "sum.test.js": `import assert from "node:assert";
import { test } from "node:test";
import { sum } from "./sum.js";
test("sums", () => assert.equal(sum(2, 3), 5));
`,
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    };
    const repair = patch(
      "*** Update File: sum.js\n@@\n-export const sum = (a, b) => a - b;\n+export const sum = (a, b) => a + b;",
    );
    await using bench = await workbench([command("node --test"), repair, claims("green", DONE)], { files });

    const run =
      await bench.shell(`smithers "Fix failing tests until green. Output <promise>DONE</promise> when all tests pass." \\
      --completion-promise DONE \\
      --max-iterations 25 \\
      --full-auto`);

    expectExit(run, 0);
    const [loopId = "", ...others] = await bench.loopIds();
    expect(others).toEqual([]);
    expect(loopId).toMatch(/^repo-.*-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/u);
    expect(await bench.state(loopId)).toMatchObject({
      status: "completed",
      completion_promise: "DONE",
      max_iterations: 25,
      codex: { sandbox: "workspace-write" },
    });
    expect(await bench.read("sum.js")).toContain("a + b");
    expect(bench.model.requests[1]?.outputs.join("\n")).toContain("Process exited with code 1");
  });
});
