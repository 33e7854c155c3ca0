/** What a row can demand of its value beyond its type. */
import { isLoopId } from "../../core/names.ts";
import type { ObjectItems } from "../setting.ts";

/** The longest time that can be set, in minutes: a week. */
export const LONGEST_MINUTES = 10_080;

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/u;
const SHORTEST_SECRET = 16;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*\*?$/u;

/** A text without line breaks. */
export function oneLine(value: string): string | undefined {
  return /[\r\n]/u.test(value) ? "a text of one line" : undefined;
}

/** A path; a line break in it would make several lines where paths are listed. */
function filePath(value: string): string | undefined {
  return /\p{Cc}/u.test(value) ? "a path without control characters" : undefined;
}

/** An optional path, unless the row has another default. */
export const PATH = { type: "string", default: null, placeholder: "path", check: filePath } as const;

/** Globs of paths in the repository; `!` in front of one takes it back. */
export function globs(value: readonly string[]): string | undefined {
  const sound = value.every(
    (glob) => /^!?[^!/\\\p{Cc}][^\\\p{Cc}]*$/u.test(glob) && !/(?:^!?|\/)\.{1,2}(?:\/|$)/u.test(glob),
  );
  return sound ? undefined : "globs seen from the repository's top, such as infra/** or !.github/workflows/ci.yml";
}

const LONGEST_PAUSE_SECONDS = 3600;

/** Pauses; a file may give them as numbers. */
export const SECONDS_ITEMS: ObjectItems = {
  read: (item) => {
    const text = typeof item === "string" ? item.trim() : typeof item === "number" ? String(item) : "?";
    // What is left out between two commas is nothing, as in every list.
    const isPause = text === "" || (/^\d+(?:\.\d+)?$/u.test(text) && Number(text) <= LONGEST_PAUSE_SECONDS);
    return isPause ? { ok: true, text } : { ok: false, expected: `seconds from 0 to ${LONGEST_PAUSE_SECONDS}` };
  },
  cure: "write them as 0,5,15; in a TOML file as [0, 5, 15]",
};

/** Several of the row's `choices`. */
export const SOME_OF = { type: "list", emptyWord: "none", commas: true, placeholder: "name" } as const;

/** Words that begin with a program to start. */
export function program(value: readonly string[]): string | undefined {
  return (value[0] ?? "").trim() === "" ? "a program's name as the first word" : undefined;
}

/** A loop id that is safe as a file name and as a git ref (C9). */
export function loopId(value: string): string | undefined {
  return isLoopId(value)
    ? undefined
    : 'a letter or digit, then at most 99 letters, digits, ".", "_" or "-", without ".." and without ".lock" at the end';
}

const MOST_REPEATED = 10;

/** How often checks are asked again: `off`, `once` or a number. */
export function flakeWord(value: string): string | undefined {
  const isKnown = value === "off" || value === "once" || /^(?:[1-9]|10)$/u.test(value);
  return isKnown ? undefined : `off, once or a number from 1 to ${MOST_REPEATED}`;
}

/** One version, no range. */
export function exactVersion(value: string): string | undefined {
  return VERSION.test(value) ? undefined : "an exact version, such as 1.2.3";
}

/** A secret that cannot be guessed by trying. */
export function longSecret(value: string): string | undefined {
  return value.length < SHORTEST_SECRET ? `a text of at least ${SHORTEST_SECRET} characters` : undefined;
}

/** Accounts on GitHub, as `octocat` or `@octocat`. */
export function logins(value: readonly string[]): string | undefined {
  return value.every((name) => LOGIN.test(name)) ? undefined : "logins on GitHub, such as octocat";
}

/** The same, and teams. */
export function loginsOrTeams(value: readonly string[]): string | undefined {
  const isName = (name: string): boolean => LOGIN.test(name.split("/", 1).join("")) && TEAM.test(name);
  return value.every(isName) ? undefined : "logins on GitHub or teams, such as octocat or octo-org/reviewers, or none";
}

const LOGIN = /^@?[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38})$/u;
const TEAM = /^[^/]+(?:\/[A-Za-z0-9][\w.-]{0,99})?$/u;

/** What `check-access` can open. */
export function accessWords(value: readonly string[]): string | undefined {
  if (!value.every((word) => word === "docker" || /^(?:\/|~\/)[^\p{Cc}]*$/u.test(word)))
    return "docker, or paths that begin with / or ~/, with :rw at the end to change what is there";
  return value.some(opensTooMuch)
    ? "single folders or files, never /, ~/, /proc, /dev, /sys or /run as a whole"
    : undefined;
}

/** Whether such a word names the whole machine, its devices or processes, or a whole home. */
function opensTooMuch(word: string): boolean {
  if (word === "docker") return false;
  const [root, ...rest] = word.replace(/:rw$/u, "").split("/");
  const names: string[] = [];
  for (const name of rest) {
    if (name === ".." && names.pop() === undefined && root === "~") return true;
    if (name !== "" && name !== "." && name !== "..") names.push(name);
  }
  const [first = ""] = names;
  return names.length === 0 || (root === "" && (first === "proc" || (names.length === 1 && WHOLE.has(first))));
}

const WHOLE: ReadonlySet<string> = new Set(["dev", "sys", "run"]);

/** Names of environment variables, or prefixes that end in `*`. */
export function variableNames(value: readonly string[]): string | undefined {
  return value.every((name) => VARIABLE.test(name)) ? undefined : "names of variables, or prefixes such as NPM_*";
}

/** A branch's name as git allows it; `<loop-id>` in it stands for the loop's id. */
export function branchTemplate(value: string): string | undefined {
  const name = value.replaceAll("<loop-id>", "id");
  const parts = name.split("/");
  const sound =
    /^[^\p{Cc} ~^:?*[\\<>]+$/u.test(name) &&
    !/\.\.|@\{|^-|^@$|\.$|^refs\/|^HEAD$/u.test(name) &&
    parts.every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
  return sound ? undefined : "a branch name that git allows, such as smithers/<loop-id>";
}

/** The name of a file in `.github/workflows`. */
export function workflowFile(value: string): string | undefined {
  return /^[\w.-]+\.ya?ml$/u.test(value) ? undefined : "the name of a workflow's file, such as smithers.yml";
}
