import type { Setting } from "./setting.ts";

export interface ShellLine {
  readonly text: string;
  /** from 1 */
  readonly line: number;
}

/** Commands that one shell runs, or one after the other with the same fate. */
export interface ShellText {
  /** the script, target or step, by name; "": the file has none, or they have no names that stay */
  readonly scope: string;
  readonly lines: readonly ShellLine[];
  /** whether it ends at the first command that fails, without saying so itself */
  readonly stops: boolean;
  /** whether a pipe fails with its first command, without saying so itself */
  readonly piped: boolean;
  /** whether these are only options of a program that something else runs */
  readonly options?: boolean;
}

const LINE_LIMIT = 4_000;
const MOST_LINES = 20_000;

export const SHELL_FILE =
  /(?:\.(?:sh|bash|zsh|ksh|bats)|(?:^|\/)(?:\.husky|\.githooks|git-hooks)\/[\w-]+|(?:^|\/)(?:\.ci|ci|bin|scripts?)\/[^./]+)$/u;
export const MAKEFILE = /(?:(?:^|\/)(?:GNU)?[Mm]akefile|\.mk)$/u;
export const JUSTFILE = /(?:^|\/)\.?[Jj]ustfile$|\.just$/u;
const RAKEFILE = /(?:(?:^|\/)[Rr]akefile(?:\.rb)?|\.rake)$/u;
const DOCKERFILE = /(?:^|\/)(?:(?:Docker|Container|Earth)file[^/]*|[^/]*\.dockerfile)$/u;
export const CI_FILE =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)\/.*|\.(?:circleci|buildkite|woodpecker|gitlab|forgejo\/workflows|gitea\/workflows)\/.*|(?:action|\.?(?:gitlab-ci|travis|drone|woodpecker|azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild|buildspec|pipeline|cirrus|semaphore))[^/]*)\.ya?ml$/u;
const TASK_FILE = /(?:^|\/)(?:[Tt]askfile[^/]*\.ya?ml|lefthook\.ya?ml|\.pre-commit-config\.yaml|compose[^/]*\.ya?ml)$/u;

/** Under which keys of YAML commands stand. */
const COMMAND_KEYS: ReadonlySet<string> = new Set(
  "run script before_script after_script commands command cmds cmd bash pwsh powershell entry steps".split(" "),
);

/** The texts of a file that a shell runs. */
export function shellTexts(path: string, text: string, settings: readonly Setting[]): readonly ShellText[] {
  if (SHELL_FILE.test(path)) return [{ scope: "", lines: joinedLines(text), stops: false, piped: false }];
  if (MAKEFILE.test(path)) return recipes(text, /^([\w./%$(){} -]{1,200}?)\s{0,5}::?(?!=)/u, true);
  if (JUSTFILE.test(path)) return recipes(text, /^@?([\w-]{1,200})[^:=]{0,200}:(?!=)/u, false);
  if (RAKEFILE.test(path)) return rakeTasks(text);
  if (DOCKERFILE.test(path))
    return [{ scope: "", lines: runLines(text), stops: true, piped: text.includes("pipefail") }];
  if (CI_FILE.test(path) || TASK_FILE.test(path)) return fromKeys(path, text, settings);
  return fromSettings(path, settings);
}

