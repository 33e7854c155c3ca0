import type { Ecosystem } from "../tests/ecosystem.ts";
import { matcherTable, wordSet } from "../tests/matchers.ts";
import { LINES, ONE_LINE, quoted, RAW, SLASHES } from "./syntax.ts";

const NONE: ReadonlySet<string> = new Set();

/** testing, testify, gomega, go-cmp, quicktest */
export const go: Ecosystem = {
  files: /\.go$/u,
  syntax: { ...SLASHES, strings: [quoted("`", RAW), quoted('"', ONE_LINE)] },
  mixed: false,
  indented: false,
  cases: {
    calls: wordSet("Run It Specify DescribeTable"),
    keywords: wordSet("func"),
    names: /^(?:Test|Fuzz|Example)(?![a-z])/u,
    attributes: NONE,
    tables: wordSet("range DescribeTable"),
    rows: wordSet("Entry"),
  },
  calls: matcherTable(`
    assert|require|is|a|r.Equal assert|require.EqualValues assert|require.Exactly assert|require.Same = eq 2 1
    assert|require.ElementsMatch assert|require.JSONEq assert|require.YAMLEq = eq 2 1
    assert|require.NotEqual = !eq 2 1
    assert|require.True assert|require.Truef = cond 1
    assert|require.False = !cond 1
    assert|require.Nil assert|require.NoError = eq 1 'nil'
    assert|require.NotNil assert|require.NotEmpty assert|require.NotZero = some 1
    assert|require.Empty assert|require.Zero = length 1 '0'
    assert|require.Len = length 1 2
    assert|require.Contains assert|require.Subset = contains 1 2
    assert|require.NotContains = !contains 1 2
    assert|require.Regexp = matches 2 1
    assert|require.InDelta assert|require.InEpsilon assert|require.WithinDuration = approx 2 1 3
    assert|require.Greater assert|require.GreaterOrEqual = more 1 2
    assert|require.Less assert|require.LessOrEqual = less 1 2
    assert|require.IsType assert|require.Implements = type 2 1
    assert|require.Error = throws 1
    assert|require.ErrorIs assert|require.ErrorAs assert|require.ErrorContains assert|require.EqualError = throws 1 2
    assert|require.PanicsWithValue assert|require.PanicsWithError = throws 2 1
    assert|require.Panics = throws 1
    assert|require.NotPanics = !throws 1
    assert|require.Eventually = other 1
    s|suite.Equal = eq 1 0
    s|suite.True = cond 0
    s|suite.NoError s|suite.Nil = eq 0 'nil'
    s|suite.Error = throws 0
    s|suite.NotNil s|suite.NotEmpty = some 0
  `),
  openers: wordSet("Expect Ω Eventually Consistently"),
  suffixes: NONE,
  matchers: matcherTable(`
    Equal BeEquivalentTo ConsistOf BeIdenticalTo MatchJSON = eq - 0
    BeNil Succeed = eq - 'nil'
    BeTrue = eq - 'true'
    BeFalse = eq - 'false'
    BeZero BeEmpty = length - '0'
    HaveLen = length - 0
    ContainElement ContainElements ContainSubstring HaveKey HaveField HavePrefix = contains - 0
    MatchRegexp = matches - 0
    BeNumerically = approx - 1 2
    HaveOccurred = throws
    MatchError Panic PanicWith = throws - 0
  `),
  negators: wordSet("NotTo ToNot ShouldNot Not"),
  keyword: null,
  failures: wordSet("Error Errorf Fatal Fatalf Fail FailNow panic"),
  looseTruth: false,
  stubs: NONE,
  timeout: null,
  throwing: wordSet("panic"),
};

/** cargo test, rstest, insta, approx, pretty_assertions */
export const rust: Ecosystem = {
  files: /\.rs$/u,
  syntax: {
    ...SLASHES,
    strings: [
      { open: 'r##"', close: '"##', escapes: false, oneLine: false },
      { open: 'r#"', close: '"#', escapes: false, oneLine: false },
      { open: 'r"', close: '"', escapes: false, oneLine: false },
      quoted('"', LINES),
    ],
    bang: true,
  },
  mixed: true,
  indented: false,
  cases: {
    calls: NONE,
    keywords: wordSet("fn"),
    names: null,
    attributes: wordSet("test rstest test_case quickcheck proptest"),
    tables: NONE,
    rows: wordSet("case test_case"),
  },
  calls: matcherTable(`
    assert! debug_assert! prop_assert! = cond 0
    assert_eq! debug_assert_eq! prop_assert_eq! = eq 0 1
    assert_ne! debug_assert_ne! prop_assert_ne! = !eq 0 1
    assert_matches! assert_let! = matches 0 1
    assert_relative_eq! assert_abs_diff_eq! assert_ulps_eq! assert_approx_eq! assert_float_eq! = approx 0 1 2
    assert_snapshot! assert_debug_snapshot! assert_json_snapshot! assert_yaml_snapshot! = snapshot 0 1
    should_panic = throws - 0
  `),
  openers: wordSet("assert_that! expect_that! verify_that!"),
  suffixes: NONE,
  matchers: matcherTable(`
    is_equal_to eq equal_to = eq - 0
    is_some is_ok = some
    contains contains_substring = contains - 0
  `),
  negators: wordSet("not"),
  keyword: null,
  failures: wordSet("panic!"),
  looseTruth: false,
  stubs: NONE,
  timeout: null,
  throwing: wordSet("panic! bail! Err ?"),
};

