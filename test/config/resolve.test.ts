import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { locateConfigFile } from "../../src/config/resolve.ts";
import { complaint, type Given, problemsOf, resolve } from "./support.ts";

const write = { sandbox: "workspace-write" };

describe("flag over environment over file over preset over default [L-06]", () => {
  const places = [
    ["default", "default", {}, 30],
    ["preset", "preset waylon", { flags: { preset: "waylon" } }, 30],
    ["file", ".smithers.toml line 2 [max-iterations]", { file: 'preset = "waylon"\nmax-iterations = 4' }, 4],
    [
      "environment",
      "SMITHERS_MAX_ITERATIONS",
      { env: { SMITHERS_MAX_ITERATIONS: "5" }, file: "max-iterations = 4" },
      5,
    ],
    [
      "flag",
      "--max-iterations",
      { flags: { "max-iterations": "6" }, env: { SMITHERS_MAX_ITERATIONS: "5" }, file: "max-iterations = 4" },
      6,
    ],
  ] as const satisfies readonly (readonly [string, string, Given, number])[];

  test.each(places)("%s: %s", (from, where, given, value) => {
    const { config, sources } = resolve(given);
    expect(config.maxIterations).toBe(value);
    expect(sources.maxIterations).toEqual({ from, where });
  });
});

describe("defaults", () => {
  const defaults = [
    ["W-07, W-14", "maxIterations", 30],
    ["W-15", "completionPromise", "TASK_COMPLETE"],
    ["W-16", "promiseMode", "tag"],
    ["W-20", "model", null],
    ["W-21", "profile", null],
    ["W-07, W-22, W-54", "sandbox", "read-only"],
    ["W-23", "fullAuto", false],
    ["W-07, W-24, W-54", "askForApproval", "on-request"],
    ["W-25", "skipGitRepoCheck", false],
    ["W-29", "todoFile", null],
    ["W-30", "hardStopToken", "HARD STOP"],
    ["W-31", "hardStopMode", "pause"],
    ["C10", "hardStopWhen", "reached"],
    ["S-11", "successCmd", null],
    ["S-12", "successSh", null],
    ["S-14", "intervalSeconds", 0],
    ["L-15", "iterationTimeoutMinutes", 15],
    ["D-21", "provider", "codex"],
    ["D-22", "qualityCommands", []],
    ["C13", "commit", "never"],
    ["C14", "maxTokens", null],
    ["C26", "network", false],
  ] as const satisfies readonly (readonly [string, keyof Config, unknown])[];

  test.each(defaults)("$1 is $2 [$0]", (_, property, value) => {
    expect(resolve().config[property]).toEqual(value);
  });
});

