import type { BendKind } from "../bend.ts";
import type { Fact } from "./fact.ts";

/** Words in a line that switch a rule off for the code beside them. */
interface Directive {
  readonly files: RegExp;
  /** the directive, and in the group `rules` what it is about */
  readonly words: RegExp;
  readonly name: string;
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/u;
const PYTHON = /\.pyi?$/u;
const JVM = /\.(?:java|kts?|groovy|scala)$/u;
const DOTNET = /\.(?:cs|fs|vb|razor)$/u;
const C = /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|cu)$/u;
const RULES = String.raw`(?<rules>[\w@/.:-]{1,200}(?:, ?[\w@/.:-]{1,200}){0,20})?`;

const directive = (name: string, files: RegExp, words: string): Directive => ({
  name,
  files,
  words: new RegExp(words, "u"),
});

/** By ecosystem. A new one is a new line here. */
const DIRECTIVES: readonly Directive[] = [
  directive(
    "eslint-disable",
    SCRIPT,
    String.raw`\b(?:eslint|oxlint|tslint)[-:]disable(?:-next-line|-line|:next-line)?\b:? ?${RULES}`,
  ),
  directive(
    "eslint-config",
    SCRIPT,
    String.raw`/\*\s{0,9}eslint\s{1,9}(?<rules>[\w@/-]{1,100})\s{0,9}:\s{0,9}\[?["']?(?:off|0|warn|1)\b`,
  ),
  directive("biome-ignore", SCRIPT, String.raw`\bbiome-ignore(?:-all|-start)? ?${RULES}`),
  directive("ts-ignore", SCRIPT, String.raw`(?://|/?\*)\s{0,9}@ts-(?:ignore|expect-error|nocheck)\b`),
  directive("flow-ignore", SCRIPT, String.raw`\$Flow(?:FixMe|Ignore|ExpectedError)\b`),
  directive(
    "coverage-ignore",
    SCRIPT,
    String.raw`/[/*]\s{0,9}(?:istanbul|c8|v8|node:coverage)\s{1,9}(?:ignore|disable)\b`,
  ),
  directive("stryker", SCRIPT, String.raw`\bStryker disable\b`),
  directive("deno-lint-ignore", SCRIPT, String.raw`\bdeno-lint-ignore(?:-file)? ?${RULES}`),
  directive(
    "stylelint-disable",
    /\.(?:css|scss|sass|less|vue|svelte)$/u,
    String.raw`\bstylelint-disable(?:-next-line|-line)? ?${RULES}`,
  ),
  directive("noqa", PYTHON, String.raw`#\s{0,9}(?:ruff: ?|flake8: ?)?noqa\b(?:: ?)?${RULES}`),
  directive(
    "type: ignore",
    PYTHON,
    String.raw`#\s{0,9}(?:type|pyright|mypy|pyre|ty): ?(?:ignore(?:-errors)?|basic|fixme)\b(?:\[(?<rules>[\w, -]{1,200})\])?`,
  ),
  directive("pylint", PYTHON, String.raw`#\s{0,9}pylint: ?(?:disable(?:-next)?|skip-file) ?=? ?${RULES}`),
  directive("no cover", PYTHON, String.raw`#\s{0,9}pragma: ?no (?:cover|branch|mutate)\b`),
  directive("nosec", PYTHON, String.raw`#\s{0,9}nosec\b ?${RULES}`),
  directive("fmt: off", PYTHON, String.raw`#\s{0,9}(?:fmt|yapf|isort): ?(?:off|skip|skip_file|disable)\b`),
  directive("nolint", /\.go$/u, String.raw`//\s?nolint\b(?:: ?)?${RULES}`),
  directive(
    "lint:ignore",
    /\.go$/u,
    String.raw`//(?:lint:(?:file-)?ignore|revive:disable|#nosec|exhaustive:ignore)(?:\S{0,40}) ?${RULES}`,
  ),
  directive(
    "allow",
    /\.rs$/u,
    String.raw`#!?\[(?:cfg_attr\([^\]]{1,100}, ?)?(?:allow|expect)\((?<rules>[\w:, ]{1,200})`,
  ),
  directive(
    "coverage(off)",
    /\.rs$/u,
    String.raw`#!?\[(?:cfg_attr\([^\]]{1,100}, ?)?(?:coverage\(off\)|no_coverage|tarpaulin::skip|mutants::skip)`,
  ),
  directive(
    "rubocop",
    /\.(?:rb|rake|gemspec)$/u,
    String.raw`#\s{0,9}(?:rubocop|standard): ?(?:disable|todo)\b ?(?<rules>[\w/, ]{1,200})?`,
  ),
  directive("nocov", /\.rb$/u, String.raw`#\s{0,9}:nocov:`),
  directive("sorbet", /\.rb$/u, String.raw`^# typed: (?:ignore|false)\b`),
  directive("phpstan", /\.php$/u, String.raw`@phpstan-ignore(?:-next-line|-line)? ?${RULES}`),
  directive("psalm", /\.php$/u, String.raw`@psalm-suppress ${RULES}`),
  directive(
    "phpcs",
    /\.php$/u,
    String.raw`(?:phpcs: ?(?:ignore|disable|ignoreFile)|@codingStandardsIgnore\w{1,9})\b ?${RULES}`,
  ),
  directive("codeCoverageIgnore", /\.php$/u, String.raw`@(?:codeCoverageIgnore|infection-ignore-all)\w{0,9}`),
  directive(
    "SuppressWarnings",
    JVM,
    String.raw`@(?:file:)?(?:SuppressWarnings|Suppress|SuppressLint|SuppressFBWarnings)\s{0,9}\(\s{0,9}\{?\s{0,9}(?<rules>[^)]{1,200})`,
  ),
  directive(
    "NOPMD",
    JVM,
    String.raw`//\s{0,9}(?:NOPMD|NOSONAR|CHECKSTYLE[:.]OFF|ktlint-disable|noinspection)\b ?${RULES}`,
  ),
  directive("pragma warning", DOTNET, String.raw`#pragma warning disable\b ?${RULES}|#nowarn\b ?(?<codes>.{0,100})`),
  directive("SuppressMessage", DOTNET, String.raw`\[(?:assembly: ?)?(?:SuppressMessage|ExcludeFromCodeCoverage)\b`),
  directive("nullable", DOTNET, String.raw`^\s{0,99}#nullable disable\b`),
  directive("NOLINT", C, String.raw`//\s{0,9}NOLINT(?:NEXTLINE|BEGIN)?\b(?:\((?<rules>[^)]{1,200})\))?`),
  directive(
    "diagnostic ignored",
    C,
    String.raw`#pragma (?:GCC|clang) diagnostic ignored (?<rules>"[^"]{1,100}")|#pragma warning ?\( ?disable\b`,
  ),
  directive("LCOV_EXCL", C, String.raw`\b(?:LCOV|GCOVR)_EXCL_(?:LINE|START|BR_LINE)\b`),
  directive("swiftlint", /\.swift$/u, String.raw`\bswiftlint:disable(?::next|:this|:previous)?\b ?${RULES}`),
  directive("credo", /\.exs?$/u, String.raw`#\s{0,9}(?:credo:disable-for-|sobelow_skip|coveralls-ignore)(?:\S{0,40})`),
  directive("dart-ignore", /\.dart$/u, String.raw`//\s{0,9}ignore(?:_for_file)?: ?${RULES}`),
  directive("shellcheck", /\.(?:sh|bash|bats|ksh)$|(?:^|\/)[^./]+$/u, String.raw`#\s{0,9}shellcheck disable=${RULES}`),
  directive("hadolint", /(?:^|\/)Dockerfile[^/]*$/u, String.raw`#\s{0,9}hadolint (?:global )?ignore=${RULES}`),
  directive("yamllint", /\.ya?ml$/u, String.raw`#\s{0,9}yamllint disable(?:-line|-file)?\b ?(?<rules>[\w: -]{1,200})?`),
  directive("prettier-ignore", SCRIPT, String.raw`(?://|/\*)\s{0,9}(?:prettier|oxfmt|biome-format)-ignore\b`),
];

