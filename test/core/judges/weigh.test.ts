import { describe, expect, test } from "vitest";
import type { TextChange } from "../../../src/core/judges/bend.ts";
import type { ChangedTexts } from "../../../src/core/judges/changed-texts.ts";
import { judgingOf, mayComplete, withBends } from "../../../src/core/judges/weigh.ts";
import type { Judged } from "../../../src/core/progress/strength.ts";
import { NO_PATHS, NOTHING_JUDGED, type Weakness } from "../../../src/core/verdict.ts";
import { aState, aTask, type TaskOverrides } from "../../support/builders.ts";

const STRONG: Judged = { weaknesses: [], tampering: null, unread: NO_PATHS, tree: null };
const SH: TaskOverrides = { identity: { checks: { successCommand: ["sh", "check.sh"] } } };
const asking = (prompt: string): TaskOverrides => ({
  identity: { prompt, checks: { successCommand: ["sh", "check.sh"] } },
});
const only = (...changes: readonly TextChange[]): ChangedTexts => ({ changes, unread: [] });
const expecting = (value: string): string => `it("works", () => {\n  expect(work()).toBe("${value}");\n});\n`;
const BENT: TextChange = { path: "test/a.test.ts", before: expecting("done"), after: expecting("open") };
const MORE: TextChange = { path: "test/a.test.ts", before: "a\n", after: "a\nb\n" };
const MORE_GONE: TextChange = { path: "test/a.test.ts", before: "a\n", after: "b\n" };
const SOURCE: TextChange = { path: "src/a.ts", before: "1\n", after: "2\n" };

function weighed(texts: ChangedTexts | null, began: "passed" | "failed" | null = "failed", more = SH, found = STRONG) {
  const state = aState({ strength: { ...NOTHING_JUDGED, began } });
  return withBends(found, texts, judgingOf(aTask(more), state));
}

test.each([
  ["first", true],
  ["turn", true],
  ["claim", true],
  ["story", false],
] as const)("what is asked at the occasion %s may complete something: %s [C40]", (occasion, may) => {
  expect(mayComplete({ occasion })).toBe(may);
});

describe("a red test that turns green because only the test changed", () => {
  test("is a bend, with its place and its lines [C40]", () => {
    expect(weighed(only(BENT)).weaknesses).toMatchObject([
      {
        kind: "judges_bent",
        count: 1,
        bends: [
          {
            kind: "expectation_replaced",
            path: "test/a.test.ts",
            line: 2,
            was: 'expect(work()).toBe("done");',
            now: 'expect(work()).toBe("open");',
          },
        ],
      },
    ]);
  });

  test.each<[string, ChangedTexts]>([
    ["with a note about it", only(BENT, { path: "docs/notes.md", before: null, after: "It works.\n" })],
    ["with a picture of a test", { changes: [BENT], unread: ["test/fixtures/a.png"] }],
    ["with a script of the check", only(BENT, { path: "check.sh", before: "a\n", after: "a\nb\n" })],
  ])("is one %s [C40]", (_what, texts) => {
    expect(weighed(texts).weaknesses).toMatchObject([{ kind: "judges_bent" }]);
  });

  test("is one where all of a fixture is gone [C40]", () => {
    const fixture: TextChange = { path: "test/fixtures/a.json", before: "\n{}\n", after: null };
    expect(weighed(only(fixture)).weaknesses).toMatchObject([
      { bends: [{ kind: "expectation_replaced", line: 2, was: "{}", now: null }] },
    ]);
    const whole: TextChange = { path: "test/data.txt", before: "\n\na\nb\n", after: "b\n" };
    expect(weighed(only(whole)).weaknesses).toMatchObject([{ bends: [{ line: 3, was: "a", now: null }] }]);
  });

  test("stays one while the test is so, whatever changes beside it [C40]", () => {
    const [found] = weighed(only(MORE_GONE)).weaknesses;
    const later = (change: TextChange) => {
      const bends = found?.kind === "judges_bent" ? found.bends : [];
      const strength = { ...NOTHING_JUDGED, began: "failed", bends } as const;
      return withBends(STRONG, only(change, SOURCE), judgingOf(aTask(SH), aState({ strength }))).weaknesses;
    };
    expect(later(MORE_GONE)).toEqual([found]);
    expect(later({ ...MORE_GONE, after: "c\n" })).toEqual([]);
  });

  test.each<[string, ChangedTexts, "passed" | "failed" | null, TaskOverrides]>([
    ["it was green", only(MORE), "passed", SH],
    ["nobody knows what it was", only(MORE), null, SH],
    ["something was only added", only(MORE), "failed", SH],
    ["nothing but a new test came", only({ ...BENT, before: null }), "failed", SH],
    ["only a script changed", only({ path: "check.sh", before: "a\n", after: "b\n" }), "failed", SH],
    ["the task asks for it", only(BENT), "failed", asking("Update the tests.")],
    ["no check reads it", only(BENT), "failed", { identity: { checks: { successCommand: ["cargo", "test"] } } }],
  ])("is none where %s [C40, C41, C42]", (_what, texts, began, task) => {
    expect(weighed(texts, began, task).weaknesses).toEqual([]);
  });

  test.each<[string, ChangedTexts]>([
    ["the code has changed as well", only(MORE, SOURCE)],
    ["the code was moved", only(MORE, { path: "test/b.ts", from: "src/b.ts", before: "1", after: "1" })],
    ["code has changed that could not be read", { changes: [MORE], unread: ["src/big.ts"] }],
    ["a dependency has", only(MORE, { path: "package.json", before: "{}\n", after: '{ "a": 1 }\n' })],
  ])("is not told where %s [C40]", (_what, texts) => {
    expect(
      weighed({ ...texts, changes: texts.changes.map((one) => (one === MORE ? { ...MORE, after: "b\n" } : one)) })
        .weaknesses,
    ).toEqual([]);
  });
});

