import { expect, test } from "vitest";
import { chooseOpening, type OpeningRequest } from "../../src/core/open-loop.ts";
import { type StopReason, outcomeOf } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import { aFailure, aRepair, aState } from "../support/builders.ts";

const base: OpeningRequest = {
  taskDigest: "task-digest",
  by: "trigger",
  acceptsProof: false,
  maxIterations: 30,
  maxTokens: null,
  maxTotalMs: null,
  maxErrorResumes: 3,
  publishes: true,
};

function ended(reason: StopReason, overrides: Partial<LoopState> = {}): LoopState {
  return aState({ stop_reason: reason, status: outcomeOf(reason).status, generation: 2, ...overrides });
}

const failure = aFailure();
const until = "2026-03-01T13:00:00.000Z";
const problem = { code: "X", what: "x", next: "y" };
const spent = { ...aState().spent, tokens: 1000 };
const WORKED = { ...aState().spent, turn_ms: 40_000, check_ms: 20_000 };
const paused: readonly StopReason[] = [
  { kind: "hard_stop", mode: "pause", hits: [] },
  { kind: "hard_stop", mode: "exit", hits: [] },
  { kind: "paused", by: "me" },
  { kind: "stopped", by: "SIGINT" },
];
const errors: readonly StopReason[] = [
  { kind: "auth", failure },
  { kind: "config", failure },
  { kind: "sandbox_broken", failure },
  { kind: "provider", failure },
  { kind: "gate_unrunnable", problem },
  { kind: "commit_refused", problem },
  { kind: "superseded", by: "run 7" },
];
const finished: readonly StopReason[] = [
  { kind: "promise", verified: true },
  { kind: "success_command", command: "x" },
  { kind: "already_green", command: "x" },
  { kind: "canceled", by: "me" },
];
const parked: readonly StopReason[] = [
  { kind: "time_budget" },
  { kind: "rate_limit", until, message: "" },
  { kind: "usage_limit", until, message: "" },
];

test("no state, a new loop [C25]", () => {
  expect(chooseOpening(undefined, base)).toEqual({ do: "begin", generation: 1 });
});

test("a run that died is resumed by anybody [C25]", () => {
  expect(chooseOpening(aState({ phase: "turn" }), base)).toEqual({ do: "resume" });
});

test.each([...parked, ...errors])("$kind is resumed by any trigger [C25]", (reason) => {
  expect(chooseOpening(ended(reason), base)).toEqual({ do: "resume" });
});

test.each(paused)("$kind is left alone by a trigger [C25, PRE 4]", (reason) => {
  expect(chooseOpening(ended(reason), base)).toEqual({
    do: "leave",
    reason,
    because: expect.stringMatching(/person: confirm and go on with: <resume>$/u),
  });
});

test.each(paused)("$kind is resumed by a person [C25]", (reason) => {
  expect(chooseOpening(ended(reason), { ...base, by: "person" })).toEqual({ do: "resume" });
});

test.each(finished)("after $kind the loop starts over, whoever asks [C25]", (reason) => {
  expect(chooseOpening(ended(reason), base)).toEqual({ do: "renew", generation: 3 });
});

test.each(finished)("after $kind a candidate for a whole task starts over for a person alone [C25]", (reason) => {
  const stored = ended(reason, { loop_id: "best-of-n.8001-2" });
  expect(chooseOpening(stored, base)).toMatchObject({ do: "leave", reason });
  expect(chooseOpening(stored, { ...base, by: "person" })).toMatchObject({ do: "renew" });
});

test.each([undefined, ...parked, ...paused, ...errors])("another task is a new generation (%o) [C25]", (reason) => {
  const stored = reason === undefined ? aState() : ended(reason);
  const opening = chooseOpening(stored, { ...base, taskDigest: "another" });
  expect(opening).toEqual({ do: "renew", generation: stored.generation + 1 });
});

test.each([
  ["a higher cap", { maxIterations: 6 }, "resume"],
  ["the same cap", { maxIterations: 5 }, "leave"],
  ["a lower cap", { maxIterations: 4 }, "leave"],
] as const)("stopped_max_iterations with %s [C25]", (_title, request, expected) => {
  const stored = ended({ kind: "max_iterations", max: 5 }, { iteration: 5 });
  expect(chooseOpening(stored, { ...base, by: "person", ...request }).do).toBe(expected);
});

test.each([
  ["a higher cap", { maxTokens: 1001 }, "resume"],
  ["no cap", { maxTokens: null }, "resume"],
  ["a cap that is spent", { maxTokens: 1000 }, "leave"],
] as const)("stopped_budget with %s [C25]", (_title, request, expected) => {
  const stored = ended({ kind: "tokens", spent: 1000, max: 900 }, { spent });
  expect(chooseOpening(stored, { ...base, by: "person", ...request }).do).toBe(expected);
});

test.each([
  ["a higher cap", { maxTotalMs: 60_001 }, "resume"],
  ["no cap", { maxTotalMs: null }, "resume"],
  ["a cap that is spent", { maxTotalMs: 60_000 }, "leave"],
] as const)("stopped_budget by working time with %s [C25]", (_title, request, expected) => {
  const stored = ended({ kind: "total_time", spent: 60_000, max: 50_000 }, { spent: WORKED });
  expect(chooseOpening(stored, { ...base, ...request }).do).toBe(expected);
});

