import { expect, test } from "vitest";
import { bendsOf, type Edit } from "./bend-cases.ts";

const GO = `package shop

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAdd(t *testing.T) {
	cases := []struct {
		name    string
		a, b    int
		want    int
		wantErr bool
	}{
		{"small", 1, 2, 3, false},
		{"zero", 0, 0, 0, false},
		{name: "large", a: 1 << 40, b: 1, want: 1099511627777},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Add(tt.a, tt.b)
			if (err != nil) != tt.wantErr {
				t.Fatalf("Add() error = %v", err)
			}
			if got != tt.want {
				t.Errorf("Add() = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	got, err := Parse("a=1")
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"a": 1}, got)
	if len(got) != 1 {
		t.Errorf("got %d", len(got))
	}
}

func TestParseFails(t *testing.T) {
	_, err := Parse("")
	require.ErrorIs(t, err, ErrEmpty)
}

func TestRatio(t *testing.T) {
	assert.InDelta(t, 0.333, Ratio(1, 3), 0.001)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	assert.True(t, Wait(ctx))
}
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a row says another result", [["1, 2, 3, false", "1, 2, 4, false"]], ["expectation_replaced 19"]],
  ["a named result is another", [["want: 1099511627777", "want: 0"]], ["expectation_replaced 21"]],
  ["a row is gone", [['		{"small", 1, 2, 3, false},\n', ""]], ["tests_removed 19"]],
  ["a value is another", [['map[string]int{"a": 1}', 'map[string]int{"a": 2}']], ["expectation_replaced 39"]],
  [
    "it is only there",
    [['assert.Equal(t, map[string]int{"a": 1}, got)', "assert.NotNil(t, got)"]],
    ["matcher_loosened 39"],
  ],
  ["a bound of a condition is another", [["len(got) != 1", "len(got) != 0"]], ["expectation_replaced 40"]],
  ["a condition asks for less", [["len(got) != 1", "got == nil"]], ["matcher_loosened 40"]],
  [
    "a condition fails nothing",
    [['t.Errorf("got %d", len(got))', 't.Logf("got %d", len(got))']],
    ["fewer_assertions 40"],
  ],
  ["any error is right", [["require.ErrorIs(t, err, ErrEmpty)", "require.Error(t, err)"]], ["matcher_loosened 47"]],
  [
    "no error is right",
    [["require.ErrorIs(t, err, ErrEmpty)", "require.NoError(t, err)"]],
    ["expectation_replaced 47"],
  ],
  ["a delta is wider", [["0.001)", "0.5)"]], ["tolerance_widened 51"]],
  ["a context lives longer", [["5*time.Second", "5*time.Minute"]], ["timeout_raised 52"]],
  ["a test is not called Test", [["func TestParseFails", "func testParseFails"]], ["tests_removed 45"]],
  [
    "a test is a comment",
    [[/func TestParseFails[^]*?\n\}\n/u, "// func TestParseFails(t *testing.T) {}\n"]],
    ["tests_removed 45"],
  ],
  ["a test ends early", [['	_, err := Parse("")\n', "	return\n"]], ["fewer_assertions 47"]],
])("in a file of go test: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("shop/add_test.go", GO, edits)).toEqual(bends);
});

test.each<[string, string, readonly string[]]>([
  ["a type of its own", "[]struct{ a, want int }{ {1, 2}, {3, 4} }", ["expectation_replaced 4"]],
  ["a named type", "[]row{ {1, 2}, {3, 4} }", ["expectation_replaced 4"]],
  ["pointers to a type of another package", "[]*data.Row{ {1, 2}, {3, 4} }", ["expectation_replaced 4"]],
  ["what is no list, but made of one", "[]row(all(1, 2, 3, 4))", []],
])("in a loop of go test over %s, another result is %s [C40]", (_, list, bends) => {
  const text = `package shop\n\nfunc TestDouble(t *testing.T) {\n\tfor _, tt := range ${list} {\n\t\tif got := Double(tt.a); got != tt.want {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}\n}\n`;
  expect(bendsOf("shop/double_test.go", text, [["4", "5"]])).toEqual(bends);
});

test.each<[string, readonly Edit[]]>([
  ["a row is added", [['		{"zero"', '		{"one", 1, 0, 1, false},\n		{"zero"']]],
  ["a test is renamed", [["TestParseFails", "TestParseEmpty"]]],
  ["a failure ends the test", [['t.Errorf("got %d", len(got))', 't.Fatalf("got %d items", len(got))']]],
  ["a condition is an assertion", [[/ {0}\tif len\(got\) != 1 \{[^}]*\}\n/u, "	assert.Equal(t, 1, len(got))\n"]]],
  ["a context lives shorter", [["5*time.Second", "500*time.Millisecond"]]],
  ["a delta is stricter", [["0.001)", "0.0001)"]]],
  [
    "names are others",
    [
      [
        /got, err := Parse\("a=1"\)[^]*?got\)\)/u,
        'parsed, err := Parse("a=1")\n	require.NoError(t, err)\n	assert.Equal(t, map[string]int{"a": 1}, parsed)\n	if len(parsed) != 1 {\n		t.Errorf("got %d", len(parsed))',
      ],
    ],
  ],
])("in a file of go test: %s, and that is no bend [C41]", (_, edits) => {
  expect(bendsOf("shop/add_test.go", GO, edits)).toEqual([]);
});

const RUST = `pub fn add(a: i32, b: i32) -> Result<i32, Error> {
    let sum = a.checked_add(b).ok_or(Error::Overflow)?;
    assert!(sum > 0);
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2).unwrap(), 3);
        assert!(add(1, 2).is_ok());
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn overflows() {
        add(i32::MAX, 1).unwrap();
    }

    #[rstest]
    #[case(1, 2, 3)]
    #[case(2, 2, 4)]
    fn sums(#[case] a: i32, #[case] b: i32, #[case] sum: i32) {
        assert_eq!(add(a, b), Ok(sum));
    }

    #[tokio::test]
    async fn waits() {
        let out = timeout(Duration::from_secs(5), run()).await;
        assert_relative_eq!(out.ratio, 0.333, epsilon = 1e-3);
        insta::assert_snapshot!(out.text, @"a: 3");
    }
}
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["unwrap(), 3)", "unwrap(), 4)"]], ["expectation_replaced 13"]],
  ["an assertion holds always", [["assert_eq!(add(1, 2).unwrap(), 3)", "assert!(true)"]], ["matcher_loosened 13"]],
  [
    "it is only right",
    [["assert_eq!(add(1, 2).unwrap(), 3)", "assert!(add(1, 2).unwrap() > 0)"]],
    ["matcher_loosened 13"],
  ],
  [
    "its panic is right",
    [["    #[test]\n    fn adds", "    #[test]\n    #[should_panic]\n    fn adds"]],
    ["expectation_replaced 14"],
  ],
  [
    "its panic is right, and nothing is asked",
    [
      ["    #[test]\n    fn adds", "    #[test]\n    #[should_panic]\n    fn adds"],
      ["assert_eq!(add(1, 2).unwrap(), 3);", "add(1, 2).unwrap();"],
      ["assert!(add(1, 2).is_ok());", "add(3, 2);"],
    ],
    ["expectation_replaced 13", "fewer_assertions 13"],
  ],
  ["any panic is right", [['#[should_panic(expected = "overflow")]', "#[should_panic]"]], ["fewer_assertions 18"]],
  ["a row is another", [["#[case(2, 2, 4)]", "#[case(2, 2, 5)]"]], ["expectation_replaced 25"]],
  ["a row is gone", [["    #[case(2, 2, 4)]\n", ""]], ["tests_removed 25"]],
  ["time is longer", [["from_secs(5)", "from_secs(50)"]], ["timeout_raised 32"]],
  ["epsilon is wider", [["epsilon = 1e-3", "epsilon = 1.0"]], ["tolerance_widened 33"]],
  ["a snapshot is another", [['@"a: 3"', '@"a: 4"']], ["snapshot_replaced 34"]],
  ["a function is no test any more", [["    #[test]\n    fn adds", "    fn adds"]], ["tests_removed 11"]],
])("in a file of cargo test: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("src/add.rs", RUST, edits)).toEqual(bends);
});

