import { checkClass, type CheckClass, hasVerb, isDelegating, isOwn, meant } from "./checks.ts";
import { FLAGS, type FlagRule, VARIABLES } from "./command-flags.ts";
import type { Fact } from "./fact.ts";
import type { ShellLine, ShellText } from "./shell-texts.ts";
import { type Command, splitCommands } from "./split-commands.ts";

/** What the commands of a text that a shell runs say for and against its checks. */
export function commandFacts(text: ShellText): readonly Fact[] {
  return factsOf(text).map((fact) => ({ ...fact, scope: text.scope }));
}

function factsOf(text: ShellText): readonly Fact[] {
  const lines = text.lines.map((line) => ({ ...line, commands: expanded(splitCommands(withoutPrefix(line.text))) }));
  const checks = lines.flatMap(({ commands }) => commands.filter((command) => checkClass(command) !== null));
  const delegates = lines.some(({ commands }) => commands.some((command) => isDelegating(command)));
  if (checks.length === 0 && !delegates) return [];
  const whole = text.lines.map((line) => line.text).join("\n");
  const stops = text.stops || /^#!.*\s-\w{0,9}e|^\s*set\s+(?:-\w{0,9}e|-o\s+errexit)/mu.test(whole);
  const shell: Shell = {
    scope: text.scope,
    stops,
    piped: text.piped || whole.includes("pipefail"),
    waits: /\bwait\b/u.test(whole),
  };
  return [
    ...lines.flatMap((line) => [...lineFacts(shell, line), ...shellOptions(shell, line)]),
    ...(text.options === true ? [] : [...classFacts(shell, lines), ...actingFacts(shell, lines)]),
    ...earlyEnd(shell, lines),
  ];
}

interface Shell {
  readonly scope: string;
  readonly stops: boolean;
  readonly piped: boolean;
  readonly waits: boolean;
}

interface SplitLine extends ShellLine {
  readonly commands: readonly Command[];
}

/** Of make and just: `@`, and `-`, which makes a command unable to fail. */
const PREFIX = /^\s*[-@+]{1,3}\s*(?=[\w./$])/u;

function withoutPrefix(text: string): string {
  return text.replace(PREFIX, "");
}

function lineFacts(shell: Shell, { text, line, commands }: SplitLine): readonly Fact[] {
  const isIgnored = (PREFIX.exec(text)?.[0] ?? "").includes("-");
  return commands.flatMap((command, at): readonly Fact[] => {
    const found = checkClass(command);
    const name = meant(command).program;
    const hidden = isIgnored ? "ignored" : hiding(shell, commands, at);
    if (found === null) return isOwn(command) ? [ownFact(shell, command, hidden !== null, line)] : [];
    const place = `${shell.scope}|${found}`;
    const hides: readonly Fact[] =
      hidden === null
        ? []
        : [{ kind: "cannot_fail", about: `${hidden} ${name}`, at: `${place} ${hidden}`, level: -1, line }];
    return [
      ...hides,
      ...flagFacts(place, command, line),
      ...variableFacts(place, command, line),
      ...breadth(place, found, command, line),
    ];
  });
}

/** What a program of the project judges is not known; it counts where it could fail, and cannot any more. */
function ownFact({ scope }: Shell, { words }: Command, isHidden: boolean, line: number): Fact {
  const about = `own ${words.join(" ").slice(0, OWN_LENGTH)}`;
  return { kind: "cannot_fail", about, at: `${scope}|${about}`, level: isHidden ? -1 : 1, line, paired: true };
}

const OWN_LENGTH = 300;

/** With what `sh -c` is told to run in its place. */
function expanded(commands: readonly Command[]): readonly Command[] {
  return commands.flatMap((command) => {
    const { program, args } = meant(command);
    const at = ["sh", "bash", "zsh"].includes(program) ? args.findIndex((arg) => /^-\w{0,5}c$/u.test(arg)) : -1;
    const inner = at === -1 ? [] : splitCommands(args.slice(at + 1, at + 2).join(""));
    if (inner.length === 0) return [command];
    return [...inner.slice(0, -1), ...inner.slice(-1).map((last) => ({ ...last, operator: command.operator }))];
  });
}

const HARMLESS: ReadonlySet<string> = new Set(["true", ":", "echo", "printf", "cat", "continue", "return", "exit"]);
/** What takes a pipe and says nothing of what comes in. */
const SINKS: ReadonlySet<string> = new Set(
  "tee cat head tail grep sed awk less more sort uniq tr wc ts cut column xargs".split(" "),
);

