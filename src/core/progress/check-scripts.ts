import type { Checks } from "../task.ts";
import { parsedJson } from "../text.ts";

/** `of("jest.config", "js ts")` is `jest.config.js` and `jest.config.ts`. */
const of = (name: string, kinds: string): readonly string[] => kinds.split(" ").map((kind) => `${name}.${kind}`);
const words = (text: string): readonly string[] => text.split(" ");
const MODULES = "js ts mjs mts cjs cts";

/** What programs that run checks read by name, besides their arguments. */
const READ_BY_NAME: readonly { readonly programs: readonly string[]; readonly files: readonly string[] }[] = [
  {
    programs: words("npm npx pnpm yarn bun node"),
    files: words("package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock"),
  },
  { programs: ["make", "gmake"], files: ["Makefile", "makefile", "GNUmakefile"] },
  {
    programs: ["cargo"],
    files: words("Cargo.toml Cargo.lock .cargo/config.toml clippy.toml .clippy.toml tarpaulin.toml"),
  },
  {
    programs: words("pytest py.test tox nox coverage"),
    files: words(
      "pytest.ini .pytest.ini pyproject.toml tox.ini noxfile.py setup.cfg .coveragerc conftest.py poetry.lock uv.lock",
    ),
  },
  { programs: ["just"], files: ["justfile", "Justfile", ".justfile"] },
  { programs: ["task"], files: of("Taskfile", "yml yaml") },
  { programs: ["rake", "rspec"], files: words("Rakefile .rspec .simplecov spec/spec_helper.rb spec/rails_helper.rb") },
  { programs: ["rubocop"], files: [".rubocop.yml", ".rubocop_todo.yml"] },
  { programs: ["mvn", "mvnw"], files: ["pom.xml"] },
  { programs: ["gradle", "gradlew"], files: [...of("build.gradle", "kts"), "build.gradle", "gradle.properties"] },
  { programs: ["dotnet"], files: words("Directory.Build.props Directory.Build.targets .editorconfig .runsettings") },
  { programs: ["ctest", "cmake"], files: ["CMakeLists.txt", "CMakePresets.json"] },
  { programs: ["composer", "phpunit", "pest"], files: words("composer.json phpunit.xml phpunit.xml.dist") },
  { programs: ["phpstan"], files: words("phpstan.neon phpstan.neon.dist phpstan-baseline.neon") },
  { programs: ["psalm"], files: words("psalm.xml psalm.xml.dist psalm-baseline.xml") },
  { programs: ["infection"], files: words("infection.json infection.json5 infection.json.dist") },
  { programs: ["golangci-lint"], files: of(".golangci", "yml yaml toml json") },
  { programs: ["tsc", "vue-tsc"], files: ["tsconfig.json"] },
  {
    programs: ["eslint"],
    files: [...of("eslint.config", MODULES), ...of(".eslintrc", "json js cjs yml yaml"), ".eslintrc", ".eslintignore"],
  },
  { programs: ["oxlint"], files: [".oxlintrc.json"] },
  { programs: ["biome"], files: of("biome", "json jsonc") },
  { programs: ["ruff"], files: ["ruff.toml", ".ruff.toml", "pyproject.toml"] },
  { programs: ["flake8"], files: [".flake8", "setup.cfg", "tox.ini"] },
  { programs: ["mypy"], files: words("mypy.ini .mypy.ini pyproject.toml setup.cfg") },
  { programs: ["pylint"], files: [".pylintrc", "pylintrc", "pyproject.toml"] },
  { programs: ["pyright", "basedpyright"], files: ["pyrightconfig.json", "pyproject.toml"] },
  { programs: ["vitest"], files: [...of("vitest.config", MODULES), ...of("vite.config", MODULES)] },
  { programs: ["jest"], files: [...of("jest.config", MODULES), "jest.config.json"] },
  { programs: ["mocha"], files: of(".mocharc", "json jsonc js cjs mjs yml yaml") },
  { programs: ["playwright"], files: of("playwright.config", MODULES) },
  { programs: ["nyc", "c8"], files: words(".nycrc .nycrc.json .c8rc.json") },
  { programs: ["stryker"], files: [...of("stryker.config", "json js mjs cjs"), "stryker.conf.json"] },
];

/** Programs that run the file named next, whatever it is called. */
const INTERPRETERS: ReadonlySet<string> = new Set(
  "sh bash dash zsh source python python3 node ruby perl php".split(" "),
);

