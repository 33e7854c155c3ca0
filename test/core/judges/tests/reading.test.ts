import { expect, test } from "vitest";
import { ecosystemOf } from "../../../../src/core/judges/ecosystems/ecosystems.ts";
import { matcherTable } from "../../../../src/core/judges/tests/matchers.ts";
import { readingOf } from "../../../../src/core/judges/tests/reading.ts";

function read(path: string, text: string) {
  const ecosystem = ecosystemOf(path);
  if (ecosystem === undefined) throw new Error(`no language: ${path}`);
  const { cases, outside } = readingOf(text, ecosystem);
  const all = [...cases.flatMap(({ assertions }) => assertions), ...outside];
  return all.map(({ subject, relation, negated, expected, tolerance, trivial }) =>
    [subject, negated ? "not" : "", relation, expected, tolerance, trivial ? "always" : ""]
      .filter((part) => part !== null && part !== "")
      .join(" | "),
  );
}

test.each<[string, string, readonly string[]]>([
  ["a.test.ts", "expect(a).to.be.closeTo(3, 0.5);", ["a | approx | 3 | 0.5"]],
  [
    "a.test.ts",
    "expect(a).toBeWithinRange(1, 2); expect(a).to.be.finite; expect(b);",
    ["a | other | toBeWithinRange ( 1 , 2 )", "a | other | to . be . finite"],
  ],
  ["a.test.ts", "expect(async () => { await run(); }).rejects.toThrow();", ["run ( ) | throws"]],
  ["a.test.ts", "assert(a.includes('b') && !(c instanceof D));", ['a | contains | "b"', "c | not | type | D"]],
  ["a.test.ts", "assert.ok(a.every(isRight)); assert(); expect(a)[0]", ["a . every ( isRight ) | truthy"]],
  [
    "a.test.ts",
    "assert(!a || !b); assert.isFalse(a || b);",
    ["! a || ! b | truthy", "a | not | truthy", "b | not | truthy"],
  ],
  [
    "a.test.ts",
    "expect(/[/]a\\/b/.exec(c)).toBeNull(); expect(a / b).toBe(c /d/ e);",
    ["/[/]a\\/b/ . exec ( c ) | eq | null", "a / b | eq | c /d/ e"],
  ],
  ["a.test.ts", "expect(a).toBe('it\\'s", ['a | eq | "it\'s"']],
  ["a.test.ts", "const two: number = 2; expect(a).toBe(two); /* expect(b).toBe(1);", ["a | eq | 2"]],
  [
    "a.test.ts",
    "expect(a).not.toBeNull(); expect(b).toBe(b); expect((c]).toBe(1);",
    ["a | some", "b | eq | b | always"],
  ],
  ["a.test.ts", "function it(a) {} model.it('x'); it(); it; expect(a).toBe(1)", ["a | eq | 1"]],
  [
    "test_a.py",
    "def test_a():\n    with raises(KeyError) as e:\n        run()\n    assert 'a' not in b\n    assert c is not d\n    assert (e)\n",
    ["run ( ) | throws | KeyError", 'b | not | contains | "a"', "c | not | eq | d", "e | truthy"],
  ],
  [
    "test_a.py",
    "async def test_a():\n    assert not a < 3\n    assert not (b > 2)\n    assert a and ()\n    assert\n",
    ["a | more | 3", "b | less | 2", "a | truthy", "truthy | always"],
  ],
  [
    "test_a.py",
    "def test_a(): self.assertRaises(KeyError, run, 1); mock.assert_called_once(); assert_that(a).is_true()",
    ["run , 1 | throws | KeyError", "mock | called", "a | some"],
  ],
  [
    "a_test.go",
    "func TestA(t *testing.T) {\n\tif !ok {\n\t\tt.Fatal()\n\t}\n\tif a {\n\t\trun()\n\t}\n\tif !reflect.DeepEqual(a, b) {\n\t\tt.Fail()\n\t}\n}\n",
    ["ok | truthy", "a | eq | b"],
  ],
  [
    "a_test.go",
    "func TestA(t *testing.T) { Expect(err).NotTo(HaveOccurred()); Expect(a).To(Equal(3)) }",
    ["err | not | throws", "a | eq | 3"],
  ],
  [
    "a.rs",
    "#[test]\nfn a() { let b: &'a str; assert!(matches!(b, Some('x'))); assert!(c.is_none()); assert_eq!(r#\"a\"#, d); }",
    ['b | matches | Some ( "x" )', "c | eq", 'd | eq | "a"'],
  ],
  [
    "spec/a_spec.rb",
    "it { expect(a).to be < 3 }\nit('b') do\n  expect { run }.to raise_error do |e|\n  end\n  assert_raises(A) do run end\n  x.should eq 3\nend\n",
    ["a | less | 3", "run | throws", "run end | throws | A", "x | eq | 3"],
  ],
  [
    "ATest.java",
    "@Test void a(); @Test public void b() throws E { assertThat(c, not(is(3))); assertThrows< ; }",
    ["c | not | eq | 3"],
  ],
  [
    "a_test.cc",
    "TEST(A, B) { EXPECT_THAT(a, Not(Eq(3))); EXPECT_EQ(1'000, b); }",
    ["a | not | eq | 3", "b | eq | 1000"],
  ],
  ["ATests.cs", "[Fact] public int A() => Assert.Equal(1, b); [Fact] int C;", ["b | eq | 1"]],
  ["a.test.ts", `assert(${"!(".repeat(20)}a${")".repeat(20)})`, []],
  [
    "a.test.ts",
    "assert.equal(); assert.equal(1, 1); expect.of; expect(a).toBe(1) 5",
    ["1 | eq | 1 | always", "a | eq | 1"],
  ],
  ["a.test.ts", "expect(a).toBe('b\nexpect(c).toBe(1)", ['a | eq | "b" expect ( c ) . toBe ( 1 )', "c | eq | 1"]],
  ["a.test.ts", "expect([a).toBe(1)", ["[ a | eq | 1"]],
  ["a_test.cc", "TEST(A, B) { EXPECT_THAT(a, !Eq(3)); }", ["a | not | eq | 3"]],
  [
    "ATests.cs",
    "[Fact] public void A() { run.Should().Throw<KeyError>(); run.Should().Throw<KeyError>; }",
    ["run | throws | KeyError", "run | throws | KeyError"],
  ],
  ["ATest.java", "@Test void a() { assertThrows<KeyError>; assertThat(a, is(3), b); }", ["a | eq | 3"]],
  ["ATest.kt", "@Test fun a() { assertFails { run() } }", ["run ( ) | throws"]],
  ["a_test.go", "func TestA(t *testing.T) {\n\tif {\n\t\tt.Fatal()\n\t}\n}\n", []],
  ["spec/a_spec.rb", "it 'a' do\n  assert_raises do\n    run\n  end\nend\n", ["run | throws"]],
  ["test_a.py", "b = 1; def test_a(): assert c\n", ["c | truthy"]],
  [
    "test_a.py",
    "def test_a():\n    self.assertAlmostEqual(a, 3, near)\n    self.assertRaises(KeyError, run)\n",
    ["a | approx | 3", "run | throws | KeyError"],
  ],
  [
    "spec/a_spec.rb",
    "let(:a) { it 'b' }\nit 'a' do\n  expect { run }.to raise_error { |e| }\n  expect(b).to of(3)\n  assert_equal -1, c\n  assert_nil",
    ["run | throws | | e |", "b | other | to", "c | eq | - 1"],
  ],
])("of %s the assertions of %j are read [C40]", (path, text, assertions) => {
  expect(read(path, text)).toEqual(assertions);
});

test("of what is very long the beginning is told, and how long it is [C40]", () => {
  const [told = ""] = read("a.test.ts", `expect(a).toBe(${"b.".repeat(5_000)}c)`);
  expect([told.length < 8_100, told.slice(0, 15), told.slice(-8)]).toEqual([true, "a | eq | b . b ", " … 10001"]);
});

test("no more than 5,000 assertions and 2,000 tests are read [C40]", () => {
  expect(read("a.test.ts", "expect(a).toBe(1);\n".repeat(6_000))).toHaveLength(5_000);
  const many = 'it("a", () => {});\n'.repeat(2_500);
  const javascript = ecosystemOf("a.ts");
  expect(javascript && readingOf(many, javascript).cases).toHaveLength(2_000);
});

test("a table says where a line is wrong", () => {
  expect(() => matcherTable("  a = bent 0 1\n")).toThrow("No relation in:   a = bent 0 1");
  expect(() => matcherTable("  a\n")).toThrow("No relation");
});