/** What hides the exit code of a command among those of its line; null: nothing. */
function hiding(shell: Shell, commands: readonly Command[], at: number): string | null {
  const next = commands[at + 1];
  const operator = commands[at]?.operator;
  if (operator === "&") return shell.waits ? null : "background";
  if (next === undefined) return null;
  if (operator === "||") return isHarmless(alternative(commands, at + 1)) ? "|| true" : null;
  if (operator === "|") {
    if (SINKS.has(meant(next).program) && !shell.piped) return "pipe";
    // `npm test | tee log || true`
    return hiding({ ...shell, piped: true }, commands, at + 1);
  }
  if (operator === "&&") return hidingOfAll(commands, at + 1);
  const rest = commands.slice(at + 1);
  return !shell.stops && operator === ";" && (isHarmless(rest) || !rest.some((one) => asksForCode(one)))
    ? "; true"
    : null;
}

/** Whether a command may end with the code of one before it. */
function asksForCode({ words }: Command): boolean {
  return words.some((word) => word.includes("$?") || word === "exit" || word === "return");
}

/** `tsc && eslint . || true` hides both. */
function hidingOfAll(commands: readonly Command[], from: number): string | null {
  const end = commands.findIndex(({ operator }, at) => at >= from && operator !== "&&");
  return end !== -1 && commands[end]?.operator === "||" && isHarmless(alternative(commands, end + 1))
    ? "|| true"
    : null;
}

/** What runs when the commands before have failed. */
function alternative(commands: readonly Command[], from: number): readonly Command[] {
  const end = commands.findIndex(({ operator }, at) => at >= from && operator === "&&");
  return commands.slice(from, end === -1 ? commands.length : end + 1);
}

/** Whether commands only talk, and end with 0. */
function isHarmless(commands: readonly Command[]): boolean {
  return (
    commands.length > 0 &&
    commands.every((command) => {
      const { program, args } = meant(command);
      return HARMLESS.has(program) && (!["exit", "return"].includes(program) || (args.at(-1) ?? "1") === "0");
    })
  );
}

function flagFacts(place: string, command: Command, line: number): readonly Fact[] {
  const { program, args } = meant(command);
  const options = optionsOf(args);
  return FLAGS.filter((rule) => rule.of === undefined || rule.of.includes(program)).flatMap((rule) =>
    options
      .filter(({ name, value }) => rule.flag.test(name) && (rule.value === undefined || rule.value.test(value)))
      .flatMap(({ name, value }) => flagFact(rule, { name, value, place, line })),
  );
}

const CEILING = 1_000_000;

function flagFact(
  rule: FlagRule,
  { name, value, place, line }: { name: string; value: string; place: string; line: number },
): readonly Fact[] {
  const about = rule.about ?? name.replace(/^.*[-.]/u, "");
  if (rule.does === "takes")
    return [{ ...rule, about: `${name} ${value}`, at: `${place} ${name} ${value}`, level: -1, line }];
  if (rule.does === "judges") return [{ ...rule, about, at: `${place} ${name}`, level: 1, line }];
  const number = Number.parseFloat(value);
  if (Number.isNaN(number) || number < 0) return [];
  return [{ ...rule, about, at: `${place} ${name}`, level: rule.does === "least" ? number : CEILING - number, line }];
}

/** Options with their values: `--x=1`, `--x 1`, `-Dx=1`, and several of one name. */
function optionsOf(args: readonly string[]): readonly { readonly name: string; readonly value: string }[] {
  return args.flatMap((arg, at) => {
    if (!/^[-/]\w|^--/u.test(arg)) return [];
    const equals = arg.indexOf("=");
    if (equals !== -1) return [{ name: arg.slice(0, equals), value: arg.slice(equals + 1) }];
    const next = args[at + 1] ?? "";
    return [{ name: arg, value: next.startsWith("-") ? "" : next }];
  });
}

function variableFacts(place: string, { words }: Command, line: number): readonly Fact[] {
  return words
    .filter((word) => /^\w+=/u.test(word))
    .flatMap((word) =>
      VARIABLES.filter(({ variable }) => variable.test(word)).map(({ kind }): Fact => ({
        kind,
        about: word,
        at: `${place} ${word}`,
        level: -1,
        line,
      })),
    );
}

function breadth(place: string, found: CheckClass, command: Command, line: number): readonly Fact[] {
  if (found !== "tests" && found !== "lint" && found !== "types") return [];
  const kind = found === "tests" ? "tests_excluded" : "rule_off";
  const { program, args } = meant(command);
  // What comes first is the verb or the script's name: `go test`, `npm run test`.
  const level = breadthOf(hasVerb(program) ? args.slice(1) : args, found);
  return [{ kind, about: "breadth", at: `${place} breadth`, level, line, paired: true }];
}

