import { expect, test } from "vitest";
import { bendsOf, type Edit } from "./bend-cases.ts";

const RSPEC = `require "cart"

RSpec.describe Cart do
  subject(:cart) { described_class.new("EUR") }

  it "adds items" do
    cart.add("a", 3)
    expect(cart.total).to eq(3)
    expect(cart.items).to contain_exactly("a")
  end

  it "refuses negative prices" do
    expect { cart.add("a", -1) }.to raise_error(ArgumentError, /negative/)
  end

  it "rounds the tax" do
    expect(cart.tax(0.19)).to be_within(0.01).of(3.57)
    expect(cart.size).to be > 2
    expect(cart).to be_open
  end

  [[1, 2, 3], [2, 2, 4]].each do |a, b, sum|
    it "sums" do
      expect(Cart.sum(a, b)).to eq sum
    end
  end

  it { is_expected.to eq "EUR" }
end
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["eq(3)", "eq(0)"]], ["expectation_replaced 8"]],
  ["it is only true", [["to eq(3)", "to be_truthy"]], ["matcher_loosened 8"]],
  ["it is only there", [["to eq(3)", "not_to be_nil"]], ["matcher_loosened 8"]],
  ["a part is enough", [['contain_exactly("a")', 'include("a")']], ["matcher_loosened 9"]],
  ["any error is right", [["raise_error(ArgumentError, /negative/)", "raise_error"]], ["matcher_loosened 13"]],
  [
    "no error is right",
    [["to raise_error(ArgumentError, /negative/)", "not_to raise_error"]],
    ["expectation_replaced 13"],
  ],
  ["a tolerance is wider", [["be_within(0.01)", "be_within(10)"]], ["tolerance_widened 17"]],
  ["a bound is further out", [["be > 2", "be > 0"]], ["tolerance_widened 18"]],
  ["a row is another", [["[2, 2, 4]", "[2, 2, 5]"]], ["expectation_replaced 22"]],
  [
    "a test is a comment",
    [[/ {2}it "refuses[^]*? {2}end\n/u, '  # it "refuses negative prices" do\n']],
    ["tests_removed 12"],
  ],
  ["a test ends early", [['    cart.add("a", 3)\n', "    return\n"]], ["fewer_assertions 8"]],
  ["an assertion is gone", [["    expect(cart).to be_open\n", ""]], ["fewer_assertions 19"]],
  [
    "the method is replaced",
    [["    expect(cart.tax", "    allow(cart).to receive(:tax).and_return(3.57)\n    expect(cart.tax"]],
    ["unit_stubbed 17"],
  ],
  ["a failure is caught", [["to eq(3)", "to eq(3) rescue nil"]], ["errors_swallowed 8"]],
])("in a file of rspec: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("spec/cart_spec.rb", RSPEC, edits)).toEqual(bends);
});

test.each<[string, readonly Edit[]]>([
  [
    "quotes are others",
    [
      ['it "adds items"', "it 'adds items'"],
      ['"EUR"', "'EUR'"],
    ],
  ],
  ["brackets are others", [["to eq(3)", "to eq 3"]]],
  ["a test is renamed", [["refuses negative prices", "raises on negative prices"]]],
  ["an assertion is added", [["to eq(3)\n", "to eq(3)\n    expect(cart.size).to eq(1)\n"]]],
  ["another method is replaced", [["    expect(cart.tax", "    allow(rates).to receive(:fetch)\n    expect(cart.tax"]]],
  [
    "it is stricter",
    [
      ["be > 2", "be > 3"],
      ["be_within(0.01)", "be_within(0.001)"],
    ],
  ],
])("in a file of rspec: %s, and that is no bend [C41]", (_, edits) => {
  expect(bendsOf("spec/cart_spec.rb", RSPEC, edits)).toEqual([]);
});

const MINITEST = `require "test_helper"

class CartTest < Minitest::Test
  def test_adds
    cart = Cart.new
    cart.add("a", 3)
    assert_equal 3, cart.total
    assert_includes cart.items, "a"
    refute_nil cart.find("a")
  end

  def test_refuses_negative
    assert_raises(ArgumentError) { Cart.new.add("a", -1) }
    assert_in_delta 3.57, Cart.new.tax(3), 0.001
  end

  test "sums" do
    assert_equal 4, Cart.sum(2, 2), "sums"
  end
end
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["assert_equal 3,", "assert_equal 0,"]], ["expectation_replaced 7"]],
  ["it is only true", [["assert_equal 3, cart.total", "assert cart.total"]], ["matcher_loosened 7"]],
  ["it is only there", [["assert_equal 3, cart.total", "refute_nil cart.total"]], ["matcher_loosened 7"]],
  ["any error is right", [["ArgumentError", "StandardError"]], ["matcher_loosened 13"]],
  ["a delta is wider", [["0.001", "1"]], ["tolerance_widened 14"]],
  ["a method is no test", [["def test_adds", "def adds"]], ["tests_removed 4"]],
  ["a block is no test", [[/ {2}test "sums"[^]*? {2}end\n/u, ""]], ["tests_removed 17"]],
  [
    "a move to rspec",
    [
      [
        /[^]*/u,
        `RSpec.describe Cart do
  it "adds" do
    cart = Cart.new
    cart.add("a", 3)
    expect(cart.total).to eq(3)
    expect(cart.items).to include("a")
    expect(cart.find("a")).not_to be_nil
  end

  it "refuses negative" do
    expect { Cart.new.add("a", -1) }.to raise_error(ArgumentError)
    expect(Cart.new.tax(3)).to be_within(0.001).of(3.57)
  end

  it "sums" do
    expect(Cart.sum(2, 2)).to eq(4)
  end
end
`,
      ],
    ],
    [],
  ],
])("in a file of minitest: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("test/cart_test.rb", MINITEST, edits)).toEqual(bends);
});
