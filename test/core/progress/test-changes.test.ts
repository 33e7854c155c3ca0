import { expect, test } from "vitest";
import { testChanges, type TestRecord } from "../../../src/core/progress/test-changes.ts";
import type { TestFile, TestListing } from "../../../src/core/progress/test-files.ts";

function file(path: string, overrides: Partial<TestFile> = {}): TestFile {
  return { path, role: "test", bytes: 500, blob: `blob of ${path}`, marks: { skips: {}, tests: 0 }, ...overrides };
}

const skipping = (path: string, skips: Readonly<Record<string, number>>, blob = "other"): TestFile =>
  file(path, { blob, marks: { skips, tests: 0 } });
const rust = (path: string, tests: number, blob = `${path}: ${tests}`): TestFile =>
  file(path, { role: "mixed", blob, marks: { skips: {}, tests } });
const all = (...files: readonly TestFile[]): TestListing => ({ files, complete: true });
const some = (...files: readonly TestFile[]): TestListing => ({ files, complete: false });
const start = (listing: TestListing, iteration = 0): TestRecord => ({ schema: 1, ...listing, iteration });

const A = file("test/a.test.ts");
const B = file("test/b.test.ts");
const FIXTURE = file("test/fixtures/a.json", { role: "support", marks: null });
const SCRIPT = file("package.json", { role: "script", marks: null });
const NOTHING = { count: 0, paths: [] };
const UNCHANGED = {
  since: 0,
  deleted: NOTHING,
  emptied: NOTHING,
  skipped: { count: 0, skips: [] },
  changed: NOTHING,
  scripts: NOTHING,
};
const one = (path: string) => ({ count: 1, paths: [path] });
const skip = (path: string, marker = "it.skip") => ({ count: 1, skips: [{ path, marker }] });

test.each<[string, TestListing, TestListing]>([
  ["nothing has changed", all(A, B, FIXTURE, SCRIPT), all(A, B, FIXTURE, SCRIPT)],
  ["there are more tests", all(A), all(A, B)],
  ["a file was moved", all(A), all(file("src/a.test.ts", { blob: "other" }))],
  ["a file was renamed", all(A), all(file("test/c.test.ts", { blob: A.blob }))],
  ["a file was moved to another language", all(A), all(file("test/a.test.js", { blob: "other" }))],
  ["a helper was moved", all(file("test/server.ts")), all(file("test/helpers/server.ts", { role: "support" }))],
  ["a file that held nothing is gone", all(file("test/__init__.py", { bytes: 0 })), all()],
  ["nobody knows whether these are all now", all(A, SCRIPT), some()],
  ["nobody knows whether these were all", some(A), all(A, skipping("c.test.ts", { xit: 1 }), SCRIPT)],
  ["tests among other code were moved", all(rust("a.rs", 2), rust("b.rs", 1)), all(rust("a.rs", 0), rust("b.rs", 3))],
  ["an unread file is gone", all(rust("a.rs", 2), file("c.rs", { role: "mixed", marks: null })), all(rust("a.rs", 1))],
  ["a file without tests is gone", all(rust("a.rs", 0), rust("b.rs", 2)), all(rust("b.rs", 1))],
  [
    "its skips were never read",
    all(file("a", { role: "mixed", marks: null })),
    all(file("a", { role: "mixed", blob: "x", marks: { skips: { xit: 1 }, tests: 0 } })),
  ],
])("nothing is told when %s [C21]", (_title, before, after) => {
  expect(testChanges(start(before), after)).toEqual(UNCHANGED);
});

