import { expect, test } from "vitest";
import { isLoopId } from "../../../src/core/names.ts";
import { isPrdName, loopIdOfPrd } from "../../../src/core/story/story.ts";
import { loopsOfRun, loopsOfTake, runOfCandidate, storyOfLoop } from "../../../src/core/story/wave-names.ts";

test("whatever names a PRD, its loop has an id [D-35]", () => {
  for (const name of ["billing", "a", "Billing-2.1_x", "x".repeat(64)]) {
    expect(isPrdName(name)).toBe(true);
    expect(loopIdOfPrd(name)).toBe(`prd-${name}`);
    expect(isLoopId(loopIdOfPrd(name))).toBe(true);
  }
});

test.each(["shop.", "a.lock", "a..b", ".a", "run", "-a", "x".repeat(65)])(
  "git has no ref for a PRD %s [D-35]",
  (name) => {
    expect(isPrdName(name)).toBe(false);
  },
);

test("the loops of a take say which story they work on, and no other loop does", () => {
  const loops = [1, 3].flatMap((candidates) => loopsOfTake("a-1.b", { story: "US-0012", take: 7, candidates }));
  expect(loops).toHaveLength(4);
  for (const loop of loops) expect(storyOfLoop(loop)).toEqual({ prd: "a-1.b", story: "US-0012" });
  const others = ["prd-shop", "prd-shop.us-001", "prd-shop.us-001.0", "prd-shop.US-001.1", "shop.us-001.1"];
  for (const id of [...others, "prd-run.us-001.1", "prd-a.us-001.1.us-001.1"]) expect(storyOfLoop(id)).toBeNull();
});

test("the candidates for a whole task say which run they are of, and no other loop does", () => {
  const loops = loopsOfRun({ name: "x".repeat(40), run: 999_999_999_999_999, candidates: 16 });
  expect(new Set(loops).size).toBe(16);
  for (const loop of loops) {
    expect(runOfCandidate(loop)).toBe(999_999_999_999_999);
    expect(isLoopId(loop)).toBe(true);
    expect(storyOfLoop(loop)).toBeNull();
  }
  const others = ["best-a", "best-a.1", "best-a.0-1", "best-a.1-0", "best-a.b.1-1", "a.1-1", "prd-best-a.us-001.1-1"];
  for (const id of others) expect(runOfCandidate(id)).toBeNull();
});
