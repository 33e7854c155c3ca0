import type { Matchers } from "./matchers.ts";
import type { Syntax } from "./tokens.ts";

/** How tests are written in a language, as data; a table that can be added to. */
export interface Ecosystem {
  readonly files: RegExp;
  readonly syntax: Syntax;
  /** whether tests stand among other code, so that only what is in them counts */
  readonly mixed: boolean;
  /** what is indented belongs to the line before; else what is in braces does */
  readonly indented: boolean;
  readonly cases: CaseForms;
  /** assertions that are calls: `assertEqual(a, b)` */
  readonly calls: Matchers;
  /** what begins a sentence about its argument: `expect(a)` */
  readonly openers: ReadonlySet<string>;
  /** what begins a sentence about what stands before it: `a.Should()` */
  readonly suffixes: ReadonlySet<string>;
  /** how such a sentence goes on: `.toBe(b)`, `, is(b))`; the subject is not among the arguments */
  readonly matchers: Matchers;
  readonly negators: ReadonlySet<string>;
  /** `assert a == b`, without brackets */
  readonly keyword: string | null;
  /** `if a != b { t.Fatal() }`: what fails there */
  readonly failures: ReadonlySet<string>;
  /** whether many values other than true count as true, so that `toBeTruthy` holds less than `toBe(true)` */
  readonly looseTruth: boolean;
  /** what hides things from the tests */
  readonly stubs: ReadonlySet<string>;
  /** how long a test may take where nothing is said; null: as long as it likes, or nobody knows. Milliseconds. */
  readonly timeout: number | null;
  /** words that tell of an error to whoever called: `throw`, `raise` */
  readonly throwing: ReadonlySet<string>;
}

interface CaseForms {
  /** `it("adds", …)`, `TEST(Sum, Adds) {`, `it "adds" do` */
  readonly calls: ReadonlySet<string>;
  /** the word before a name that says it is a function: `def`, `func`; null: none does */
  readonly keywords: ReadonlySet<string>;
  /** how a function is named that is a test */
  readonly names: RegExp | null;
  /** what stands before a function that is a test: `@Test`, `[Fact]`, `#[test]` */
  readonly attributes: ReadonlySet<string>;
  /** what takes a table of cases, or gives one row of it: `each`, `parametrize`, `InlineData` */
  readonly tables: ReadonlySet<string>;
  readonly rows: ReadonlySet<string>;
}
