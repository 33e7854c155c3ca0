import { expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import { eventLines } from "../../src/views/event-lines.ts";
import { aState, AT } from "../support/builders.ts";

test.each<[LoopEvent, readonly string[]]>([
  [
    {
      type: "story_given_up",
      story: { id: "US-001", ends: "blocked", kind: "attempts", why: "It has had 3\nof 3." },
      at: AT,
    },
    ["US-001 is blocked (attempts): It has had 3 of 3."],
  ],
  [
    { type: "story_shelved", id: "US-001", patch: "US-001-4.patch", snapshot: null, at: AT },
    ["US-001: its unfinished work is out of the work tree, in US-001-4.patch of the loop's folder"],
  ],
  [{ type: "story_shelved", id: "US-001", patch: null, snapshot: null, at: AT }, []],
  [
    { type: "loop_stopped", reason: { kind: "time_budget" }, commit: "c", submodules: ["lib", "a\nb"], at: AT },
    [
      "loop paused_time_budget (time_budget): The time budget is used up.",
      "the commit moves a submodule to another commit (lib, a b): push that one first, from there",
    ],
  ],
  [
    {
      type: "loop_stopped",
      reason: { kind: "head_moved", from: { head: "a" }, to: { head: "b" } },
      commit: null,
      at: AT,
    },
    [
      expect.stringContaining("loop blocked (head_moved): Somebody has committed"),
      expect.stringContaining("`git reset --soft a` puts it back"),
    ],
  ],
])("%j is told in plain words", (event, lines) => {
  expect(eventLines(event, aState()).map(({ text }) => text)).toEqual(lines);
});
