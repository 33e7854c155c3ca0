import { describe, expect, test } from "vitest";
import { askingAgain } from "../../src/checks/flake-gate.ts";
import type { Gate } from "../../src/core/ports.ts";
import type { CheckResult, Evidence, TestReport, Verdict } from "../../src/core/verdict.ts";
import { aCheck, aRedCheck, aVerdict, someFailing } from "../support/builders.ts";

const never = new AbortController().signal;
const GREEN = aVerdict("passed", [aCheck({ command: "npm test", tail: "ok 7" })]);
const RED = aVerdict("failed", [aRedCheck({ command: "npm test", tail: "not ok 7", tests: someFailing(["adds up"]) })]);

const failing = (...names: readonly string[]) =>
  aRedCheck({ command: "npm test", tests: { ...someFailing(names), ran: 9 } });

/** A gate that says these one after the other. */
function saying(...verdicts: readonly Verdict[]): Gate & { readonly asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    judge: async () => verdicts[asked++] ?? aVerdict("unrunnable"),
  };
}

function evidence(occasion: Evidence["occasion"]): Evidence {
  return { iteration: 1, occasion, deadline: null };
}

interface Given {
  readonly times?: number;
  readonly trees?: readonly (string | null)[];
  readonly signal?: AbortSignal;
}

async function judge(
  gate: Gate,
  occasion: Evidence["occasion"],
  { times = 2, trees = [], signal = never }: Given = {},
) {
  const told: string[] = [];
  let looked = 0;
  const tree = async () => (trees.length === 0 ? "t" : (trees[Math.min(looked++, trees.length - 1)] ?? null));
  const verdict = await askingAgain(gate, { times, tree, notice: (text) => void told.push(text) }).judge(
    evidence(occasion),
    signal,
  );
  return { verdict, told: told.join("\n") };
}

const FLAKE = { command: "npm test", tests: ["adds up"], red: "not ok 7", green: "ok 7" };

