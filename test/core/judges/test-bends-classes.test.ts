import { expect, test } from "vitest";
import { bendsOf, type Edit } from "./bend-cases.ts";

const JUNIT = `package shop;

import static org.junit.jupiter.api.Assertions.*;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CartTest {
  private final Cart cart = new Cart("EUR");

  @Test
  void addsItems() {
    cart.add("a", 3);
    assertEquals(3, cart.total());
    assertThat(cart.items()).hasSize(1).containsExactly(new Item("a", 3));
  }

  @Test
  @Timeout(5)
  void refusesNegativePrices() {
    assertThrows(IllegalArgumentException.class, () -> cart.add("a", -1));
  }

  @Test
  void roundsTax() {
    assertEquals(3.57, cart.tax(0.19), 0.001);
    assertThat(cart.tax(0.07)).isCloseTo(3.21, within(0.01));
    assertThat(cart.name(), is(equalTo("EUR")));
    assertTrue(cart.isOpen());
  }

  @ParameterizedTest
  @CsvSource({
    "1,2,3",
    "2,2,4",
  })
  void sums(int a, int b, int sum) {
    assertEquals(sum, Cart.sum(a, b));
  }
}
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  [
    "a value is another",
    [["assertEquals(3, cart.total())", "assertEquals(0, cart.total())"]],
    ["expectation_replaced 16"],
  ],
  ["it is only there", [["assertEquals(3, cart.total())", "assertNotNull(cart.total())"]], ["matcher_loosened 16"]],
  ["a sentence says less", [['.containsExactly(new Item("a", 3))', ".isNotNull()"]], ["matcher_loosened 17"]],
  ["a sentence is shorter", [['.containsExactly(new Item("a", 3))', ""]], ["fewer_assertions 17"]],
  ["any error is right", [["IllegalArgumentException.class", "Exception.class"]], ["matcher_loosened 23"]],
  [
    "no error is right",
    [["assertThrows(IllegalArgumentException.class, ", "assertDoesNotThrow("]],
    ["expectation_replaced 23"],
  ],
  ["a delta is wider", [["0.001)", "1.0)"]], ["tolerance_widened 28"]],
  ["an offset is wider", [["within(0.01)", "within(5.0)"]], ["tolerance_widened 29"]],
  ["a matcher is another", [['is(equalTo("EUR"))', "is(notNullValue())"]], ["matcher_loosened 30"]],
  ["it is false", [["assertTrue(cart.isOpen())", "assertFalse(cart.isOpen())"]], ["expectation_replaced 31"]],
  ["a row is another", [['"2,2,4"', '"2,2,5"']], ["expectation_replaced 37"]],
  ["a row is gone", [['    "2,2,4",\n', ""]], ["tests_removed 37"]],
  ["a test may take longer", [["@Timeout(5)", "@Timeout(500)"]], ["timeout_raised 21"]],
  ["a method is no test any more", [["  @Test\n  void addsItems", "  void addsItems"]], ["tests_removed 13"]],
  ["the class is replaced", [['new Cart("EUR")', "mock(Cart.class)"]], ["unit_stubbed 11"]],
  [
    "a failure is caught",
    [["    assertEquals(3, cart.total());", "    try { assertEquals(3, cart.total()); } catch (Throwable e) { }"]],
    ["errors_swallowed 16"],
  ],
])("in a file of JUnit: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("src/test/java/shop/CartTest.java", JUNIT, edits)).toEqual(bends);
});

test.each<[string, readonly Edit[]]>([
  ["an assertion is a sentence", [["assertEquals(3, cart.total())", "assertThat(cart.total()).isEqualTo(3)"]]],
  ["truth is said in another way", [["assertTrue(cart.isOpen())", "assertEquals(true, cart.isOpen())"]]],
  ["a row is added", [['    "2,2,4",\n', '    "2,2,4",\n    "5,5,10",\n']]],
  ["a test is renamed", [["void addsItems", "void shouldAddItems"]]],
  ["another class is replaced", [['new Cart("EUR")', 'new Cart("EUR", mock(Rates.class))']]],
  [
    "an assertion is added",
    [["assertTrue(cart.isOpen());", "assertTrue(cart.isOpen());\n    assertNull(cart.error());"]],
  ],
])("in a file of JUnit: %s, and that is no bend [C41]", (_, edits) => {
  expect(bendsOf("src/test/java/shop/CartTest.java", JUNIT, edits)).toEqual([]);
});

const KOTLIN = `class CartSpec : FunSpec({
  test("adds items") {
    val cart = Cart()
    cart.add("a", 3)
    cart.total() shouldBe 3
    cart.items shouldContain "a"
    shouldThrow<IllegalArgumentException> { cart.add("a", -1) }
  }
})

