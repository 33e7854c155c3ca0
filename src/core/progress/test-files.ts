import { z } from "zod";
import { count, type Stored } from "../schema.ts";
import { holdsTests, isInstalled, isTestPath } from "./test-paths.ts";

/**
 * What role a file has for the checks.
 *
 * - `test`: it holds tests
 * - `mixed`: it may hold tests among other code, as in Rust
 * - `support`: tests are made from it: fixtures, snapshots, helpers
 * - `script`: a check runs or reads it
 */
const role = z.enum(["test", "mixed", "support", "script"]);
type TestFileRole = Stored<typeof role>;

/** What is found in a file that holds tests. */
const marks = z.object({
  /** how often the file has each marker that keeps tests from running: `it.skip`, `@pytest.mark.skip`, `#[ignore` */
  skips: z.record(z.string(), count),
  /** tests among other code; 0 when tests have files of their own */
  tests: count,
});
export type TestMarks = Stored<typeof marks>;

/** A file that has a say in what the checks find. */
const testFile = z.looseObject({
  /** relative to the workspace, with slashes */
  path: z.string(),
  role,
  bytes: count,
  /** git's name for the content */
  blob: z.string(),
  /** null: it was not read */
  marks: marks.nullable(),
});
export type TestFile = Stored<typeof testFile>;

/** The files that have a say in what the checks find, as one work tree has them. */
export const testListing = z.object({
  files: z.array(testFile),
  /** whether these are all; others are not known */
  complete: z.boolean(),
});
export type TestListing = Stored<typeof testListing>;

export interface TestQuery {
  /** paths that count as scripts of the checks where they are files */
  readonly scripts: readonly string[];
  /** what is known of contents, by blob; they need not be read again */
  readonly known: ReadonlyMap<string, TestMarks>;
}

/** What role a file has for the checks; null: none. */
export function roleOf(path: string, scripts: ReadonlySet<string>): TestFileRole | null {
  if (holdsTests(path)) return "test";
  if (mixesTests(path) && !isInstalled(path)) return "mixed";
  if (isTestPath(path)) return "support";
  return scripts.has(path) ? "script" : null;
}

/** Whether a file of this role has to be read, because knowing that it changed is not enough. */
export function isRead(role: TestFileRole): boolean {
  return role === "test" || role === "mixed";
}

interface Language {
  readonly files: RegExp;
  readonly marker: RegExp;
  /** how a test begins in a language whose tests are among other code */
  readonly test?: RegExp;
}

const LANGUAGES: readonly Language[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/u,
    // `only` keeps all others from running. `fit` is also what models and maps do, and `todo` is also what a list holds.
    marker:
      /\b(?:it|test|describe|suite|context|specify)(?:\.\w{1,20}){0,3}\.(?:skip|skipIf|runIf|todo|fixme|only|fails|failing)\b|\bif ?\((?:false|0|!?process\.env\b[^)]{0,80})\) ?(?=return\b|expect\b|assert\b)|(?<![.\w$])(?:[xf](?:test|describe|context|specify)|xit|fit(?= ?\(["'`])) ?\(|\b(?:t|ctx|context|this)\.(?:skip|todo)\(|\b(?:skip|todo)(?<=\b(?:it|test|describe|suite)\(["'`](?:(?!=>)[^{]){1,200}["'`], ?\{[^{}]{0,200}): ?(?:true|["'`])/u,
  },
  {
    files: /\.py$/u,
    marker:
      /@(?:pytest\.mark\.(?:skip|skipif|xfail)|(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure))\b|\bpytest\.(?:skip|xfail|importorskip)\(|\bself\.skipTest\(|\braise (?:unittest\.)?SkipTest\b|\bpytestmark ?= ?pytest\.mark\.(?:skip|xfail)\b/u,
  },
  { files: /\.go$/u, marker: /\b[tbf]\.(?:Skip|Skipf|SkipNow)\(/u },
  {
    files: /\.rs$/u,
    marker: /#\[(?:ignore\b|cfg_attr\([^\]]{0,200}\bignore\b)/u,
    test: /#\[(?:\w{1,40}::){0,3}(?:test|rstest|test_case|quickcheck|proptest)\b/u,
  },
  {
    files: /\.(?:java|kts?|groovy|scala)$/u,
    marker:
      /@(?:Disabled\w{0,40}|Ignore)\b|\bpendingUntilFixed\b|\b(?:assume(?:True|False|That|NotNull|NoException)|Assumptions\.abort)\(/u,
  },
  { files: /\.(?:cs|fs|vb)$/u, marker: /\[(?:Ignore|Explicit)\b|\bSkip ?= ?"|\bAssert\.(?:Ignore|Inconclusive)\(/u },
  {
    files: /\.rb$/u,
    marker:
      /^ *(?:skip|pending)\b(?! *[=.,:<&|)\]])|\bx(?:it|describe|context|specify)\b|\b(?:skip|pending)(?<=\b(?:it|describe|context|specify|example)\b[^{]{0,300}): ?(?:true|["'])/u,
  },
  { files: /\.php$/u, marker: /\bmarkTest(?:Skipped|Incomplete)\(|->(?:skip|todo)\((?! ?[\d$])/u },
  {
    files: /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx)$/u,
    marker: /\bTEST(?:_[FP])?\([^)]{0,200}\bDISABLED_|\bGTEST_SKIP\(|\bTEST_CASE\([^)]{0,200}"\[\.|\bdoctest::skip\(/u,
  },
  { files: /\.swift$/u, marker: /\bXCTSkip\w{0,20}\b|[(,] ?\.disabled\(/u },
  { files: /\.exs?$/u, marker: /@(?:module)?(?:tag|describetag) (?::skip|skip:)/u },
];

const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\[)|--)/u;
const LINE_LIMIT = 2_000;

/** Whether a language keeps its tests among other code, so that any of its files may hold some. */
export function mixesTests(path: string): boolean {
  return LANGUAGES.some(({ files, test }) => test !== undefined && files.test(path));
}

/**
 * Finds what keeps tests from running, and tests among other code. Takes time linear in the length.
 *
 * @param path relative to the workspace, with slashes; tells the language
 */
export function testMarks(path: string, content: string): TestMarks {
  const language = LANGUAGES.find(({ files }) => files.test(path));
  if (language === undefined || !(language.test !== undefined || isTestPath(path))) return { skips: {}, tests: 0 };
  const skips = new Map<string, number>();
  let tests = 0;
  for (const whole of content.split("\n")) {
    const line = whole.slice(0, LINE_LIMIT);
    if (COMMENT.test(line)) continue;
    const marker = language.marker.exec(line)?.[0].trim();
    if (marker !== undefined) skips.set(marker, (skips.get(marker) ?? 0) + 1);
    if (language.test?.test(line) === true) tests += 1;
  }
  return { skips: Object.fromEntries(skips), tests };
}
