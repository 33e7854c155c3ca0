import { expect, test } from "vitest";
import { bendsOf, type Edit } from "./bend-cases.ts";

const PYTEST = `import pytest
from unittest import mock

from shop.cart import Cart, total

LIMIT = 10


@pytest.fixture
def cart():
    return Cart(currency="EUR")


def test_adds(cart):
    """Adds an item."""
    cart.add("a", price=3)
    assert len(cart.items) == 1
    assert cart.items[0] == {"sku": "a", "price": 3}
    assert total(cart) == LIMIT - 7


class TestPrices:
    def test_refuses_negative(self, cart):
        with pytest.raises(ValueError, match="negative"):
            cart.add("a", price=-1)

    def test_tax(self, cart):
        assert total(cart, tax=0.19) == pytest.approx(3.57, rel=1e-6)

    @pytest.mark.timeout(5)
    @pytest.mark.parametrize("a, b, expected", [
        (1, 2, 3),
        (2, 2, 4),
        pytest.param(-1, 1, 0, id="zero"),
    ])
    def test_sums(self, a, b, expected):
        assert total(a, b) == expected


def test_is_known(cart):
    found = cart.find("a")
    assert found is not None and found.price == 3
    assert "a" in cart.skus()
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["items) == 1", "items) == 0"]], ["expectation_replaced 17"]],
  ["a field is another", [['"price": 3}', '"price": None}']], ["expectation_replaced 18"]],
  [
    "only that it is there",
    [['cart.items[0] == {"sku": "a", "price": 3}', "cart.items[0] is not None"]],
    ["matcher_loosened 18"],
  ],
  [
    "it may be nothing else",
    [["assert len(cart.items) == 1", "assert len(cart.items) == 1 or True"]],
    ["matcher_loosened 17"],
  ],
  ["anything is right", [["assert len(cart.items) == 1", "assert True"]], ["matcher_loosened 17"]],
  ["any error is right", [['ValueError, match="negative"', "Exception"]], ["matcher_loosened 24"]],
  ["a tolerance is wider", [["rel=1e-6", "rel=0.5"]], ["tolerance_widened 28"]],
  ["a tolerance is new", [["== LIMIT - 7", "== pytest.approx(3, abs=2)"]], ["tolerance_widened 19"]],
  ["a row is another", [["(2, 2, 4)", "(2, 2, 5)"]], ["expectation_replaced 33"]],
  ["a row is gone", [["        (2, 2, 4),\n", ""]], ["tests_removed 33"]],
  ["time is longer", [["timeout(5)", "timeout(500)"]], ["timeout_raised 30"]],
  ["a test is not called test", [["def test_adds", "def _test_adds"]], ["tests_removed 14"]],
  [
    "a test is a comment",
    [[/def test_adds[^]*?7\n/u, "# def test_adds(cart):\n#     assert total(cart) == 3\n"]],
    ["tests_removed 14"],
  ],
  [
    "a test is a text",
    [
      ["def test_adds", 'DRAFT = """\ndef test_adds'],
      ["LIMIT - 7\n", 'LIMIT - 7\n"""\n'],
    ],
    ["tests_removed 15"],
  ],
  [
    "a test is behind a branch",
    [["class TestPrices:", "if False:\n  class TestPrices:"]],
    ["tests_removed 24", "tests_removed 28", "tests_removed 37"],
  ],
  ["a test ends early", [['    cart.add("a", price=3)\n', "    return\n"]], ["fewer_assertions 17"]],
  ["a part of an assertion is gone", [[" and found.price == 3", ""]], ["fewer_assertions 42"]],
  [
    "the function is patched",
    [["def test_tax", '@mock.patch("shop.cart.total", return_value=3.57)\n    def test_tax']],
    ["unit_stubbed 27"],
  ],
  [
    "the function is made in the test",
    [["import Cart, total", "import Cart\n\n\ndef total(*args):\n    return 3"]],
    ["unit_stubbed 7"],
  ],
  [
    "a failure is caught",
    [
      [
        "    assert total(cart) == LIMIT - 7",
        "    try:\n        assert total(cart) == LIMIT - 7\n    except AssertionError:\n        pass",
      ],
    ],
    ["errors_swallowed 19"],
  ],
])("in a file of pytest: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("tests/test_cart.py", PYTEST, edits)).toEqual(bends);
});

test.each<[string, readonly Edit[]]>([
  [
    "quotes are others",
    [
      ['"EUR"', "'EUR'"],
      ['{"sku": "a", "price": 3}', "{'sku': 'a', 'price': 3}"],
    ],
  ],
  ["an assertion is added", [["LIMIT - 7\n", "LIMIT - 7\n    assert cart.total == 3\n"]]],
  ["an expectation has more", [['"price": 3}', '"price": 3, "count": 1}']]],
  ["a test is renamed", [["def test_adds", "def test_adds_items"]]],
  [
    "a fixture is renamed",
    [
      ["def test_adds(cart)", "def test_adds(basket)"],
      ['cart.add("a", price=3)', 'basket.add("a", price=3)'],
      ["cart.items)", "basket.items)"],
      ["cart.items[0]", "basket.items[0]"],
      ["assert total(cart) ==", "assert total(basket) =="],
    ],
  ],
  [
    "a test is added",
    [["def test_is_known", "def test_empty(cart):\n    assert cart.items == []\n\n\ndef test_is_known"]],
  ],
  ["a tolerance is stricter", [["rel=1e-6", "rel=1e-9"]]],
  [
    "lines are broken elsewhere",
    [['== {"sku": "a", "price": 3}', '== {\n        "sku": "a",\n        "price": 3,\n    }']],
  ],
  [
    "an assertion is two",
    [["assert found is not None and found.price == 3", "assert found is not None\n    assert found.price == 3"]],
  ],
  ["another function is patched", [["def test_tax", '@mock.patch("shop.rates.fetch")\n    def test_tax']]],
  [
    "a value has a name",
    [
      ["items) == 1", "items) == EXPECTED"],
      ["LIMIT = 10", "LIMIT = 10\nEXPECTED = 1"],
    ],
  ],
])("in a file of pytest: %s, and that is no bend [C41]", (_, edits) => {
  expect(bendsOf("tests/test_cart.py", PYTEST, edits)).toEqual([]);
});

const TWICE = `def test_doubles():
    assert double(1) == 2
    assert double(2) == 4
