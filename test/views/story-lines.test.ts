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
])("%j is told in plain words", (event, lines) => {
  expect(eventLines(event, aState()).map(({ text }) => text)).toEqual(lines);
});
