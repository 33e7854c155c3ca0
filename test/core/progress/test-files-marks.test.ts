import { expect, test } from "vitest";
import { mixesTests, testMarks } from "../../../src/core/progress/test-files.ts";

function skips(path: string, ...lines: readonly string[]) {
  return testMarks(path, lines.join("\n")).skips;
}

test.each<[string, string, string]>([
  ["test/a.test.ts", "  it.skip('b', () => {", "it.skip"],
  ["test/a.test.ts", "test.concurrent.skip('b')", "test.concurrent.skip"],
  ["test/a.test.ts", "describe.only('b')", "describe.only"],
  ["test/a.test.ts", "test.todo('b')", "test.todo"],
  ["test/a.test.ts", "it.fails('b', () => {", "it.fails"],
  ["test/a.test.ts", "test.failing('b', () => {", "test.failing"],
  ["test/a.test.ts", "describe.runIf(process.env.ALL)('b', () => {", "describe.runIf"],
  ["test/a.test.ts", "if (!process.env.ALL) return;", "if (!process.env.ALL)"],
  ["test/a.test.ts", "if (false) expect(a).toBe(1);", "if (false)"],
  ["test/a.test.ts", "xit('b', f)", "xit("],
  ["test/a.test.ts", "fdescribe('b', f)", "fdescribe("],
  ["test/a.test.mjs", "  t.skip()", "t.skip("],
  ["test/a.test.mjs", "test('b', { skip: true }, f)", "skip: true"],
  ["test/a.test.mjs", "it('does not', { timeout: 5, todo: 'later' }, () => {", "todo: '"],
  ["test/a.test.ts", "fit('b', f)", "fit("],
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
  ["spec/a_spec.rb", "  it 'b', pending: true do", "pending: true"],
  ["spec/a_spec.rb", "  pending('b')", "pending"],
  ["tests/ATest.php", "it('b', $f)->skip('c');", "->skip("],
  ["tests/ATest.php", "$this->markTestSkipped('b');", "markTestSkipped("],
  ["Tests/ATests.swift", "throw XCTSkip()", "XCTSkip"],
  ["Tests/ATests.swift", '@Test("b", .disabled("c"))', ", .disabled("],
  ["test/a_test.exs", "  @tag :skip", "@tag :skip"],
])("in %s %s keeps a test from running [C21]", (path, line, marker) => {
  expect(skips(path, line, "else", line)).toEqual({ [marker]: 2 });
});

test.each<[string, string]>([
  ["src/a.ts", "observable.skip(1)"],
  ["src/a.ts", "it.skip('b')"],
  ["test/a.test.ts", "rows.skip(1)"],
  ["test/a.test.ts", "// it.skip('b')"],
  ["test/a.test.ts", "exit(1); submit.skip(2)"],
  ["test/a.test.ts", " * it.skip('b')"],
  ["test/a.test.ts", `${" ".repeat(2_000)}it.skip('b')`],
  ["tests/test_a.py", "# @pytest.mark.skip"],
  ["docs/a.test.md", "it.skip("],
  ["src/a.go", "t.Skip()"],
  ["a_test.go", "tokens.Skip()"],
  ["src/lib.rs", "let ignore = 1;"],
  ["test/a.test.ts", "if (process.env.DEBUG) console.log(a);"],
  ["test/a.test.ts", "expect(add('b')).toEqual({ id: 1, todo: 'milk' });"],
  ["test/a.test.ts", "test('b', () => expect(add('c', { todo: 'milk' })).toBe(1));"],
  ["test/a.test.ts", "const page = { take: 5, skip: true };"],
  ["test/a.test.ts", "map.fit(bounds); fit(model, data);"],
  ["spec/a_spec.rb", "  pending = Order.pending"],
  ["spec/a_spec.rb", "  order = create(:order, pending: true)"],
  ["tests/ATest.php", "$query->skip(10)->skip($offset)->take(5);"],
  ["Tests/ATests.swift", "Button(title).disabled(true)"],
])("in %s %s does not [C21]", (path, line) => {
  expect(skips(path, line)).toEqual({});
});

test("tests that stand among other code are counted [C21]", () => {
  const code = ["fn main() {}", "#[test]", "fn a() {}", "  #[tokio::test]", "// #[test]", "#[cfg(test)]", "#[rstest]"];
  expect(testMarks("src/lib.rs", code.join("\n"))).toEqual({ skips: {}, tests: 3 });
  expect(testMarks("test/a.test.ts", code.join("\n"))).toEqual({ skips: {}, tests: 0 });
  expect(["src/lib.rs", "src/a.ts", "README"].map(mixesTests)).toEqual([true, false, false]);
});
