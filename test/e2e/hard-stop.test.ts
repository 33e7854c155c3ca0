import { describe, expect, test } from "vitest";
import { patch } from "../support/model-server.ts";
import { expectExit } from "./expect-exit.ts";
import { claims, worksOn } from "./says.ts";
import { workbench } from "./workbench.ts";

const TODO = {
  "TODO.md": "# Todo\n\n- [ ] one\n\n## HARD STOP: review the plan\n\n- [ ] two\n",
};
const ARGS = ["--full-auto", "--todo-file", "TODO.md"];

function tick(item: string): ReturnType<typeof patch> {
  return patch(`*** Update File: TODO.md\n@@\n-- [ ] ${item}\n+- [x] ${item}`);
}

describe.concurrent("HARD STOP with the real Codex", () => {
  test("pauses, goes on after the confirmation, and does not fire again [W-63, C10, W-43, W-44]", async () => {
    await using bench = await workbench([tick("one"), worksOn("one"), tick("two"), worksOn("two"), claims()], {
      files: TODO,
    });

    const paused = await bench.run(["Work through the list.", "--loop-id", "w63", ...ARGS]);

    expectExit(paused, 3);
    expect(paused.stdout + paused.stderr).toContain("HARD STOP: review the plan");
    expect(bench.model.requests).toHaveLength(2);
    expect(await bench.state("w63")).toMatchObject({
      status: "paused_hard_stop",
      stop_reason: { kind: "hard_stop", mode: "pause" },
      todo: { path: "TODO.md", paused_for_hard_stop: true },
      iteration: 1,
    });

    const resumed = await bench.run(["resume", "--loop-id", "w63", "--full-auto"]);

    expectExit(resumed, 0);
    expect(bench.model.requests[2]?.prompt).toContain("A person has reviewed the work");
    expect(new Set(bench.model.requests.map((request) => request.threadId)).size).toBe(1);
    expect(await bench.state("w63")).toMatchObject({
      status: "completed",
      todo: { paused_for_hard_stop: false },
      iteration: 3,
    });
    expect(await bench.read("TODO.md")).toBe(TODO["TODO.md"].replaceAll("[ ]", "[x]"));
  });

  test("with the mode exit the loop ends there [W-45]", async () => {
    await using bench = await workbench([tick("one"), worksOn("one")], { files: TODO });

    const run = await bench.run(["Go.", "--loop-id", "w45", ...ARGS, "--hard-stop-mode", "exit"]);

    expectExit(run, 3);
    expect(bench.model.requests).toHaveLength(2);
    expect(await bench.state("w45")).toMatchObject({
      status: "paused_hard_stop",
      stop_reason: { kind: "hard_stop", mode: "exit" },
    });
  });
});
