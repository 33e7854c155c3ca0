import { expect, test } from "vitest";
import { isLoopId, lastMessageName, rawEventsName, reviewEventsName, reviewMessageName } from "../../src/core/names.ts";

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

test.for([
  ["the agent's stream", rawEventsName(3), "events_iter_3.jsonl"],
  ["its last message", lastMessageName(3), "last_message_iter_3.txt"],
  ["the reviewer's stream", reviewEventsName(3), "review_iter_3.jsonl"],
  ["its last message", reviewMessageName(3), "review_message_iter_3.txt"],
] as const)("of an iteration's files, %s is %s [W-26, W-27, C50]", ([, name, expected]) => {
  expect(name).toBe(expected);
});