const BETWEEN_WORDS = /[\s;&|()<>"'`=]+/u; // where one word of a shell's text ends and the next begins
const WORDS = 500; // of one command

/**
 * Paths that the checks of a task may run or read: the words of their commands, and what well-known programs read by
 * name. Most are not files, which only a work tree can tell (C21).
 *
 * @param stories shell texts that stories name
 * @returns relative to the workspace, with slashes
 */
export function checkScripts(
  { successCommand, successShell, quality }: Checks,
  stories: readonly string[] = [],
): readonly string[] {
  const shell = successCommand === null && successShell !== null ? [successShell] : [];
  // A program may be a shell that gets its text as one word.
  const texts = new Set([...(successCommand ?? []), ...shell, ...quality, ...stories]);
  const split = [...texts].flatMap((text) => text.split(BETWEEN_WORDS, WORDS));
  const words = [...(successCommand ?? []).slice(0, WORDS), ...split];
  return [...new Set(words.flatMap((word, at) => [...pathOf(word, words[at - 1]), ...readBy(word)]))];
}

function readBy(word: string): readonly string[] {
  const program = programOf(word);
  return READ_BY_NAME.filter(({ programs }) => programs.includes(program)).flatMap(({ files }) => files);
}

function programOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** What `test -f FINISHED.txt` or `grep` look at is the work, not what judges it. */
const DATA = /\.(?:txt|md|log|out|csv|tsv|html?|pdf)$/iu;

/** The path that a word may be; none for options, data, and what is outside the workspace. */
function pathOf(word: string, before = ""): readonly string[] {
  const path = word.replace(/^(?:\.\/)+/u, "");
  const isOther = path === "" || /^[-/~]|(?:^|\/)\.\.(?:\/|$)|[$*?]/u.test(path) || DATA.test(path);
  const named = /[./]/u.test(word) || INTERPRETERS.has(programOf(before));
  return isOther || !named ? [] : [path];
}

/**
 * Of shell texts those whose judge may be among changed check scripts: one that they name, or one that none of them names,
 * which may be a helper of any. A lockfile judges nothing.
 *
 * @param texts all that scripts were looked for in
 */
export function judgedAnew(
  texts: readonly string[],
  { count, paths }: { readonly count: number; readonly paths: readonly string[] },
): ReadonlySet<string> {
  const judges = paths.filter((path) => !isLockfile(path));
  const named = new Map(texts.map((text) => [text, new Set(scriptsOf(text))]));
  const isNamed = (path: string): boolean => [...named.values()].some((scripts) => scripts.has(path));
  if (count > paths.length || !judges.every(isNamed)) return new Set(texts);
  return new Set(texts.filter((text) => judges.some((path) => named.get(text)?.has(path))));
}

/** What one shell text may run or read, as `checkScripts` has it. */
function scriptsOf(text: string): readonly string[] {
  return checkScripts({ successCommand: null, successShell: null, quality: [text], ci: null });
}

const LOCKFILE = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|[\w-]+\.lock)$/u;

/** Whether a path is a lockfile, which most new dependencies change. */
export function isLockfile(path: string): boolean {
  return LOCKFILE.test(path);
}

const SHELL = /(?:^|\/)(?:[^./]+|[^/]+\.(?:sh|bash|zsh|mk))$/u;
/** What takes in the file that is named next. */
const TAKES_IN: ReadonlySet<string> = new Set(". source sh bash dash zsh include -include sinclude".split(" "));
/** What a script puts before a path of its own folder. */
const OWN_FOLDER = /^(?:\$\{?\w+\}?)?\/+(?=[^/])/u;
const HELPER_WORDS = 5_000;

/**
 * Paths that a check's own script may take in: what a shell or make text sources, includes or runs, and what the scripts
 * of a `package.json` run or read. Most are not files.
 *
 * @param path of the script, relative to the workspace
 * @returns relative to the workspace, with slashes
 */
export function helpersOf(path: string, content: string): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const name = programOf(path);
  if (name === "package.json") return packageHelpers(content).map((helper) => `${folder}${helper}`);
  if (!SHELL.test(path)) return [];
  const words = content.split(BETWEEN_WORDS).slice(0, HELPER_WORDS);
  const found = words.flatMap((word, at) => {
    const plain = word.replace(OWN_FOLDER, "");
    if (!TAKES_IN.has(programOf(words[at - 1] ?? "")) && !/\.(?:sh|bash|zsh|mk)$/u.test(plain)) return [];
    // Behind a folder that was worked out, as by `dirname`, the word before is no help.
    return pathOf(plain, "sh").flatMap((helper) => [helper, `${folder}${helper}`]);
  });
  return [...new Set(found)].filter((helper) => helper !== path);
}

function packageHelpers(content: string): readonly string[] {
  const json = parsedJson(content);
  const scripts = typeof json === "object" && json !== null && "scripts" in json ? json.scripts : null;
  const texts = typeof scripts === "object" && scripts !== null ? Object.values(scripts) : [];
  return [...new Set(texts.flatMap((text) => (typeof text === "string" ? scriptsOf(text) : [])))];
}

/** What decides which checks run, and how, before anybody merges. */
const CI_FILES = [
  /^\.github\/(?:workflows|actions)\//u,
  /^\.(?:circleci|buildkite|woodpecker|drone|azure-pipelines)\//u,
  /^(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/u,
  /(?:^|\/)(?:Jenkinsfile|CODEOWNERS)[^/]*$/u,
];

/** Whether a path, relative to the repository's top, is a file that decides about the checks (threats T17). */
export function isCiFile(path: string): boolean {
  return CI_FILES.some((pattern) => pattern.test(path));
}