describe("each setting can be given", () => {
  const given = [
    [
      "a zero with a sign is a zero",
      { flags: { retries: "-00" }, file: "interval-seconds = -0.0" },
      { retries: 0, intervalSeconds: 0 },
    ],
    ["max-iterations [W-14]", { flags: { "max-iterations": "50" } }, { maxIterations: 50 }],
    ["completion-promise [W-15]", { flags: { "completion-promise": "DONE" } }, { completionPromise: "DONE" }],
    ["promise-mode [W-16]", { env: { SMITHERS_PROMISE_MODE: "plain" } }, { promiseMode: "plain" }],
    ["cd [W-19]", { flags: { cd: "../other" } }, { cd: "../other" }],
    ["model [W-20]", { file: 'model = "gpt-5.5"' }, { model: "gpt-5.5" }],
    ["profile [W-21]", { flags: { profile: "work" } }, { profile: "work" }],
    ["sandbox [W-22]", { flags: write }, { sandbox: "workspace-write" }],
    ["ask-for-approval [W-24]", { flags: { "ask-for-approval": "never" } }, { askForApproval: "never" }],
    ["skip-git-repo-check [W-25]", { flags: { "skip-git-repo-check": "on" } }, { skipGitRepoCheck: true }],
    ["todo-file [W-29]", { flags: { "todo-file": "TODO.md" } }, { todoFile: "TODO.md" }],
    ["hard-stop-token [W-30]", { flags: { "hard-stop-token": "STOP HERE" } }, { hardStopToken: "STOP HERE" }],
    ["hard-stop-mode [W-31]", { flags: { "hard-stop-mode": "exit" } }, { hardStopMode: "exit" }],
    ["continue-prompt [S-03, S-09]", { file: 'continue-prompt = "Go on."' }, { continuePrompt: "Go on." }],
    [
      "success-cmd [S-11]",
      { flags: { ...write, "success-cmd": '["npm","test"]' } },
      { successCmd: ["npm", "test"], promiseGuard: "code" },
    ],
    [
      "success-sh [S-12]",
      { flags: { ...write, "success-sh": "test -f FINISH.txt" } },
      { successSh: "test -f FINISH.txt", promiseGuard: "code" },
    ],
    ["interval-seconds [S-03, S-14]", { env: { SMITHERS_INTERVAL_SECONDS: "60" } }, { intervalSeconds: 60 }],
    ["codex-timeout-minutes [L-15]", { flags: { "codex-timeout-minutes": "7.5" } }, { iterationTimeoutMinutes: 7.5 }],
    ["its variable [L-15]", { env: { SMITHERS_CODEX_TIMEOUT_MINUTES: "3" } }, { iterationTimeoutMinutes: 3 }],
    ["codex-args [L-04]", { flags: { "codex-args": '["-c","x=1"]' } }, { providerArgs: ["-c", "x=1"] }],
    [
      "provider and retries through TOML [D-21, D-41]",
      { file: 'provider = "command"\nprovider-command = ["agent"]\nretries = 1' },
      { provider: "command", providerCommand: ["agent"], retries: 1 },
    ],
    [
      "provider and retries through flags [D-21, D-41]",
      { flags: { provider: "scripted", script: "turns.json", retries: "0" } },
      { provider: "scripted", script: "turns.json", retries: 0 },
    ],
    [
      "pauses between retries through TOML [D-36, D-41]",
      { file: "retries = 4\nretry-delay-seconds = [1, 2.5]" },
      { retries: 4, retryDelaySeconds: ["1", "2.5"] },
    ],
    [
      "pauses between retries through flags [D-36, D-41]",
      { flags: { "retry-delay-seconds": "0, 30,", retries: "2" }, file: "retry-delay-seconds = [9]" },
      { retries: 2, retryDelaySeconds: ["0", "30"] },
    ],
    [
      "pauses between retries through the environment [D-36]",
      { env: { SMITHERS_RETRY_DELAY_SECONDS: "60" } },
      { retryDelaySeconds: ["60"] },
    ],
    [
      "pauses between retries through an input [D-36]",
      { inputs: { "retry-delay-seconds": "0\n5" } },
      { retryDelaySeconds: ["0", "5"] },
    ],
    [
      "quality-commands add up [D-22]",
      { flags: { ...write, "quality-commands": ["npm test", "npm run lint\nnpm run types"] } },
      { qualityCommands: ["npm test", "npm run lint", "npm run types"], promiseGuard: "code" },
    ],
    [
      "quality-commands as JSON, and a shell test that only looks like it [D-22]",
      { flags: { ...write, "quality-commands": ['["a, b","c"]', "[ -f x ] && y"] } },
      { qualityCommands: ["a, b", "c", "[ -f x ] && y"] },
    ],
    ["pass-env [C26]", { env: { SMITHERS_PASS_ENV: "NPM_*, CI_TOKEN" } }, { passEnv: ["NPM_*", "CI_TOKEN"] }],
    ["pass-env in the file", { file: 'pass-env = ["A", "B_*"]' }, { passEnv: ["A", "B_*"] }],
    ["api-key", { env: { SMITHERS_API_KEY: "k" } }, { apiKey: "k" }],
    ["a switch in the file", { file: "check-first = false\nnetwork = 'on'" }, { checkFirst: false, network: true }],
    ["the last flag counts", { flags: { retries: ["1", "2"] } }, { retries: 2 }],
    ["off takes a limit back", { flags: { "max-tokens": "off" }, file: "max-tokens = 5" }, { maxTokens: null }],
    [
      "an empty value is as good as none",
      { flags: { model: "" }, env: { SMITHERS_MODEL: " " }, file: 'model = "m"\nquality-commands = []' },
      { model: "m", qualityCommands: [] },
    ],
    ["a byte order mark and CRLF", { file: '\uFEFFmodel = "m"\r\nretries = 1\r\n' }, { model: "m", retries: 1 }],
  ] as const satisfies readonly (readonly [string, Given, Partial<Config>])[];

  test.each(given)("%s", (_, given, wanted) => {
    expect(resolve(given).config).toMatchObject(wanted);
  });
});

