import { CI_FILE } from "./shell-texts.ts";
import type { SettingRule } from "./setting-rule.ts";

const JEST =
  /(?:^|\/)(?:(?:jest|vitest|vite)\.[\w.]{0,40}(?:[cm]?[jt]s|json)|vitest\.workspace\.[jt]s|package\.json)$/u;
const MOCHA = /(?:^|\/)(?:\.mocharc\.[\w]{1,5}|ava\.config\.[cm]?js|\.taprc|package\.json)$/u;
const BROWSER = /(?:^|\/)(?:playwright|cypress|wdio|karma|nightwatch)[\w.-]{0,20}\.(?:[cm]?[jt]s|json)$/u;
const NYC = /(?:^|\/)\.?(?:nycrc|c8rc)[^/]*$|(?:^|\/)nyc\.config\.[cm]?js$|(?:^|\/)package\.json$/u;
const STRYKER = /(?:^|\/)\.?stryker[^/]*\.(?:json|[cm]?js)$/u;
const PYTEST =
  /(?:^|\/)(?:pyproject\.toml|\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|setup\.cfg|\.coveragerc|conftest\.py)$/u;
const CARGO = /(?:^|\/)(?:Cargo|\.?tarpaulin|\.config\/nextest|nextest)\.toml$/u;
const RUBY = /(?:^|\/)(?:\.simplecov|(?:spec|test|rails)_helper\.rb)$/u;
const PHPUNIT = /(?:^|\/)(?:phpunit[^/]*\.xml[^/]*|infection\.json\w?(?:\.dist)?)$/u;
const MAVEN = /(?:^|\/)pom\.xml$/u;
const GRADLE = /\.gradle(?:\.kts)?$/u;
const MSBUILD = /\.(?:csproj|fsproj|vbproj|props|targets|runsettings)$/u;
const CODECOV = /(?:^|\/)\.?(?:codecov|coveralls)\.ya?ml$/u;
const SONAR = /(?:^|\/)sonar-project\.properties$/u;
const TOX = /(?:^|\/)tox\.(?:ini|toml)$/u;

const FIGURES =
  /(?:^|\n)(?:coverageThreshold|thresholds?|check)\n(?:[^\n]+\n){0,3}(?:lines|branches|functions|statements)$/u;

const rule = (
  kind: SettingRule["kind"],
  files: RegExp,
  path: RegExp,
  reads: SettingRule["reads"],
  about?: string,
): SettingRule => ({ kind, files, path, reads, ...(about === undefined ? {} : { about }) });

