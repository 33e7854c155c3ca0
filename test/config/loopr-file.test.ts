import { describe, expect, test } from "vitest";
import { complaint, problemsOf, resolve } from "./support.ts";

const WRITES = { sandbox: "workspace-write" };

/** The seed's own file: every key with its default. */
const SEED = `# Loopr
MAX_CALLS_PER_HOUR=100
CODEX_TIMEOUT_MINUTES=15

MAX_ITERATIONS=50
MAX_CONSECUTIVE_DONE_SIGNALS=2
MAX_NO_PROGRESS=3
MAX_SAME_ERROR=5
MAX_CONSECUTIVE_TEST_LOOPS=3
MAX_MISSING_STATUS=2
`;

describe("what .loopr/config says in settings of ours", () => {
  test.each([
    ["L-14", "MAX_CALLS_PER_HOUR", "maxCallsPerHour", 100],
    ["L-15", "CODEX_TIMEOUT_MINUTES", "iterationTimeoutMinutes", 15],
    ["L-16", "MAX_ITERATIONS", "maxIterations", 50],
    ["L-17", "MAX_CONSECUTIVE_DONE_SIGNALS", "maxConsecutiveDoneSignals", 2],
    ["L-18", "MAX_NO_PROGRESS", "maxNoProgress", 3],
    ["L-19", "MAX_SAME_ERROR", "maxSameError", 5],
    ["L-20", "MAX_CONSECUTIVE_TEST_LOOPS", "maxConsecutiveTestLoops", 3],
    ["L-21", "MAX_MISSING_STATUS", "maxMissingStatus", 2],
  ] as const)("$1 is $2, $3 by the preset and by the seed's own file [$0]", (_row, key, property, usual) => {
    const flags = { preset: "loopr", ...WRITES };
    expect(resolve({ flags }).config[property]).toBe(usual);
    const seed = resolve({ flags: WRITES, loopr: SEED });
    expect([seed.config[property], seed.sources[property].from]).toEqual([usual, "foreign"]);
    const { config, sources } = resolve({ flags: WRITES, loopr: `# mine\n${key} = 7\r\n` });
    expect(config[property]).toBe(7);
    expect(sources[property]).toEqual({ from: "foreign", where: `.loopr/config line 2 [${key}]` });
  });

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "a key that every object of JavaScript has is as unknown as any: %s [L-13]",
    (key) => {
      expect(complaint({ flags: WRITES, loopr: `${key}=2\n` })).toContain(`[${key}]: Loopr knows no such key`);
      expect(complaint({ flags: WRITES, solo: `{"${key}": 2}` })).toContain(`[${key}]: SOLO knows no such key`);
    },
  );

  test("blank lines and comments are ignored, and an empty file brings the preset [L-13, C4]", () => {
    const { config } = resolve({ flags: WRITES, loopr: "\uFEFF\n  # nothing\n\n" });
    expect(config).toMatchObject({
      preset: "loopr",
      maxIterations: 50,
      statusBlock: "loopr",
      exitGate: "dual",
      promiseMode: "off",
    });
  });

  test("flag, environment and our config file outrank it, and it outranks its preset [L-06]", () => {
    const loopr = "MAX_ITERATIONS=40\nMAX_NO_PROGRESS=9\nMAX_SAME_ERROR=8\n";
    const env = { SMITHERS_MAX_ITERATIONS: "41" };
    const { config } = resolve({ flags: { "max-same-error": "1" }, env, file: "max-no-progress = 2", loopr });
    expect(config).toMatchObject({ maxIterations: 41, maxNoProgress: 2, maxSameError: 1 });
  });

  test("every mistake is named with file, line and reason [L-13]", () => {
    const loopr = ["MAX_ITERATIONS=many", "MAX_ITERATION=3", "max", "COLOUR=red", "MAX_NO_PROGRESS="].join("\n");
    expect(problemsOf({ loopr }).map(({ code }) => code)).toEqual([
      "LOOPR_CONFIG_UNKNOWN",
      "LOOPR_CONFIG_SYNTAX",
      "LOOPR_CONFIG_UNKNOWN",
      "LOOPR_CONFIG_EMPTY",
      "SETTING_INVALID",
    ]);
    const said = complaint({ loopr });
    expect(said).toContain(".loopr/config line 1 [MAX_ITERATIONS]: expected a whole number");
    expect(said).toContain(
      ".loopr/config line 2 [MAX_ITERATION]: Loopr knows no such key. Did you mean MAX_ITERATIONS?",
    );
    expect(said).toContain(".loopr/config line 3: expected KEY=VALUE.");
    expect(said).toContain(".loopr/config line 4 [COLOUR]: Loopr knows no such key. Remove it");
    expect(said).toContain(".loopr/config line 5 [MAX_NO_PROGRESS]: expected a number behind the equals sign");
  });
});

test.each([
  [{}, 100],
  [{ "max-calls-per-hour": "20" }, 20],
  [{ calls: "50" }, 50],
  [{ calls: "off" }, null],
  [{ calls: "0" }, 0],
])("calls per hour of %o: %s [R-06, R-32, L-14]", (flags, expected) => {
  expect(resolve({ flags }).config.maxCallsPerHour).toBe(expected);
});