describe("defaults that depend on other settings", () => {
  test.each([
    ["final-line without a check", {}, "final-line"],
    ["code with a check", { flags: { ...write, "success-sh": "true" } }, "code"],
    ["code with quality commands", { flags: { ...write, "quality-commands": "true" } }, "code"],
    ["code with CI", { flags: write, env: { SMITHERS_CI_WORKFLOW: "ci.yml" } }, "code"],
    ["as given", { flags: { ...write, "success-sh": "true", "promise-guard": "off" } }, "off"],
  ])("promise-guard is %s [section 5.3]", (_, given: Given, guard) => {
    expect(resolve(given).config.promiseGuard).toBe(guard);
  });

  test.each([
    [{}, 5],
    [{ flags: { "time-budget-minutes": "30" } }, 5],
    [{ flags: { "time-budget-minutes": "120" } }, 12],
    [{ flags: { "time-budget-minutes": "120", "reserve-minutes": "1" } }, 1],
  ])("reserve-minutes of %j is %d [section 9]", (given: Given, minutes) => {
    expect(resolve(given).config.reserveMinutes).toBe(minutes);
  });

  test("they say that they are defaults", () => {
    const { sources } = resolve({ flags: { ...write, "success-sh": "true" } });
    expect([sources.promiseGuard.from, sources.reserveMinutes.from]).toEqual(["default", "default"]);
  });
});

describe("where the file is", () => {
  test.each([
    ["the usual place", {}, {}, { cd: null, path: ".smithers.toml", named: false }],
    ["a flag", { "config-file": ["a.toml"], cd: ["w"] }, {}, { cd: "w", path: "a.toml", named: true }],
    ["a variable", {}, { SMITHERS_CONFIG_FILE: "b.toml" }, { cd: null, path: "b.toml", named: true }],
    ["mistakes elsewhere", { retries: ["x"], cd: ["w"] }, {}, { cd: "w", path: ".smithers.toml", named: false }],
  ])("%s", (_, flags, env, wanted) => {
    expect(locateConfigFile(flags, env)).toEqual(wanted);
  });

  test("the file cannot move itself or the workspace", () => {
    expect(complaint({ file: 'cd = "/"\nconfig-file = "x"' })).toMatch(
      /line 1 \[cd\].*--cd or SMITHERS_CD[^]*line 2 \[config-file\].*--config-file/u,
    );
  });
});

test("all problems are reported at once, with place, expectation, value and what to do next", () => {
  const problems = problemsOf({
    flags: { "max-iterations": "many", "ask-for-approval": "untrusted" },
    env: { SMITHERS_RETRIES: "-1", SMITHERS_MAX_ITERATION: "4" },
    file: 'max_tokens = 7\nnonsense = 1\nnetwork = 3\ncompletion-promise = ""\nloop-id = "a..b"',
  });
  expect(problems.map((problem) => `${problem.code} ${problem.what} ${problem.next}`)).toEqual([
    expect.stringMatching(/^SETTING_INVALID --max-iterations: expected a whole number from 1 to 100000, got "many"\./u),
    expect.stringMatching(/--ask-for-approval: expected one of on-request, never, on-failure, unset, got "untrusted"/u),
    expect.stringMatching(/^SETTING_INVALID SMITHERS_RETRIES: expected a whole number from 0 to 20, got "-1"\./u),
    expect.stringMatching(/^SETTING_UNKNOWN SMITHERS_MAX_ITERATION: .*Did you mean SMITHERS_MAX_ITERATIONS\?/u),
    expect.stringMatching(/^SETTING_UNKNOWN \.smithers\.toml line 1 \[max_tokens\].*Did you mean max-tokens\?/u),
    expect.stringMatching(/^SETTING_UNKNOWN \.smithers\.toml line 2 \[nonsense\].*--help lists/u),
    expect.stringMatching(/line 3 \[network\]: expected on or off, got 3\./u),
    expect.stringMatching(/^SETTING_EMPTY .*line 4 \[completion-promise\].*to get "TASK_COMPLETE"/u),
    expect.stringMatching(/^SETTING_INVALID .*line 5 \[loop-id\]: expected a letter or digit/u),
  ]);
});
