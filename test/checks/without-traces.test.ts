import { expect, test } from "vitest";
import { takeOutOfKilled, withoutTraces } from "../../src/checks/without-traces.ts";
import { OperationalError } from "../../src/core/errors.ts";
import type { Gate, TakenOut } from "../../src/core/ports.ts";
import { aVerdict } from "../support/builders.ts";

const EVIDENCE = { iteration: 3, occasion: "turn", deadline: null } as const;
const BEFORE = { id: "i", tree: "t", head: null };
const never = new AbortController().signal;
const VERDICT = aVerdict("passed");
const green: Gate = { judge: async () => VERDICT };

const NOTHING: TakenOut = { made: [], changed: [], left: [] };
const LEFT = {
  left: [
    { files: ["lib"], why: "lib is a repository of its own", cure: "git submodule update" },
    { files: ["x"], why: "x stays" },
  ],
};

/** What is told of two verdicts, and what they are. */
async function told(takeOut: () => Promise<Partial<TakenOut>>, before: typeof BEFORE | null = BEFORE) {
  const notices: string[] = [];
  const asked: unknown[] = [];
  const workspace = {
    snapshot: async () => before,
    takeOut: async (...args: unknown[]) => {
      asked.push(args);
      return { ...NOTHING, ...(await takeOut()) };
    },
  };
  const gate = withoutTraces(green, workspace, (text) => void notices.push(text));
  const verdicts = [await gate.judge(EVIDENCE, never), await gate.judge({ ...EVIDENCE, iteration: 4 }, never)];
  return { notices, asked, verdicts };
}

test("what checks have written is taken out again, and told once by name [D-08]", async () => {
  const { notices, asked, verdicts } = await told(async () => ({ made: ["a", "b", "c", "d", "e", "f", "g"] }));
  expect(verdicts).toEqual([VERDICT, VERDICT]);
  expect(asked[0]).toEqual([BEFORE, "checks-3.patch", undefined]);
  expect(notices).toEqual([
    "the checks wrote a, b, c, d, e and 2 more; that is no work of a story, so it is out of the work tree, and kept in checks-3.patch of the loop's folder. Have git ignore what they write",
  ]);
  const [formatted] = (await told(async () => ({ changed: ["a"] }))).notices;
  expect(formatted).toMatch(/^the checks wrote a; .*Let them only look at a: what formats .* is the agent's to run$/u);
  expect(formatted).not.toContain("ignore");
  const both = await told(async () => ({ made: ["new"], changed: ["a"] }));
  expect(both.notices[0]).toMatch(/wrote new and a; .* Have git ignore new\. Let them only look at a: /u);
  expect((await told(async () => ({}))).notices).toEqual([]);
});

test("checks that leave what cannot be put back have proved nothing; a bug stays a bug; without git nothing is measured", async () => {
  const { notices, verdicts } = await told(async () => ({ made: ["a"], ...LEFT }));
  expect(notices).toEqual([expect.stringMatching(/^the checks wrote a; /u)]);
  expect(verdicts[0]).toEqual({
    result: "unrunnable",
    checks: VERDICT.checks,
    problem: {
      code: "CHECKS_LEFT_FILES",
      what: "The checks changed lib and x, and that cannot be put back: lib is a repository of its own; x stays. It is no story's work. All is in your work tree, unharmed.",
      next: "Put it back as it was (git submodule update), or commit it yourself if it is right, and let no check change it; then resume the loop.",
      files: ["lib", "x"],
    },
  });
  const problem = { code: "SET_ASIDE_FAILED", what: "It is lost.", next: "Look." };
  const lost = await told(async () => Promise.reject(new OperationalError(problem)));
  expect(lost).toMatchObject({ notices: [], verdicts: [{ result: "unrunnable", problem }, { problem }] });
  await expect(told(async () => Promise.reject(new TypeError("bug")))).rejects.toThrow(TypeError);
  expect(await told(async () => LEFT, null)).toEqual({ notices: [], asked: [], verdicts: [VERDICT, VERDICT] });
});

const KILLED = {
  status: "running",
  phase: "unproved",
  snapshot: BEFORE,
  iteration: 3,
  stop_reason: null,
  verdict: null,
} as const;

async function toldOfKilled(
  state: Parameters<typeof takeOutOfKilled>[0],
  taken: Partial<TakenOut> = { made: ["a"] },
  head: string | null = null,
) {
  const notices: string[] = [];
  const asked: unknown[] = [];
  const workspace = {
    snapshot: async () => ({ ...BEFORE, head }),
    takeOut: async (...args: unknown[]) => {
      asked.push(args[2]);
      return { ...NOTHING, ...taken };
    },
  };
  await takeOutOfKilled(state, workspace, (text) => void notices.push(text));
  return { notices, asked };
}

test("of a run that was killed, only what its checks left is taken out, and only where HEAD is as it was", async () => {
  const { notices } = await toldOfKilled(KILLED);
  expect(notices).toEqual([
    expect.stringMatching(/killed while its checks ran: the checks wrote a; .*brings it back$/u),
  ]);
  expect((await toldOfKilled(KILLED, {})).notices).toEqual([]);
  for (const other of [
    { status: "canceled" },
    { phase: "turn" },
    { snapshot: null },
    { snapshot: { ...BEFORE, head: "h" } },
  ] as const)
    expect(await toldOfKilled({ ...KILLED, ...other })).toEqual({ notices: [], asked: [] });
  await expect(toldOfKilled(KILLED, LEFT)).rejects.toHaveProperty("code", "CHECKS_LEFT_FILES");
});

test("what checks have left, the next run looks at again, and at nothing else, and does not begin with it", async () => {
  const problem = { code: "CHECKS_LEFT_FILES", what: "w", next: "n", files: ["lib"] };
  const stopped = { ...KILLED, status: "error", phase: "ready" } as const;
  for (const state of [
    { ...stopped, stop_reason: { kind: "gate_unrunnable", problem } },
    { ...stopped, verdict: { result: "unrunnable", checks: [], problem } },
  ] as const) {
    await expect(toldOfKilled(state, LEFT, "moved")).rejects.toHaveProperty("code", "CHECKS_LEFT_FILES");
    expect(await toldOfKilled(state, { changed: ["lib"] }, "moved")).toEqual({ notices: [], asked: [["lib"]] });
  }
  const { files: _files, ...other } = problem;
  const reason = { kind: "gate_unrunnable", problem: other } as const;
  expect((await toldOfKilled({ ...stopped, stop_reason: reason })).asked).toEqual([]);
});
