import { expect, test } from "vitest";
import { bend, type TextChange } from "../../../src/core/judges/bend.ts";
import { growsLinearly } from "../../support/growth.ts";
import { ruleBends } from "../../../src/core/judges/rule-bends.ts";
import { kinds } from "./bent.ts";

const pkg = (scripts: Record<string, string>, more = {}): string =>
  JSON.stringify({ name: "a", scripts, ...more }, null, 2);

test("a bend says where it is, and what stood there before [C40]", () => {
  const before = pkg({ lint: "eslint .", test: "vitest run" });
  const after = pkg({ lint: "eslint .", test: "vitest run || true" });
  expect(ruleBends([{ path: "package.json", before, after }]).map((one) => bend.parse(one))).toEqual([
    {
      kind: "cannot_fail",
      path: "package.json",
      line: 5,
      was: '"test": "vitest run"',
      now: '"test": "vitest run || true"',
    },
  ]);
});

test("a threshold that is gone is placed where it was, beside what has come instead [C40]", () => {
  const before = "[report]\nshow_missing = true\nfail_under = 80\n";
  const after = "[report]\nshow_missing = true\n";
  expect(ruleBends([{ path: ".coveragerc", before, after }])).toEqual([
    { kind: "threshold_lowered", path: ".coveragerc", line: 3, was: "fail_under = 80", now: null },
  ]);
});

test("a file that is gone is one bend a kind, without a line [C40]", () => {
  const before = '{"rules":{"a":"error","b":"error","c":"error"}}';
  expect(ruleBends([{ path: ".oxlintrc.json", before, after: null }])).toEqual([
    { kind: "rule_off", path: ".oxlintrc.json", line: null, was: before, now: null },
  ]);
});