/** Which tests run. */
const TESTS_RUN: readonly SettingRule[] = [
  rule(
    "tests_excluded",
    JEST,
    /(?:^|\n)(?:testPathIgnorePatterns|modulePathIgnorePatterns|test\n(?:projects\n(?:test\n)?)?exclude)$/u,
    "leftOut",
    "tests",
  ),
  rule("tests_excluded", JEST, /(?:^|\n)(?:testNamePattern|testIgnore)$/u, "leftOut", "names"),
  rule(
    "tests_excluded",
    JEST,
    /(?:^|\n)(?:testMatch|testRegex|roots|test\n(?:projects\n(?:test\n)?)?include)$/u,
    "judged",
    "matched tests",
  ),
  rule(
    "tests_excluded",
    MOCHA,
    /^(?:mocha\n|ava\n|default\n|module\nexports\n)?(?:ignore|exclude|grep|fgrep|invert)$/u,
    "leftOut",
    "tests",
  ),
  rule(
    "tests_excluded",
    MOCHA,
    /^(?:mocha\n|ava\n|default\n|module\nexports\n)?(?:spec)$|(?:^|\n)ava\nfiles$/u,
    "judged",
    "matched tests",
  ),
  rule(
    "tests_excluded",
    BROWSER,
    /(?:^|\n)(?:testIgnore|grepInvert|excludeSpecPattern|grep|exclude)$/u,
    "leftOut",
    "tests",
  ),
  rule("tests_excluded", BROWSER, /(?:^|\n)(?:testMatch|specPattern|specs)$/u, "judged", "matched tests"),
  rule(
    "tests_excluded",
    PYTEST,
    /(?:^|\n)(?:norecursedirs|collect_ignore(?:_glob)?(?:\n(?:append|extend))?)$/u,
    "leftOut",
    "tests",
  ),
  rule(
    "tests_excluded",
    PYTEST,
    /(?:^|\n)(?:testpaths|python_(?:files|functions|classes))$/u,
    "judged",
    "matched tests",
  ),
  rule("cannot_fail", PYTEST, /(?:^|\n)xfail_strict$/u, "strict"),
  rule("tests_excluded", CARGO, /(?:^|\n)(?:lib|bin|test|package|example)\n(?:test|autotests|doctest)$/u, "off"),
  rule("tests_excluded", CARGO, /(?:^|\n)(?:exclude|exclude-files|default-filter)$/u, "leftOut", "tests"),
  rule("tests_excluded", CARGO, /(?:^|\n)workspace\nmembers$/u, "judged", "members"),
  rule(
    "tests_excluded",
    PHPUNIT,
    /\ntestsuite\n(?:exclude|exclude\n[^\n]+)$|\ngroups\nexclude\ngroup$/u,
    "leftOut",
    "tests",
  ),
  rule("tests_excluded", PHPUNIT, /\ntestsuite\n(?:directory|file)$/u, "judged", "matched tests"),
  rule("cannot_fail", PHPUNIT, /(?:^|\n)@(?:failOn\w{1,30}|beStrict\w{1,60})$/u, "strict"),
  rule(
    "tests_excluded",
    MAVEN,
    /(?:^|\n)(?:skipTests|skipITs|maven\.test\.skip|maven\ntest\nskip|configuration\nskip)$/u,
    "lax",
    "skip tests",
  ),
  rule(
    "tests_excluded",
    MAVEN,
    /(?:^|\n)configuration\n(?:excludes\nexclude|excludedGroups|groups|test)$/u,
    "leftOut",
    "tests",
  ),
  rule(
    "tests_excluded",
    GRADLE,
    /(?:^|\n)[^\n]*[tT]est[^\n]*\n(?:[^\n]+\n){0,3}exclude$|(?:^|\n)(?:filter\n)?excludeTestsMatching$/u,
    "leftOut",
    "tests",
  ),
  rule("tests_excluded", GRADLE, /(?:^|\n)(?:test|Test)\n(?:[^\n]+\n){0,2}enabled$/u, "off"),
  rule("tests_excluded", MSBUILD, /(?:^|\n)(?:TestCaseFilter)$/u, "leftOut", "tests"),
  rule("tests_excluded", MSBUILD, /\n(?:IsTestProject)$/u, "off"),
];

