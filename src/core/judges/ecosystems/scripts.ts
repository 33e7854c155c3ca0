import type { Ecosystem } from "../tests/ecosystem.ts";
import { matcherTable, wordSet } from "../tests/matchers.ts";
import { HASHES, LINES, ONE_LINE, quoted } from "./syntax.ts";

/** pytest, unittest, numpy.testing */
export const python: Ecosystem = {
  files: /\.pyi?$/u,
  syntax: {
    ...HASHES,
    comment: /#.*/uy,
    strings: [quoted('"""', LINES), quoted("'''", LINES), quoted('"', ONE_LINE), quoted("'", ONE_LINE)],
  },
  mixed: false,
  indented: true,
  cases: {
    calls: new Set(),
    keywords: wordSet("def"),
    names: /^test/u,
    attributes: new Set(),
    tables: wordSet("parametrize expand"),
    rows: new Set(),
  },
  calls: matcherTable(`
    assertEqual assertEquals assertIs assertListEqual assertDictEqual assertSequenceEqual assertTupleEqual = eq 0 1
    assertSetEqual assertMultiLineEqual assertCountEqual assert_array_equal assert_equal = eq 0 1
    assert_frame_equal assert_series_equal assertHTMLEqual assertJSONEqual assertQuerysetEqual = eq 0 1
    assertNotEqual assertIsNot = !eq 0 1
    assertTrue = cond 0
    assertFalse = !cond 0
    assertIsNone = eq 0 'None'
    assertIsNotNone = some 0
    assertIn assertContains = contains 1 0
    assertNotIn = !contains 1 0
    assertDictContainsSubset = contains 1 0
    assertIsInstance = type 0 1
    assertAlmostEqual assertAlmostEquals assert_almost_equal assert_array_almost_equal = approx 0 1 2d
    assert_allclose assert_approx_equal = approx 0 1 2
    assertGreater assertGreaterEqual = more 0 1
    assertLess assertLessEqual = less 0 1
    assertRegex = matches 0 1
    assertNotRegex = !matches 0 1
    assertRaises raises assertWarns warns = throws - 0
    assertRaisesRegex = throws - 1
    assertLogs deprecated_call = throws -
    assert_called_with assert_called_once_with assert_any_call assert_has_calls = called - 0
    assert_called assert_called_once = called
    assert_not_called = !called
    assert_match_snapshot = snapshot 0
  `),
  openers: wordSet("assert_that expect"),
  suffixes: new Set(),
  matchers: matcherTable(`
    is_equal_to equal_to to_equal = eq - 0
    is_not_none is_true = some
    contains has_item contains_string = contains - 0
    has_length is_length = length - 0
  `),
  negators: wordSet("not_ is_not"),
  keyword: "assert",
  failures: new Set(),
  looseTruth: false,
  stubs: wordSet("patch object setattr"),
  timeout: null,
  throwing: wordSet("raise"),
};

/** rspec, minitest, test-unit */
export const ruby: Ecosystem = {
  files: /\.(?:rb|rake)$/u,
  syntax: {
    ...HASHES,
    comment: /#.*/uy,
    blocks: [["\n=begin", "\n=end"]],
    strings: [quoted('"', LINES), quoted("'", LINES)],
    patterns: true,
    bang: true,
  },
  mixed: false,
  indented: true,
  cases: {
    calls: wordSet("it specify example scenario test should xit fit xspecify xexample its"),
    keywords: wordSet("def"),
    names: /^test_/u,
    attributes: new Set(),
    tables: wordSet("each where"),
    rows: new Set(),
  },
  calls: matcherTable(`
    assert = cond 0
    refute = !cond 0
    assert_equal assert_same = eq 1 0
    refute_equal refute_same assert_not_equal = !eq 1 0
    assert_nil = eq 0 'nil'
    refute_nil assert_not_nil assert_present = some 0
    assert_empty = length 0 '0'
    assert_includes = contains 0 1
    refute_includes = !contains 0 1
    assert_match = matches 1 0
    refute_match = !matches 1 0
    assert_in_delta assert_in_epsilon = approx 1 0 2
    assert_instance_of assert_kind_of assert_respond_to = type 1 0
    assert_operator assert_predicate = other 0 1
    assert_raises assert_raise assert_throws = throws - 0
    assert_nothing_raised = !throws -
    assert_difference assert_changes assert_response assert_redirected_to = other 0 1
  `),
  openers: wordSet("expect expect_that _"),
  suffixes: wordSet(
    "should should_not is_expected must_equal must_be_nil must_include must_match must_be wont_be_nil wont_equal",
  ),
  matchers: matcherTable(`
    eq eql equal be match_array contain_exactly eq_array have_text must_equal = eq - 0
    wont_equal = !eq - 0
    be_nil must_be_nil = eq - 'nil'
    wont_be_nil be_present = some
    be_truthy = truthy
    be_falsey be_falsy = !truthy
    be_empty = length - '0'
    include start_with end_with have_key have_attributes a_hash_including have_content must_include = contains - 0
    match must_match a_string_matching = matches - 0
    be_a be_an be_a_kind_of be_kind_of be_an_instance_of be_instance_of respond_to = type - 0
    be_within = approx - - 0
    of = within - 0
    be_between = other - 0
    raise_error raise_exception throw_symbol = throws - 0
    have_received receive = called
    match_snapshot = snapshot
  `),
  negators: wordSet("not_to to_not should_not"),
  keyword: null,
  failures: new Set(),
  looseTruth: false,
  stubs: wordSet("receive stub receive_messages stubs"),
  timeout: null,
  throwing: wordSet("raise fail"),
};
