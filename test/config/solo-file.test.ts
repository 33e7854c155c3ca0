import { describe, expect, test } from "vitest";
import { complaint, resolve } from "./support.ts";

const SOLO = `{
  "autostart": true,
  "kickoff_prompt": "Port the module",
  "continue_prompt": "Go on",
  "success_cmd": ["npm", "test"],
  "success_sh": "test -f FINISH.txt",
  "exit_on_success": true,
  "interval_seconds": 2.5
}`;

describe("what .codex-solo.json says in settings of ours", () => {
  test("every key that has a setting; the file brings the preset [S-05, S-08, S-09, S-11, S-12, S-13, S-14, S-17]", () => {
    const { config, sources } = resolve({ solo: SOLO });
    expect(config).toMatchObject({
      preset: "solo",
      prompt: "Port the module",
      continuePrompt: "Go on",
      successCmd: ["npm", "test"],
      successSh: "test -f FINISH.txt",
      intervalSeconds: 2.5,
      sandbox: "workspace-write",
    });
    expect(sources.prompt).toEqual({ from: "foreign", where: ".codex-solo.json line 3 [kickoff_prompt]" });
  });

  test("flag, environment and our config file outrank it, and it outranks its preset [L-06]", () => {
    const given = { solo: SOLO, env: { CODEX_SOLO_INTERVAL_SECONDS: "7" }, file: 'continue-prompt = "From the file"' };
    expect(resolve(given).config).toMatchObject({ intervalSeconds: 7, continuePrompt: "From the file" });
    const { config } = resolve({ ...given, flags: { prompt: "Mine", preset: "waylon", sandbox: "workspace-write" } });
    expect([config.prompt, config.preset, config.continuePrompt]).toEqual(["Mine", "waylon", "From the file"]);
  });

  test("a prompt of another place is used instead, and that is said of a prompt file [S-08]", () => {
    const { config, notices } = resolve({ solo: SOLO, flags: { "prompt-file": "task.md" } });
    expect([config.prompt, config.promptFile]).toEqual([null, "task.md"]);
    expect(notices).toContainEqual(
      "--prompt-file outranks .codex-solo.json line 3 [kickoff_prompt], which is not used.",
    );
  });

  test("our own variable outranks SOLO's [S-14]", () => {
    const env = { SMITHERS_INTERVAL_SECONDS: "3", CODEX_SOLO_INTERVAL_SECONDS: "7" };
    expect(resolve({ env }).config.intervalSeconds).toBe(3);
    expect(complaint({ env: { CODEX_SOLO_INTERVAL_SECONDS: "soon" } })).toMatch(
      /^CODEX_SOLO_INTERVAL_SECONDS: expected a number from 0 to 604800.*"soon"/u,
    );
  });

  test.each([
    [
      "in the file",
      '{"exit_on_success": false, "success_sh": "true"}',
      {},
      ".codex-solo.json line 1 [exit_on_success]",
    ],
    ["in the variable", SOLO, { CODEX_SOLO_EXIT_ON_SUCCESS: "0" }, "CODEX_SOLO_EXIT_ON_SUCCESS"],
    ["in both", '{"exit_on_success": false}', { CODEX_SOLO_EXIT_ON_SUCCESS: "No" }, "CODEX_SOLO_EXIT_ON_SUCCESS"],
  ])("a program that stays open after success is refused, asked for %s [S-13]", (_title, solo, env, where) => {
    const said = complaint({ solo, env });
    expect(said).toContain(`${where}: asks for a program that stays open after success.`);
    expect(said).toContain("Set exit_on_success to true");
  });

  test("the preset alone makes SOLO's variable count, and without SOLO nobody asks it [S-13]", () => {
    const env = { CODEX_SOLO_EXIT_ON_SUCCESS: "false" };
    expect(complaint({ flags: { prompt: "x", preset: "solo" }, env })).toContain("stays open after success");
    expect(resolve({ flags: { prompt: "x" }, env }).config.preset).not.toBe("solo");
  });

  test("the variable outranks the file, and ends with the loop [S-13]", () => {
    const solo = '{"exit_on_success": false, "success_sh": "true"}';
    expect(resolve({ solo, env: { CODEX_SOLO_EXIT_ON_SUCCESS: "1" } }).config.successSh).toBe("true");
    expect(resolve({ solo: SOLO, env: { CODEX_SOLO_EXIT_ON_SUCCESS: "" } }).config.successSh).toBe(
      "test -f FINISH.txt",
    );
  });

  test("a null counts as a missing key, as in SOLO; a byte order mark does no harm", () => {
    expect(resolve({ solo: '\uFEFF{"success_cmd": null, "autostart": null}' }).config.successCmd).toBeNull();
  });

  test.each<[string, string, RegExp]>([
    [
      "a comma behind the last",
      '{\n  "autostart": true,\n}',
      /line 3, column 1: expected a key in double quotes, got \}/u,
    ],
    ["a comment", '{\n  // mine\n  "a": 1\n}', /line 2, column 3: expected a key in double quotes, got \/\//u],
    ["single quotes", "{\n  'autostart': true }", /line 2, column 3: expected a key/u],
    ["a word without quotes", '{"success_sh": npm}', /line 1, column 16: expected a value, got npm/u],
    ["a forgotten comma", '{"autostart": true\n "success_sh": "x"}', /line 2, column 2: expected a comma or the end/u],
    ["a forgotten colon", '{"autostart" true}', /line 1, column 14: expected a colon, got true/u],
    ["a text that does not end", '{"success_sh": "npm test\n}', /line 1, column 16: expected a value, got "/u],
    ["a list that does not end", '{"success_cmd": ["npm", "test"', /line 1, column 31: .*got the end of the file/u],
    [
      "brackets that do not match",
      '{"success_cmd": ["npm"}',
      /line 1, column 23: expected a comma or the end, got \}/u,
    ],
    ["two objects", "{}\n{}", /line 2, column 1: expected a comma or the end/u],
    ["a comma in an empty list", '{"success_cmd": [,]}', /line 1, column 18: expected a value, got ,/u],
    ["nothing at all", "", /line 1, column 1: expected a value, got the end of the file/u],
    ["no object", "[]", /line 1, column 1: expected an object in braces/u],
    ["a bad escape, which no token shows", '{"success_sh": "\\x"}', /line 1, column 21: expected/u],
  ])("bad input: %s is told with line and column", (_, solo, wanted) => {
    const said = complaint({ solo });
    expect(said).toMatch(wanted);
    expect(said).toContain("Correct the file");
  });

  test("a key that the engine takes for another one is told without a line [S-05]", () => {
    const withKey = (key: string): string =>
      complaint({ solo: `{"autostart":true,"exit_on_success":true,"${key}":1}` });
    for (let times = 0; times < 3; times += 1) withKey("\\\\");
    expect(withKey("\\n")).toMatch(/^\.codex-solo\.json (?:line 1 )?\[[\\\n]\]: SOLO knows no such key/u);
  });

  test.each<[string, string, string]>([
    [
      "an unknown key",
      '{\n\n "done_tokens": {"autostart": 1}, "nothing": 2}',
      ".codex-solo.json line 3 [nothing]: SOLO knows no such key. Remove it.",
    ],
    [
      "a misspelt key",
      '{"kickof_prompt": "x"}',
      ".codex-solo.json line 1 [kickof_prompt]: SOLO knows no such key. Did you mean kickoff_prompt?",
    ],
    ["a text for a number", '{"interval_seconds": "60"}', 'line 1 [interval_seconds]: expected a number, got "60".'],
    [
      "a number below the least",
      '{"interval_seconds": -1}',
      "line 1 [interval_seconds]: expected a number from 0 to 604800",
    ],
    ["a text for a switch", '{"autostart": "yes"}', 'line 1 [autostart]: expected true or false, got "yes".'],
    [
      "a text for a command",
      '{"success_cmd": "npm test"}',
      'line 1 [success_cmd]: expected a list of texts, got "npm test".',
    ],
    ["a list of other things", '{"success_cmd": [1]}', "line 1 [success_cmd]: expected a list of texts, got [1]."],
  ])("bad input: %s is told with its line and what was expected", (_, solo, wanted) => {
    expect(complaint({ solo })).toContain(wanted);
  });
});