/** How much has to be reached. */
const THRESHOLDS: readonly SettingRule[] = [
  rule("threshold_lowered", JEST, FIGURES, "least"),
  rule("threshold_lowered", JEST, /(?:^|\n)(?:thresholds\n(?:100|perFile)|coverage\nenabled)$/u, "strict"),
  rule(
    "threshold_lowered",
    JEST,
    /(?:^|\n)(?:coverage\nexclude|coveragePathIgnorePatterns)$/u,
    "leftOut",
    "not covered",
  ),
  rule("threshold_lowered", JEST, /(?:^|\n)(?:coverage\ninclude|collectCoverageFrom)$/u, "judged", "covered"),
  rule("threshold_lowered", NYC, /^(?:(?:nyc|c8)\n)?(?:lines|branches|functions|statements)$/u, "least"),
  rule("threshold_lowered", NYC, /(?:^|\n)(?:check-coverage|checkCoverage|per-file)$/u, "strict"),
  rule("threshold_lowered", NYC, /^(?:nyc\n|c8\n)?exclude$/u, "leftOut", "not covered"),
  rule("threshold_lowered", STRYKER, /(?:^|\n)thresholds\n(?:break|low|high)$/u, "least", "mutation"),
  rule(
    "threshold_lowered",
    STRYKER,
    /(?:^|\n)(?:excludedMutations|ignorePatterns|ignorers)$/u,
    "leftOut",
    "not mutated",
  ),
  rule("threshold_lowered", STRYKER, /(?:^|\n)mutate$/u, "judged", "mutated"),
  rule("threshold_lowered", PYTEST, /(?:^|\n)fail_under$/u, "least", "coverage"),
  rule("threshold_lowered", PYTEST, /(?:^|\n)(?:omit|exclude_lines|exclude_also)$/u, "leftOut", "not covered"),
  { ...rule("threshold_lowered", PYTEST, /(?:^|\n)filterwarnings$/u, "judged", "warnings"), value: /^error/u },
  rule("threshold_lowered", CARGO, /(?:^|\n)fail-under$/u, "least", "coverage"),
  rule(
    "threshold_lowered",
    RUBY,
    /(?:^|\n)(?:minimum_coverage(?:_by_\w{1,20})?)(?:\n(?:line|branch))?$/u,
    "least",
    "coverage",
  ),
  rule("threshold_lowered", RUBY, /(?:^|\n)(?:maximum_coverage_drop)$/u, "most"),
  rule("threshold_lowered", PHPUNIT, /(?:^|\n)min(?:Covered)?Msi$/u, "least"),
  rule("threshold_lowered", MAVEN, /(?:^|\n)(?:minimum|mutationThreshold|coverageThreshold|haltOnFailure)$/u, "least"),
  rule("threshold_lowered", MAVEN, /(?:^|\n)(?:failOnWarning|failsOnError)$/u, "strict"),
  rule(
    "threshold_lowered",
    GRADLE,
    /(?:^|\n)(?:minimum|mutationThreshold|coverageThreshold|minBound|minValue)$/u,
    "least",
  ),
  rule("threshold_lowered", MSBUILD, /\n(?:Threshold|CoverletThreshold)$/u, "least", "coverage"),
  rule("threshold_lowered", MSBUILD, /\n(?:Exclude(?:ByFile|ByAttribute)?)$/u, "leftOut", "not covered"),
  rule("threshold_lowered", CODECOV, /(?:^|\n)(?:target|minimum)$/u, "least", "coverage"),
  rule("threshold_lowered", CODECOV, /(?:^|\n)threshold$/u, "most"),
  rule("threshold_lowered", CODECOV, /^ignore$/u, "leftOut", "not covered"),
  rule("threshold_lowered", SONAR, /(?:^|\n)exclusions$/u, "leftOut", "not covered"),
];

/** Whether a failure is told. */
const FAILURES: readonly SettingRule[] = [
  rule(
    "cannot_fail",
    JEST,
    /(?:^|\n)(?:passWithNoTests|dangerouslyIgnoreUnhandledErrors|update|ignoreSourceErrors)$/u,
    "lax",
  ),
  rule("cannot_fail", MOCHA, /(?:^|\n)(?:pass-with-no-tests|dryRun|dry-run)$/u, "lax"),
  rule("cannot_fail", BROWSER, /(?:^|\n)ignoreSnapshots$/u, "lax"),
  rule("cannot_fail", TOX, /(?:^|\n)(?:ignore_outcome|ignore_errors|skip_missing_interpreters)$/u, "lax"),
  rule(
    "cannot_fail",
    MAVEN,
    /(?:^|\n)(?:testFailureIgnore|maven[.\n]test[.\n]failure[.\n]ignore)$/u,
    "lax",
    "ignore failures",
  ),
  rule("cannot_fail", MAVEN, /(?:^|\n)(?:failOnViolation|failOnError|failIfNoTests|haltOnFailure)$/u, "off"),
  rule("cannot_fail", GRADLE, /(?:^|\n)(?:ignoreFailures|isIgnoreFailures)(?:\nset)?$/u, "lax", "ignore failures"),
  rule("cannot_fail", CODECOV, /(?:^|\n)informational$/u, "lax"),
  rule(
    "cannot_fail",
    CI_FILE,
    /(?:^|\n)(?:continue-on-error|continueOnError|allow_failure|soft_fail|ignore_failure|ignore_errors)$/u,
    "lax",
    "goes on",
  ),
  rule("cannot_fail", CI_FILE, /(?:^|\n)(?:if|condition)$/u, "off", "goes on"),
  rule("cannot_fail", SONAR, /(?:^|\n)qualitygate\nwait$/u, "off"),
];

/** Settings that say which tests run, how much has to be reached, and whether a failure is told. */
export const TEST_SETTINGS: readonly SettingRule[] = [...TESTS_RUN, ...THRESHOLDS, ...FAILURES];
