import { expect, test } from "vitest";
import { openLoop, refuseAcceptance } from "../../src/core/open-loop.ts";
import { runLoop } from "../../src/core/loop.ts";
import { committer } from "../../src/core/transition.ts";
import type { Task } from "../../src/core/task.ts";
import type { LoopState, Snapshot } from "../../src/core/state.ts";
import { NOTHING_JUDGED, type Weakness } from "../../src/core/verdict.ts";
import { aTurn, AT, aLastTurn, aState, aTask, aVerdict, aCheck, someFailing, THE_ITEM } from "../support/builders.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { aPrd, aPrdTask, aStory } from "../support/stories.ts";
import { reconcile } from "../../src/core/story/stories.ts";
import { moveIn, QUALITY, stop, SUCCESS, type Row } from "./stop/row.ts";

const weaknesses: readonly Weakness[] = [
  {
    kind: "judges_bent",
    count: 1,
    bends: [{ kind: "cannot_fail", path: "Makefile", line: 2, was: null, now: "x || true" }],
  },
];
const NOW: Snapshot = { id: "commit-0/tree-0", tree: "tree-0", head: "commit-0" };
const ENDED: Partial<LoopState> = {
  ...{ status: "blocked", phase: "settled", iteration: 2, snapshot: NOW, last_turn: aLastTurn() },
  stop_reason: { kind: "weak_proof", weaknesses },
  verdict: aVerdict("passed"),
  strength: { ...NOTHING_JUDGED, weaknesses, refused: 2, tree: "tree-0" },
};
const VETOED = {
  strength: NOTHING_JUDGED,
  review: { ...aState().review, answer: "veto", of: ["/tree-0"], tree: "tree-0", vetoes: 2 },
} as const satisfies Partial<LoopState>;
const accepting: Task = { ...aTask(SUCCESS), acceptsProof: "Ada <ada@example.org>" };

test("a person takes a weak proof as it is: the loop is completed without a turn, and it is kept who and when [C43]", async () => {
  const ports = fakePorts({ stored: aState(ENDED, accepting) });
  const reason = await runLoop(accepting, ports, new AbortController().signal);
  expect(reason).toEqual({ kind: "proof_accepted", by: "Ada <ada@example.org>", at: AT, weaknesses });
  expect(ports.events.map(({ type }) => type)).toEqual(["loop_resumed", "loop_stopped"]);
  expect(ports.events[0]).toMatchObject({ accepts: { by: "Ada <ada@example.org>", tree: "tree-0" } });
  expect(ports.state).toMatchObject({
    status: "completed",
    strength: { accepted: { by: "Ada <ada@example.org>", at: AT, tree: "tree-0" }, refused: 0 },
  });
});

test.each<[string, Partial<LoopState>, string]>([
  ["nothing weakens it", { strength: NOTHING_JUDGED }, "NO_WEAK_PROOF"],
  ["the checks were red", { verdict: aVerdict("failed") }, "NO_WEAK_PROOF"],
  ["they never ran", { verdict: null }, "NO_WEAK_PROOF"],
  [
    "it was only flagged",
    {
      strength: {
        ...NOTHING_JUDGED,
        weaknesses: [{ kind: "scripts_changed", flagged: true, count: 1, paths: ["check.sh"] }],
        tree: "tree-0",
      },
    },
    "NO_WEAK_PROOF",
  ],
  ["other files are there now", { strength: { ...NOTHING_JUDGED, weaknesses, tree: "tree-1" } }, "PROOF_OF_OTHER_TREE"],
  ["the reviewer vetoed other work", { ...VETOED, review: { ...VETOED.review, of: ["/tree-9"] } }, "NO_WEAK_PROOF"],
  ["the vetoed files are others", { ...VETOED, review: { ...VETOED.review, tree: "tree-1" } }, "PROOF_OF_OTHER_TREE"],
  ["nobody knows of which files it was", { strength: { ...NOTHING_JUDGED, weaknesses } }, "PROOF_OF_OTHER_TREE"],
])("it is refused, and nothing is written, where %s [C43]", async (_what, state, code) => {
  const ports = fakePorts({ stored: aState({ ...ENDED, ...state }, accepting) });
  await expect(
    openLoop(accepting, ports, aState({ ...ENDED, ...state }, accepting), committer(ports, undefined)),
  ).rejects.toMatchObject({
    problems: [{ code }],
  });
  expect(ports.events).toEqual([]);
});

test("it is refused outside of git, and for a story, which is accepted by itself [C43]", () => {
  expect(() => refuseAcceptance(aState(ENDED), null)).toThrow(/something has changed since/u);
  const prd = aPrdTask(aPrd([aStory()]));
  const known = reconcile(null, { prd: "shop", stories: [], held: [] }, AT);
  expect(() => refuseAcceptance({ ...aState(ENDED, prd), stories: known }, NOW)).toThrow(/each story/u);
});

test("work that the reviewer vetoed can be accepted where nothing weakens its proof [C50]", () => {
  expect(() => refuseAcceptance(aState({ ...ENDED, ...VETOED }), NOW)).not.toThrow();
});

test("outside of git a weak proof is of no files that a person could accept [C43]", async () => {
  const tests = { ...someFailing([]), ran: 0 };
  const verdicts = [aVerdict("failed"), aVerdict("passed", [aCheck({ tests })])];
  const ports = fakePorts({ git: false, verdicts, turns: [aTurn()] });
  await runLoop(aTask({ ...SUCCESS, limits: { maxIterations: 1 } }), ports, new AbortController().signal);
  expect(ports.state.strength).toMatchObject({ weaknesses: [{ kind: "no_tests_ran" }], tree: null });
});

const accepted = { by: "ada", at: AT, tree: "tree-0" };
const rows: readonly Row[] = [
  {
    title: "an accepted proof ends a loop without a success command as well [PRE 5a]",
    task: QUALITY,
    state: { ...ENDED, phase: "ready", strength: { ...NOTHING_JUDGED, weaknesses, accepted } },
    move: stop({ kind: "proof_accepted", by: "ada" }),
  },
  {
    title: "of other files it ends nothing [PRE 5a]",
    task: QUALITY,
    state: { ...ENDED, strength: { ...NOTHING_JUDGED, weaknesses, accepted: { ...accepted, tree: "tree-9" } } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "nor where the work goes nowhere [T17]",
    task: QUALITY,
    state: {
      ...ENDED,
      strength: { ...NOTHING_JUDGED, weaknesses, accepted },
      boundary: { begun: NOW, refused: { kind: "protected_paths", count: 1, paths: ["a"] }, turns: 1 },
    },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "nor where the checks are red now",
    task: QUALITY,
    state: { ...ENDED, verdict: aVerdict("failed"), strength: { ...NOTHING_JUDGED, weaknesses, accepted } },
    move: { do: "turn", item: THE_ITEM },
  },
  {
    title: "nor where nothing weakens them any more",
    task: QUALITY,
    state: { ...ENDED, strength: { ...NOTHING_JUDGED, accepted } },
    move: { do: "turn", item: THE_ITEM },
  },
];

test.each(rows)("$title [C43]", ({ move, ...row }) => {
  const now = { status: "running", stop_reason: null, first_check: aVerdict("failed") } as const;
  expect(moveIn("ready", { ...row, state: { ...row.state, ...now, phase: "ready" } })).toEqual(move);
});
