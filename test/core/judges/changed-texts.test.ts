import { describe, expect, test } from "vitest";
import type { TextChange } from "../../../src/core/judges/bend.ts";
import { isJudge, rankOf, takesPart, withMoves } from "../../../src/core/judges/changed-texts.ts";

const SCRIPTS = new Set(["check.sh"]);

test.each([
  ["test/a.test.ts", true, 0],
  ["check.sh", true, 0],
  [".github/workflows/ci.yml", true, 0],
  ["vitest.config.ts", true, 1],
  [".eslintrc.json", true, 1],
  ["pyproject.toml", true, 1],
  ["test/fixtures/a.json", true, 2],
  ["src/lib.rs", false, 3],
  ["src/a.ts", false, 3],
])("%s: whether it judges, and how soon it is read [C40]", (path, judges, rank) => {
  expect([isJudge(path, SCRIPTS), rankOf(path, SCRIPTS)]).toEqual([judges, rank]);
});

test.each([
  ["node_modules/a/test/a.test.js", false],
  ["package-lock.json", false],
  ["src/a.ts", true],
])("%s takes part: %s [C40]", (path, takes) => {
  expect(takesPart(path)).toBe(takes);
});

describe("what was moved is one change", () => {
  const text = (word: string): string => Array.from({ length: 10 }, (_, i) => `${word} ${i}\n\n`).join("");
  const gone = (path: string, before: string): TextChange => ({ path, before, after: null });
  const come = (path: string, after: string): TextChange => ({ path, before: null, after });
  const changed: TextChange = { path: "src/b.ts", before: "1", after: "2" };

  test.each<[string, readonly TextChange[], readonly TextChange[]]>([
    ["nothing is gone", [come("a.ts", "1"), changed], [come("a.ts", "1"), changed]],
    ["nothing has come", [gone("a.ts", "1")], [gone("a.ts", "1")]],
    [
      "the same in another place",
      [gone("test/a.ts", text("a")), changed, come("unit/b.ts", text("a"))],
      [changed, { path: "unit/b.ts", from: "test/a.ts", before: text("a"), after: text("a") }],
    ],
    [
      "the nearest of two, once",
      [gone("a.ts", text("a")), come("b.ts", `${text("a")}more\n`), come("c.ts", text("a"))],
      [come("b.ts", `${text("a")}more\n`), { path: "c.ts", from: "a.ts", before: text("a"), after: text("a") }],
    ],
    [
      "one thing cannot come from two",
      [gone("a.ts", text("a")), gone("b.ts", text("a")), come("c.ts", text("a"))],
      [gone("b.ts", text("a")), { path: "c.ts", from: "a.ts", before: text("a"), after: text("a") }],
    ],
    [
      "something else is none",
      [gone("a.ts", text("a")), come("b.ts", text("b"))],
      [gone("a.ts", text("a")), come("b.ts", text("b"))],
    ],
    [
      "another language is none",
      [gone("src/a.py", text("a")), come("src/b.ts", text("a"))],
      [gone("src/a.py", text("a")), come("src/b.ts", text("a"))],
    ],
    [
      "a test of the same name in another language is one",
      [gone("test/a.test.py", text("a")), come("test/a.test.js", text("b"))],
      [{ path: "test/a.test.js", from: "test/a.test.py", before: text("a"), after: text("b") }],
    ],
    [
      "the same name with little of it left is none",
      [gone("test/a.ts", text("a")), come("unit/a.ts", text("b"))],
      [gone("test/a.ts", text("a")), come("unit/a.ts", text("b"))],
    ],
    [
      "two empty ones are one",
      [gone("a/__init__.py", ""), come("b/__init__.py", "")],
      [{ path: "b/__init__.py", from: "a/__init__.py", before: "", after: "" }],
    ],
  ])("%s [C40]", (_what, changes, joined) => {
    expect(withMoves(changes)).toEqual(joined);
  });
});