test("lines are shown without what nobody sees, at most 160 units of them [C40]", () => {
  const [bend] = ruleBends([
    { path: "src/a.ts", before: "", after: `x\u0007(${"y".repeat(300)}); // eslint-disable-line no-x` },
  ]);
  expect(bend?.now).toMatch(/^x\(y{157}…$/u);
  expect(bend?.was).toBeNull();
});

const JEST = '{"coverageThreshold":{"global":{"lines":80}},"testPathIgnorePatterns":["e2e"]}';
const VITEST =
  'export default defineConfig({ test: { exclude: ["e2e/**"], coverage: { thresholds: { lines: 80 } } } });';

const TOGETHER: readonly (readonly [string, readonly TextChange[], string])[] = [
  [
    "a move to another runner",
    [
      { path: "jest.config.json", before: JEST, after: null },
      { path: "vitest.config.ts", before: null, after: VITEST },
      {
        path: "package.json",
        before: pkg({ test: "jest" }),
        after: pkg({ test: "vitest run" }, { devDependencies: { vitest: "4" } }),
      },
    ],
    "",
  ],
  [
    "a move to another runner that asks for less",
    [
      { path: "jest.config.json", before: JEST, after: "{}" },
      { path: "vitest.config.ts", before: null, after: VITEST.replace("80", "60") },
    ],
    "threshold_lowered",
  ],
  [
    "a move to another linter",
    [
      { path: ".eslintrc.json", before: '{"rules":{"eqeqeq":"error"}}', after: null },
      { path: "biome.json", before: null, after: '{"linter":{"rules":{"suspicious":{"noDoubleEquals":"error"}}}}' },
    ],
    "",
  ],
  [
    "configuration that moved out of package.json",
    [
      { path: "package.json", before: pkg({}, { jest: JSON.parse(JEST) }), after: pkg({}) },
      { path: "jest.config.json", before: null, after: JEST },
    ],
    "",
  ],
  [
    "a file that was renamed",
    [
      {
        path: "eslint.config.mjs",
        from: "eslint.config.js",
        before: "x = { rules: { a: 2 } }",
        after: "x = { rules: { a: 2 } }",
      },
    ],
    "",
  ],
  [
    "a new package with rules of its own",
    [
      { path: "packages/b/package.json", before: null, after: pkg({ test: "vitest run --passWithNoTests" }) },
      { path: "packages/b/.eslintrc.json", before: null, after: '{"rules":{"no-console":"off"}}' },
    ],
    "",
  ],
  [
    "rules of its own for a folder of an old package",
    [{ path: "src/.eslintrc.json", before: null, after: '{"rules":{"no-console":"off"}}' }],
    "rule_off",
  ],
  [
    "a linter that comes anew, with an exception",
    [
      { path: ".oxlintrc.json", before: null, after: '{"rules":{"no-console":"off"}}' },
      { path: "package.json", before: pkg({ test: "jest" }), after: pkg({ test: "jest", lint: "oxlint" }) },
    ],
    "",
  ],
  [
    "a check moved into a script of its own",
    [
      { path: "package.json", before: pkg({ test: "vitest run" }), after: pkg({ test: "bash scripts/test.sh" }) },
      { path: "scripts/test.sh", before: null, after: "set -e\nvitest run\n" },
    ],
    "",
  ],
  [
    "a check moved into a script that hides it",
    [
      { path: "package.json", before: pkg({ test: "vitest run" }), after: pkg({ test: "bash scripts/test.sh" }) },
      { path: "scripts/test.sh", before: null, after: "vitest run || true\n" },
    ],
    "cannot_fail",
  ],
  [
    "a check replaced by a script that does nothing",
    [
      { path: "package.json", before: pkg({ test: "vitest run" }), after: pkg({ test: "node scripts/ok.js" }) },
      { path: "scripts/ok.js", before: null, after: "console.log('ok');\n" },
    ],
    "cannot_fail",
  ],
  [
    "a new script that the checks call",
    [
      {
        path: "package.json",
        before: pkg({ test: "jest" }),
        after: pkg({ test: "jest && npm run soft", soft: "eslint . || true" }),
      },
    ],
    "cannot_fail",
  ],
  [
    "steps that moved to another workflow, where they may fail",
    [
      {
        path: ".github/workflows/ci.yml",
        before: "jobs:\n  t:\n    steps:\n      - run: npm test\n",
        after: "jobs: {}\n",
      },
      {
        path: ".github/workflows/t.yml",
        before: null,
        after: "jobs:\n  t:\n    steps:\n      - run: npm test || true\n",
      },
    ],
    "cannot_fail",
  ],
  [
    "a script that nobody calls any more, gone",
    [{ path: "scripts/old.sh", before: "set -e\nnpm test\n", after: null }],
    "",
  ],
  ["a Makefile that is gone", [{ path: "Makefile", before: "test:\n\tpytest\n", after: null }], ""],
];

test.each(TOGETHER)("%s [C40]", (_, changes, found) => {
  expect(kinds(changes)).toBe(found);
});

test("at most 20 of one file, and 200 of all [C40]", () => {
  const after = "// @ts-ignore\nx = y;\n".repeat(3_000);
  const changes = Array.from({ length: 15 }, (_, at) => ({ path: `src/${at}.ts`, before: "", after }));
  expect(ruleBends(changes.slice(0, 1))).toHaveLength(20);
  expect(ruleBends(changes)).toHaveLength(200);
});

const HOSTILE: readonly (readonly [string, string, string])[] = [
  ["brackets", "package.json", "["],
  ["quotes", "vitest.config.ts", '"a '],
  ["open comments", "jest.config.js", "/*"],
  ["tags", "pom.xml", '<a b="'],
  ["dashes", "a.github/workflows/ci.yml", "- "],
  ["a long list", ".github/workflows/ci.yml", "- a: [\n"],
  ["sections", "pyproject.toml", "[a\n"],
  ["one line of options", "Makefile", "\tpytest -k "],
  ["operators", "check.sh", "npm test || "],
  ["nested shells", "check.sh", 'sh -c "'],
  ["ignored rules", "src/a.ts", "eslint-disable a,"],
  ["attributes", "src/lib.rs", "#[cfg_attr(a"],
  ["blanks", ".flake8", " "],
  ["line ends", "conftest.py", "\n"],
  ["goes on", "Dockerfile", "RUN a \\\n"],
];

test.each(HOSTILE)("half a megabyte of %s is read in time that does not run away [C40]", (_, path, part) => {
  const read = (size: number): void => {
    ruleBends([{ path, before: "npm test\n", after: part.repeat(Math.ceil(size / part.length)) }]);
  };
  expect(growsLinearly(read, 600_000)).toBe(true);
});
