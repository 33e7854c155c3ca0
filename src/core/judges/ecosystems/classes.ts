import type { Ecosystem } from "../tests/ecosystem.ts";
import { matcherTable, wordSet } from "../tests/matchers.ts";
import { LINES, ONE_LINE, quoted, RAW, SLASHES } from "./syntax.ts";

const NONE: ReadonlySet<string> = new Set();

/** JUnit, TestNG, AssertJ, Hamcrest, Truth, Kotest, kotlin.test, Spock, ScalaTest */
export const jvm: Ecosystem = {
  files: /\.(?:java|kts?|groovy|scala)$/u,
  syntax: { ...SLASHES, strings: [quoted('"""', LINES), quoted('"', ONE_LINE), quoted("`", ONE_LINE)] },
  mixed: false,
  indented: false,
  cases: {
    calls: wordSet("test should it expect scenario xtest xshould"),
    keywords: wordSet("void fun def"),
    names: /^test[A-Z_]/u,
    attributes: wordSet("Test ParameterizedTest RepeatedTest TestFactory TestTemplate Property"),
    tables: wordSet("withData CsvSource ValueSource"),
    rows: wordSet("CsvSource row"),
  },
  calls: matcherTable(`
    assertEquals assertSame assertArrayEquals assertIterableEquals assertLinesMatch assertContentEquals = eq 1 0 2
    assertNotEquals assertNotSame = !eq 1 0
    assertTrue check = cond 0
    assertFalse = !cond 0
    assertNull = eq 0 'null'
    assertNotNull = some 0
    assertContains = contains 0 1
    assertInstanceOf assertIs = type 1 0
    assertThrows assertThrowsExactly assertFailsWith assertFails shouldThrow = throws - 0
    assertDoesNotThrow shouldNotThrow = !throws 0
    verify = other 0 1
    thrown = throws - 0
  `),
  openers: wordSet("assertThat assertThatThrownBy assertThatCode assertThatExceptionOfType then"),
  suffixes: wordSet(
    "shouldBe shouldNotBe shouldContain shouldMatch shouldEqual shouldHaveSize shouldNotBeNull mustBe mustEqual",
  ),
  matchers: matcherTable(`
    isEqualTo isSameAs equalTo containsExactly containsExactlyInOrder hasToString isEqualByComparingTo = eq - 0
    containsExactlyInAnyOrder contentEquals sameInstance shouldBe shouldEqual mustBe mustEqual = eq - 0
    isNotEqualTo shouldNotBe = !eq - 0
    isNull nullValue = eq - 'null'
    isTrue = eq - 'true'
    isFalse = eq - 'false'
    isNotNull notNullValue isPresent isNotEmpty shouldNotBeNull = some
    isEmpty = length - '0'
    hasSize hasLength shouldHaveSize = length - 0
    contains containsEntry containsKey hasItem hasItems containsString startsWith shouldContain hasFieldOrPropertyWithValue = contains - 0
    matches shouldMatch matchesPattern containsPattern = matches - 0
    isCloseTo closeTo plusOrMinus isWithin = approx - 0 1
    of = within - 0
    isGreaterThan isGreaterThanOrEqualTo greaterThan isAtLeast = more - 0
    isLessThan isLessThanOrEqualTo lessThan isAtMost = less - 0
    isInstanceOf isExactlyInstanceOf instanceOf = type - 0
    hasMessage hasMessageContaining isThrownBy = throws - 0
  `),
  negators: wordSet("not isNot doesNot"),
  keyword: "assert",
  failures: NONE,
  looseTruth: false,
  stubs: wordSet("mock spy mockk spyk Mock Spy MockBean when doReturn every"),
  timeout: null,
  throwing: wordSet("throw"),
};

