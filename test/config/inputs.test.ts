import path from "node:path";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CODEX_VERSION } from "../../src/config/settings/agent.ts";
import type { Config } from "../../src/config/config.ts";
import { contextInput } from "../../src/config/action.ts";
import { locateConfigFile } from "../../src/config/resolve.ts";
import { OUTCOMES } from "../../src/core/outcome.ts";
import { complaint, type Given, problemsOf, resolve } from "./support.ts";

describe("what a workflow gives under with:", () => {
  const given = [
    ["a number [W-14]", { "max-iterations": "50" }, { maxIterations: 50 }],
    ["an alias [L-15]", { "codex-timeout-minutes": "3" }, { iterationTimeoutMinutes: 3 }],
    ["white space around a block of YAML", { prompt: "Fix it.\nAll of it.\n" }, { prompt: "Fix it.\nAll of it." }],
    ["a switch as YAML writes it", { "check-first": "false", "full-auto": "true" }, { checkFirst: false }],
    [
      "a word for the empty value",
      { "promise-mode": "off", "success-sh": "true", "full-auto": "on" },
      { promiseMode: "off" },
    ],
    [
      "a list, one per line [D-22]",
      { "quality-commands": "npm test\n\nnpm run lint\n", "full-auto": "on" },
      { qualityCommands: ["npm test", "npm run lint"] },
    ],
    ["a list as JSON", { "pass-env": '["A","B_*"]' }, { passEnv: ["A", "B_*"] }],
    ["a secret", { "api-key": "k", "github-token": "t" }, { apiKey: "k", githubToken: "t" }],
    ["carriers", { carriers: "ref, cache" }, { carriers: ["ref", "cache"] }],
    ["no carriers", { carriers: "none" }, { carriers: [] }],
    ["fail-on: states and reasons", { "fail-on": "error\nrate_limit" }, { failOn: ["error", "rate_limit"] }],
    ["fail-on: nothing", { "fail-on": "none" }, { failOn: [] }],
    [
      "an empty input is unset [section 9]",
      { "completion-promise": "", "success-cmd": " " },
      { completionPromise: "TASK_COMPLETE" },
    ],
    ["a name that is no setting", { "max-iteration": "4", "who-to-greet": "x" }, { maxIterations: 30 }],
    ["a context input", { matrix: "{}", "job-check-run-id": "7" }, { maxIterations: 30 }],
  ] as const satisfies readonly (readonly [string, NonNullable<Given["inputs"]>, Partial<Config>])[];

  test.each(given)("%s", (_, inputs, wanted) => {
    expect(resolve({ inputs }).config).toMatchObject(wanted);
  });

  test("an input outranks environment and file, and says where it is [L-06]", () => {
    const { config, sources } = resolve({
      inputs: { "max-iterations": "6" },
      env: { SMITHERS_MAX_ITERATIONS: "5", SMITHERS_RETRIES: "1" },
      file: "max-iterations = 4\nretries = 2",
    });
    expect([config.maxIterations, config.retries]).toEqual([6, 1]);
    expect(sources.maxIterations).toEqual({ from: "input", where: "input max-iterations" });
  });

  test("the command line does not read them", () => {
    expect(resolve({ env: { "INPUT_MAX-ITERATIONS": "6" } }).config.maxIterations).toBe(30);
  });

  test("they place the workspace and the file", () => {
    const env = { INPUT_CD: "w", "INPUT_CONFIG-FILE": "a.toml" };
    expect(locateConfigFile({}, env, env)).toEqual({ cd: "w", path: "a.toml", named: true });
    expect(locateConfigFile({}, env)).toEqual({ cd: null, path: ".smithers.toml", named: false });
  });

  test("what the job knows comes beside the settings", () => {
    const env = { INPUT_MATRIX: '{\n  "a": 1\n}', "INPUT_JOB-CHECK-RUN-ID": "42" };
    expect([contextInput(env, "matrix"), contextInput(env, "job-check-run-id"), contextInput({}, "matrix")]).toEqual([
      '{\n  "a": 1\n}',
      "42",
      "",
    ]);
  });
});