test.each<[string, readonly Edit[]]>([
  ["an assertion of the code itself is gone", [["    assert!(sum > 0);\n", ""]]],
  ["a row is added", [["    #[case(2, 2, 4)]\n", "    #[case(2, 2, 4)]\n    #[case(0, 0, 0)]\n"]]],
  ["a test is renamed", [["fn adds()", "fn adds_two_numbers()"]]],
  ["an assertion is added", [["is_ok());", "is_ok());\n        assert_eq!(add(0, 0), Ok(0));"]]],
])("in a file of cargo test: %s, and that is no bend [C41]", (_, edits) => {
  expect(bendsOf("src/add.rs", RUST, edits)).toEqual([]);
});

const CPP = `#include <gtest/gtest.h>
#include "cart.h"

TEST(CartTest, Adds) {
  Cart cart;
  cart.Add("a", 3);
  EXPECT_EQ(cart.Total(), 3);
  ASSERT_NE(cart.Find("a"), nullptr);
}

TEST_F(CartFixture, RefusesNegative) {
  EXPECT_THROW(cart_.Add("a", -1), std::invalid_argument);
}

TEST(CartTest, Tax) {
  EXPECT_NEAR(Tax(3, 0.19), 3.57, 1e-6);
  EXPECT_LT(Duration(), 100);
}
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["cart.Total(), 3", "cart.Total(), 0"]], ["expectation_replaced 7"]],
  ["it is only true", [["EXPECT_EQ(cart.Total(), 3)", "EXPECT_TRUE(cart.Total())"]], ["matcher_loosened 7"]],
  [
    "any error is right",
    [['EXPECT_THROW(cart_.Add("a", -1), std::invalid_argument)', 'EXPECT_ANY_THROW(cart_.Add("a", -1))']],
    ["matcher_loosened 12"],
  ],
  [
    "no error is right",
    [['EXPECT_THROW(cart_.Add("a", -1), std::invalid_argument)', 'EXPECT_NO_THROW(cart_.Add("a", -1))']],
    ["expectation_replaced 12"],
  ],
  ["a tolerance is wider", [["1e-6", "1.0"]], ["tolerance_widened 16"]],
  ["a bound is further out", [["100)", "10000)"]], ["tolerance_widened 17"]],
  [
    "a test is left out",
    [
      ["TEST_F(", "#if 0\nTEST_F("],
      ["\nTEST(CartTest, Tax)", "#endif\n\nTEST(CartTest, Tax)"],
    ],
    ["tests_removed 12"],
  ],
])("in a file of googletest: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("tests/cart_test.cc", CPP, edits)).toEqual(bends);
});

const CATCH = `TEST_CASE("adds", "[cart]") {
  Cart cart;
  SECTION("one") {
    REQUIRE(cart.total() == 3);
    CHECK(tax(3) == Approx(3.57).epsilon(0.01));
  }
  SECTION("none") {
    REQUIRE_THROWS_AS(cart.add(-1), std::invalid_argument);
  }
}
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["total() == 3", "total() == 0"]], ["expectation_replaced 4"]],
  ["a tolerance is wider", [["epsilon(0.01)", "epsilon(0.9)"]], ["tolerance_widened 5"]],
  [
    "any error is right",
    [["REQUIRE_THROWS_AS(cart.add(-1), std::invalid_argument)", "REQUIRE_THROWS(cart.add(-1))"]],
    ["matcher_loosened 8"],
  ],
  ["a section is gone", [[/ {2}SECTION\("none[^}]*\}\n/u, ""]], ["tests_removed 7"]],
  ["a macro is a stricter one", [["CHECK(", "REQUIRE("]], []],
])("in a file of Catch2: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("tests/cart.cpp", CATCH, edits)).toEqual(bends);
});

test("a test that ctest does not run any more is gone [C40]", () => {
  const cmake = "add_executable(a a.cc)\nadd_test(NAME fast COMMAND a)\nadd_test(NAME slow COMMAND b)\n";
  expect(bendsOf("CMakeLists.txt", cmake, [["add_test(NAME slow COMMAND b)", "# slow"]])).toEqual(["tests_removed 3"]);
  expect(bendsOf("CMakeLists.txt", cmake, [["a.cc", "a.cc b.cc"]])).toEqual([]);
});