describe("what is told otherwise already", () => {
  const deleted: Weakness = { kind: "tests_deleted", fewer: 0, count: 1, paths: ["test/parser.test.ts"] };
  const skipped: Weakness = {
    ...{ kind: "newly_skipped", count: 1, skips: [{ path: "test/a.test.ts", marker: "it.skipIf" }] },
  };
  const gone: TextChange = { path: "test/parser.test.ts", before: expecting("parsed"), after: null };
  const platform: TextChange = {
    path: "test/a.test.ts",
    before: "a\n",
    after: 'a\nit.skipIf(process.platform === "win32")("a");\n',
  };
  const onTop: TextChange = { ...platform, before: "", after: 'it.skipIf(process.platform === "win32")("a");\n' };
  const below: TextChange = { ...platform, after: 'a\nconst onWindows = "win32";\nit.skipIf(onWindows)("a");\n' };
  const judgedAs = (weakness: Weakness, prompt: string, ...changes: readonly TextChange[]) =>
    weighed(only(...changes, SOURCE), "failed", asking(prompt), { ...STRONG, weaknesses: [weakness] }).weaknesses;

  test("is not told twice [C40]", () => {
    expect(judgedAs(deleted, "Make it work.", gone)).toEqual([deleted]);
    expect(judgedAs({ ...deleted, kind: "tests_emptied" }, "Make it work.", gone)).toMatchObject([
      { kind: "tests_emptied" },
    ]);
    expect(judgedAs(skipped, "Make it work.", platform)).toEqual([skipped]);
  });

  test.each<[string, Weakness, string, readonly TextChange[]]>([
    ["tests are to go", deleted, "Remove the tests of the parser", [gone]],
    ["their unit is to go", deleted, "Remove the unused parser", [gone]],
    ["tests are to be skipped", skipped, "Skip the tests that need a network", [platform]],
    ["a platform is named", skipped, "Bear that Windows has no links", [platform]],
    ["it is in the first line", skipped, "Bear that Windows has no links", [onTop]],
    ["the new line above names it", skipped, "Bear that Windows has no links", [below]],
  ])("does not weaken where %s [C42]", (_what, weakness, prompt, changes) => {
    expect(judgedAs(weakness, prompt, ...changes)).toEqual([]);
  });

  test.each<[string, Weakness, string]>([
    ["more is gone than is named", { ...deleted, count: 2 }, "Remove the unused parser"],
    ["only counts tell", { ...deleted, count: 0, paths: [], fewer: 3 }, "Remove the unused parser"],
    ["more is skipped than is named", { ...skipped, count: 2 }, "Bear that Windows has no links"],
    [
      "the place is not known",
      { kind: "newly_skipped", count: 1, skips: [{ path: "b", marker: "x" }] },
      "Bear Windows",
    ],
    ["no test ran", { kind: "no_tests_ran" }, "Remove the tests"],
  ])("weakens where %s [C42]", (_what, weakness, prompt) => {
    expect(judgedAs(weakness, prompt, gone, platform)).toContainEqual(weakness);
  });
});

test("what could not be read is not known, and told of what judges the work [C40]", () => {
  const unread = ["src/big.js", "test/b.bin", "test/a.bin", "check.sh"];
  expect(weighed({ changes: [], unread }).unread).toEqual({
    count: 3,
    paths: ["check.sh", "test/a.bin", "test/b.bin"],
  });
  const many = Array.from({ length: 30 }, (_, i) => `test/${i}.bin`);
  const told = weighed({ changes: [], unread: many }).unread;
  expect([told?.count, told?.paths.length]).toEqual([30, 20]);
  expect(weighed(null)).toEqual({ ...STRONG, unread: null });
});

test("of many bends the first 20 are named, by path and line [C40]", () => {
  const changes = Array.from({ length: 30 }, (_, i): TextChange => ({ ...BENT, path: `test/${i}.test.ts` }));
  const [bent] = weighed(only(...changes)).weaknesses;
  expect(bent?.kind === "judges_bent" && [bent.count, bent.bends.length, bent.bends[1]?.path]).toEqual([
    ...[30, 20, "test/1.test.ts"],
  ]);
});

test("of one file they are named by line, whatever they are [C40]", () => {
  const after = BENT.after?.replace("() => {", "{ timeout: 90_000 }, () => {") ?? "";
  const [bent] = weighed(only({ ...BENT, after })).weaknesses;
  expect(bent?.kind === "judges_bent" && bent.bends.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
    "timeout_raised 1",
    "expectation_replaced 2",
  ]);
});
