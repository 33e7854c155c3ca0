import type { TextChange } from "../../src/core/judges/bend.ts";
import { testBends } from "../../src/core/judges/test-bends.ts";
import { mutated } from "../mutate.ts";
import { hold, target } from "../target.ts";

const TESTS: Readonly<Record<string, string>> = {
  "test/a.test.ts":
    'import { add } from "../src/a";\nvi.mock("./b");\nit.each([[1, 2, 3]])("adds %i", (a, b, c) => {\n  expect(add(a, b)).not.toBe(c);\n}, 500);\n',
  "tests/test_a.py":
    'from a import add\n\n@pytest.mark.parametrize("a, b", [(1, 2)])\ndef test_adds(a, b):\n    with pytest.raises(ValueError):\n        add(a)\n    assert add(a, b) == pytest.approx(3, rel=1e-3) and not b\n',
  "a_test.go":
    'func TestAdd(t *testing.T) {\n\tfor _, tt := range []struct{ a int }{{1}} {\n\t\tif got := Add(tt.a); got != 2 {\n\t\t\tt.Errorf("x")\n\t\t}\n\t}\n}\n',
  "src/a.rs": "#[test]\n#[case(1, 2)]\nfn adds() {\n    assert_eq!(add(1)?, 2);\n    assert!(matches!(a, B));\n}\n",
  "spec/a_spec.rb":
    'it "adds" do\n  expect { add 1 }.to raise_error(A)\n  assert_equal 3, add(1)\n  expect(a).to be_within(1).of 3\nrescue\nend\n',
  "src/test/java/ATest.java":
    "@Test\nvoid adds() throws E {\n  try { assertThat(a).isEqualTo(1); } catch (E e) { }\n  assertThrows(E.class, () -> a());\n}\n",
  "tests/ATests.cs":
    "[Theory]\n[InlineData(1, 2)]\npublic void Adds() { Assert.Throws<E>(() => A()); a.Should().Be(3); }\n",
  "tests/a_test.cc": "TEST(A, B) {\n#if 0\n  EXPECT_EQ(a, 1);\n#endif\n  EXPECT_NEAR(a, 1, 0.1);\n}\n",
  "test/a.snap": "exports[`a 1`] = `b`;\n",
  "pytest.ini": "[pytest]\ntimeout = 10\n",
};
const PATHS = Object.keys(TESTS);
const WORDS = [
  ...[
    "expect(",
    ").toBe(",
    "assert ",
    "if (false) {",
    "return;",
    "/*",
    "*/",
    '"""',
    "`",
    "'",
    "//",
    "#",
    "(",
    ")",
    "{",
    "}",
  ],
  ...[
    "[",
    "]",
    "not ",
    "!",
    " && ",
    " or ",
    "=",
    ",",
    "\n",
    "  ",
    "try {",
    "catch {}",
    "rescue nil",
    "timeout: 9",
    "<",
    ">",
  ],
];

/** The same change of a file, as the fuzzer makes it of a test. */
export const judges = target({
  name: "judges",
  covers: ["core/judges/test-bends.ts#testBends"],
  draw(random): TextChange {
    const path = random.one(PATHS);
    const seeds = [TESTS[path] ?? ""];
    const text = () => mutated(random, { seeds, words: WORDS });
    return { path, before: random.once(10) ? null : text(), after: random.once(10) ? null : text() };
  },
  check(change) {
    const bends = testBends([change]);
    hold(bends.length <= 100, "bends of a file are few");
    hold(
      bends.every(
        ({ line, was, now }) => line === null || (line > 0 && `${was}`.length <= 160 && `${now}`.length <= 160),
      ),
      "lines are counted from 1 and short",
    );
    const { path, after } = change;
    hold(testBends([{ path, before: after, after }]).length === 0, "what did not change is not bent");
  },
});
