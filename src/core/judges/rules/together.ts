import type { TextChange } from "../bend.ts";
import type { Fact } from "./fact.ts";
import { isRun } from "./file-facts.ts";
import { CI_FILE } from "./shell-texts.ts";

/** What all changes together say about one of them. */
export interface Together {
  /** how often a name stands where commands are, as it is now */
  readonly mentions: ReadonlyMap<string, number>;
  /** folders of packages that are new, with `/` at the end */
  readonly packages: readonly string[];
  /** what manifests name that did not name it */
  readonly named: ReadonlySet<string>;
  /** whether an older file of CI is among them */
  readonly hasCi: boolean;
}

const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|mix\.exs|pubspec\.yaml|deno\.jsonc?|[^/]+\.csproj)$/u;
const BETWEEN_NAMES = /[\s"'`&|;()<>=~^,[\]{}$]+/u;

/** Reads what is asked of all changes once. Linear. */
export function together(changes: readonly TextChange[]): Together {
  const mentions = new Map<string, number>();
  for (const { path, after } of changes)
    if (after !== null && isRun(path))
      for (const name of namesIn(after)) mentions.set(name, (mentions.get(name) ?? 0) + 1);
  const manifests = changes.filter(({ path }) => MANIFEST.test(path));
  return {
    mentions,
    hasCi: changes.some(({ path, before }) => before !== null && CI_FILE.test(path)),
    packages: manifests.filter(({ before }) => before === null).map(({ path }) => folderOf(path)),
    named: new Set(
      manifests.flatMap(({ before, after }) => {
        const old = new Set(namesIn(before ?? ""));
        return before === null ? [] : namesIn(after ?? "").filter((name) => !old.has(name));
      }),
    ),
  };
}

/** Words, and the last parts of those that are paths; what stands before `:` is named by it. */
function namesIn(text: string): readonly string[] {
  return text.split(BETWEEN_NAMES).flatMap((word) => {
    const name = word.replace(/:$/u, "");
    const last = baseName(name);
    return last === name ? [name] : [name, last];
  });
}

/** Scripts that a person or CI calls, whatever else is in the repository. */
const CALLED =
  /^(?:pre|post)?(?:test|tests|lint|check|checks|ci|verify|validate|typecheck|type-check|types|build|coverage|all|default|quality|prepush|commit|push|publish)$/u;

/**
 * Whether a script or target that is new runs with the checks, as far as the changes tell: its name is one of the usual
 * ones, or stands beside the place that defines it.
 */
export function isCalled(scope: string, { mentions }: Together): boolean {
  const name = scope.replace(/^(?:tool\.\w{1,40}\.)?(?:scripts|tasks)\./u, "");
  return CALLED.test(name) || (mentions.get(name) ?? 0) > 1;
}

/**
 * Whether what a new file says against a check counts. A rule switched off beside new code does. Configuration does where it
 * lies in an older package and its program is not new as well, a file of CI where an older one has changed, and a script
 * where something that changed runs it.
 */
export function countsInNewFile(
  { kind, scope }: Fact,
  path: string,
  { mentions, packages, named, hasCi }: Together,
): boolean {
  if (kind === "rule_off_inline")
    return !path
      .split("/")
      .slice(0, -1)
      .some((folder) => MADE.test(folder));
  if (CI_FILE.test(path)) return hasCi;
  const name = baseName(path);
  if (scope === "" && !OPTIONS_FILE.test(name)) return mentions.has(name);
  const folder = folderOf(path);
  return !packages.some((one) => folder.startsWith(one)) && !named.has(programOf(name));
}

/** Folders of code that a program writes. */
const MADE = /^(?:generated|__generated__|gen|autogen)$/u;

/** Whose commands are options of a program that reads the file by itself. */
const OPTIONS_FILE = /(?:^|\.)(?:rspec|ini|toml|cfg)$/u;

/** `eslint` for `.eslintrc.json`, `.eslintignore` and `eslint.config.js` */
function programOf(name: string): string {
  const word = name.toLowerCase().replace(/^[^a-z]+/u, "");
  return word.replace(/[^a-z-].*$/su, "").replace(/(?:rc|ignore)$/u, "");
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
