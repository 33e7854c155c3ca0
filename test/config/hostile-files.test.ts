import { expect, test } from "vitest";
import { readForeign } from "../../src/config/foreign.ts";
import { findMistake } from "../../src/config/json-lines.ts";
import { readConfigFile } from "../../src/config/read.ts";

/** How long something takes, in milliseconds. */
function took(act: () => unknown): number {
  const began = performance.now();
  act();
  return performance.now() - began;
}

const MANY = Array.from({ length: 4_000 }, (_, i) => `a${i} = ${i}`);

// Each took ten seconds and more, in a command that only looks as well.
test.each([
  ["many keys that nobody knows", MANY.join("\n")],
  ["a key as long as a book", `${"max".repeat(100_000)} = 1`],
  ["a text of many quotes that does not end", `x = "${'\\"'.repeat(60_000)}`],
  ["a text full of what looks like keys", `x = '''\n${"prompt = 1\n".repeat(6_000)}'''\nprompt = "y"\n`],
])("a config file is read in a moment: %s [D-41]", (_title, text) => {
  expect(took(() => readConfigFile({ path: "c.toml", text }))).toBeLessThan(3_000);
});

test("a JSON file with many keys is read in a moment [S-05]", () => {
  const text = `{${Array.from({ length: 20_000 }, (_, i) => `\n"a${i}": 1`).join(",")}}`;
  expect(took(() => readForeign([{ system: "solo", path: "s.json", text }]))).toBeLessThan(3_000);
});

test("the line of a key is where it stands, whatever stands in texts and comments before it [D-41]", () => {
  const text = [
    'x = """',
    "prompt = 1",
    'quoted \\""" [',
    '"""',
    "y = ['''a",
    "prompt = 2''', 'it''s', # ]",
    "  3]",
    '# prompt = """',
    '"prompt" = 5',
  ];
  const { problems } = readConfigFile({ path: "c", text: text.join("\n").replace(", 'it''s'", ", 'it'") });
  expect(problems.map(({ what }) => what.split(":", 1)[0])).toContain("c line 9 [prompt]");
});

test("a mistake at the very beginning is in the first column [S-05]", () => {
  for (const json of ["", "\n", "\n\n"]) expect(findMistake(json)).toMatchObject({ line: 1, column: 1 });
});

test("a value of thousands of brackets within each other is told as any other [S-05]", () => {
  const text = `{"autostart": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  const [reading] = readForeign([{ system: "solo", path: "s.json", text }]);
  expect(reading?.problems).toMatchObject([{ code: "SOLO_CONFIG_TYPE" }]);
});
