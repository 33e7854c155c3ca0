import { expect, test } from "vitest";
import { decide } from "../../../src/core/decide.ts";
import type { PrdTask } from "../../../src/core/task.ts";
import { aFacts, aHit, aState, aTask, aTodo } from "../../support/builders.ts";

const PRD: PrdTask = {
  ...{ name: "shop", folder: "prds/shop", project: "Shop", description: "", branchName: null, provider: null },
  ...{ stories: [], only: null, maxStories: null, storyAttempts: 3, onBlocked: "continue" },
};

test.each([
  ["a HARD STOP that is reached pauses", [aHit()], [], aHit()],
  ["one that was erased pauses", [], [aHit({ reached: false })], aHit({ vanished: true })],
])("%s beside stories as well [POST 4b, POST 9, C45]", (_title, hardStops, seen, hit) => {
  const task = { ...aTask(), prd: PRD };
  const state = aState({ phase: "settled", todo: aTodo({ seen }) });
  const move = decide(task, state, aFacts({ hardStops }));
  expect(move).toMatchObject({ do: "stop", reason: { kind: "hard_stop", hits: [hit] } });
});
