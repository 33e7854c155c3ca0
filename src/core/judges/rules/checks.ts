import type { Command } from "./split-commands.ts";

/** What a command judges. */
export type CheckClass = "tests" | "lint" | "types" | "coverage" | "mutation" | "build";

const words = (text: string): readonly string[] => text.split(" ");

/** Programs that judge, whatever their arguments. */
const PROGRAMS: Readonly<Record<CheckClass, readonly string[]>> = {
  tests: words(
    "vitest jest mocha ava tap tape jasmine karma cypress playwright pytest py.test tox nox unittest nose2 gotestsum rspec " +
      "minitest phpunit pest paratest codecept behat ctest bats xcodebuild ginkgo cucumber behave robot react-scripts",
  ),
  lint: words(
    "eslint oxlint biome tslint standard xo stylelint prettier oxfmt dprint ruff flake8 pylint bandit black isort golangci-lint " +
      "staticcheck revive rubocop standardrb phpstan psalm phpcs php-cs-fixer ecs checkstyle detekt ktlint shellcheck shfmt " +
      "hadolint clang-tidy cppcheck cpplint markdownlint markdownlint-cli2 actionlint yamllint ansible-lint tflint knip " +
      "pre-commit commitlint swiftlint credo sqlfluff vale buf semgrep",
  ),
  types: words("tsc vue-tsc svelte-check tsd attw mypy pyright basedpyright pyre pytype sorbet steep dialyzer flow"),
  coverage: words("nyc c8 codecov coverage diff-cover"),
  mutation: words("stryker infection mutmut cosmic-ray"),
  build: [],
};

/** Programs that judge with some of their verbs. */
const VERBS: Readonly<Record<string, Readonly<Record<string, CheckClass>>>> = {
  go: { test: "tests", vet: "lint", build: "build" },
  cargo: {
    ...{ test: "tests", t: "tests", nextest: "tests", llvm: "coverage", "llvm-cov": "coverage", tarpaulin: "coverage" },
    ...{
      clippy: "lint",
      fmt: "lint",
      deny: "lint",
      audit: "lint",
      check: "types",
      build: "build",
      mutants: "mutation",
    },
  },
  dotnet: { test: "tests", format: "lint", build: "build" },
  mvn: { test: "tests", verify: "tests", install: "tests", package: "tests", compile: "build" },
  gradle: { test: "tests", check: "tests", build: "tests", detekt: "lint", ktlintcheck: "lint" },
  swift: { test: "tests", build: "build" },
  mix: { test: "tests", credo: "lint", dialyzer: "types", format: "lint", compile: "build" },
  flutter: { test: "tests", analyze: "lint" },
  dart: { test: "tests", analyze: "lint" },
  sbt: { test: "tests" },
  bazel: { test: "tests", build: "build" },
  deno: { test: "tests", lint: "lint", check: "types", fmt: "lint" },
  rake: { test: "tests", spec: "tests", rubocop: "lint" },
  rails: { test: "tests" },
  node: { "--test": "tests" },
};

/** Names under which scripts and targets that judge are known: `npm run lint:js`, `make check`. */
const NAMED: readonly { readonly name: RegExp; readonly as: CheckClass }[] = [
  {
    name: /^(?:t|tests?|specs?|unit|units|e2e|integration|check|checks|verify|validate|ci|all)(?:$|[:_.-])/u,
    as: "tests",
  },
  { name: /^(?:lint|lints|format|fmt|style)(?:$|[:_.-])/u, as: "lint" },
  { name: /^(?:types?|typecheck|type-check|tsc)(?:$|[:_.-])/u, as: "types" },
  { name: /^(?:coverage|cov)(?:$|[:_.-])/u, as: "coverage" },
  { name: /^(?:mutation|mutate|stryker)(?:$|[:_.-])/u, as: "mutation" },
  { name: /^(?:build|compile)(?:$|[:_.-])/u, as: "build" },
];

