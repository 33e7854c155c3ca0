import { expect, test } from "vitest";
import { isLoopId } from "../../src/core/names.ts";

test.for(["a", "demo-smithers-loop-pr-7-0123456789", "repo-2026-01-06T21-10-00.g2", "A".repeat(100)])(
  "%s is a loop's id [C9]",
  (id) => {
    expect(isLoopId(id)).toBe(true);
  },
);

test.for(["", "../x", "a/b", ".a", "a..b", "a.lock", "a b", "a\n", "ä", "-a", "A".repeat(101)])(
  "%j is none [C9]",
  (id) => {
    expect(isLoopId(id)).toBe(false);
  },
);