describe("defaults of the Action", () => {
  test("the work is committed at the end, on the command line never [C13]", () => {
    expect([resolve({ inputs: {} }).config.commit, resolve().config.commit]).toEqual(["end", "never"]);
  });

  test("a commit that nobody asked for is not a reason against a read-only agent [C3]", () => {
    expect(problemsOf({ inputs: { prompt: "Review the code." } })).toEqual([]);
    expect(complaint({ inputs: { commit: "end" } })).toContain("`sandbox: workspace-write` or `full-auto: on`");
  });

  test("fail-on is what the table of outcomes says [section 4.5]", () => {
    const { failOn } = resolve({ inputs: {} }).config;
    const failing: readonly string[] = failOn;
    for (const [reason, { status, job }] of Object.entries(OUTCOMES)) {
      expect([reason, failing.includes(status)]).toEqual([reason, job === "fail"]);
    }
  });

  test("the version of Codex is the one that the tests run", async () => {
    const file = await readFile(path.join(import.meta.dirname, "../../package.json"), "utf8");
    const { devDependencies } = z
      .looseObject({ devDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(file));
    expect(devDependencies["@openai/codex"]).toBe(CODEX_VERSION);
    expect(resolve({ inputs: {} }).config.providerVersion).toBe(CODEX_VERSION);
  });

  test.each([
    [{ "job-timeout-minutes": "60" }, 6],
    [{ "job-timeout-minutes": "360", "time-budget-minutes": "30" }, 5],
    [{ "job-timeout-minutes": "100", "time-budget-minutes": "200" }, 10],
    [{ "job-timeout-minutes": "360", "reserve-minutes": "1" }, 1],
  ])("the reserve of %j is %d minutes [section 9]", (inputs, minutes) => {
    expect(resolve({ inputs }).config.reserveMinutes).toBe(minutes);
  });
});

describe("mistakes are told in the workflow's words", () => {
  test.each([
    [{ "max-iterations": "many" }, /^input max-iterations: expected a whole number from 1 to 100000, got "many"\./u],
    [
      { carriers: "ref, floppy" },
      /^input carriers: expected a list of ref, artifact, cache, or none, got "ref, floppy"/u,
    ],
    [{ "fail-on": "red" }, /^input fail-on: expected a list of completed, /u],
    [{ "provider-version": "latest" }, /expected an exact version, such as 1\.2\.3, got "latest"/u],
    [{ "relay-to": "../other.yml" }, /expected the name of a workflow's file, such as smithers\.yml/u],
    [{ "pull-request": "always" }, /one of auto, draft, never/u],
    [{ "app-id": "4711" }, /^input app-id is set, and app-private-key is not, or is empty here/u],
    [{ "app-private-key": "-----BEGIN" }, /^input app-private-key is set, and app-id is not/u],
    [{ "app-id": "the app", "app-private-key": "x" }, /expected an App ID such as 123456, or a client ID/u],
    [{ "state-key": "short" }, /expected a text of at least 16 characters, got something else/u],
    [
      { "checkpoint-tree": "encrypted" },
      /^input checkpoint-tree: .*without state-key\. .*`state-key: \$\{\{ secrets\./u,
    ],
    [{ provider: "command" }, /Add `provider-command: '\["my-agent","--print"\]'`/u],
    [{ prompt: "a", "prompt-file": "b" }, /input prompt and input prompt-file/u],
    [{ "success-cmd": "npm test" }, /^input success-cmd: expected a JSON array.*perhaps '\["npm","test"\]'/u],
  ] as const)("%j", (inputs, message) => {
    expect(problemsOf({ inputs })).toHaveLength(1);
    expect(complaint({ inputs })).toMatch(message);
  });

  test.each([
    "-x",
    "a..b",
    "a b",
    "/a",
    "a//b",
    "a/.b",
    "a.lock",
    "a@{1}",
    "@",
    "a~1",
    "a:b",
    "x.",
    "refs\\a",
    "refs/heads/x",
    "HEAD",
  ])("the branch %j is not one that git allows [D-35]", (branch) => {
    expect(complaint({ inputs: { branch } })).toContain("a branch name that git allows");
  });

  test.each(["smithers/<loop-id>", "work", "bots/<loop-id>/fix-1.0", "ü"])("the branch %s is one", (branch) => {
    expect(resolve({ inputs: { branch } }).config.branch).toBe(branch);
  });

  test("with a key there is nothing to complain about [C13]", () => {
    const inputs = { "checkpoint-tree": "encrypted", "state-key": "0123456789abcdef" };
    expect(problemsOf({ inputs })).toEqual([]);
  });

  test("where it has no meaning, a setting of the Action says where it has one", () => {
    expect(complaint({ flags: { carriers: "ref" } })).toMatch(
      /--carriers: carriers cannot be set here\..*its input carriers there/u,
    );
    expect(problemsOf({ env: { SMITHERS_CHECKPOINT_TREE: "encrypted" } })).toEqual([]);
  });
});
