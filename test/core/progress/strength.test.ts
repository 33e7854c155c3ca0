import { expect, test } from "vitest";
import type { NewSkip } from "../../../src/core/progress/new-skips.ts";
import { type Proof, type TestFile, testCounts, weaknesses } from "../../../src/core/progress/strength.ts";
import { readTestReport } from "../../../src/core/progress/test-report.ts";

const counts = (ran: number, skipped = 0, exact = true) => ({ ran, skipped, exact });

function files(sizes: Readonly<Record<string, number>>): readonly TestFile[] {
  return Object.entries(sizes).map(([path, bytes]) => ({ path, bytes }));
}

const SKIP: NewSkip = { path: "test/a.test.ts", marker: "it.skip" };

function proof(change: {
  start?: Partial<Proof["start"]>;
  now?: Partial<Proof["now"]>;
  skips?: readonly NewSkip[];
}): Proof {
  const standing = { files: files({ "test/a.test.ts": 500, "test/b.test.ts": 900 }), counts: counts(10, 1) };
  return {
    start: { ...standing, green: false, ...change.start },
    now: { ...standing, ...change.now },
    skips: change.skips ?? [],
  };
}

function judged(change: Parameters<typeof proof>[0]) {
  return weaknesses(proof(change));
}

test.each<[string, Parameters<typeof proof>[0]]>([
  ["nothing has changed", {}],
  ["nobody knows anything", { start: { files: null, counts: null }, now: { files: null, counts: null } }],
  ["nobody knows how it began", { start: { files: null, counts: null }, now: { counts: counts(1, 9) } }],
  ["nobody knows how it is now", { now: { files: null, counts: null } }],
  [
    "there are more tests",
    { now: { files: files({ "test/a.test.ts": 500, "test/b.test.ts": 900, "c.test.ts": 1 }), counts: counts(12, 1) } },
  ],
  ["tests run that were skipped", { now: { counts: counts(11, 0) } }],
  ["a file was moved", { now: { files: files({ "test/x/a.test.ts": 510, "test/b.test.ts": 900 }) } }],
  ["a file was renamed", { now: { files: files({ "test/c.test.ts": 500, "test/b.test.ts": 900 }) } }],
  ["a file has shrunk", { now: { files: files({ "test/a.test.ts": 51, "test/b.test.ts": 900 }) } }],
  [
    "a file was empty before",
    { start: { files: files({ "a.test.ts": 0 }) }, now: { files: files({ "a.test.ts": 0 }) } },
  ],
  ["fewer are counted, by another measure", { start: { counts: counts(10, 1, false) }, now: { counts: counts(2, 1) } }],
  ["fewer are counted by this measure", { now: { counts: counts(2, 1, false) } }],
  ["it was green, and there are new tests", { start: { green: true }, now: { counts: counts(11, 1) } }],
])("C21: a proof is strong when %s", (_title, change) => {
  expect(judged(change)).toEqual([]);
});

test.each<[string, Parameters<typeof proof>[0], readonly object[]]>([
  ["no test ran", { start: { counts: null }, now: { counts: counts(0, 3) } }, [{ kind: "no_tests_ran" }]],
  [
    "a file of tests is gone",
    { now: { files: files({ "test/b.test.ts": 900 }) } },
    [{ kind: "tests_deleted", count: 1, paths: ["test/a.test.ts"], fewer: 0 }],
  ],
  [
    "one file stands for two",
    { now: { files: files({ "x/a.test.ts": 900 }) } },
    [{ kind: "tests_deleted", count: 1, paths: ["test/b.test.ts"], fewer: 0 }],
  ],
  [
    "an empty one stands for none",
    { now: { files: files({ "x/a.test.ts": 0, "test/b.test.ts": 900 }) } },
    [{ kind: "tests_deleted", count: 1, paths: ["test/a.test.ts"], fewer: 0 }],
  ],
  [
    "there are fewer tests in the files",
    { now: { counts: counts(7, 1) } },
    [{ kind: "tests_deleted", count: 0, paths: [], fewer: 3 }],
  ],
  [
    "a file is all but empty",
    { now: { files: files({ "test/a.test.ts": 49, "test/b.test.ts": 0 }) } },
    [{ kind: "tests_emptied", count: 2, paths: ["test/a.test.ts", "test/b.test.ts"] }],
  ],
  ["more are skipped", { now: { counts: counts(8, 3) } }, [{ kind: "newly_skipped", count: 2, skips: [] }]],
  ["a line says skip", { skips: [SKIP] }, [{ kind: "newly_skipped", count: 1, skips: [SKIP] }]],
  [
    "lines say skip and nobody knows how many were",
    { start: { counts: null }, skips: [SKIP, SKIP] },
    [{ kind: "newly_skipped", count: 2, skips: [SKIP, SKIP] }],
  ],
  ["it was green at the start", { start: { green: true } }, [{ kind: "already_green" }]],
  ["it was green, and who knows", { start: { green: true, counts: null } }, [{ kind: "already_green" }]],
])("C21: a proof is weak when %s", (_title, change, expected) => {
  expect(judged(change)).toEqual(expected);
});

test("C21: all weaknesses are told, their lists bounded", () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at + 10}.test.ts`, 10 + at]));
  const found = judged({
    start: { green: true, files: files({ ...many, "z.test.ts": 99 }), counts: counts(50) },
    now: { files: files({ "z.test.ts": 1 }), counts: counts(0, 5) },
    skips: Array.from({ length: 25 }, () => SKIP),
  });
  expect(found.map(({ kind }) => kind)).toEqual([
    "no_tests_ran",
    "tests_deleted",
    "tests_emptied",
    "newly_skipped",
    "already_green",
  ]);
  expect(found[1]).toMatchObject({ count: 30, fewer: 45 });
  expect(found[1]).toHaveProperty("paths.length", 20);
  expect(found[3]).toMatchObject({ count: 25 });
  expect(found[3]).toHaveProperty("skips.length", 20);
  expect(JSON.parse(JSON.stringify(found))).toEqual(found);
});

test("C21: the counts of several checks are added up, as far as anybody knows them", () => {
  const go = readTestReport("ok  \ta\t0.001s");
  const pytest = readTestReport("=== 2 passed, 1 skipped in 0.25s ===");
  expect(testCounts([null])).toBeNull();
  expect(testCounts([])).toBeNull();
  expect(testCounts([pytest, null, pytest])).toEqual(counts(4, 2));
  expect(testCounts([pytest, go])).toEqual(counts(3, 1, false));
});