test.each<[string, TestListing, TestListing, object]>([
  ["a file is gone", all(A, B), all(B), { deleted: one(A.path) }],
  ["one file stands for two", all(A, B), all(file("x/a.test.ts", { blob: B.blob })), { deleted: one(A.path) }],
  ["an empty one stands for none", all(A), all(file("x/a.test.ts", { bytes: 0 })), { deleted: one(A.path) }],
  ["what was moved is all but empty", all(A), all(file("x/a.test.ts", { bytes: 49 })), { deleted: one(A.path) }],
  [
    "a file was moved to where no test runs",
    all(A, B),
    all(file("test/fixtures/a.test.ts", { role: "support", blob: A.blob }), B),
    { deleted: one(A.path) },
  ],
  ["only its snapshot is left", all(A), all(file("test/a.test.snap", { role: "support" })), { deleted: one(A.path) }],
  ["a file is all but empty", all(A, B), all(A, file(B.path, { bytes: 49, blob: "x" })), { emptied: one(B.path) }],
  ["a file is another", all(A), all(file(A.path, { bytes: 51, blob: "x" })), { changed: one(A.path) }],
  ["a fixture is another", all(FIXTURE), all({ ...FIXTURE, blob: "x" }), { changed: one(FIXTURE.path) }],
  ["a fixture is gone", all(FIXTURE), all(), { changed: one(FIXTURE.path) }],
  ["a script is another", all(SCRIPT), all({ ...SCRIPT, blob: "x" }), { scripts: one(SCRIPT.path) }],
  ["a script is gone", all(SCRIPT), all(), { scripts: one(SCRIPT.path) }],
  ["a script is new", all(), all(SCRIPT), { scripts: one(SCRIPT.path) }],
  ["a new file skips", all(), all(skipping("c.test.ts", { xit: 1 })), { skipped: skip("c.test.ts", "xit") }],
  [
    "a new file skips on a condition",
    all(),
    all(
      skipping("c.test.ts", { "it.skipIf": 1 }),
      skipping("test_c.py", { "@pytest.mark.skipif": 2, "@unittest.skipUnless": 1, "pytest.importorskip(": 1 }),
      skipping("CTest.java", { "@DisabledOnOs": 1, "assumeTrue(": 1 }),
    ),
    {},
  ],
  [
    "a file skips once more",
    all(skipping("a.rs", { "it.skip": 1, xit: 1 }, "old")),
    all(file("a.rs", { role: "mixed", blob: "x", marks: { skips: { "it.skip": 2 }, tests: 0 } })),
    { skipped: skip("a.rs"), changed: one("a.rs") },
  ],
  ["tests among other code are gone", all(rust("a.rs", 2)), all(rust("a.rs", 0)), { emptied: one("a.rs") }],
  [
    "the code around them as well",
    all(rust("a.rs", 2), rust("b.rs", 1)),
    all(rust("b.rs", 2)),
    { deleted: one("a.rs") },
  ],
])("it is told when %s [C21]", (_title, before, after, told) => {
  expect(testChanges(start(before), after)).toEqual({ ...UNCHANGED, ...told });
});

test("a skip that was moved to another file is not new [C21]", () => {
  const before = all(skipping("a", { xit: 2 }), skipping("b", { "it.skip": 1 }));
  const after = all(skipping("a", { xit: 1 }, "x"), skipping("b", {}, "y"), skipping("c", { xit: 1, "it.skip": 2 }));
  expect(testChanges(start(before), after).skipped).toEqual(skip("c"));
});

test("the first of many are named, on lines that are not too long, and all are counted [C21]", () => {
  const many = Array.from({ length: 30 }, (_, at) => file(`${at + 10}\n.test.ts`));
  const long = file(`${"x".repeat(300)}/a.test.ts`);
  const { deleted, since } = testChanges(start(all(...many, long), 4), all());
  expect(since).toBe(4);
  expect(deleted.count).toBe(31);
  expect(deleted.paths).toHaveLength(20);
  expect(deleted.paths[0]).toBe("10\uFFFD.test.ts");
  expect(testChanges(start(all(long)), all()).deleted.paths[0]).toMatch(/^…x{149}\/a\.test\.ts$/u);
  const skips = testChanges(start(all()), all(skipping("a.test.ts", { xit: 25 }))).skipped;
  expect([skips.count, skips.skips.length]).toEqual([25, 20]);
});