function shellOptions({ scope }: Shell, { text, line }: SplitLine): readonly Fact[] {
  const set = /^#!.*\s-\w{0,9}e/u.test(text) ? "-e" : (/^\s*set\s+([-+].{0,60})/u.exec(text)?.[1] ?? "");
  const sign = set.charAt(0);
  const level = sign === "-" ? 1 : -1;
  const ends = /^[-+]\w{0,9}e|errexit/u.test(set);
  const named = [...(ends ? ["errexit"] : []), ...(set.includes("pipefail") ? ["pipefail"] : [])];
  return named.map((name) => ({
    kind: "cannot_fail",
    about: `set ${name}`,
    at: `${scope}|set ${sign}${name}`,
    level,
    line,
  }));
}

/** Which kinds of checks a text runs; none is said of one that runs something else of the project. */
function classFacts({ scope }: Shell, lines: readonly SplitLine[]): readonly Fact[] {
  const first = new Map<string, number>();
  for (const { commands, line } of lines)
    for (const command of commands) {
      const found = checkClass(command) ?? (isDelegating(command) ? "other" : null);
      if (found !== null && !first.has(found)) first.set(found, line);
    }
  return [...first].map(([found, line]) => ({
    kind: "cannot_fail",
    about: `runs ${found}`,
    at: `${scope}|runs ${found}`,
    level: 1,
    line,
    ...(found === "other" ? { paired: true } : {}),
  }));
}

/** That a text does more than talk; where it runs checks, these say so. */
function actingFacts({ scope }: Shell, lines: readonly SplitLine[]): readonly Fact[] {
  const first = lines.find(({ commands }) => commands.some((command) => !isHarmless([command]) && !isOption(command)));
  if (first === undefined) return [];
  const paired = lines.some(({ commands }) => commands.some((command) => checkClass(command) !== null));
  return [{ kind: "cannot_fail", about: "acts", at: `${scope}|acts`, level: 1, line: first.line, paired }];
}

function isOption(command: Command): boolean {
  return meant(command).program === "set" || meant(command).program === "";
}

/** A script that ends with 0 whatever its checks said, or before them. */
function earlyEnd({ scope, stops }: Shell, lines: readonly SplitLine[]): readonly Fact[] {
  const filled = lines.filter(({ commands }) => commands.length > 0);
  return filled.flatMap(({ text, line, commands }, at): readonly Fact[] => {
    const isLast = at === filled.length - 1;
    const isEnd = /^exit\s+0\b|^trap\s.{0,40}\bexit 0\b.{0,10}\bEXIT\b/u.test(text) && commands.length <= 2;
    if (!isEnd || (isLast && stops) || filled.length === 1) return [];
    return [{ kind: "cannot_fail", about: "exit 0", at: `${scope}|exit 0`, level: -1, line }];
  });
}

/** Options whose next word is their value, though it may look like what is to be checked. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  (
    "-c --config -C -p --project --rootDir --root --dir -o --out --output --outFile --output-file --outputFile --reporter --reporters " +
    "--cov --cov-config --cov-report --junitxml --ignore --exclude --ignore-path --cache-location --cache-dir -f --file --format " +
    "--formatter --require -r --import --loader --setup --setupFiles --coverage-dir --coverageDirectory --settings --manifest-path " +
    "--testPathIgnorePatterns -t -k -m --tb --rootdir --confcutdir --basetemp --bootstrap --configuration --log-junit --jobs -j --timeout"
  ).split(" "),
);
/** What stands for all that there is. */
const ALL = /^(?:\.|\.\/|\.\/\.\.\.|\.\.\.|\*\*)$/u;
/** Where all tests usually are. */
const ALL_TESTS = /^(?:\.\/)?(?:tests?|specs?|__tests__)\/?$/u;
/** `src`, `packages/` */
const TOP_FOLDER = /^(?:\.\/)?[\w-]+\/?$/u;
const USUAL_FOLDER = /^(?:src|tests?|specs?|lib|packages|apps?|scripts|bench|examples|cmd|pkg|internal)$/u;
const EVERYTHING = 1_000;
const FOLDERS = 500;

/**
 * How much a check looks at, by the paths that it is given: more is stricter. Everything, or how many folders of the top, or
 * how many files and deeper folders.
 */
function breadthOf(args: readonly string[], found: "tests" | "lint" | "types"): number {
  const targets = args.filter((arg, at) => isTarget(arg) && !WITH_VALUE.has(args[at - 1] ?? ""));
  const isAll = (target: string): boolean => ALL.test(target) || (found === "tests" && ALL_TESTS.test(target));
  if (targets.length === 0 || targets.some((target) => isAll(target))) return EVERYTHING;
  return targets.every((target) => TOP_FOLDER.test(target)) ? FOLDERS + targets.length : targets.length;
}

/** Whether a word is a path, as far as words tell: a verb has no slash, dot or star. */
function isTarget(arg: string): boolean {
  if (/^[-$/@\d]|^\w+=/u.test(arg)) return false;
  return /[./*]/u.test(arg) || arg.includes("::") || USUAL_FOLDER.test(arg);
}