/** Words in code or configuration that keep tests from running, or hide what they found. */
interface Hook {
  readonly kind: BendKind;
  readonly files: RegExp;
  readonly words: RegExp;
}

const CONFTEST = /(?:^|\/)conftest\.py$/u;
const TEST_SET_UP = /(?:^|\/)[^/]*(?:setup|config|global|runner|karma|jest|vitest|mocha|test)[^/]*\.[cm]?[jt]s$/iu;
const CMAKE = /(?:CMakeLists\.txt|\.cmake)$/u;

/** A new one is a new line here. */
const HOOKS: readonly Hook[] = [
  { kind: "tests_excluded", files: CONFTEST, words: /\bdef pytest_(?:ignore_collect|deselected|collect_file)\b/u },
  {
    kind: "tests_excluded",
    files: CONFTEST,
    words: /\.add_marker\(\s{0,9}(?:pytest\.mark\.)?(?:skip|xfail|\w{0,20}skip)/u,
  },
  {
    kind: "tests_excluded",
    files: CONFTEST,
    words: /^\s{0,99}items\[:\] ?=|\bdeselected\b|\bitems\.(?:clear|remove|pop)\(/u,
  },
  {
    kind: "cannot_fail",
    files: CONFTEST,
    words: /\bexitstatus ?= ?(?:0|pytest\.ExitCode\.OK)|\bos\._exit\(0\)|\bpytest\.exit\(.{0,100}returncode ?= ?0/u,
  },
  {
    kind: "cannot_fail",
    files: CONFTEST,
    words: /\b(?:report|rep|outcome)\.(?:outcome|passed) ?= ?(?:"passed"|'passed'|True)/u,
  },
  {
    kind: "cannot_fail",
    files: /\.py$/u,
    words: /^(?:sys\.exit\(0\)|os\._exit\(0\)|exit\(0\)|quit\(0?\))|\bsuccess_codes ?= ?\[/u,
  },
  {
    kind: "cannot_fail",
    files: TEST_SET_UP,
    words: /\bprocess\.exitCode ?= ?0\b|^(?:\}\);?)?\s{0,9}process\.exit\(0?\)/u,
  },
  {
    kind: "cannot_fail",
    files: TEST_SET_UP,
    words: /\bprocess\.on\(["'`](?:uncaughtException|unhandledRejection)["'`], ?\(\w{0,20}\) ?=> ?\{\s{0,9}\}/u,
  },
  {
    kind: "cannot_fail",
    files: /\.rb$|Rakefile$/u,
    words: /\bat_exit\b.{0,60}\bexit!?[ (]0|^\s{0,9}exit!?[ (]0|\bfail_on_error ?= ?false/u,
  },
  {
    kind: "tests_excluded",
    files: /(?:^|\/)(?:spec|rails|test)_helper\.rb$|(?:^|\/)spec\/support\/.*\.rb$/u,
    words: /\.(?:filter_run_excluding|exclusion_filter ?=|exclude_pattern ?=)/u,
  },
  {
    kind: "tests_excluded",
    files: /\.(?:cs|fs|vb)proj$/u,
    words: /<Compile\s+Remove="(?!(?:\.\/)?(?:bin|obj)\b)[^"]{1,300}"/u,
  },
  { kind: "cannot_fail", files: /(?:^|\/)[\w.]{0,60}(?:_test|main)\.go$/u, words: /\bos\.Exit\(0\)/u },
  { kind: "tests_excluded", files: /_test\.go$/u, words: /^\/\/go:build (?!go1)(?:ignore\b|!|\w)|^\/\/ \+build \w/u },
  { kind: "tests_excluded", files: CMAKE, words: /\bDISABLED (?:TRUE|ON|1)\b|\bEXCLUDE_FROM_ALL\b.{0,60}test/iu },
  { kind: "cannot_fail", files: CMAKE, words: /\bWILL_FAIL (?:TRUE|ON|1)\b|\bPASS_REGULAR_EXPRESSION\b/u },
  { kind: "rule_off", files: CMAKE, words: /(?<![\w-])(?:-w|-Wno-[\w-]{1,60})(?![\w-])/u },
  { kind: "cannot_fail", files: /(?:akefile|\.mk)$/u, words: /^\.IGNORE\b/u },
  { kind: "cannot_fail", files: /(?:akefile|\.mk)$/u, words: /^MAKEFLAGS\b.{0,60}(?:--ignore-errors|-i\b)/u },
  {
    kind: "cannot_fail",
    files: /\.ps1$/u,
    words: /\$ErrorActionPreference ?= ?["'](?:SilentlyContinue|Continue|Ignore)|^exit 0\b/iu,
  },
  {
    kind: "threshold_lowered",
    files: /(?:^|\/)(?:\.simplecov|(?:spec|test|rails)_helper\.rb)$/u,
    words: /^\s{0,99}add_filter\b/u,
  },
  {
    kind: "cannot_fail",
    files: /\.gradle(?:\.kts)?$/u,
    words: /\b(?:ignoreFailures|isIgnoreFailures) ?(?:= ?)?true\b|\bignoreFailures\.set\(true\)/u,
  },
  {
    kind: "tests_excluded",
    files: /\.gradle(?:\.kts)?$/u,
    words:
      /\b(?:onlyIf ?\{ ?false|tasks\.\w{0,20}[Tt]est\w{0,20}.{0,20}enabled ?= ?false)|\bexclude(?:Tags|Categories|TestsMatching|Engines)\b/u,
  },
];

const MARKED_LINE = 2_000;
const MOST_MARKS = 2_000;

/** What is said beside the code against its judges, and what hooks of tests and builds keep from running. */
export function markFacts(path: string, lines: readonly string[]): readonly Fact[] {
  const directives = DIRECTIVES.filter(({ files }) => files.test(path));
  const hooks = HOOKS.filter(({ files }) => files.test(path));
  const facts: Fact[] = [];
  for (const [at, whole] of lines.entries()) {
    if (facts.length >= MOST_MARKS) break;
    const line = whole.slice(0, MARKED_LINE);
    for (const { name, words } of directives) {
      const found = words.exec(line);
      if (found !== null) facts.push(directiveFact(name, found, { line, next: lines[at + 1] ?? "", number: at + 1 }));
    }
    for (const { kind, words } of hooks) {
      const found = words.exec(line);
      if (found === null || /^\s{0,99}(?:#|\/\/)(?!go:|\s\+build)/u.test(line)) continue;
      facts.push({ kind, about: line.trim(), at: line.trim(), level: -1, line: at + 1 });
    }
  }
  return facts;
}

const ALL_RULES = 100;

/** The code that it is about says where it is; more rules are less strict, and no rule is all of them. */
function directiveFact(
  name: string,
  found: RegExpExecArray,
  { line, next, number }: { readonly line: string; readonly next: string; readonly number: number },
): Fact {
  const named = (found.groups?.["rules"] ?? "").split(/[\s,]+/u).filter((rule) => rule !== "" && rule !== "--");
  const code = line
    .slice(0, found.index)
    .replace(/[\s/*#<!{-]+$/u, "")
    .trim();
  const beside = code === "" ? next.trim().slice(0, MARKED_LINE) : code;
  return {
    kind: "rule_off_inline",
    about: [name, ...named.toSorted()].join(" "),
    at: `${name}|${beside}`,
    level: named.length === 0 ? -ALL_RULES : -Math.min(named.length, ALL_RULES - 1),
    line: number,
  };
}
