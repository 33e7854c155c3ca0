import { describe, expect, test } from "vitest";
import { type KeptSettings, toKeep } from "../../src/config/kept.ts";
import { UsageError } from "../../src/core/errors.ts";
import { type Given, resolve } from "./support.ts";

/** What a run with these settings keeps. */
function keptOf(given: Given, mayKeep: Parameters<typeof toKeep>[1] = () => true): KeptSettings {
  return toKeep(resolve(given).given, mayKeep);
}

const GIVEN: Given = {
  flags: { "full-auto": "on", "max-iterations": "9" },
  env: { SMITHERS_MAX_TOKENS: "500", SMITHERS_API_KEY: "secret" },
  file: 'max-iterations = 4\nmodel = "small"',
};

describe("what a loop was given holds until something else is said [C64]", () => {
  test.each<[string, Given, object, readonly string[]]>([
    [
      "nothing is said now",
      {},
      { sandbox: "workspace-write", maxIterations: 9, maxTokens: 500, model: "small" },
      ["As the loop was given: model small, full-auto on, max-iterations 9, max-tokens 500."],
    ],
    [
      "the same file and variable do not beat the flag of then",
      { env: { SMITHERS_MAX_TOKENS: "500" }, file: 'max-iterations = 4\nmodel = "small"' },
      { maxIterations: 9, maxTokens: 500, model: "small" },
      ["As the loop was given: full-auto on, max-iterations 9."],
    ],
    [
      "a file that says something else",
      { file: 'max-iterations = 5\nmodel = "large"' },
      { maxIterations: 5, model: "large" },
      ["model: small so far, large now", "max-iterations: 9 so far, 5 now (.smithers.toml line 1 [max-iterations])"],
    ],
    [
      "a variable that says something else",
      { env: { SMITHERS_MAX_TOKENS: "700" } },
      { maxTokens: 700 },
      ["max-tokens: 500 so far, 700 now (SMITHERS_MAX_TOKENS)"],
    ],
    [
      "a flag",
      { flags: { "max-tokens": "off", "max-changed-files": "3" } },
      { maxTokens: null, maxChangedFiles: 3 },
      ["max-tokens: 500 so far, not set now (--max-tokens)", "max-changed-files: not set so far, 3 now"],
    ],
    [
      "the other way to say it",
      { env: { SMITHERS_SANDBOX: "read-only" } },
      { sandbox: "read-only", maxIterations: 9 },
      ["sandbox: full-auto on so far, read-only now (SMITHERS_SANDBOX)"],
    ],
  ])("%s", (_, now, config, told) => {
    const resolved = resolve({ ...now, kept: keptOf(GIVEN) });
    expect(resolved.config).toMatchObject(config);
    const notices = resolved.notices.join("\n");
    for (const line of told) expect(notices).toContain(line);
  });

  test("what was said on the way holds from then on", () => {
    const { file = "" } = GIVEN;
    const second = resolve({ flags: { "max-iterations": "20" }, file, kept: keptOf(GIVEN) });
    const third = resolve({ file, kept: toKeep(second.given, () => true) });
    expect(third.config).toMatchObject({ maxIterations: 20, maxTokens: 500, sandbox: "workspace-write" });
  });

  test("a preset that was chosen holds, and its values with it", () => {
    expect(resolve({ kept: keptOf({ flags: { preset: "ralph", "full-auto": "on" } }) }).config.backlog).toBe(
      "checklist",
    );
  });

  test("secrets, prompts and what says where the loop is are not kept", () => {
    const flags = { cd: "..", "loop-id": "a", "state-file": "s.json", prompt: "Fix it." };
    expect(keptOf({ ...GIVEN, flags }).holds).toEqual({
      "max-iterations": { value: 4, from: "file" },
      "max-tokens": { value: 500, from: "environment" },
      model: { value: "small", from: "file" },
    });
    expect(JSON.stringify(keptOf(GIVEN))).not.toContain("secret");
  });

  test("what may not be kept is left to the place that says it", () => {
    const { holds, said } = keptOf(GIVEN, (name) => name !== "model");
    expect([holds["model"], said.file]).toEqual([undefined, { "max-iterations": 4 }]);
  });

  test("a value that no setting of today allows is passed over", () => {
    const holds = { sandbox: { value: "open", from: "flag" }, gone: { value: 1, from: "flag" } } as const;
    expect(resolve({ kept: { holds, said: {} } }).config.sandbox).toBe("read-only");
  });
});

describe("danger-full-access is asked for anew every time [C64, W-55]", () => {
  const kept = keptOf({ flags: { sandbox: "danger-full-access", "max-iterations": "9" } });

  test("without it, nothing is started", () => {
    expect(() => resolve({ kept })).toThrow(UsageError);
    expect(() => resolve({ kept })).toThrow("The loop had sandbox danger-full-access");
  });

  test.each(["danger-full-access", "workspace-write"])("with --sandbox %s it goes on with that", (sandbox) => {
    expect(resolve({ flags: { sandbox }, kept }).config).toMatchObject({ sandbox, maxIterations: 9 });
  });
});