/** Lines with those that go on behind a backslash or an operator. */
function joinedLines(text: string): readonly ShellLine[] {
  const lines: ShellLine[] = [];
  let open: ShellLine | null = null;
  for (const [at, whole] of text.split("\n", MOST_LINES).entries()) {
    const line: string = whole.trimEnd();
    const isCut: boolean = line.endsWith("\\");
    // `npm test ||` takes what comes next as well.
    const goesOn: boolean = isCut || (!/^\s*#/u.test(line) && /(?:\|\||&&|\|)$/u.test(line));
    const part: string = isCut ? line.slice(0, -1) : line;
    const all: ShellLine = { text: `${open?.text ?? ""}${part}`.slice(0, LINE_LIMIT), line: open?.line ?? at + 1 };
    open = goesOn ? all : null;
    if (!goesOn) lines.push(all);
  }
  return open === null ? lines : [...lines, open];
}

function recipes(text: string, target: RegExp, isMake: boolean): readonly ShellText[] {
  const found = new Map<string, ShellLine[]>();
  let scope = "";
  for (const line of joinedLines(text)) {
    const isRecipe = isMake ? line.text.startsWith("\t") : /^\s/u.test(line.text);
    const name = isRecipe ? undefined : target.exec(line.text)?.[1]?.trim();
    if (name !== undefined) scope = name;
    if (!isRecipe) continue;
    const lines = found.get(scope) ?? [];
    found.set(scope, lines);
    lines.push({ ...line, text: line.text.trim() });
  }
  const piped = text.includes("pipefail");
  return [...found].map(([name, lines]) => ({ scope: name, lines, stops: true, piped }));
}

/** What tasks give to `sh`; a line that gives it nothing is no command. */
function rakeTasks(text: string): readonly ShellText[] {
  const found = new Map<string, ShellLine[]>();
  let scope = "";
  for (const { text: whole, line } of joinedLines(text)) {
    scope = /^\s*task[ (]+["':]?([\w:-]{1,200})/u.exec(whole)?.[1] ?? scope;
    const command = /^\s*(?:sh|system)[ (]+(["'])([^"']{1,2000})\1/u.exec(whole)?.[2];
    const said = /^\s*(?:puts|print)\b/u.test(whole) ? "echo" : undefined;
    const lines = found.get(scope) ?? [];
    if (command !== undefined || said !== undefined) lines.push({ text: command ?? "echo", line });
    if (lines.length > 0) found.set(scope, lines);
  }
  return [...found].map(([name, lines]) => ({ scope: name, lines, stops: true, piped: false }));
}

function runLines(text: string): readonly ShellLine[] {
  return joinedLines(text).flatMap((line) => {
    const command = /^\s*RUN\s+(?:--\S+\s+){0,5}(.*)$/iu.exec(line.text)?.[1];
    return command === undefined ? [] : [{ ...line, text: command }];
  });
}

function fromKeys(path: string, text: string, settings: readonly Setting[]): readonly ShellText[] {
  const lines = settings.filter(({ path: names }) => COMMAND_KEYS.has(names.at(-1) ?? "")).map(ownLine);
  const piped = /pipefail|shell:\s{0,9}["']?bash\b/u.test(text) || path.includes("gitlab-ci");
  return [{ scope: "", lines, stops: true, piped }];
}

function ownLine({ value, line }: Setting): ShellLine {
  return { text: value, line };
}

/** Where configuration of a language has commands, and under which names. */
const SETTINGS: readonly { readonly files: RegExp; readonly at: RegExp; readonly before?: string }[] = [
  { files: /(?:^|\/)(?:package|composer)\.json$/u, at: /^(?:scripts|lint-staged|husky|config\n.*)\n/u },
  { files: /(?:^|\/)deno\.jsonc?$/u, at: /^tasks\n/u },
  {
    files: /(?:^|\/)tox\.(?:ini|toml)$|(?:^|\/)setup\.cfg$|(?:^|\/)pyproject\.toml$/u,
    at: /\ncommands(?:_pre|_post)?$/u,
  },
  { files: /(?:^|\/)pyproject\.toml$/u, at: /\n(?:tasks|scripts|cmd|shell)\n|^tool\n(?:poe|hatch|pdm|taskipy)\n.*/u },
  {
    files: /(?:^|\/)(?:pyproject\.toml|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg)$/u,
    at: /(?:^|\n)addopts$/u,
    before: "pytest",
  },
  { files: /(?:^|\/)\.rspec$/u, at: /^$/u, before: "rspec" },
];

/** Whether a file's settings may hold commands. */
export function hasCommands(path: string): boolean {
  return CI_FILE.test(path) || TASK_FILE.test(path) || SETTINGS.some(({ files }) => files.test(path));
}

function fromSettings(path: string, settings: readonly Setting[]): readonly ShellText[] {
  const sources = SETTINGS.filter(({ files }) => files.test(path));
  const found = new Map<string, { lines: ShellLine[]; before: string }>();
  for (const setting of sources.length === 0 ? [] : settings) {
    const scope = setting.path.join("\n");
    const source = sources.find(({ at }) => at.test(scope));
    if (source === undefined) continue;
    const text = found.get(scope) ?? { lines: [], before: source.before ?? "" };
    found.set(scope, text);
    text.lines.push(ownLine(setting));
  }
  return [...found].map(([name, { lines, before }]) => ({
    ...(before === ""
      ? { scope: name.replaceAll("\n", "."), lines }
      : { scope: "", lines: options(before, lines), options: true }),
    ...{ stops: false, piped: false },
  }));
}

/** Options of a program, one line or several, as if they were given to it on one. */
function options(program: string, lines: readonly ShellLine[]): readonly ShellLine[] {
  return lines.map(({ text, line }) => ({ text: `${program} ${text}`, line }));
}
