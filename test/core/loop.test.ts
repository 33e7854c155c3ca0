import { describe, expect, test } from "vitest";
import { aTurn, aUsage, aVerdict } from "../support/builders.ts";
import { DONE, QUALITY, run, SUCCESS, types } from "./run.ts";

describe("endings", () => {
  test("one promise stops the loop at once and marks it completed [W-38, W-60]", async () => {
    const { ports, reason } = await run({ turns: [aTurn({ message: DONE })] });
    expect(reason).toEqual({ kind: "promise", verified: false });
    expect(ports.state).toMatchObject({
      status: "completed",
      iteration: 1,
      last_result: { exit_code: 0, detected_promise: true },
    });
    expect(types(ports)).toEqual([
      "loop_started",
      "turn_started",
      "session_opened",
      "turn_ended",
      "settled",
      "loop_stopped",
    ]);
  });

  test("the prompt runs again and again in one session [W-01, W-02, W-35]", async () => {
    const { ports } = await run({ turns: [aTurn(), aTurn(), aTurn({ message: DONE })] });
    expect(ports.turns.map(({ iteration, sessionId }) => [iteration, sessionId])).toEqual([
      [1, null],
      [2, "session-1"],
      [3, "session-1"],
    ]);
    expect(ports.turns.map(({ prompt }) => prompt.includes("<task>"))).toEqual([true, false, false]);
  });

  test("the cap stops the loop [W-39, W-61, L-25]", async () => {
    const { ports, reason } = await run({ turns: [aTurn(), aTurn()] }, { limits: { maxIterations: 2 } });
    expect(reason).toEqual({ kind: "max_iterations", max: 2 });
    expect(ports.state).toMatchObject({ status: "stopped_max_iterations", iteration: 2 });
  });

  test("it goes on until the success command is green [S-01, S-02, S-23]", async () => {
    const verdicts = [aVerdict("failed"), aVerdict("failed"), aVerdict("passed")];
    const { ports, reason } = await run({ turns: [aTurn(), aTurn()], verdicts }, SUCCESS);
    expect(reason).toEqual({ kind: "success_command", command: "npm test" });
    expect(ports.evidence.map(({ occasion, iteration }) => [occasion, iteration])).toEqual([
      ["first", 0],
      ["turn", 1],
      ["turn", 2],
    ]);
  });

  test("what is green already costs no turn [PRE 6]", async () => {
    const { ports, reason } = await run({ verdicts: [aVerdict("passed")] }, SUCCESS);
    expect(reason.kind).toBe("already_green");
    expect([ports.turns.length, ports.state.iteration]).toEqual([0, 0]);
  });

  test("a claim that the checks refuse goes on, and the next prompt says why [R-01, D-23, D-24]", async () => {
    const turns = [aTurn({ message: DONE }), aTurn({ message: "Fixing." }), aTurn({ message: DONE })];
    const verdicts = [aVerdict("passed"), aVerdict("failed"), aVerdict("passed")];
    const { ports, reason } = await run({ turns, verdicts }, QUALITY);
    expect(reason).toEqual({ kind: "promise", verified: true });
    expect(ports.turns[1]?.prompt).toMatch(/the claim was refused[^]*1 test failed/u);
    expect(ports.turns[2]?.prompt).not.toContain("refused");
  });

  test("a promise in iteration 1 without a change counts, and the state tells that nothing changed [P14]", async () => {
    const { ports, reason } = await run({ turns: [aTurn({ message: DONE })] });
    expect(reason.kind).toBe("promise");
    expect(ports.state.iterations[0]).toMatchObject({ claimed: true, files_changed: 0 });
  });

  test("but not if it is all that was said where no check is configured [P14, C38]", async () => {
    const bare = aTurn({ message: "<promise>DONE</promise>" });
    const { ports, reason } = await run({ turns: [bare, aTurn({ message: DONE })] });
    expect(reason).toEqual({ kind: "promise", verified: false });
    expect(ports.state.iteration).toBe(2);
    expect(ports.turns[1]?.prompt).toContain("held the promise and nothing else");
    const verdicts = [aVerdict("passed"), aVerdict("passed")];
    expect((await run({ turns: [bare], verdicts }, QUALITY)).reason).toEqual({ kind: "promise", verified: true });
  });

  test("the token cap [POST 13, C14]", async () => {
    const turn = aTurn({ usage: aUsage({ input: 40, output: 20 }) });
    const { ports, reason } = await run({ turns: [turn, turn] }, { limits: { maxTokens: 100 } });
    expect(reason).toEqual({ kind: "tokens", spent: 120, max: 100 });
    expect(ports.state.status).toBe("stopped_budget");
  });
});

test("an iteration has one item, and its commit comes after its checks [C13]", async () => {
  const { ports } = await run(
    { turns: [aTurn({ changes: ["a"] })], verdicts: [aVerdict("failed"), aVerdict("passed")] },
    { ...SUCCESS, runtime: { commit: "iteration" } },
  );
  expect(types(ports)).toEqual([
    "loop_started",
    "proved",
    "turn_started",
    "session_opened",
    "turn_ended",
    "proved",
    "settled",
    "loop_stopped",
  ]);
  expect(ports.commits).toEqual([
    { message: "smithers: Make the tests pass.", loopId: "a-loop", iteration: 1, begun: "commit-0" },
  ]);
});

test("with commit end the ending names the commit [C13]", async () => {
  const { ports } = await run({ turns: [aTurn({ message: DONE, changes: ["a"] })] }, { runtime: { commit: "end" } });
  expect(ports.events.at(-1)).toMatchObject({ type: "loop_stopped", commit: "commit-1" });
});

test("a session is rotated, and the fresh one gets the task and the notes [W-66, C2]", async () => {
  const noted = aTurn({ message: "NOTES:\n- learned: the parser is greedy" });
  const turns = [noted, noted, aTurn({ sessionId: "session-2", message: DONE })];
  const { ports } = await run({ turns }, { runtime: { sessionMaxIterations: 2 } });
  expect(ports.turns.map(({ sessionId }) => sessionId)).toEqual([null, "session-1", null]);
  expect(ports.turns[2]?.prompt).toMatch(/<task>[^]*learned: the parser is greedy/u);
  expect(ports.state.codex.session_id).toBe("session-2");
});

test("every state is written with its event, and the reporters hear of each [W-40]", async () => {
  const { ports } = await run({ turns: [aTurn({ message: DONE })] });
  expect(ports.states.map(({ revision }) => revision)).toEqual(ports.events.map((_event, index) => index + 1));
  expect(ports.reported.filter((type) => types(ports).includes(type))).toEqual(types(ports));
});

test("what the engine asks of a provider does not depend on which one it is [D-20]", async () => {
  const asked = await Promise.all(
    ["codex", "claude"].map(async (provider) => {
      const { ports } = await run({ turns: [aTurn({ message: DONE })] }, { runtime: { provider } });
      return ports.turns;
    }),
  );
  expect(asked[0]).toEqual(asked[1]);
});

test("an empty backlog is not a reason to run for ever", async () => {
  await expect(run({ item: () => undefined })).rejects.toThrow("The backlog has nothing left");
});
