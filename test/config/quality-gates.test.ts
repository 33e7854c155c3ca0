import { describe, expect, test } from "vitest";
import type { QualityGate } from "../../src/config/settings/quality-gates.ts";
import { formatSettings } from "../../src/config/describe.ts";
import { type Given, problemsOf, resolve } from "./support.ts";

const plain = (run: string): QualityGate => ({ run, name: null, timeoutMs: null, flaky: false });
const UNIT = '{"name":"unit","run":"npm test","timeout-minutes":2.5,"flaky":true}';
const unit: QualityGate = { run: "npm test", name: "unit", timeoutMs: 150_000, flaky: true };
const lint: QualityGate = { ...plain("npm run lint"), name: "lint" };
/** Quality commands only make sense for an agent that may write. */
const writing = (given: Given): Given => ({ ...given, env: { ...given.env, SMITHERS_FULL_AUTO: "on" } });
const flag = (...texts: string[]): Given => ({ flags: { "quality-commands": texts } });

describe("a quality command may be an object [D-22]", () => {
  test.each<[string, Given, readonly QualityGate[]]>([
    ["a flag", flag(UNIT), [unit]],
    ["flags add up", flag(UNIT, "npm run lint"), [unit, plain("npm run lint")]],
    ["one a line", flag(`npm run lint\n${UNIT}\n`), [plain("npm run lint"), unit]],
    ["a JSON array, mixed", flag(`["npm run lint", ${UNIT}]`), [plain("npm run lint"), unit]],
    ["a JSON array of objects over several lines", flag(`[\n${UNIT},\n{"run":"x"}\n]`), [unit, plain("x")]],
    ["an object over several lines", flag('{\n"run": "npm run lint",\n"name": "lint"\n}'), [lint]],
    ["a variable", { env: { SMITHERS_QUALITY_COMMANDS: UNIT } }, [unit]],
    ["an input", { inputs: { "quality-commands": `npm run lint\n${UNIT}` } }, [plain("npm run lint"), unit]],
    [
      "a table in the file, with timeout",
      { file: 'quality-commands = ["npm run lint", { name = "unit", run = "npm test", timeout = 2.5, flaky = true }]' },
      [plain("npm run lint"), unit],
    ],
    ["tables of their own in the file", { file: '[[quality-commands]]\nname = "lint"\nrun = "npm run lint"' }, [lint]],
    [
      "a group of a shell is no object",
      flag('{ "npm" test; }', "{ npm test; }"),
      [plain('{ "npm" test; }'), plain("{ npm test; }")],
    ],
    ["a test of a shell is no array", flag("[ -f a ]", "[1]"), [plain("[ -f a ]"), plain("[1]")]],
    ["the same text twice is as it was", flag("a", "a"), [plain("a"), plain("a")]],
    [
      "what is described below holds for a plain text above",
      { ...flag("npm test"), file: `quality-commands = [${UNIT.replaceAll(/"([\w-]+)":/gu, "$1 = ")}]` },
      [unit],
    ],
    [
      "what is said above holds",
      { ...flag('{"run":"npm test"}'), file: 'quality-commands = [{ name = "x", run = "npm test" }]' },
      [plain("npm test")],
    ],
  ])("%s", (_, given, gates) => {
    const { config } = resolve(writing(given));
    expect(config.gates).toEqual(gates);
    expect(config.qualityCommands).toEqual(gates.map(({ run }) => run));
  });

  test("it makes promise-guard code, as any check does", () => {
    expect(resolve(writing(flag(UNIT))).config.promiseGuard).toBe("code");
  });

  test("a dry run shows it as it can be written", () => {
    const rows = formatSettings(resolve(writing(flag('{"run":"npm test","timeout":3}', "a"))));
    expect(rows.find((row) => row.startsWith("quality-commands"))).toContain(
      '[{"run":"npm test","timeout-minutes":3},"a"]',
    );
  });
});

describe("an item that is wrong is told with what one looks like [D-22]", () => {
  test.each<[string, Given, RegExp]>([
    ["an unknown key", flag('{"run":"a","tmeout":1}'), /expected no key "tmeout" in item 1/u],
    ["a name of JavaScript", flag('{"run":"a","constructor":1}'), /expected no key "constructor"/u],
    ["without run", flag(`["a",{"name":"x"}]`), /expected the key run in item 2/u],
    ["an empty run", flag('{"run":" "}'), /expected a shell text as run/u],
    ["a run that is a list", flag('{"run":["npm","test"]}'), /expected a shell text as run/u],
    ["a time-out of nothing", flag('{"run":"a","timeout":0}'), /expected minutes from 0\.01 to 10080 as timeout/u],
    ["a time-out that is a text", flag('{"run":"a","timeout-minutes":"5"}'), /expected minutes/u],
    ["both time-outs", flag('{"run":"a","timeout":1,"timeout-minutes":1}'), /expected timeout-minutes once in item 1/u],
    ["flaky that is a word", flag('{"run":"a","flaky":"yes"}'), /expected true or false as flaky/u],
    ["a name of two lines", flag('{"run":"a","name":"x\\ny"}'), /expected one line of at most 80 characters as name/u],
    ["a name that hides", flag('{"run":"a","name":"x\\u202ey"}'), /as name/u],
    ["a name that is empty", flag('{"run":"a","name":""}'), /as name/u],
    ["a long name", flag(`{"run":"a","name":"${"x".repeat(81)}"}`), /as name/u],
    ["a number", { file: 'quality-commands = ["a", 1]' }, /expected a shell text or an object in item 2/u],
    ["a list in it", flag('[{"run":"a"},["b"]]'), /expected a shell text or an object in item 2/u],
    ["an object that does not end", flag('{"run": "a"'), /expected JSON, as it begins like an object, in item 1/u],
  ])("%s", (_, given, said) => {
    const problems = problemsOf(writing(given));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      code: "SETTING_INVALID",
      next: expect.stringContaining('{"name":"unit tests"'),
    });
    expect(problems[0]?.what).toMatch(said);
  });

  test.each<[string, Given, string]>([
    ["one name", flag('{"run":"a","name":"x"}', '{"run":"b","name":"x"}'), 'two commands have the name "x"'],
    ["one command", flag('{"run":"a"}', '{"run":"a","name":"x"}'), 'the command "a" is there twice'],
    ["one command, once as a text", flag('["a",{"run":"a","name":"x"}]'), 'the command "a" is there twice'],
  ])("%s twice", (_, given, said) => {
    expect(problemsOf(writing(given))).toMatchObject([{ code: "GATE_TWICE", what: `--quality-commands: ${said}.` }]);
  });

  test("other lists take no objects", () => {
    expect(problemsOf({ file: "pass-env = [{ run = 1 }]" })).toMatchObject([{ code: "SETTING_INVALID" }]);
  });
});