class OtherTest {
  @Test
  fun \`sums two numbers\`() {
    assertEquals(4, sum(2, 2))
    assertFailsWith<ArithmeticException> { sum(Int.MAX_VALUE, 1) }
  }
}
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["shouldBe 3", "shouldBe 0"]], ["expectation_replaced 5"]],
  ["it is only there", [["cart.total() shouldBe 3", "cart.total().shouldNotBeNull()"]], ["matcher_loosened 5"]],
  [
    "an error is not asked for",
    [['    shouldThrow<IllegalArgumentException> { cart.add("a", -1) }\n', ""]],
    ["fewer_assertions 7"],
  ],
  ["a value of JUnit is another", [["assertEquals(4", "assertEquals(5"]], ["expectation_replaced 14"]],
  ["a test is a comment", [[/ {2}@Test\n {2}fun[^]*?\n {2}\}\n/u, "  // fun sums\n"]], ["tests_removed 13"]],
  [
    "a test is added",
    [["class OtherTest {", "class OtherTest {\n  @Test\n  fun none() { assertEquals(0, sum(0, 0)) }"]],
    [],
  ],
])("in a file of Kotlin: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("src/test/kotlin/CartTest.kt", KOTLIN, edits)).toEqual(bends);
});

const XUNIT = `public class CartTests
{
    [Fact]
    public void AddsItems()
    {
        var cart = new Cart("EUR");
        cart.Add("a", 3);
        Assert.Equal(3, cart.Total);
        cart.Items.Should().HaveCount(1);
        Assert.That(cart.Name, Is.EqualTo("EUR"));
    }

    [Fact]
    public async Task RefusesNegative()
    {
        await Assert.ThrowsAsync<ArgumentException>(() => new Cart().AddAsync("a", -1));
    }

    [Theory]
    [InlineData(1, 2, 3)]
    [InlineData(2, 2, 4)]
    public void Sums(int a, int b, int sum)
    {
        Assert.Equal(sum, Cart.Sum(a, b));
    }

    [Test, Timeout(1000)]
    public void Rounds()
    {
        Assert.Equal(3.57, Cart.Tax(3), 2);
        Assert.That(Cart.Tax(1), Is.EqualTo(1.19).Within(0.01));
        Assert.IsTrue(Cart.IsOpen);
    }
}
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["Equal(3, cart.Total)", "Equal(0, cart.Total)"]], ["expectation_replaced 8"]],
  ["it is only there", [["Equal(3, cart.Total)", "NotNull(cart.Total)"]], ["matcher_loosened 8"]],
  ["a sentence says another number", [["HaveCount(1)", "HaveCount(0)"]], ["expectation_replaced 9"]],
  ["a sentence says less", [["HaveCount(1)", "NotBeNull()"]], ["matcher_loosened 9"]],
  ["a constraint says less", [['Is.EqualTo("EUR")', "Is.Not.Null"]], ["matcher_loosened 10"]],
  ["any error is right", [["<ArgumentException>", "<Exception>"]], ["matcher_loosened 16"]],
  ["a row is another", [["[InlineData(2, 2, 4)]", "[InlineData(2, 2, 5)]"]], ["expectation_replaced 21"]],
  ["a row is gone", [["    [InlineData(2, 2, 4)]\n", ""]], ["tests_removed 21"]],
  ["digits are fewer", [["Tax(3), 2)", "Tax(3), 0)"]], ["tolerance_widened 30"]],
  ["a tolerance is wider", [["Within(0.01)", "Within(1.0)"]], ["tolerance_widened 31"]],
  ["a test may take longer", [["Timeout(1000)", "Timeout(100000)"]], ["timeout_raised 27"]],
  [
    "a test is left out",
    [
      ["    [Test, Timeout(1000)]", "#if false\n    [Test, Timeout(1000)]"],
      [/\}\n$/u, "#endif\n}\n"],
    ],
    ["tests_removed 29"],
  ],
  ["a row is added", [["    [InlineData(2, 2, 4)]\n", "    [InlineData(2, 2, 4)]\n    [InlineData(5, 5, 10)]\n"]], []],
  ["asserts are of MSTest", [["Assert.Equal(3, cart.Total)", "Assert.AreEqual(3, cart.Total)"]], []],
  ["the class is replaced", [['new Cart("EUR")', "new Mock<Cart>().Object"]], ["unit_stubbed 6"]],
])("in a file of xUnit and NUnit: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("tests/CartTests.cs", XUNIT, edits)).toEqual(bends);
});

const PHPUNIT = `<?php
use PHPUnit\\Framework\\TestCase;

final class CartTest extends TestCase
{
    public function testAdds(): void
    {
        $cart = new Cart('EUR');
        $cart->add('a', 3);
        $this->assertSame(3, $cart->total());
        self::assertCount(1, $cart->items());
    }

    public function testRefusesNegative(): void
    {
        $this->expectException(InvalidArgumentException::class);
        (new Cart())->add('a', -1);
    }

    #[Test]
    #[TestWith([1, 2, 3])]
    #[TestWith([2, 2, 4])]
    public function sums(int $a, int $b, int $sum): void
    {
        $this->assertEqualsWithDelta($sum, sum($a, $b), 0.001);
    }
}

it('has a name', function () {
    expect((new Cart())->name())->toBe('EUR');
});
`;

test.each<[string, readonly Edit[], readonly string[]]>([
  ["a value is another", [["assertSame(3,", "assertSame(0,"]], ["expectation_replaced 10"]],
  ["it is only there", [["assertSame(3, $cart->total())", "assertNotNull($cart->total())"]], ["matcher_loosened 10"]],
  ["any error is right", [["InvalidArgumentException::class", "Exception::class"]], ["matcher_loosened 16"]],
  ["a delta is wider", [["0.001", "1.0"]], ["tolerance_widened 25"]],
  ["a row is another", [["[2, 2, 4]", "[2, 2, 5]"]], ["expectation_replaced 22"]],
  ["a value of Pest is another", [["toBe('EUR')", "toBe('USD')"]], ["expectation_replaced 30"]],
  ["a value of Pest is any", [["toBe('EUR')", "toBeTruthy()"]], ["matcher_loosened 30"]],
  ["a method is no test", [["function testAdds", "function adds"]], ["tests_removed 6"]],
  ["the class is replaced", [["new Cart('EUR')", "$this->createMock(Cart::class)"]], ["unit_stubbed 8"]],
  ["quotes are others", [["toBe('EUR')", 'toBe("EUR")']], []],
  ["an assertion is added", [["items());", "items());\n        self::assertSame('EUR', $cart->name());"]], []],
])("in a file of PHPUnit and Pest: %s [C40]", (_, edits, bends) => {
  expect(bendsOf("tests/CartTest.php", PHPUNIT, edits)).toEqual(bends);
});
