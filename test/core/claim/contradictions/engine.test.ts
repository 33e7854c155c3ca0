import { expect, test } from "vitest";
import { contradictionOf } from "../../../../src/core/claim/contradictions/contradiction.ts";
import { decide } from "../../../../src/core/decide.ts";
import { contradictedWords } from "../../../../src/views/proof.ts";
import type { LoopState } from "../../../../src/core/state.ts";
import { aFacts, aLastTurn, aDoneClaim, aState, aTask, aTurn, type TaskOverrides } from "../../../support/builders.ts";
import { DONE, run, SUCCESS } from "../../run.ts";

const PLAN: TaskOverrides = { identity: { plan: { path: "PLAN.md", agentFile: "AGENT.md" } } };
const FOUND = [contradictionOf("lost_items", "PLAN.md", ["a"])];

/** A loop whose plan says these in turn: at the start, then after each turn. */
async function planned(texts: readonly string[], task: TaskOverrides = PLAN, stored?: LoopState) {
  let read = 0;
  const said = (at: number): string => texts[Math.min(at, texts.length - 1)] ?? "";
  const turns = texts.slice(1).map(() => aTurn({ message: DONE, changes: ["a.ts"] }));
  return run(
    {
      turns: turns.map((turn) => () => {
        read += 1;
        return turn;
      }),
      lists: () => [{ path: "PLAN.md", text: said(read) }],
      ...(stored === undefined ? {} : { stored }),
    },
    { ...task, limits: { maxIterations: texts.length - 1 } },
  );
}

test("a claim counts when the plan holds no open item any more [C46]", async () => {
  const { ports, reason } = await planned(["- [ ] a", "- [ ] a", "", "- [x] a"]);
  expect(reason.kind).toBe("promise");
  expect(ports.state.iteration).toBe(3);
  expect(ports.turns[1]?.prompt).toContain('an item of PLAN.md stands open: "a"');
  expect(ports.turns[2]?.prompt).toContain('left the file without being ticked: "a"');
  expect(ports.state.contradicted.times).toBe(0);
});

test("what was ticked in a turn before may leave the plan [C46]", async () => {
  const { reason, ports } = await planned(["- [ ] a\n- [ ] b", "- [x] a\n- [ ] b", "- [x] b"]);
  expect(reason.kind).toBe("promise");
  expect(ports.state.lists[0]?.items.map(({ open }) => open)).toEqual([false, false]);
});

test("with a success command nothing is held against a claim [C46, S-18]", async () => {
  const { ports } = await run(
    {
      turns: [aTurn({ message: DONE })],
      verdicts: [
        { result: "failed", checks: [] },
        { result: "failed", checks: [] },
      ],
      lists: () => [{ path: "PLAN.md", text: "- [ ] a" }],
    },
    { ...SUCCESS, limits: { maxIterations: 1 } },
  );
  expect(ports.state.last_turn?.contradictions).toBeUndefined();
});

test.each([
  ["person", "promise"],
  ["trigger", "max_iterations"],
] as const)("when a %s lets the loop go on, a list without what it held ends as %s [C46]", async (by, ends) => {
  const { ports } = await planned(["- [ ] a", "- [ ] a"]);
  const resumed = await planned(["", "", ""], { ...PLAN, by }, ports.state);
  expect(resumed.reason.kind).toBe(ends);
});

test("a plan of which items were lost does not complete a loop that is resumed [C46, R-27]", () => {
  const plan = { path: "PLAN.md", agent_file: "AGENT.md", items: 1, ticked: 1, most_items: 2 };
  const task = aTask(PLAN);
  const turn = aLastTurn({ claim: aDoneClaim() });
  const decided = (last: LoopState["last_turn"]) =>
    decide(task, aState({ phase: "ready", plan, last_turn: last }, task), aFacts({ item: null }));
  expect(decided(turn)).toMatchObject({ do: "stop", reason: { kind: "plan_complete" } });
  expect(decided({ ...turn, contradictions: FOUND })).toMatchObject({ do: "turn" });
});

test("people read of a completed loop what contradicts its claim [C46]", () => {
  const turn = aLastTurn({ claim: aDoneClaim() });
  const last = { last_turn: { ...turn, contradictions: FOUND } };
  expect(contradictedWords(aState({ status: "completed", ...last }))).toBe(
    'The agent\'s claim to be done is contradicted: an item of PLAN.md was open when the loop began, and left the file without being ticked: "a".',
  );
  expect(contradictedWords(aState({ status: "blocked", ...last }))).toBeUndefined();
  expect(contradictedWords(aState({ status: "completed", last_turn: turn }))).toBeUndefined();
  expect(contradictedWords(aState({ status: "completed" }))).toBeUndefined();
});
