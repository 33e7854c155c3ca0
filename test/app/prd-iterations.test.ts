import { expect, test } from "vitest";
import { iterationsFor } from "../../src/app/prd/prd-task.ts";
import { aPassedRecord, aPrd, aRecord, aStory } from "../support/stories.ts";

const THREE = [aStory("US-001", { passes: true }), aStory("US-002"), aStory("US-003")];
const inProgress = aRecord("US-001", { state: "in_progress", attempts: 1 });

test.each([
  ["open stories times attempts [PRE 8]", {}, [], 4],
  ["as many attempts as are allowed", { storyAttempts: 5 }, [], 10],
  ["of the one story that is asked for", { only: "US-003" }, [], 2],
  ["at least one, when all have passed", { only: "US-001" }, [], 1],
  ["a story that the run died over is open, though the file says passed already", {}, [inProgress], 6],
  ["what is known to have passed is not, though the file does not say so", {}, [aPassedRecord("US-002")], 2],
])("%s", (_title, overrides, known, iterations) => {
  expect(iterationsFor(aPrd(THREE, overrides), known)).toBe(iterations);
});
