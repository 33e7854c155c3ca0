import { expect, test } from "vitest";
import { newSkips } from "../../../src/core/progress/new-skips.ts";

function diffOf(path: string, lines: readonly string[]) {
  const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length;
  return [
    `diff --git a/${path} b/${path}`,
    "index 1..2 100644",
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,${count("+")} +1,${count("-")} @@ f`,
    ...lines,
    "",
  ].join("\n");
}

function markers(path: string, ...lines: readonly string[]) {
  return newSkips(diffOf(path, lines)).map(({ marker }) => marker);
}

test.each<[string, string, string]>([
  ["test/a.test.ts", "  it.skip('b', () => {", "it.skip"],
  ["test/a.test.ts", "test.concurrent.skip('b')", "test.concurrent.skip"],
  ["test/a.test.ts", "describe.only('b')", "describe.only"],
  ["test/a.test.ts", "test.todo('b')", "test.todo"],
  ["test/a.test.ts", "xit('b', f)", "xit("],
  ["test/a.test.ts", "fdescribe('b', f)", "fdescribe("],
  ["test/a.test.mjs", "  t.skip()", "t.skip("],
  ["test/a.test.mjs", "test('b', { skip: true }, f)", "{ skip: true"],
  ["tests/test_a.py", "@pytest.mark.skip(reason='b')", "@pytest.mark.skip"],
  ["tests/test_a.py", "@pytest.mark.xfail", "@pytest.mark.xfail"],
  ["tests/test_a.py", "    @unittest.skip('b')", "@unittest.skip"],
  ["tests/test_a.py", "    pytest.skip('b')", "pytest.skip("],
  ["tests/test_a.py", "    self.skipTest('b')", "self.skipTest("],
  ["a_test.go", '\tt.Skip("b")', "t.Skip("],
  ["src/lib.rs", '    #[ignore = "b"]', "#[ignore"],
  ["src/lib.rs", "    #[cfg_attr(windows, ignore)]", "#[cfg_attr(windows, ignore"],
  ["src/test/java/ATest.java", '    @Disabled("b")', "@Disabled"],
  ["Tests/ATests.cs", '[Fact(Skip = "b")]', 'Skip = "'],
  ["spec/a_spec.rb", "  skip 'b'", "skip"],
  ["spec/a_spec.rb", "  xit 'b' do", "xit"],
  ["tests/ATest.php", "$this->markTestSkipped('b');", "markTestSkipped("],
  ["Tests/ATests.swift", "throw XCTSkip()", "XCTSkip"],
  ["test/a_test.exs", "  @tag :skip", "@tag :skip"],
])("C21: in %s %s keeps a test from running", (path, line, marker) => {
  expect(markers(path, `+${line}`)).toEqual([marker]);
  expect(markers(path, ` ${line}`, "+else")).toEqual([]);
  expect(markers(path, `-${line}`)).toEqual([]);
  expect(markers(path, `-${line}`, ` else`, `+${line}`)).toEqual([]);
});

test.each<[string, string]>([
  ["src/a.ts", "observable.skip(1)"],
  ["src/a.ts", "it.skip('b')"],
  ["test/a.test.ts", "rows.skip(1)"],
  ["test/a.test.ts", "// it.skip('b')"],
  ["test/a.test.ts", "exit(1); submit.skip(2)"],
  ["test/a.test.ts", " * it.skip('b')"],
  ["tests/test_a.py", "# @pytest.mark.skip"],
  ["docs/a.test.md", "it.skip("],
  ["src/a.go", "t.Skip()"],
  ["a_test.go", "tokens.Skip()"],
  ["src/lib.rs", "let ignore = 1;"],
])("C21: in %s %s does not", (path, line) => {
  expect(markers(path, `+${line}`)).toEqual([]);
});

test("C21: each of several is told with its file; what was moved is none", () => {
  const diff = [
    diffOf("test/a.test.ts", ["-it.skip('a')", "-it.skip('b')", "\\ No newline at end of file", "+it('a')"]),
    diffOf("test/b.test.ts", ["+it.skip('a')", "+it.skip('b')", "+it.skip('c')", "+xit('d')"]),
  ].join("");
  expect(newSkips(diff)).toEqual([
    { path: "test/b.test.ts", marker: "it.skip" },
    { path: "test/b.test.ts", marker: "xit(" },
  ]);
});

test("C21: content of a diff is not taken for its headlines", () => {
  const diff = [
    "--- /dev/null",
    "+++ b/test/a.test.ts",
    "@@ -0,0 +1,2 @@",
    "+++ b/src/a.ts",
    "+it.skip('a')",
    "--- a/test/gone.test.ts",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-xit('a')",
    "@@ -5 +5 @@",
    "-a",
    "+xdescribe('b')",
  ].join("\n");
  expect(newSkips(diff)).toEqual([
    { path: "test/a.test.ts", marker: "it.skip" },
    { path: "test/gone.test.ts", marker: "xdescribe(" },
  ]);
});
