import type { SettingRule } from "./setting-rule.ts";

const ESLINT =
  /(?:^|\/)(?:\.(?:eslintrc|oxlintrc|stylelintrc|jshintrc)[^/]*|(?:eslint|oxlint|stylelint|xo)\.config\.[cm]?[jt]s|tslint\.json|package\.json)$/u;
const BIOME = /(?:^|\/)(?:biome\.jsonc?|deno\.jsonc?)$/u;
const TSCONFIG = /(?:^|\/)(?:[jt]sconfig[^/]*\.json|deno\.jsonc?)$/u;
const PYTHON =
  /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?(?:flake8|ruff\.toml|mypy\.ini|pylintrc(?:\.toml)?|bandit)|pyrightconfig\.json)$/u;
const CARGO = /(?:^|\/)(?:Cargo|\.?clippy)\.toml$|(?:^|\/)\.cargo\/config(?:\.toml)?$/u;
const GOLANGCI = /(?:^|\/)\.golangci\.(?:ya?ml|toml|json)$/u;
const RUBOCOP = /(?:^|\/)\.(?:rubocop[^/]*|standard[^/]*)\.ya?ml$/u;
const PHP = /(?:^|\/)(?:phpstan[^/]*\.neon[^/]*|psalm[^/]*\.xml[^/]*|\.?phpcs[^/]*\.xml[^/]*)$/u;
const JVM = /(?:^|\/)[^/]*(?:checkstyle|detekt|pmd|spotbugs|lint|findbugs|suppressions)[^/]*\.(?:xml|ya?ml)$/iu;
const GRADLE = /\.gradle(?:\.kts)?$/u;
const MSBUILD = /\.(?:csproj|fsproj|vbproj|props|targets|ruleset)$/u;
const EDITORCONFIG = /(?:^|\/)(?:\.editorconfig|\.globalconfig|[^/]*\.globalconfig)$/u;
const MARKDOWNLINT =
  /(?:^|\/)\.(?:markdownlint[^/]*|yamllint[^/]*|hadolint\.ya?ml|shellcheckrc|swiftlint\.ya?ml|credo\.exs|clang-tidy)$/u;
const DART = /(?:^|\/)analysis_options\.yaml$/u;
/** Each entry is something that was found and is let be. */
const BASELINE =
  /(?:^|\/)(?:phpstan-baseline\.neon|psalm-baseline\.xml|[^/]*detekt-baseline\.xml|lint-baseline\.xml|eslint-suppressions\.json|\.eslint-todo\.\w+|\.basedpyright\/baseline\.json|\.secrets\.baseline|\.betterer\.results|\.flake8-baseline)$/u;
const IGNORE_FILE =
  /(?:^|\/)\.(?:eslint|oxlint|stylelint|prettier|biome|jshint|jscs|tslint|markdownlint|htmllint|flake8|pylint|php-cs-fixer|rubocop|solhint|trivy|semgrep|codespell|gitleaks|ls-lint|swiftlint|clang-tidy|clang-format)ignore$/u;

const TS_STRICT =
  /(?:^|\n)(?:strict\w{0,60}|no(?:Implicit|Unused|Unchecked|Fallthrough|Property)\w{1,60}|useUnknownInCatchVariables|alwaysStrict|exactOptionalPropertyTypes|checkJs|isolatedDeclarations)$/u;
const MYPY_STRICT =
  /(?:^|\n)(?:strict(?:_\w{1,40})?|disallow_\w{1,40}|check_untyped_defs|no_implicit_\w{1,40}|warn_(?:return_any|unreachable|redundant_casts|unused_ignores|no_return))$/u;

const rule = (
  files: RegExp,
  path: RegExp,
  reads: SettingRule["reads"],
  more: Partial<SettingRule> = {},
): SettingRule => ({ kind: "rule_off", files, path, reads, ...more });