/** googletest, Catch2, doctest, Boost.Test, Unity; what ctest runs */
export const cpp: Ecosystem = {
  files: /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|mm?|cu)$/u,
  syntax: {
    ...SLASHES,
    blocks: [
      ["/*", "*/"],
      ["#if 0", "#endif"],
    ],
    strings: [{ open: 'R"(', close: ')"', escapes: false, oneLine: false }, quoted('"', ONE_LINE)],
  },
  mixed: false,
  indented: false,
  cases: {
    calls: wordSet(
      "TEST TEST_F TEST_P TYPED_TEST TEST_CASE TEST_CASE_METHOD TEMPLATE_TEST_CASE SECTION SUBCASE SCENARIO WHEN THEN BOOST_AUTO_TEST_CASE BOOST_FIXTURE_TEST_CASE RUN_TEST",
    ),
    keywords: wordSet("void int"),
    names: /^test_\w/u,
    attributes: NONE,
    tables: wordSet("INSTANTIATE_TEST_SUITE_P GENERATE"),
    rows: NONE,
  },
  calls: matcherTable(`
    assert CHECK REQUIRE EXPECT_TRUE ASSERT_TRUE BOOST_TEST BOOST_CHECK BOOST_REQUIRE TEST_ASSERT TEST_ASSERT_TRUE = cond 0
    CHECK_FALSE REQUIRE_FALSE EXPECT_FALSE ASSERT_FALSE TEST_ASSERT_FALSE = !cond 0
    EXPECT_EQ ASSERT_EQ EXPECT_STREQ ASSERT_STREQ EXPECT_STRCASEEQ EXPECT_FLOAT_EQ EXPECT_DOUBLE_EQ = eq 0 1
    ASSERT_FLOAT_EQ ASSERT_DOUBLE_EQ BOOST_CHECK_EQUAL BOOST_REQUIRE_EQUAL CHECK_EQ REQUIRE_EQ = eq 0 1
    TEST_ASSERT_EQUAL TEST_ASSERT_EQUAL_INT TEST_ASSERT_EQUAL_STRING TEST_ASSERT_EQUAL_FLOAT = eq 1 0
    EXPECT_NE ASSERT_NE CHECK_NE EXPECT_STRNE = !eq 0 1
    EXPECT_LT EXPECT_LE ASSERT_LT ASSERT_LE CHECK_LT = less 0 1
    EXPECT_GT EXPECT_GE ASSERT_GT ASSERT_GE CHECK_GT = more 0 1
    EXPECT_NEAR ASSERT_NEAR BOOST_CHECK_CLOSE REQUIRE_CLOSE = approx 0 1 2
    TEST_ASSERT_FLOAT_WITHIN TEST_ASSERT_INT_WITHIN = approx 2 1 0
    EXPECT_THROW ASSERT_THROW CHECK_THROWS_AS REQUIRE_THROWS_AS BOOST_CHECK_THROW = throws 0 1
    CHECK_THROWS_WITH REQUIRE_THROWS_WITH = throws 0 1
    EXPECT_ANY_THROW ASSERT_ANY_THROW CHECK_THROWS REQUIRE_THROWS EXPECT_DEATH = throws 0
    EXPECT_NO_THROW ASSERT_NO_THROW CHECK_NOTHROW REQUIRE_NOTHROW = !throws 0
    TEST_ASSERT_NULL = eq 0 'NULL'
    TEST_ASSERT_NOT_NULL = some 0
  `),
  openers: wordSet("EXPECT_THAT ASSERT_THAT CHECK_THAT REQUIRE_THAT"),
  suffixes: NONE,
  matchers: matcherTable(`
    Eq Equals ElementsAre UnorderedElementsAre StrEq = eq - 0
    NotNull = some
    Contains HasSubstr ContainsSubstring StartsWith = contains - 0
    SizeIs = length - 0
    DoubleNear WithinAbs WithinRel = approx - 0 1
  `),
  negators: wordSet("Not"),
  keyword: null,
  failures: NONE,
  looseTruth: false,
  stubs: NONE,
  timeout: null,
  throwing: wordSet("throw"),
};

/** what ctest is told to run */
export const cmake: Ecosystem = {
  ...cpp,
  mixed: true,
  files: /(?:^|\/)CMakeLists\.txt$|\.cmake$/u,
  syntax: { ...SLASHES, comment: /#.*/uy, blocks: [["#[[", "]]"]] },
  cases: { ...cpp.cases, calls: wordSet("add_test gtest_discover_tests catch_discover_tests"), names: null },
  calls: new Map(),
  openers: NONE,
};
