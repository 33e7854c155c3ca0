import { expect, test } from "vitest";
import { boundsOf, taskDigest } from "../../src/core/task.ts";
import { committer } from "../../src/core/transition.ts";
import { openLoop, timestamp } from "../../src/core/open-loop.ts";
import { settleAbandoned } from "../../src/core/recover/abandoned-turn.ts";
import { CLOSED } from "../../src/core/state.ts";
import { aHit, AT, aState, aTask, digest, NOW } from "../support/builders.ts";
import { aPrd, aPrdTask, aStory } from "../support/stories.ts";
import { fakePorts, type FakeOptions } from "../support/fake-ports.ts";

async function opened(options: FakeOptions = {}, task = aTask()) {
  const ports = fakePorts(options);
  const commit = committer(ports, options.stored);
  const found = await settleAbandoned(task, ports, options.stored, commit);
  if (found !== undefined && "kind" in found) throw new Error("The abandoned turn could not be committed.");
  const state = await openLoop(task, ports, found, commit);
  return { ports, state };
}

test("a new loop is written down before anything else [W-40]", async () => {
  const task = aTask({ generation: 3, identity: { todo: {} } });
  const { ports, state } = await opened({ hardStops: [aHit()] }, task);
  expect(ports.events).toEqual([
    {
      type: "loop_started",
      at: AT,
      loop_id: "a-loop",
      generation: 3,
      identity: task.identity,
      prompt_digest: digest(task.identity.prompt),
      task_digest: taskDigest(task.identity, digest),
      runtime: task.runtime,
      max_iterations: 30,
      bounds: boundsOf(task.limits),
      artifacts_dir: task.runtime.artifactsDir,
      guidance: null,
      github: null,
      snapshot: { id: "commit-0/tree-0", tree: "tree-0", head: "commit-0" },
      hard_stops: [aHit()],
      tally: null,
      lists: [],
    },
  ]);
  expect(state).toEqual(ports.state);
});

test("a PRD's loop remembers the branch that its stories are worked on, where it is told", async () => {
  const on = async (more: { branch?: string }) =>
    (await opened({}, aPrdTask(aPrd([aStory()], more)))).state.stories?.branch;
  expect([await on({ branch: "prd/shop" }), await on({})]).toEqual(["prd/shop", undefined]);
});

test("without a git repository there is no snapshot [W-25]", async () => {
  expect((await opened({ git: false })).state.snapshot).toBeNull();
});

test("a stored loop is resumed with this run's limits and runtime [C25]", async () => {
  const task = aTask({ by: "trigger", limits: { maxIterations: 50 }, runtime: { model: "new" } });
  const { ports } = await opened({ stored: aState({ revision: 4, phase: "settled" }) }, task);
  expect(ports.events).toEqual([
    {
      type: "loop_resumed",
      at: AT,
      by: "trigger",
      runtime: task.runtime,
      max_iterations: 50,
      bounds: boundsOf(task.limits),
      guidance: null,
      github: null,
      snapshot: { id: "commit-0/tree-0", tree: "tree-0", head: "commit-0" },
    },
  ]);
});

test("a turn found in flight is over, and its iteration counts", async () => {
  const stored = aState({ phase: "turn", iteration: 2 });
  const { ports, state } = await opened({ stored });
  expect(ports.events.map((event) => event.type)).toEqual(["turn_abandoned", "loop_resumed"]);
  expect(state).toMatchObject({ phase: "ready", iteration: 2, iterations: [{ iteration: 2, agent: "abandoned" }] });
});

test("moments are written with a UTC offset [W-48]", () => {
  expect(timestamp(NOW)).toBe("2026-03-01T12:00:00.000+00:00");
  expect(Date.parse(timestamp(NOW))).toBe(NOW);
});

test("a person who resets the circuit lets the loop go on with a closed one [R-08]", async () => {
  const circuit = { state: "OPEN", trigger: "no_progress", count: 3 } as const;
  const stored = aState({ status: "circuit_open", stop_reason: { kind: "no_progress", count: 3 }, circuit });
  const github = { branch: "b", pullRequest: null, askedBy: "ada", request: null, continuations: 0 };
  const { ports, state } = await opened({ stored }, aTask({ github: { ...github, resetsCircuit: true } }));
  expect(ports.events).toMatchObject([{ type: "reset", what: "circuit", by: "ada" }, { type: "loop_resumed" }]);
  expect(state).toMatchObject({ status: "running", circuit: CLOSED });
});

test("nobody's name is needed for it [R-08]", async () => {
  const github = { branch: "b", pullRequest: null, askedBy: null, request: null, continuations: 0 };
  const { ports } = await opened({ stored: aState() }, aTask({ github: { ...github, resetsCircuit: true } }));
  expect(ports.events[0]).toMatchObject({ type: "reset", by: "a person" });
});