/** Settings that switch rules of linters and of types on and off. A new tool is some new lines here. */
export const LINT_SETTINGS: readonly SettingRule[] = [
  rule(ESLINT, /(?:^|\n)rules\n[^\n]+$/u, "severity"),
  rule(ESLINT, /(?:^|\n)rules\n[^\n]+\n(?:severity|level)$/u, "severity"),
  rule(ESLINT, /(?:^|\n)categories\n[^\n]+$/u, "severity"),
  rule(ESLINT, /(?:^|\n)(?:ignorePatterns|ignores|ignoreFiles|globalIgnores|excludedFiles)$/u, "leftOut", {
    about: "ignored",
  }),
  rule(ESLINT, /(?:^|\n)(?:extends|plugins|jsPlugins)$/u, "judged", { about: "preset" }),
  rule(ESLINT, /(?:^|\n)(?:reportUnusedDisableDirectives|noInlineConfig|reportNeedlessDisables|typeAware)$/u, "strict"),
  rule(BIOME, /(?:^|\n)rules\n(?:[^\n]+\n){0,3}[^\n]+$/u, "severity"),
  rule(BIOME, /(?:^|\n)(?:linter|assist)\nenabled$/u, "off"),
  rule(BIOME, /(?:^|\n)(?:ignore|exclude)$/u, "leftOut", { about: "ignored" }),
  rule(BIOME, /(?:^|\n)includes$/u, "judged", { about: "ignored" }),
  rule(TSCONFIG, TS_STRICT, "strict"),
  rule(
    TSCONFIG,
    /(?:^|\n)(?:skip(?:Default)?LibCheck|allowUnreachableCode|allowUnusedLabels|noCheck|suppress\w{1,60})$/u,
    "lax",
  ),
  rule(TSCONFIG, /^exclude$/u, "leftOut", { about: "ignored" }),
  rule(TSCONFIG, /^(?:include|extends)$/u, "judged", { about: "included" }),
  rule(
    PYTHON,
    /(?:^|\n)(?:extend[-_])?(?:ignore|disable|per[-_]file[-_]ignores|disable_error_code)(?:\n[^\n]+)?$/u,
    "leftOut",
  ),
  rule(PYTHON, /(?:^|\n)(?:lint\n)?(?:extend[-_]|force-)?(?:exclude|ignore[-_](?:paths|patterns))$/u, "leftOut", {
    about: "ignored",
  }),
  rule(PYTHON, /(?:^|\n)(?:extend[-_])?(?:select|enable|enable_error_code|load-plugins)$/u, "judged", {
    about: "selected",
  }),
  rule(PYTHON, /(?:^|\n)(?:max-[a-z-]{1,30}|max_[a-z_]{1,30})$/u, "most"),
  rule(PYTHON, /(?:^|\n)fail-under$/u, "least", { kind: "threshold_lowered", about: "score" }),
  rule(PYTHON, MYPY_STRICT, "strict"),
  rule(PYTHON, /(?:^|\n)(?:ignore_errors|implicit_optional|allow_untyped_\w{1,40}|allow_redefinition)$/u, "lax"),
  rule(PYTHON, /^(?:tool\n)?mypy\nignore_missing_imports$/u, "lax"),
  rule(PYTHON, /(?:^|\n)(?:report[A-Z]\w{1,60}|typeCheckingMode)$/u, "severity"),
  rule(CARGO, /(?:^|\n)lints\n[^\n]+\n[^\n]+(?:\nlevel)?$/u, "severity"),
  rule(CARGO, /^(?:[\w-]{1,60}-threshold|too-many-\w{1,40})$/u, "most"),
  rule(GOLANGCI, /(?:^|\n)enable$/u, "judged", { about: "linter" }),
  rule(GOLANGCI, /(?:^|\n)disable$/u, "leftOut", { about: "disabled" }),
  rule(GOLANGCI, /(?:^|\n)(?:disable-all|new|exclude-use-default)$/u, "lax"),
  rule(
    GOLANGCI,
    /(?:^|\n)(?:exclude(?:-(?:files|dirs|functions|rules))?|skip-(?:files|dirs)|exclusions)(?:\n(?:rules|paths|presets|text|path|linters|source))*$/u,
    "leftOut",
  ),
  rule(GOLANGCI, /(?:^|\n)run\ntests$/u, "off"),
  rule(GOLANGCI, /(?:^|\n)issues-exit-code$/u, "off", { kind: "cannot_fail" }),
  rule(RUBOCOP, /\nEnabled$/u, "off"),
  rule(RUBOCOP, /(?:^|\n)(?:Exclude|inherit_from|AllowedMethods|AllowedPatterns)$/u, "leftOut"),
  rule(RUBOCOP, /\n(?:Max|Count\w{0,20})$/u, "most"),
  rule(RUBOCOP, /\nDisabledByDefault$/u, "lax"),
  rule(RUBOCOP, /\nSeverity$/u, "severity"),
  rule(PHP, /(?:^|\n)level$/u, "least", { about: "level" }),
  rule(PHP, /(?:^|\n)@errorLevel$/u, "most", { about: "level" }),
  rule(PHP, /(?:^|\n)ignoreErrors(?:\n[^\n]+)?$/u, "leftOut", { about: "let be" }),
  rule(PHP, /(?:^|\n)(?:excludePaths(?:\n[^\n]+)?|excludes_analyse|ignoreFiles\n[^\n]+\n@name)$/u, "leftOut", {
    about: "ignored",
  }),
  rule(PHP, /(?:^|\n)includes$/u, "leftOut", { about: "included" }),
  rule(PHP, /\nissueHandlers\n(?:[^\n]+\n){1,3}@(?:errorLevel|type)$/u, "severity"),
  rule(PHP, /(?:^|\n)@errorBaseline$/u, "leftOut"),
  rule(PHP, /\nrule\nexclude\n@name$|(?:^|\n)exclude-pattern$/u, "leftOut", { about: "ignored" }),
  rule(PHP, /\nrule\nseverity$/u, "severity"),
  rule(PHP, /(?:^|\n)(?:reportUnmatchedIgnoredErrors|checkMissingTypehints|treatPhpDocTypesAsCertain)$/u, "strict"),
  rule(JVM, /\n(?:active|enabled)$/u, "off"),
  rule(JVM, /(?:^|\n)(?:excludes|suppress\n@(?:checks|files)|Match\n.*@name)$/u, "leftOut"),
  rule(JVM, /(?:^|\n)(?:maxIssues|threshold)$/u, "most"),
  rule(JVM, /\nmodule\n@name$/u, "judged", { about: "module" }),
  rule(JVM, /\nrule\n@ref$/u, "judged", { about: "module" }),
  rule(JVM, /\nissue\n@severity$/u, "severity"),
  rule(GRADLE, /\n?(?:allWarningsAsErrors|warningsAsErrors|abortOnError|failOnWarning|failOnViolation)$/u, "strict"),
  rule(GRADLE, /\n?(?:disable|disabledRules)$/u, "leftOut", { about: "disabled" }),
  rule(GRADLE, /\n?(?:maxWarnings|maxErrors|maxIssues)$/u, "most", { kind: "threshold_lowered", about: "warnings" }),
  rule(
    MSBUILD,
    /\n(?:TreatWarningsAsErrors|EnableNETAnalyzers|RunAnalyzers\w{0,30}|EnforceCodeStyleInBuild|CodeAnalysisTreatWarningsAsErrors|Nullable)$/u,
    "strict",
  ),
  rule(MSBUILD, /\n(?:NoWarn|WarningsNotAsErrors)$/u, "leftOut", { about: "no warning" }),
  rule(MSBUILD, /\n(?:WarningLevel|AnalysisLevel)$/u, "least"),
  rule(MSBUILD, /\nRule\n@Action$/u, "severity"),
  rule(EDITORCONFIG, /(?:^|\n)(?:dotnet_diagnostic|dotnet_analyzer_diagnostic)\n.*severity$/su, "severity"),
  rule(EDITORCONFIG, /(?:^|\n)ktlint_[\w-]{1,80}$/u, "severity"),
  rule(MARKDOWNLINT, /(?:^|\n)(?:MD\d{3}|[a-z][\w-]{1,60}|disable)$/u, "severity"),
  rule(MARKDOWNLINT, /(?:^|\n)(?:ignored?|ignores|disable|disabled_rules|excluded|exclude)$/u, "leftOut"),
  rule(MARKDOWNLINT, /(?:^|\n)(?:Checks|WarningsAsErrors|only_rules|opt_in_rules)$/u, "judged"),
  rule(DART, /(?:^|\n)errors\n[^\n]+$/u, "severity"),
  rule(DART, /(?:^|\n)rules\n[^\n]+$/u, "severity"),
  rule(DART, /(?:^|\n)exclude$/u, "leftOut", { about: "ignored" }),
  rule(DART, /(?:^|\n)(?:implicit-casts|implicit-dynamic)$/u, "lax"),
  rule(DART, /(?:^|\n)strict-[\w-]{1,40}$/u, "strict"),
  rule(BASELINE, /./su, "leftOut", { about: "let be" }),
  rule(IGNORE_FILE, /^$/u, "leftOut", { about: "ignored" }),
];