/** xUnit, NUnit, MSTest, FluentAssertions, Shouldly */
export const dotnet: Ecosystem = {
  files: /\.(?:cs|fs|vb)$/u,
  syntax: {
    ...SLASHES,
    blocks: [
      ["/*", "*/"],
      ["#if false", "#endif"],
    ],
    strings: [quoted('"""', RAW), { open: '@"', close: '"', escapes: false, oneLine: false }, quoted('"', ONE_LINE)],
  },
  mixed: false,
  indented: false,
  cases: {
    calls: NONE,
    keywords: wordSet("void Task"),
    names: null,
    attributes: wordSet("Fact Theory Test TestMethod TestCase DataTestMethod SkippableFact"),
    tables: NONE,
    rows: wordSet("InlineData TestCase DataRow"),
  },
  calls: matcherTable(`
    Assert.Equal Assert.AreEqual Assert.Same Assert.AreSame Assert.StrictEqual CollectionAssert.AreEqual = eq 1 0 2d
    CollectionAssert.AreEquivalent Assert.Equivalent StringAssert.AreEqualIgnoringCase = eq 1 0
    Assert.NotEqual Assert.AreNotEqual = !eq 1 0
    Assert.True Assert.IsTrue = cond 0
    Assert.False Assert.IsFalse = !cond 0
    Assert.Null Assert.IsNull = eq 0 'null'
    Assert.NotNull Assert.IsNotNull Assert.NotEmpty Assert.IsNotEmpty = some 0
    Assert.Empty Assert.IsEmpty = length 0 '0'
    Assert.Contains StringAssert.Contains CollectionAssert.Contains Assert.StartsWith = contains 1 0
    Assert.DoesNotContain = !contains 1 0
    Assert.Matches StringAssert.Matches = matches 1 0
    Assert.InRange = other 0 1
    Assert.IsType Assert.IsAssignableFrom Assert.IsInstanceOf Assert.IsInstanceOfType = type 0 1
    Assert.Throws Assert.ThrowsAsync Assert.ThrowsException Assert.ThrowsExactly Assert.ThrowsAny = throws 0 1
    Assert.DoesNotThrow = !throws 0
    Assert.Single = length 0 '1'
    Assert.Greater Assert.GreaterOrEqual = more 0 1
    Assert.Less Assert.LessOrEqual = less 0 1
    Verify VerifyJson = snapshot 0
  `),
  openers: wordSet("Assert.That"),
  suffixes: wordSet("Should ShouldBe ShouldNotBeNull ShouldContain ShouldBeTrue ShouldThrow"),
  matchers: matcherTable(`
    Be BeEquivalentTo Equal EqualTo SameAs BeSameAs EquivalentTo ShouldBe = eq - 0
    NotBe = !eq - 0
    BeNull Null = eq - 'null'
    BeTrue True ShouldBeTrue = eq - 'true'
    BeFalse False = eq - 'false'
    NotBeNull NotBeEmpty ShouldNotBeNull NotNull = some
    BeEmpty Empty = length - '0'
    HaveCount HaveLength Count = length - 0
    Contain ContainKey StartWith ContainEquivalentOf Member ShouldContain Contains = contains - 0
    Match MatchRegex = matches - 0
    BeApproximately = approx - 0 1
    Within = within - - 0
    BeGreaterThan BeGreaterThanOrEqualTo GreaterThan AtLeast = more - 0
    BeLessThan BeLessThanOrEqualTo LessThan AtMost = less - 0
    BeOfType BeAssignableTo InstanceOf TypeOf = type - 0
    Throw ThrowAsync ThrowExactly Throws ShouldThrow = throws - 0
    NotThrow NotThrowAsync = !throws
  `),
  negators: wordSet("Not No"),
  keyword: null,
  failures: NONE,
  looseTruth: false,
  stubs: wordSet("Mock For Setup Returns"),
  timeout: null,
  throwing: wordSet("throw"),
};

/** PHPUnit, Pest */
export const php: Ecosystem = {
  files: /\.php$/u,
  syntax: { ...SLASHES, comment: /\/\/.*|#(?!\[).*/uy, strings: [quoted('"', LINES), quoted("'", LINES)] },
  mixed: false,
  indented: false,
  cases: {
    calls: wordSet("it test"),
    keywords: wordSet("function"),
    names: /^test/u,
    attributes: wordSet("Test DataProvider"),
    tables: wordSet("with dataset"),
    rows: wordSet("TestWith"),
  },
  calls: matcherTable(`
    assertEquals assertSame assertEqualsCanonicalizing assertJsonStringEqualsJsonString assertXmlStringEqualsXmlString = eq 1 0
    assertNotEquals assertNotSame = !eq 1 0
    assertTrue = cond 0
    assertFalse = !cond 0
    assertNull = eq 0 'null'
    assertNotNull assertNotEmpty = some 0
    assertEmpty = length 0 '0'
    assertCount = length 1 0
    assertContains assertStringContainsString assertArrayHasKey assertStringStartsWith = contains 1 0
    assertNotContains assertStringNotContainsString = !contains 1 0
    assertMatchesRegularExpression assertStringMatchesFormat = matches 1 0
    assertEqualsWithDelta = approx 1 0 2
    assertGreaterThan assertGreaterThanOrEqual = more 1 0
    assertLessThan assertLessThanOrEqual = less 1 0
    assertInstanceOf = type 1 0
    assertIsArray assertIsString assertIsInt assertIsBool assertIsObject = type 0
    expectException expectExceptionMessage expectExceptionCode = throws - 0
    assertMatchesSnapshot assertMatchesJsonSnapshot = snapshot 0
  `),
  openers: wordSet("expect"),
  suffixes: NONE,
  matchers: matcherTable(`
    toBe toEqual toEqualCanonicalizing = eq - 0
    toBeNull = eq - 'null'
    toBeTrue = eq - 'true'
    toBeFalse = eq - 'false'
    toBeTruthy = truthy
    toBeEmpty = length - '0'
    toHaveCount toHaveLength = length - 0
    toContain toHaveKey toMatchArray toStartWith toHaveProperty = contains - 0
    toMatch = matches - 0
    toEqualWithDelta = approx - 0 1
    toBeGreaterThan toBeGreaterThanOrEqual = more - 0
    toBeLessThan toBeLessThanOrEqual = less - 0
    toBeInstanceOf = type - 0
    toThrow = throws - 0
  `),
  negators: wordSet("not"),
  keyword: null,
  failures: NONE,
  looseTruth: false,
  stubs: wordSet("createMock createPartialMock getMockBuilder createStub mock spy partialMock"),
  timeout: null,
  throwing: wordSet("throw"),
};