test("a spent cap does not keep a person from taking the work as it is [C43]", () => {
  const stored = ended({ kind: "max_iterations", max: 30 }, { iteration: 30 });
  expect(chooseOpening(stored, { ...base, by: "person", acceptsProof: true })).toEqual({ do: "resume" });
});

test("a refusal says which cap has to be higher than what [C25]", () => {
  const iterations = chooseOpening(ended({ kind: "max_iterations", max: 30 }, { iteration: 30 }), base);
  expect(iterations).toMatchObject({ because: expect.stringMatching(/30 iterations; --max-iterations/u) });
  const one = chooseOpening(ended({ kind: "max_iterations", max: 1 }, { iteration: 1 }), { ...base, maxIterations: 1 });
  expect(one).toMatchObject({ because: expect.stringMatching(/run 1 iteration; --max-iterations/u) });
  const tokens = chooseOpening(ended({ kind: "tokens", spent: 1000, max: 9 }, { spent }), { ...base, maxTokens: 9 });
  expect(tokens).toMatchObject({ because: expect.stringMatching(/1000 tokens; --max-tokens/u) });
  const worked = ended({ kind: "total_time", spent: 61_000, max: 9 }, { spent: { ...WORKED, check_ms: 21_000 } });
  expect(chooseOpening(worked, { ...base, maxTotalMs: 9 })).toMatchObject({
    because: expect.stringMatching(/worked 1\.1 minutes; --max-total-minutes/u),
  });
});

test.each([
  [0, "resume"],
  [2, "resume"],
  [3, "leave"],
] as const)("an error that was resumed %i times in a row: %s [C25]", (resumes, expected) => {
  const stored = ended({ kind: "provider", failure }, { error_resumes: resumes });
  expect(chooseOpening(stored, base).do).toBe(expected);
});

test("a refusal says how often the loop ended in an error [C25]", () => {
  const opening = chooseOpening(ended({ kind: "provider", failure }, { error_resumes: 3 }), base);
  expect(opening).toMatchObject({ because: expect.stringMatching(/4 times in a row.*--max-error-resumes/u) });
});

test("errors in a row do not bar a loop that is only waiting [C25]", () => {
  expect(chooseOpening(ended({ kind: "time_budget" }, { error_resumes: 9 }), base)).toEqual({ do: "resume" });
});

const LINK: LoopState["github"] = {
  ...{ branch: "smithers/a", head: null, pull_request: null },
  ...{ authorised_by: null, obeyed: null, continuations: 0 },
};
const unpublished = { what: "branch", base: "b", tip: null, kept_on: null } as const;
const LACKS = { github: { ...LINK, unpublished } };

test.each(finished)("what the ending $kind lacks on GitHub comes before a new generation [C25]", (reason) => {
  const stored = ended(reason, LACKS);
  expect(chooseOpening(stored, base)).toEqual({ do: "publish", because: null });
  expect(chooseOpening(stored, { ...base, by: "person" }).do).toBe("publish");
  expect(chooseOpening(stored, { ...base, publishes: false }).do).toBe("renew");
  expect(chooseOpening(stored, { ...base, taskDigest: "another" }).do).toBe("renew");
  expect(chooseOpening(ended(reason, { github: LINK }), base).do).toBe("renew");
});

test.each(paused)("what the ending $kind lacks on GitHub is made up for, and it still waits [C25]", (reason) => {
  const stored = ended(reason, LACKS);
  const because = expect.stringMatching(/<resume>$/u);
  expect(chooseOpening(stored, base)).toEqual({ do: "publish", because });
  expect(chooseOpening(stored, { ...base, by: "person" })).toEqual({ do: "resume" });
});

test.each([undefined, ...parked, ...errors])("a loop that goes on will have another ending (%o) [C25]", (reason) => {
  const stored = reason === undefined ? aState(LACKS) : ended(reason, LACKS);
  expect(chooseOpening(stored, base)).toEqual({ do: "resume" });
});

test("a circuit that a person has closed lets any trigger go on [R-08]", () => {
  const open = { state: "OPEN", trigger: "no_progress", count: 3 } as const;
  const stored = aState({
    status: "circuit_open",
    stop_reason: { kind: "no_progress", count: 3 },
    task_digest: "same",
  });
  const asked = { ...base, taskDigest: "same", by: "trigger" } as const;
  expect(chooseOpening({ ...stored, circuit: open }, asked).do).toBe("leave");
  expect(chooseOpening(stored, asked)).toEqual({ do: "resume" });
});

test.each<StopReason>([
  { kind: "not_reproduced", why: "green_here", run: "", job: "test", cause: "unknown" },
  { kind: "flaky", command: "x", tests: [], red: "not ok", green: "ok", tries: 1 },
])("another failed run begins anew where $kind ended the loop, the same one waits for a person [C100]", (reason) => {
  const stored = ended(reason, { repair: aRepair() });
  const same = aRepair().run.id;
  expect(chooseOpening(stored, { ...base, repairs: same + 1 })).toEqual({ do: "renew", generation: 3 });
  expect(chooseOpening({ ...stored, repair: null }, { ...base, repairs: same })).toEqual({
    do: "renew",
    generation: 3,
  });
  expect(chooseOpening(stored, { ...base, repairs: same })).toMatchObject({ do: "leave" });
  expect(chooseOpening(stored, { ...base, by: "person" })).toEqual({ do: "resume" });
});