describe("checks that are asked again", () => {
  test("red and then green on one tree before the first turn is a flake, and stays red [C103]", async () => {
    const gate = saying(RED, RED, GREEN);
    const { verdict, told } = await judge(gate, "first");
    expect(verdict).toMatchObject({ result: "failed", flake: { ...FLAKE, tries: 2 } });
    expect(told).toContain("Asking the checks again, the whole of them, to see whether they are flaky (2 of 2)");
  });

  test("green and then red is no proof, whether a turn or a claim asks for it [C103]", async () => {
    for (const occasion of ["turn", "claim"] as const) {
      const { verdict } = await judge(saying(GREEN, RED), occasion);
      expect(verdict).toMatchObject({ result: "failed", flake: { ...FLAKE, tries: 1 } });
    }
  });

  test.each([
    ["always red", "first", [RED, RED, RED], 3, { result: "failed" }],
    ["green before the first turn", "first", [GREEN], 1, { result: "passed" }],
    ["always green", "turn", [GREEN, GREEN, GREEN], 3, { result: "passed", repeated: 2 }],
    ["red after a turn", "turn", [RED], 1, { result: "failed" }],
    ["green between claims", "change", [GREEN], 1, { result: "passed" }],
    ["before a story", "story", [RED], 1, { result: "failed" }],
    ["cut off while red is asked again", "first", [RED, aVerdict("cut_off")], 2, { result: "failed" }],
    ["cut off while green is asked again", "turn", [GREEN, aVerdict("cut_off")], 2, { result: "cut_off" }],
  ] as const)("%s: no flake [C103]", async (_name, occasion, verdicts, asked, expected) => {
    const gate = saying(...verdicts);
    const { verdict } = await judge(gate, occasion);
    expect(verdict).toMatchObject(expected);
    expect(verdict.flake).toBeUndefined();
    expect(gate.asked()).toBe(asked);
  });

  describe("that are red every time, with other tests [C166]", () => {
    const red = (names: readonly string[], more: Partial<TestReport> = {}, command = "npm test") =>
      aRedCheck({ command, tail: `not ok ${names.join(", ")}`, tests: { ...someFailing(names), ran: 9, ...more } });
    const all = (...checks: readonly CheckResult[]) => aVerdict("failed", checks);

    test.each<[what: string, first: Verdict, others: readonly Verdict[], asked: number, expected: object | null]>([
      [
        "nothing failed every time: a flake, and nothing more is asked",
        all(red(["adds", "takes"])),
        [all(red(["divides"]))],
        2,
        {
          tests: ["adds", "divides", "takes"],
          red: "not ok adds, takes",
          green: "",
          other: "not ok divides",
          tries: 1,
        },
      ],
      [
        "it takes three to see it",
        all(red(["adds", "takes"])),
        [all(red(["divides", "takes"])), all(red(["adds"]))],
        3,
        { tests: ["adds", "divides", "takes"], other: "not ok divides, takes", tries: 2 },
      ],
      [
        "some failed every time: a real red beside a flake",
        all(red(["adds", "takes"])),
        [all(red(["adds", "divides"])), all(red(["adds"]))],
        3,
        { tests: ["divides", "takes"], red: "not ok adds, divides", stable: ["adds"], tries: 2 },
      ],
      [
        "one check was green between, another was red every time",
        all(red(["adds"]), red([], { failed: 1 }, "npm run lint")),
        [all(aCheck({ command: "npm test", tail: "ok" }), red([], { failed: 1 }, "npm run lint")), all(red(["adds"]))],
        3,
        { command: "npm test", tests: ["adds"], green: "ok", stable: ["npm run lint"] },
      ],
      ["the same each time", all(red(["adds"])), [all(red(["adds"])), all(red(["adds"]))], 3, null],
      ["one stopped early", all(red(["adds"])), [all(red(["takes"], { early: true })), all(red(["adds"]))], 3, null],
      ["not all are named", all(red(["adds"])), [all(red(["takes"], { failed: 2 })), all(red(["adds"]))], 3, null],
      ["fewer tests ran", all(red(["adds", "takes"])), [all(red(["adds"], { ran: 3 })), all(red(["adds"]))], 3, null],
      [
        "a check behind one that was red was not asked each time",
        all(aCheck({ role: "success", command: "npm test" }), red([], {}, "npm run lint")),
        [all(aCheck({ role: "success", command: "npm test" })), all(aCheck({ role: "success", command: "npm test" }))],
        3,
        null,
      ],
    ])("%s", async (_what, first, others, asked, expected) => {
      const gate = saying(first, ...others);
      const { verdict } = await judge(gate, "first");
      expect(verdict.result).toBe("failed");
      const told = verdict.flake === undefined ? null : { stable: null, ...verdict.flake };
      expect({ told }).toMatchObject({ told: expected === null ? null : { stable: null, ...expected } });
      expect(gate.asked()).toBe(asked);
    });
  });

  test.each<[what: string, later: readonly Verdict[], asked: number, expected: object]>([
    ["only a test that is known to be flaky", [RED, GREEN], 4, { result: "failed", flake: { tests: ["adds up"] } }],
    ["that test every time", [RED, RED], 4, { result: "failed", flake: null }],
    ["another test as well", [aVerdict("failed", [failing("adds up", "takes")])], 3, { result: "failed", flake: null }],
    ["what is not named", [aVerdict("failed", [aRedCheck({ tests: null })])], 3, { result: "failed", flake: null }],
  ])("behind a turn %s fails: asked again where it may be a flake [C166]", async (_what, later, asked, expected) => {
    const first = [failing("adds up", "stays"), failing("divides", "stays")].map((check) =>
      aVerdict("failed", [check]),
    );
    const gate = saying(...first, ...later);
    const again = askingAgain(gate, { times: 1, tree: async () => "t", notice: () => undefined });
    expect(await again.judge(evidence("first"), never)).toMatchObject({ flake: { stable: ["stays"] } });
    const verdict = await again.judge(evidence("turn"), never);
    expect({ flake: null, ...verdict }).toMatchObject(expected);
    expect(gate.asked()).toBe(asked);
  });

  test("checks that change the tree themselves are not asked again, and that is said [C103]", async () => {
    const gate = saying(RED, GREEN);
    const { verdict, told } = await judge(gate, "first", { trees: ["a", "b"] });
    expect(verdict).toEqual(RED);
    expect(told).toContain("whether they are flaky is not known");
    expect(gate.asked()).toBe(1);
  });

  test("where the tree is not known nothing is said of the same files [C103, C119]", async () => {
    const gate = saying(RED, GREEN);
    const { verdict, told } = await judge(gate, "first", { trees: [null] });
    expect([verdict, gate.asked()]).toEqual([RED, 1]);
    expect(told).toContain("Which files the checks look at is not known");
  });

  test("a loop that is ended is not kept waiting: what was red stays, what was to be proved is open [C103]", async () => {
    const over = new AbortController();
    over.abort();
    expect((await judge(saying(RED, GREEN), "first", { signal: over.signal })).verdict).toEqual(RED);
    expect((await judge(saying(GREEN, RED), "turn", { signal: over.signal })).verdict.result).toBe("cut_off");
  });
});
