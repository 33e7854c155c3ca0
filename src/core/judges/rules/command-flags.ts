import type { BendKind } from "../bend.ts";

/** How an option of a check makes it stricter or takes away from it. */
export interface FlagRule {
  readonly kind: BendKind;
  /** programs that have it; absent: every check */
  readonly of?: readonly string[];
  readonly flag: RegExp;
  /** what its value has to be like */
  readonly value?: RegExp;
  /**
   * - `takes`: takes away, whatever its value; every value anew
   * - `judges`: makes the check stricter
   * - `least`, `most`: a number that must be reached, or must not be passed
   */
  readonly does: "takes" | "judges" | "least" | "most";
  /** in the same words for all that mean the same */
  readonly about?: string;
}

const of = (names: string): readonly string[] => names.split(" ");

/** Options by what they do. A new program is a new line here. */
export const FLAGS: readonly FlagRule[] = [
  // nothing found is no failure
  {
    kind: "cannot_fail",
    flag: /^--(?:passWithNoTests|pass-with-no-tests|if-present|exit-zero|exit-0)$/u,
    does: "takes",
  },
  {
    kind: "cannot_fail",
    flag: /^--(?:no-error-on-unmatched-pattern|no-errors-on-unmatched|allow-empty-input)$/u,
    does: "takes",
  },
  { kind: "cannot_fail", of: of("pytest"), flag: /^--suppress-no-test-exit-code$/u, does: "takes" },
  { kind: "cannot_fail", of: of("ctest"), flag: /^--no-tests$/u, value: /^ignore$/u, does: "takes" },
  // the exit code says nothing
  { kind: "cannot_fail", of: of("make gmake"), flag: /^(?:-[A-Za-z]*i[A-Za-z]*|--ignore-errors)$/u, does: "takes" },
  { kind: "cannot_fail", of: of("golangci-lint"), flag: /^--issues-exit-code$/u, value: /^0$/u, does: "takes" },
  {
    kind: "cannot_fail",
    of: of("rspec"),
    flag: /^--(?:failure-exit-code|error-exit-code)$/u,
    value: /^0$/u,
    does: "takes",
  },
  { kind: "cannot_fail", of: of("mvn"), flag: /^-Dmaven\.test\.failure\.ignore$|^-fn$|^--fail-never$/u, does: "takes" },
  { kind: "cannot_fail", of: of("rubocop"), flag: /^--fail-level$/u, value: /^(?:F|fatal|E|error)$/u, does: "takes" },
  { kind: "cannot_fail", of: of("pylint"), flag: /^--fail-under$/u, value: /^0(?:\.0)?$/u, does: "takes" },
  { kind: "cannot_fail", of: of("vitest"), flag: /^--dangerouslyIgnoreUnhandledErrors$/u, does: "takes" },
  { kind: "cannot_fail", of: of("tsc"), flag: /^--noCheck$/u, does: "takes" },
  { kind: "cannot_fail", of: of("npm pnpm yarn"), flag: /^--(?:no-exit-code|silent-failure)$/u, does: "takes" },
  // what is found is made the expectation
  {
    kind: "cannot_fail",
    of: of("jest vitest playwright ava tap bun"),
    flag: /^(?:-u|--update|--updateSnapshots?|--update-snapshots?)$/u,
    does: "takes",
  },
  {
    kind: "cannot_fail",
    of: of("pytest"),
    flag: /^--(?:snapshot-update|inline-snapshot|force-regen|regen-all|update-golden)$/u,
    does: "takes",
  },
  { kind: "cannot_fail", of: of("go"), flag: /^--?(?:update|update-golden|test\.update-golden)$/u, does: "takes" },
  { kind: "cannot_fail", of: of("eslint stylelint"), flag: /^--(?:suppress-all|suppress-rule)$/u, does: "takes" },
  // fewer tests
  {
    kind: "tests_excluded",
    of: of("jest react-scripts"),
    flag: /^--(?:testPathIgnorePatterns|testNamePattern|onlyChanged|onlyFailures|changedSince|findRelatedTests|shard)$|^-[to]$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("vitest"),
    flag: /^--(?:exclude|testNamePattern|changed|shard|project)$|^-t$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("mocha"),
    flag: /^--(?:ignore|exclude|grep|fgrep|invert)$|^-[gfi]$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("ava node"),
    flag: /^--(?:match|test-name-pattern|test-skip-pattern|test-only)$|^-m$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("playwright"),
    flag: /^--(?:grep|grep-invert|project|last-failed|only-changed|shard)$|^-g$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("pytest py.test"),
    flag: /^(?:-k|-m|--ignore|--ignore-glob|--deselect|--lf|--last-failed|--collect-only|--co)$/u,
    does: "takes",
  },
  { kind: "tests_excluded", of: of("pytest py.test"), flag: /^-p$/u, value: /^no:/u, does: "takes" },
  { kind: "tests_excluded", of: of("unittest nose2"), flag: /^(?:-k|-p|--pattern)$/u, does: "takes" },
  {
    kind: "tests_excluded",
    of: of("go gotestsum"),
    flag: /^--?(?:run|skip|short|test\.run|test\.skip|list)$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("cargo"),
    flag: /^(?:--skip|--exclude|--lib|--bins?|--doc|--no-run|-p|--package|-E|--filter-expr)$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("rspec"),
    flag: /^(?:-t|--tag|-e|--example|--exclude-pattern|-P|--pattern|--only-failures)$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("phpunit pest paratest"),
    flag: /^--(?:filter|exclude-filter|group|exclude-group|testsuite|exclude-testsuite)$/u,
    does: "takes",
  },
  { kind: "tests_excluded", of: of("dotnet"), flag: /^(?:--filter|--no-test|--list-tests|-t)$/u, does: "takes" },
  { kind: "tests_excluded", of: of("gradle"), flag: /^(?:-x|--exclude-task|--tests|-PskipTests)$/u, does: "takes" },
  {
    kind: "tests_excluded",
    of: of("mvn"),
    flag: /^-D(?:skipTests|skipITs|maven\.test\.skip|test|it\.test|groups|excludedGroups|surefire\.excludes)$/u,
    value: /^(?!false$)/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("ctest"),
    flag: /^(?:-E|-R|-LE|-L|-I|--exclude-regex|--tests-regex|--label-exclude|-N)$/u,
    does: "takes",
  },
  {
    kind: "tests_excluded",
    of: of("swift xcodebuild"),
    flag: /^--?(?:skip|filter|skip-testing.*|only-testing.*)$/u,
    does: "takes",
  },
  { kind: "tests_excluded", of: of("mix"), flag: /^--(?:exclude|only|stale|failed)$/u, does: "takes" },
  {
    kind: "tests_excluded",
    of: of("flutter dart"),
    flag: /^(?:--exclude-tags|--tags|-[xtnN]|--name|--plain-name)$/u,
    does: "takes",
  },
  { kind: "tests_excluded", of: of("bats"), flag: /^(?:-f|--filter|--filter-tags)$/u, does: "takes" },
  {
    kind: "tests_excluded",
    of: of("deno bun"),
    flag: /^(?:--filter|--ignore|-t|--test-name-pattern)$/u,
    does: "takes",
  },
  // thresholds
  {
    kind: "threshold_lowered",
    flag: /^--(?:cov-fail-under|fail-under|fail-under-lines|min-coverage|threshold)$/u,
    does: "least",
    about: "coverage",
  },
  {
    kind: "threshold_lowered",
    of: of("nyc c8 vitest jest"),
    flag: /^--(?:(?:coverage\.)?(?:thresholds?\.)?(?:lines|branches|functions|statements))$/u,
    does: "least",
  },
  { kind: "threshold_lowered", of: of("nyc c8"), flag: /^--check-coverage$/u, does: "judges" },
  { kind: "threshold_lowered", of: of("dotnet"), flag: /^(?:\/p:|-p:)Threshold$/u, does: "least", about: "coverage" },
  { kind: "threshold_lowered", of: of("infection"), flag: /^--min-(?:covered-)?msi$/u, does: "least" },
  {
    kind: "threshold_lowered",
    of: of("eslint oxlint stylelint tslint"),
    flag: /^--max-warnings$/u,
    does: "most",
    about: "warnings",
  },
  {
    kind: "threshold_lowered",
    of: of("eslint oxlint biome stylelint"),
    flag: /^--(?:deny-warnings|error-on-warnings)$/u,
    does: "judges",
    about: "warnings",
  },
  {
    kind: "threshold_lowered",
    of: of("cargo pytest mypy gradle mvn tox python"),
    flag: /^(?:-W|-D|--warning-mode)$/u,
    value: /^(?:error|warnings|fail)$/u,
    does: "judges",
    about: "warnings",
  },
  {
    kind: "threshold_lowered",
    of: of("go cargo dotnet make cmake"),
    flag: /^(?:-Werror|--warnaserror|-warnaserror|\/warnaserror)$/u,
    does: "judges",
    about: "warnings",
  },
  // rules
  {
    kind: "rule_off",
    of: of("eslint oxlint"),
    flag: /^(?:--ignore-pattern|--quiet|-A|--allow|--no-eslintrc|--no-config-lookup)$/u,
    does: "takes",
  },
  {
    kind: "rule_off",
    of: of("eslint oxlint"),
    flag: /^--rule$/u,
    value: /:\s{0,9}["']?(?:off|0|warn|1)\b/u,
    does: "takes",
  },
  {
    kind: "rule_off",
    of: of("ruff flake8 pylint pydocstyle"),
    flag: /^--(?:ignore|extend-ignore|disable|per-file-ignores|exclude|extend-exclude|errors-only)$|^-[dE]$/u,
    does: "takes",
  },
  { kind: "rule_off", of: of("ruff flake8"), flag: /^--(?:max-line-length|max-complexity)$/u, does: "most" },
  {
    kind: "rule_off",
    of: of("mypy"),
    flag: /^--(?:ignore-missing-imports|exclude|disable-error-code|allow-.*|no-strict-optional|follow-imports)$/u,
    does: "takes",
  },
  { kind: "rule_off", of: of("mypy"), flag: /^--(?:strict|disallow-.*|warn-.*|check-untyped-defs)$/u, does: "judges" },
  { kind: "rule_off", of: of("tsc vue-tsc"), flag: /^--skipLibCheck$/u, does: "takes" },
  { kind: "rule_off", of: of("tsc vue-tsc"), flag: /^--(?:strict|no[A-Z]\w*)$/u, value: /^false$/u, does: "takes" },
  { kind: "rule_off", of: of("cargo"), flag: /^-A$|^-A(?=clippy)|^--allow$/u, does: "takes" },
  {
    kind: "rule_off",
    of: of("golangci-lint staticcheck"),
    flag: /^(?:-D|--disable|--disable-all|--exclude.*|--skip-.*|--new|--new-from-.*|--fast|-checks)$/u,
    does: "takes",
  },
  { kind: "rule_off", of: of("rubocop"), flag: /^--(?:except|only|ignore-.*|auto-gen-config)$/u, does: "takes" },
  { kind: "rule_off", of: of("phpstan psalm"), flag: /^(?:--level|-l)$/u, does: "least", about: "level" },
  {
    kind: "rule_off",
    of: of("phpstan psalm"),
    flag: /^--(?:generate-baseline|set-baseline|use-baseline)$|^-b$/u,
    does: "takes",
  },
  {
    kind: "rule_off",
    of: of("shellcheck hadolint"),
    flag: /^(?:-e|--exclude|--ignore|-S|--severity|--no-fail)$/u,
    does: "takes",
  },
  {
    kind: "rule_off",
    of: of("detekt ktlint stylelint markdownlint"),
    flag: /^(?:--baseline|--disabled_rules|--ignore-pattern|--disable|--excludes)$/u,
    does: "takes",
  },
  { kind: "rule_off", of: of("pre-commit"), flag: /^--hook-stage$/u, does: "takes" },
];

/** Variables before a command, or in the environment of a step, that make it unable to fail. */
export const VARIABLES: readonly { readonly kind: BendKind; readonly variable: RegExp }[] = [
  {
    kind: "cannot_fail",
    variable:
      /^(?:INSTA_UPDATE=(?:always|new|unseen)|INSTA_FORCE_PASS=1|UPDATE_EXPECT=1|UPDATE_SNAPSHOTS?=(?:1|true|all))$/u,
  },
  {
    kind: "cannot_fail",
    variable: /^(?:UPDATE_GOLDENS?|UPDATE_GOLDEN_FILES|REGEN(?:ERATE)?_GOLDENS?|TRYBUILD)=(?:1|true|overwrite)$/u,
  },
  { kind: "tests_excluded", variable: /^(?:SKIP_TESTS|SKIP)=\S/u },
  { kind: "rule_off", variable: /^(?:TSC_COMPILE_ON_ERROR|ESLINT_NO_DEV_ERRORS|DISABLE_ESLINT_PLUGIN)=(?:1|true)$/u },
];