/** Programs that run what a project has named. */
const RUNNERS: ReadonlySet<string> = new Set(
  words("npm pnpm yarn bun make gmake just task rake composer turbo nx lerna rush poe hatch pdm invoke mage earthly"),
);
const PACKAGERS: ReadonlySet<string> = new Set(words("npm pnpm yarn bun"));
/** `npm ci` installs, and is no script of that name. */
const INSTALLS: ReadonlySet<string> = new Set(words("ci install i add"));
/** What stands before the program that is meant, with the words of its own that it takes. */
const WRAPPERS: readonly (readonly string[])[] = [
  ...["npx", "bunx", "sudo", "env", "cross-env", "dotenv", "xvfb-run", "nice", "nohup", "timeout", "retry"].map(
    (it) => [it],
  ),
  ...[
    ["pnpm", "exec"],
    ["pnpm", "dlx"],
    ["yarn", "exec"],
    ["npm", "exec"],
    ["bundle", "exec"],
    ["poetry", "run"],
  ],
  ...[
    ["uv", "run"],
    ["pipenv", "run"],
    ["hatch", "run"],
    ["pdm", "run"],
    ["rye", "run"],
    ["coverage", "run"],
  ],
  ...[["python", "-m"], ["python3", "-m"], ["py", "-m"], ["bun", "x"], ["mise", "exec"], ["composer", "exec"], ["php"]],
];

/** The program of a command and its arguments, without variables and what runs it. */
export function meant({ words: all }: Command): { readonly program: string; readonly args: readonly string[] } {
  let rest = all;
  for (let step = 0; step < 8; step += 1) {
    // Options and durations belong to what runs the program.
    const skipped = rest.findIndex((word) => !/^\w+=/u.test(word) && !(step > 0 && /^(?:-|\d+[smh]?$)/u.test(word)));
    rest = skipped === -1 ? [] : rest.slice(skipped);
    const wrapper = WRAPPERS.find((one) => one.every((word, at) => nameOf(rest[at] ?? "") === word));
    if (wrapper === undefined) break;
    rest = rest.slice(wrapper.length);
  }
  return { program: nameOf(rest[0] ?? ""), args: rest.slice(1) };
}

/** `./node_modules/.bin/vitest`, `gradlew.bat` */
function nameOf(word: string): string {
  return word
    .slice(word.lastIndexOf("/") + 1)
    .replace(/^@\w+\//u, "")
    .replace(/(?:\.(?:bat|cmd|exe|js|mjs|phar)|(?<=^gradle|^mvn)w)+$/u, "");
}

/** What a command judges; null: nothing that is known. */
export function checkClass(command: Command): CheckClass | null {
  const { program, args } = meant(command);
  const verbs = VERBS[program];
  if (Object.hasOwn(VERBS, program) && verbs !== undefined) {
    // `:app:test` of Gradle
    const names = args.map((arg) => arg.toLowerCase().replace(/^.*:/u, ""));
    const [found] = names.flatMap((name) => (Object.hasOwn(verbs, name) ? [verbs[name]] : []));
    if (found !== undefined) return found;
  }
  if (RUNNERS.has(program)) {
    if (PACKAGERS.has(program) && INSTALLS.has(args[0] ?? "")) return null;
    const name = args.find((arg) => !arg.startsWith("-") && !["run", "run-script", "run-many"].includes(arg));
    return NAMED.find((one) => one.name.test(name ?? ""))?.as ?? null;
  }
  const found = Object.entries(PROGRAMS).find(([, programs]) => programs.includes(program))?.[0];
  return CLASSES.find((one) => one === found) ?? null;
}

const CLASSES: readonly CheckClass[] = ["tests", "lint", "types", "coverage", "mutation", "build"];

/** Whether a command runs something else of the project, of which its words do not say what it judges. */
export function isDelegating(command: Command): boolean {
  const { program, args } = meant(command);
  const runsFile = ["sh", "bash", "zsh", "node", "python", "python3", "ruby", "php", "docker", "tsx", "deno"].includes(
    program,
  );
  const isScript = /\.(?:sh|bash|py|rb|[cm]?[jt]s|php|pl)$/u.test(program) || program === "pre-commit";
  const isText = args.some((arg) => /^-(?:e|c|p|lc|ec)$|^--eval$/u.test(arg));
  return RUNNERS.has(program) || isScript || (runsFile && !isText && args.length > 0) || isOwn(command);
}

/** Whether a command is a program of the project: `./run_tests`, `$(BIN)/check`. The system's are known by their names. */
export function isOwn({ words: all }: Command): boolean {
  const first = all.find((word) => !/^[\w-]+=/u.test(word)) ?? "";
  return /^(?!(?:\/usr)?\/s?bin\/)(?:\.{0,2}\/|[\w.-]+\/|\$[({]?\w)/u.test(first);
}

/** Whether a program's first argument says what it does, and not what it looks at. */
export function hasVerb(program: string): boolean {
  return Object.hasOwn(VERBS, program) || RUNNERS.has(program);
}
