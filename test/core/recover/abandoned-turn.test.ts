import { describe, expect, test } from "vitest";
import { OperationalError } from "../../../src/core/errors.ts";
import { runLoop } from "../../../src/core/loop.ts";
import { settleAbandoned } from "../../../src/core/recover/abandoned-turn.ts";
import { committer } from "../../../src/core/transition.ts";
import { aState, aTask, AT, aVerdict, type TaskOverrides } from "../../support/builders.ts";
import { fakePorts, type FakeOptions } from "../../support/fake-ports.ts";

const EACH: TaskOverrides = { runtime: { commit: "iteration" } };
const CHECKED: TaskOverrides = { ...EACH, identity: { checks: { successShell: "test -f done" } } };
const CUT = aState({ phase: "turn", iteration: 3, status: "running" });
const never = new AbortController().signal;

function killed(options: FakeOptions = {}) {
  const ports = fakePorts({ stored: CUT, ...options });
  ports.touch();
  return ports;
}

describe("what a killed turn has left [W-06]", () => {
  test("is in a commit when the check is found green and the loop is complete", async () => {
    const ports = killed({ verdicts: [aVerdict()] });
    expect(await runLoop(aTask(CHECKED), ports, never)).toMatchObject({ kind: "success_command" });
    expect(ports.commits).toMatchObject([
      { iteration: 3, message: expect.stringMatching(/^wip\(smithers\): iteration 3, cut short\n\nThe run died/u) },
    ]);
    expect(ports.events.slice(0, 2)).toMatchObject([
      { type: "turn_abandoned", iteration: 3, commit: "commit-1", snapshot: { head: "commit-1" } },
      { type: "loop_resumed" },
    ]);
    expect(ports.state.iterations).toMatchObject([{ iteration: 3, agent: "abandoned", commit: "commit-1" }]);
  });

  test.each<[string, TaskOverrides, FakeOptions]>([
    ["no commits are wanted", { runtime: { commit: "never" } }, {}],
    ["one commit at the end is wanted", { runtime: { commit: "end" } }, {}],
    ["there is no repository", EACH, { git: false }],
  ])("is not committed at once where %s", async (_where, overrides, options) => {
    const ports = killed(options);
    const state = await settleAbandoned(aTask(overrides), ports, CUT, committer(ports, CUT));
    expect(ports.commits).toEqual([]);
    expect(state).toMatchObject({ phase: "ready", iterations: [{ agent: "abandoned", commit: null }] });
  });

  test("is not committed where it goes nowhere [T17]", async () => {
    const ports = killed();
    const refused = { kind: "protected_paths", count: 1, paths: [".github/x.yml"] };
    Object.assign(ports.workspace, { refusal: async () => refused });
    const begun = { id: "commit-0/tree-0", tree: "tree-0", head: "commit-0" };
    const stored = { ...CUT, boundary: { begun, refused: null, turns: 0 } };
    await settleAbandoned(aTask(EACH), ports, stored, committer(ports, stored));
    expect(ports.commits).toEqual([]);
    expect(ports.events).toMatchObject([{ type: "turn_abandoned" }]);
  });

  test("waits for the next run where git refuses the commit, and ends this one", async () => {
    const ports = killed();
    const commit = async () => {
      throw new OperationalError({ code: "GIT_BUSY", what: "A merge is in progress.", next: "Finish it." });
    };
    Object.assign(ports.workspace, { commit });
    const ended = await runLoop(aTask(EACH), ports, never);
    expect(ended).toMatchObject({ kind: "commit_refused", problem: { code: "GIT_BUSY" } });
    expect(ports.events).toMatchObject([{ type: "loop_stopped", at: AT, reason: { kind: "commit_refused" } }]);
    expect(ports.state).toMatchObject({ phase: "turn", status: "error" });

    const again = killed({ stored: ports.state, verdicts: [aVerdict()] });
    expect(await runLoop(aTask(CHECKED), again, never)).toMatchObject({ kind: "success_command" });
    expect(again.commits).toMatchObject([{ iteration: 3 }]);
  });
});
