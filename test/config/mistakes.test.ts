import { describe, expect, test } from "vitest";
import { PROVIDERS } from "../../src/config/settings/agent.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { complaint, type Given, problemsOf, resolve } from "./support.ts";

const AGENT_NAMES = PROVIDERS.map(({ name }) => name).join(", ");

describe("values that are refused", () => {
  const refused = [
    ["no iteration at all [W-14]", { flags: { "max-iterations": "0" } }, /--max-iterations: expected .* from 1 /u],
    ["half an iteration [W-14]", { file: "max-iterations = 1.5" }, /whole number .* got 1\.5/u],
    ["a number in another notation", { flags: { retries: "0x2" } }, /got "0x2"/u],
    [
      "a pause that is none [D-36]",
      { flags: { "retry-delay-seconds": "0,soon" } },
      /seconds from 0 to 3600 in item 2/u,
    ],
    ["a pause below zero [D-36]", { file: "retry-delay-seconds = [0, -5]" }, /seconds from 0 to 3600 in item 2/u],
    ["a pause of hours [D-36]", { env: { SMITHERS_RETRY_DELAY_SECONDS: "3601" } }, /seconds from 0 to 3600/u],
    ["a pause in an object [D-36]", { file: "retry-delay-seconds = [{ s = 1 }]" }, /seconds from 0 to 3600 in item 1/u],
    ["a number that is none", { file: "interval-seconds = nan" }, /\[interval-seconds\]: expected a number/u],
    ["a limit that is too high", { flags: { "idle-timeout-minutes": "10081" } }, /from 0\.01 to 10080/u],
    ["an empty promise [W-15, W-37, P12]", { flags: { "completion-promise": "" } }, /empty one.*TASK_COMPLETE/u],
    ["a blank promise [W-15]", { env: { SMITHERS_COMPLETION_PROMISE: "  " } }, /empty one/u],
    ["a promise of two lines [W-15]", { flags: { "completion-promise": "A\nB" } }, /a text of one line/u],
    ["a mode [W-16]", { flags: { "promise-mode": "xml" } }, /one of tag, plain, regex, off, got "xml"/u],
    ["a state file of three lines [C11]", { file: 'state-file = "a\\n*\\n/q.json"' }, /without control characters/u],
    ["a workspace of two lines [C11]", { flags: { cd: "x\n*" } }, /--cd: expected a path without/u],
    ["a sandbox [W-22]", { flags: { sandbox: "none" } }, /read-only, workspace-write, danger-full-access/u],
    ["an empty token [W-30]", { flags: { "hard-stop-token": "" } }, /would be found everywhere/u],
    ["a mode [W-31]", { flags: { "hard-stop-mode": "wait" } }, /one of pause, exit/u],
    ["untrusted [W-24, C19]", { flags: { "ask-for-approval": "untrusted" } }, /on-request, never, on-failure/u],
    ["a provider [D-21]", { flags: { provider: "gpt" } }, new RegExp(`one of ${AGENT_NAMES}, got "gpt"`, "u")],
    ["words instead of JSON [S-11]", { flags: { "success-cmd": "npm test" } }, /perhaps '\["npm","test"\]'/u],
    ["no program [S-11]", { flags: { "success-cmd": '["","x"]' } }, /program's name/u],
    [
      "an empty list for a program [C65]",
      { flags: { "success-cmd": "[]" } },
      /--success-cmd: expected a command, got none/u,
    ],
    ["a check of a variable that is not set [C65]", { flags: { "success-sh": " " } }, /nothing would prove the work/u],
    ["no program of all [C65]", { flags: { "success-cmd": "" } }, /--success-cmd: expected a command/u],
    ["an empty list of checks [C65]", { flags: { "quality-commands": "[ ]" } }, /--quality-commands: .+got none/u],
    ["an empty list for the agent [C65]", { env: { SMITHERS_PROVIDER_COMMAND: "[]" } }, /program's name/u],
    ["an empty list in the file [C65]", { file: "success-cmd = []" }, /line 1 \[success-cmd\]: .*program's name/u],
    ["a blank program [C65]", { flags: { "success-cmd": '[" "]' } }, /program's name/u],
    ["two prompts [C65]", { flags: { prompt: ["a", "b"] } }, /--prompt: there are two texts for prompt/u],
    ["two prompt files [C65]", { flags: { "prompt-file": ["a", "b"] } }, /two texts for prompt-file/u],
    ["numbers in it [S-11]", { file: 'success-cmd = ["a", 1]' }, /JSON array of texts/u],
    ["a list that is a number", { file: "quality-commands = 1" }, /expected a list of texts, got 1/u],
    ["everything to the agent", { flags: { "pass-env": "*" } }, /names of variables/u],
    ...[
      "/",
      "//",
      "/:rw",
      "/usr/..",
      "/proc",
      "/proc/1/root/etc",
      "/dev:rw",
      "/sys/",
      "~/",
      "~/..:rw",
      "~/x/../..",
    ].map(
      (word) => [`${word} for checks [T3]`, { flags: { "check-access": word } }, /never \/, ~\/, \/proc/u] as const,
    ),
    ["the processes for turns [T3]", { flags: { "agent-access": "/tmp/x,/proc" } }, /never \/, ~\/, \/proc/u],
    ["a switch", { env: { SMITHERS_NETWORK: "maybe" } }, /expected on or off, got "maybe"/u],
    ["a text that is a table", { file: "[model]\nname = 1" }, /line 1 \[model\]: expected a text/u],
    ["two names of one setting", { file: "codex-timeout-minutes = 1\niteration-timeout-minutes = 2" }, /same setting/u],
  ] as const satisfies readonly (readonly [string, Given, RegExp])[];

  test.each(refused)("%s", (_, given, message) => {
    expect(problemsOf(given)).toHaveLength(1);
    expect(complaint(given)).toMatch(message);
  });
});

describe("loop id [W-17, C9]", () => {
  const longest = `a${"b".repeat(99)}`;
  test.each(["repo-2026-01-06T21-10-00", "A", "0.9_x-", "a.lock.b", longest])("%s is accepted", (id) => {
    expect(resolve({ flags: { "loop-id": id } }).config.loopId).toBe(id);
  });
  test.each(["-a", ".a", "a/b", "a b", "a..b", "a.lock", "../x", "é", `${longest}b`, "a\n"])("%j is refused", (id) => {
    expect(complaint({ flags: { "loop-id": id } })).toContain("--loop-id: expected a letter or digit");
  });
});

describe("the api key", () => {
  test.each([
    ["a flag", { flags: { "api-key": "sk-very-secret" } }, "--api-key"],
    ["the file", { file: 'api-key = "sk-very-secret"' }, ".smithers.toml line 1 [api-key]"],
  ] as const)("is refused from %s, names the cure and is not repeated", (_, given, where) => {
    const text = complaint(given);
    expect(text).toContain(where);
    expect(text).toContain("SMITHERS_API_KEY");
    expect(text).not.toContain("sk-very-secret");
  });
});

describe("unknown names", () => {
  test.each([
    ["a flag", { flags: { "max-iteratoins": "3" } }, /--max-iteratoins: .*Did you mean max-iterations\?/u],
    ["upper case in the file", { file: "MAX_ITERATIONS = 3" }, /Did you mean max-iterations\?/u],
    ["a later word", { file: 'zebra = "x"' }, /Remove it/u],
  ] as const)("%s", (_, given, message) => {
    expect(complaint(given)).toMatch(message);
  });

  test.each(["SMITHERS_TREE", "SMITHERS_DISABLED", "SMITHERS_LOOP", "OTHER_MODEL"])(
    "%s is nobody's mistake",
    (name) => {
      expect(problemsOf({ env: { [name]: "1" } })).toEqual([]);
    },
  );
});

describe("the file", () => {
  test.each([
    ["a key without a value", "model = 'a'\nretries =", /^\.smithers\.toml line 2, column \d+: /u],
    ["a key twice", "retries = 1\nretries = 2", /line 2, column 1/u],
    ["a dangerous key", "__proto__ = 1", /line 1/u],
    ["an integer beyond everything", "max-tokens = 99999999999999999999", /line 1, column 14/u],
  ])("a mistake in the syntax carries line and column: %s [D-41]", (_, file, message) => {
    expect(problemsOf({ file })).toMatchObject([{ code: "CONFIG_FILE_SYNTAX" }]);
    expect(complaint({ file })).toMatch(message);
  });

  test("a key inside a text is not where the key is", () => {
    const file = ['continue-prompt = """', "retries = 5", '"""', '"retries" = 2'].join("\n");
    expect(resolve({ file }).sources.retries.where).toBe(".smithers.toml line 4 [retries]");
  });

  test.each([
    ["a refused value", { flags: { "promise-mode": "off", "success-cmd": "npm test" } }, "SETTING_INVALID"],
    ["a misspelled name", { flags: { "promise-mode": "off" }, file: 'succes-sh = "true"' }, "SETTING_UNKNOWN"],
    ["a broken file", { flags: { "promise-mode": "off" }, file: "success-sh = true false" }, "CONFIG_FILE_SYNTAX"],
  ] as const)("what only follows from %s is not reported", (_, given, code) => {
    expect(problemsOf(given).map((problem) => problem.code)).toEqual([code]);
  });
});

test("every setting that is a path refuses control characters [C11]", () => {
  const paths = SETTINGS.filter((setting) => "placeholder" in setting && setting.placeholder === "path");
  expect(paths.map((setting) => setting.name)).toContain("jsonl-events");
  for (const { name } of paths) {
    expect(complaint({ flags: { [name]: "a\u0000b" } })).toContain(
      `--${name}: expected a path without control characters`,
    );
  }
});
