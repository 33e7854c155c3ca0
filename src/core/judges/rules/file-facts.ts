import { checkClass } from "./checks.ts";
import { commandFacts } from "./command-facts.ts";
import type { Fact } from "./fact.ts";
import { LINT_SETTINGS } from "./lint-settings.ts";
import { markFacts } from "./marks.ts";
import { isGeneratedFile } from "./patterns.ts";
import { bracedSettings } from "./read-braces.ts";
import { elementSettings, indentedSettings, listedSettings, sectionSettings } from "./read-lines.ts";
import type { Setting } from "./setting.ts";
import { settingFacts, type SettingRule } from "./setting-rule.ts";
import { CI_FILE, hasCommands, JUSTFILE, MAKEFILE, SHELL_FILE, shellTexts } from "./shell-texts.ts";
import { splitCommands } from "./split-commands.ts";
import { TEST_SETTINGS } from "./test-settings.ts";

const RULES: readonly SettingRule[] = [...LINT_SETTINGS, ...TEST_SETTINGS];

/** What is read from a file. */
export interface FileFacts {
  readonly facts: readonly Fact[];
  /** the scripts and targets that have commands */
  readonly scopes: ReadonlySet<string>;
}

/** Everything in a file that makes checks stricter or takes away from them, as it stands; null: there is no file. */
export function fileFacts(path: string, text: string | null): FileFacts {
  if (text === null || isGeneratedFile(path)) return { facts: [], scopes: new Set() };
  const lines = text.split("\n");
  const rules = rulesFor(path);
  const settings = rules.length === 0 && !hasCommands(path) ? [] : settingsIn(path, text);
  const shells = shellTexts(path, text, settings);
  const facts = [
    ...markFacts(path, lines),
    ...rulesFacts(rules, settings).filter(({ line }) => !CI_FILE.test(path) || isInCheck(lines, line)),
    ...shells.flatMap((shell) => commandFacts(shell)),
  ];
  return { facts, scopes: new Set(shells.map(({ scope }) => scope)) };
}

/** Whether a file has commands that others may run. */
export function isRun(path: string): boolean {
  return hasCommands(path) || SHELL_FILE.test(path) || MAKEFILE.test(path) || JUSTFILE.test(path);
}

/** Whether a file is one of configuration that decides about this. */
export function decidesAbout(path: string, kind: Fact["kind"]): boolean {
  return rulesFor(path).some((rule) => rule.kind === kind);
}

function rulesFor(path: string): readonly SettingRule[] {
  return RULES.filter(({ files }) => files.test(path));
}

function rulesFacts(rules: readonly SettingRule[], settings: readonly Setting[]): readonly Fact[] {
  return settings.flatMap((setting) => {
    const names = setting.path.join("\n").slice(0, 2_000);
    return rules.filter(({ path }) => path.test(names)).flatMap((rule) => settingFacts(rule, setting));
  });
}

/** How files are written, by their names; the first that fits. */
const FORMATS: readonly { readonly files: RegExp; readonly read: (text: string) => readonly Setting[] }[] = [
  { files: /ignore$|(?:^|\/)\.rspec$/u, read: listedSettings },
  { files: /\.(?:ya?ml|neon)(?:\.dist)?$|(?:^|\/)\.(?:clang-tidy|clang-format)$/u, read: indentedSettings },
  { files: /\.(?:xml|[cfv][bs]?proj|csproj|props|targets|runsettings|ruleset)(?:\.dist)?$/u, read: elementSettings },
  {
    files:
      /\.(?:toml|ini|cfg|properties|globalconfig)$|(?:^|\/)\.?(?:flake8|coveragerc|pylintrc|editorconfig|shellcheckrc|bandit)$|(?:^|\/)\.cargo\/config$/u,
    read: sectionSettings,
  },
  {
    files: /\.(?:json[c5]?|[cm]?[jt]s|gradle|kts|rb|dist)$|(?:^|\/)(?:\.simplecov|conftest\.py|Rakefile)$/u,
    read: (text) => bracedSettings(text),
  },
  {
    files: /rc$/u,
    read: (text) => (/^\s*[{/]/u.test(text) ? bracedSettings(text) : indentedSettings(text)),
  },
];

function settingsIn(path: string, text: string): readonly Setting[] {
  return FORMATS.find(({ files }) => files.test(path))?.read(text) ?? [];
}

const MOST_LINES = 400;
const JUDGE =
  /\buses:\s{0,9}\S{0,200}(?:lint|test|check|codeql|coverage|scan|analy|verify|pre-commit|playwright|cypress)/iu;

/** Whether the step or job that a line of a CI file belongs to judges something, as far as it is written there. */
function isInCheck(lines: readonly string[], line: number): boolean {
  const at = line - 1;
  const indent = keyIndent(lines.slice(at, line).join(""));
  let first = at;
  while (first > 0 && at - first < MOST_LINES && !isItem(lines[first], indent) && isInside(lines[first - 1], indent))
    first -= 1;
  let end = at + 1;
  while (end < lines.length && end - at < MOST_LINES && isInside(lines[end], indent) && !isItem(lines[end], indent))
    end += 1;
  return lines.slice(first, end).some((text) => JUDGE.test(text) || isCheck(text));
}

function isCheck(text: string): boolean {
  const command = text.replace(/^[\s-]*(?:[\w-]{1,40}:\s{1,9})?["'|>]?/u, "").slice(0, 2_000);
  return splitCommands(command).some((one) => checkClass(one) !== null);
}

/** Where a key begins, behind the dashes of a list. */
function keyIndent(text: string): number {
  return text.length - text.replace(/^[\s-]+/u, "").length;
}

/** Whether it begins an item whose keys are at this indent. */
function isItem(text: string | undefined, indent: number): boolean {
  return text !== undefined && /^\s*- /u.test(text) && keyIndent(text) === indent;
}

function isInside(text: string | undefined, indent: number): boolean {
  return text !== undefined && (text.trim() === "" || keyIndent(text) >= indent);
}
