import { describe, expect, test } from "vitest";
import { resolveSettings } from "../../../src/config/resolve.ts";
import { UsageError } from "../../../src/core/errors.ts";
import { isWholeLoop, wholeLoopOf } from "../../../src/job/waves/whole-loop.ts";
import { anEvent, dispatched, type Event, labeled, OURS } from "../../support/asking.ts";

const NIGHT = anEvent("schedule", {});
const GATED = { job: "plan", attempts: "3", "success-sh": "npm test" };

function configOf(inputs: Readonly<Record<string, string>>) {
  const env = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
  return resolveSettings({ flags: {}, env, inputs: env }).config;
}

const contextOf = (event: Event) => ({ ...event, runId: 8001, ref: "refs/heads/main" });

function whole(inputs: Readonly<Record<string, string>>, event = NIGHT, loopId: string | null = null) {
  return wholeLoopOf(contextOf(event), { loopId }, configOf({ ...GATED, ...inputs }));
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) return error.problems.map(({ code }) => code).join();
    throw error;
  }
  return "";
}

describe("a whole task that several agents try", () => {
  test("has loops that workflow and run name, or the setting loop-id, each with a branch of its own", () => {
    const { loops, base, branchOf } = whole({});
    expect(loops).toEqual([1, 2, 3].map((at) => `best-smithers.8001-${at}`));
    expect(base).toBe("main");
    expect(loops.map(branchOf)).toEqual(loops.map((loop) => `smithers/${loop}`));
    expect(whole({ base: "next", branch: "x/<loop-id>" }).branchOf("a")).toBe("x/a");
    expect(whole({}, NIGHT, "Fix_It..now").loops[0]).toBe("best-fix-it-now.8001-1");
    expect(whole({}, NIGHT, "_").loops[0]).toBe("best-loop.8001-1");
  });

  test("is none with one attempt, or where a PRD is named or asked for", () => {
    const is = (inputs: Readonly<Record<string, string>>, event = NIGHT) =>
      isWholeLoop(configOf(inputs), contextOf(event));
    expect([is(GATED), is({ ...GATED, attempts: "1" })]).toEqual([true, false]);
    expect(is({ job: "plan", attempts: "3", prd: "shop" })).toBe(false);
    expect(is(GATED, dispatched('{"command":"prd","prd":"shop","verb":"run"}', OURS))).toBe(false);
  });

  test.each([
    ["without a command that judges", { "success-sh": "" }, NIGHT, "CANDIDATES_NEED_GATES"],
    ["without commits", { commit: "never" }, NIGHT, "CANDIDATES_NEED_BRANCHES"],
    ["without pull requests", { "pull-request": "never" }, NIGHT, "CANDIDATES_NEED_BRANCHES"],
    ["on one branch for all", { branch: "fix" }, NIGHT, "CANDIDATES_NEED_BRANCHES"],
    ["without records", { carriers: "artifact" }, NIGHT, "CANDIDATES_NEED_BRANCHES"],
    ["on a person's pull request", {}, labeled("x", "alice"), "NOT_FOR_CANDIDATES"],
    ["to go on with a loop", {}, dispatched("continue", OURS), "NOT_FOR_CANDIDATES"],
    ["begun by hand", {}, dispatched("start", OURS), ""],
    ["with a quality command", { "success-sh": "", "quality-commands": "npm test" }, NIGHT, ""],
  ])("%s: %o is refused before anything begins, or not", (_what, inputs, event, code) => {
    expect(codeOf(() => whole(inputs, event))).toBe(code);
  });
});
