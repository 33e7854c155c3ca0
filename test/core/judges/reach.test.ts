import { expect, test } from "vitest";
import type { BendKind } from "../../../src/core/judges/bend.ts";
import { couldCome } from "../../../src/core/judges/reach.ts";
import type { Checks } from "../../../src/core/task.ts";

const NONE: Checks = { successCommand: null, successShell: null, quality: [], ci: null };
const shell = (text: string): Checks => ({ ...NONE, successShell: text });

test.each<[string, Checks, string, BendKind, boolean]>([
  ["what npm runs may be anything", shell("npm test"), "tests/test_a.py", "fewer_assertions", true],
  ["make may be anything", shell("make check"), "a_test.go", "rule_off", true],
  [
    "a shell's own words may be anything",
    shell("for t in $(ls); do sh $t; done"),
    "a.test.ts",
    "fewer_assertions",
    true,
  ],
  ["a test of the runner's language", shell("npx vitest run"), "a.test.ts", "fewer_assertions", true],
  ["a test of another language", shell("npx vitest run"), "tests/test_a.py", "fewer_assertions", false],
  ["a rule where only tests run", shell("cargo test"), "src/lib.rs", "rule_off_inline", false],
  ["a rule of another language", shell("cargo clippy"), "app.py", "rule_off_inline", false],
  ["a rule where a linter runs", shell("CI=1 ruff check ."), "app.py", "rule_off_inline", true],
  ["a rule in a file of no language", shell("eslint ."), ".eslintrc.json", "rule_off", true],
  ["a test where only a linter runs", shell("eslint ."), "a.test.ts", "fewer_assertions", false],
  [
    "one of several commands",
    shell("ruff check . && python -m pytest -q"),
    "tests/test_a.py",
    "fewer_assertions",
    true,
  ],
  ["a threshold, by tests or rules", shell("uv run pytest"), "pyproject.toml", "threshold_lowered", true],
  [
    "what hides an exit code from who reads only data",
    shell("grep -q done work.txt"),
    "Makefile",
    "cannot_fail",
    false,
  ],
  ["what a command names", shell("grep -q done test/a.test.ts"), "test/a.test.ts", "fewer_assertions", true],
  ["nothing at all", shell(" ; "), "a.test.ts", "fewer_assertions", false],
  ["a file of CI that no check asks for", shell("npm test"), ".github/workflows/ci.yml", "cannot_fail", false],
  [
    "a file of CI that a check names",
    shell("act -W .github/workflows/ci.yml"),
    ".github/workflows/ci.yml",
    "cannot_fail",
    true,
  ],
  ["a file of CI where CI is asked", { ...NONE, ci: "ci.yml" }, ".github/workflows/ci.yml", "cannot_fail", true],
  ["anything where CI is asked", { ...NONE, ci: "ci.yml" }, "app.py", "rule_off_inline", true],
  [
    "the words of a success command",
    { ...NONE, successCommand: ["go", "test", "./..."] },
    "a_test.go",
    "fewer_assertions",
    true,
  ],
  ["a quality command", { ...NONE, quality: ["/usr/bin/env rspec"] }, "spec/a_spec.rb", "matcher_loosened", true],
])("%s [C41]", (_what, checks, path, kind, could) => {
  expect(couldCome(checks, [], { kind, path, line: 1, was: null, now: null })).toBe(could);
});

test("a story's command looks as well [C41]", () => {
  const found = { kind: "fewer_assertions", path: "a.test.ts", line: 1, was: null, now: null } as const;
  expect(couldCome(shell("cargo test"), [], found)).toBe(false);
  expect(couldCome(shell("cargo test"), ["vitest run"], found)).toBe(true);
});
