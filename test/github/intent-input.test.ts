import { describe, expect, test } from "vitest";
import { type DispatchInput, readInput, writeInput } from "../../src/github/intent-input.ts";

const HEAD = "b".repeat(40);
const BARE = { command: "continue", loop: null, pr: null, head: null, request: null, self: false } as const;
const FULL: DispatchInput = {
  command: "start",
  loop: "demo-smithers-0123456789",
  pr: 7,
  head: HEAD,
  request: { kind: "label", id: 12 },
  self: false,
};

describe("the input smithers", () => {
  test("a bare word is a command", () => {
    expect(readInput("continue")).toEqual({ ok: true, value: BARE });
    expect(readInput(" continue\n")).toEqual({ ok: true, value: BARE });
  });

  test("what is written is read again, with as little as there is", () => {
    expect(writeInput(BARE)).toBe('{"command":"continue"}');
    expect(readInput(writeInput(BARE))).toEqual({ ok: true, value: BARE });
    expect(readInput(writeInput(FULL))).toEqual({ ok: true, value: FULL });
    expect(readInput(writeInput({ ...BARE, self: true }))).toEqual({ ok: true, value: { ...BARE, self: true } });
    for (const kind of ["comment", "label", "run"] as const) {
      const input = { ...FULL, head: "c".repeat(64), request: { kind, id: 1 } };
      expect(readInput(writeInput(input))).toEqual({ ok: true, value: input });
    }
  });

  test.for([
    { name: "an unknown word", text: "merge", why: "names none of the commands" },
    { name: "a word with guidance", text: "continue use v2", why: "names none of the commands" },
    { name: "no JSON", text: "{command", why: "is no JSON" },
    { name: "no command", text: "{}", why: "names none of the commands" },
    { name: "a list", text: '["continue"]', why: "names none of the commands" },
    { name: "a field too many", text: '{"command":"continue","guidance":"x"}', why: "fields that there are not" },
    { name: "too much", text: `{"command":"continue","loop":"${"a".repeat(1_000)}"}`, why: "more than 1000" },
    ...["../x", "a/b", "", "a".repeat(101), "a.lock"].map((loop) => ({
      name: `the loop ${loop.slice(0, 9)}`,
      text: JSON.stringify({ command: "continue", loop }),
      why: "a wrong loop",
    })),
    ...[0, -1, 1.5, "7", 3e9].map((pr) => ({
      name: `the pull request ${pr}`,
      text: JSON.stringify({ command: "continue", pr }),
      why: "a wrong pr",
    })),
    ...["main", "B".repeat(40), "b".repeat(41), `${HEAD}\n`].map((head) => ({
      name: `the head ${head.slice(0, 9)}`,
      text: JSON.stringify({ command: "continue", head }),
      why: "a wrong head",
    })),
    ...["comment:", "comment:0", "comment:1x", "issue:1", "comment:1234567890123456", "run:-1"].map((request) => ({
      name: `the request ${request}`,
      text: JSON.stringify({ command: "continue", request }),
      why: "a wrong request",
    })),
  ])("$name is refused as a whole [C9]", ({ text, why }) => {
    expect(readInput(text)).toEqual({ ok: false, trouble: { because: expect.stringContaining(why) } });
  });
});
