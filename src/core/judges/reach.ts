import { isCiFile } from "../progress/check-scripts.ts";
import type { Checks } from "../task.ts";
import type { Bend, BendKind } from "./bend.ts";

/** What a command looks at; what is not known may look at everything. */
interface Reader {
  /** null: any */
  readonly languages: ReadonlySet<string> | null;
  readonly runsTests: boolean;
  readonly readsRules: boolean;
}

const EVERYTHING: Reader = { languages: null, runsTests: true, readsRules: true };
/** Looks at the files that it names and at nothing else. */
const DATA: Reader = { languages: new Set(), runsTests: false, readsRules: false };

const words = (text: string): readonly string[] => text.split(" ");
const tests = (...languages: readonly string[]): Reader => ({
  languages: new Set(languages),
  runsTests: true,
  readsRules: false,
});
const rules = (...languages: readonly string[]): Reader => ({
  languages: new Set(languages),
  runsTests: false,
  readsRules: true,
});

/** Programs that do one thing. What may run anything, as `npm test` and `make`, is not among them. */
const PROGRAMS: ReadonlyMap<string, Reader> = new Map([
  ...words("grep egrep fgrep test [ true : cat ls cmp diff wc head tail echo printf cd stat").map(
    (name) => [name, DATA] as const,
  ),
  ...words("vitest jest mocha ava tap jasmine karma").map((name) => [name, tests("js")] as const),
  ...words("pytest py.test nose2").map((name) => [name, tests("py")] as const),
  ...words("eslint biome oxlint tsc prettier oxfmt stylelint").map((name) => [name, rules("js")] as const),
  ...words("ruff flake8 pylint mypy pyright black isort").map((name) => [name, rules("py")] as const),
  ...words("golangci-lint staticcheck gofmt").map((name) => [name, rules("go")] as const),
  ["rspec", tests("rb")],
  ["rubocop", rules("rb")],
  ["phpunit", tests("php")],
  ...words("phpstan psalm phpcs").map((name) => [name, rules("php")] as const),
]);
const SUBCOMMANDS: ReadonlyMap<string, Reader> = new Map([
  ["go test", tests("go")],
  ["go vet", rules("go")],
  ["cargo test", tests("rs")],
  ["cargo nextest", tests("rs")],
  ["cargo clippy", rules("rs")],
  ["cargo fmt", rules("rs")],
  ["dotnet test", tests("cs")],
  ["node --test", tests("js")],
]);

/** They run what is named next. */
const WRAPPERS = /^(?:npx|bunx|pnpx|uvx|time|env|nice|command|exec|sudo|!)$/u;
const TWO_WORDS = /^(?:uv run|poetry run|pipenv run|bundle exec|pnpm exec|yarn exec|npm exec|python -m|python3 -m)$/u;

const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte|snap)$/u, "js"],
  [/\.(?:pyi?|ipynb)$/u, "py"],
  [/\.go$/u, "go"],
  [/\.rs$/u, "rs"],
  [/\.(?:rb|rake)$/u, "rb"],
  [/\.php$/u, "php"],
  [/\.(?:cs|fs|vb)$/u, "cs"],
  [/\.(?:java|kts?|groovy|scala)$/u, "jvm"],
  [/\.(?:c|cc|cpp|h|hpp|m|mm)$/u, "c"],
  [/\.swift$/u, "swift"],
  [/\.exs?$/u, "ex"],
];

const OF_RULES: ReadonlySet<BendKind> = new Set(["rule_off", "rule_off_inline"]);
const OF_BOTH: ReadonlySet<BendKind> = new Set(["threshold_lowered", "cannot_fail"]);

/**
 * Whether a green of these checks could have come from a bend (C41): some check may look at the place where it is, in its
 * language and for what it is. What a check does that is not known here may be anything.
 *
 * @param stories shell texts that stories name
 */
export function couldCome(checks: Checks, stories: readonly string[], { path, kind }: Bend): boolean {
  if (isCiFile(path) && checks.ci === null) return namesIt(checks, stories, path);
  if (checks.ci !== null) return true;
  return readersOf(checks, stories).some((reader) => looksAt(reader, path, kind)) || namesIt(checks, stories, path);
}

function looksAt({ languages, runsTests, readsRules }: Reader, path: string, kind: BendKind): boolean {
  const language = LANGUAGES.find(([files]) => files.test(path))?.[1];
  const inLanguage = languages === null || (languages.size > 0 && (language === undefined || languages.has(language)));
  if (!inLanguage) return false;
  return OF_BOTH.has(kind) || (OF_RULES.has(kind) ? readsRules : runsTests);
}

const TEXT_LENGTH = 4_096;
const COMMANDS = 50; // of one text

function textsOf({ successCommand, successShell, quality }: Checks, stories: readonly string[]): readonly string[] {
  const success = successCommand === null ? (successShell === null ? [] : [successShell]) : [successCommand.join(" ")];
  return [...success, ...quality, ...stories].map((text) => text.slice(0, TEXT_LENGTH));
}

function namesIt(checks: Checks, stories: readonly string[], path: string): boolean {
  return textsOf(checks, stories).some((text) => text.includes(path));
}

function readersOf(checks: Checks, stories: readonly string[]): readonly Reader[] {
  return textsOf(checks, stories).flatMap((text) => text.split(/&&|\|\||[;|\n&]/u, COMMANDS).flatMap(readerOf));
}

function unwrapped(all: readonly string[]): readonly string[] {
  const [first = "", second = ""] = all;
  if (TWO_WORDS.test(`${first} ${second}`)) return unwrapped(all.slice(2));
  return WRAPPERS.test(first) ? unwrapped(all.slice(1)) : all;
}

function readerOf(command: string): readonly Reader[] {
  if (/[$`(){}<>]/u.test(command)) return [EVERYTHING];
  const all = command.split(/\s+/u).filter((word) => word !== "" && !/^\w+=/u.test(word));
  const [program = "", verb = ""] = unwrapped(all);
  if (program === "") return [];
  const name = program.slice(program.lastIndexOf("/") + 1);
  return [SUBCOMMANDS.get(`${name} ${verb}`) ?? PROGRAMS.get(name) ?? EVERYTHING];
}