`;

test.each<[string, string, readonly string[]]>([
  ["all of them", "[(1, 2), (2, 4), (3, 6)]", []],
  ["some of them", "[(1, 2), (3, 6)]", ["fewer_assertions 3"]],
])("assertions that became rows of a table, %s [C41]", (_, rows, bends) => {
  const table = `@pytest.mark.parametrize("a, b", ${rows})\ndef test_doubles(a, b):\n    assert double(a) == b\n`;
  expect(bendsOf("tests/test_double.py", TWICE, [[TWICE, table]])).toEqual(bends);
});

const UNITTEST = `import unittest
from unittest.mock import patch
from shop import parse, ratio


class ParseTest(unittest.TestCase):
    def setUp(self):
        self.text = "a=1"

    def test_parses(self):
        self.assertEqual(parse(self.text), {"a": 1})
        self.assertTrue(parse("x=y") is not None)

    def test_ratio(self):
        self.assertAlmostEqual(ratio(1, 3), 0.333333, places=6)
        self.assertLess(abs(ratio(2, 3) - 0.666), 1e-3)

    def test_raises(self):
        with self.assertRaises(KeyError):
            parse(None)
        self.assertIsInstance(parse(""), dict)
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [['{"a": 1}', '{"a": 2}']], ["expectation_replaced 11"]],
  [
    "it is only true",
    [['assertEqual(parse(self.text), {"a": 1})', "assertTrue(parse(self.text))"]],
    ["matcher_loosened 11"],
  ],
  [
    "it is only there",
    [['assertEqual(parse(self.text), {"a": 1})', "assertIsNotNone(parse(self.text))"]],
    ["matcher_loosened 11"],
  ],
  ["places are fewer", [["places=6", "places=1"]], ["tolerance_widened 15"]],
  ["a bound is further out", [["1e-3)", "1)"]], ["tolerance_widened 16"]],
  ["any error is right", [["KeyError", "Exception"]], ["matcher_loosened 19"]],
  [
    "errors are right",
    [
      [
        "        with self.assertRaises(KeyError):\n            parse(None)\n",
        "        self.assertEqual(parse(None), {})\n",
      ],
    ],
    ["expectation_replaced 19"],
  ],
  ["it is not a test of the class", [["def test_ratio", "def check_ratio"]], ["tests_removed 14"]],
])("in a file of unittest: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("tests/test_parse.py", UNITTEST, edits)).toEqual(bends);
});

test("a move from unittest to pytest is no bend [C41]", () => {
  const pytest = `import pytest
from shop import parse, ratio


@pytest.fixture
def text():
    return "a=1"


def test_parses(text):
    assert parse(text) == {"a": 1}
    assert parse("x=y") is not None


def test_ratio():
    assert ratio(1, 3) == pytest.approx(0.333333, abs=1e-6)
    assert abs(ratio(2, 3) - 0.666) < 1e-3


def test_raises():
    with pytest.raises(KeyError):
        parse(None)
    assert isinstance(parse(""), dict)
`;
  expect(bendsOf("tests/test_parse.py", UNITTEST, [[/[^]*/u, pytest]])).toEqual([]);
});
