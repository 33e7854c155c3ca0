/** What a row can say about consent: what its setting does that only a person may allow (docs/decisions/0023-consent.md). */
import type { Consent, SettingValue } from "../setting.ts";

/** Nothing but words, numbers and limits: a repository's file may say it to anybody. */
export const FREE = null;

/** It starts a program of the file's choice, or gives one its arguments. */
export const RUNS = { does: "runs what it names" } as const satisfies Consent;

/** It starts a program unless it is `value`. */
export function runsUnless(value: SettingValue): Consent {
  return { ...RUNS, unless: (given) => given === value };
}

/** It lets agent or checks do more than they may without it. @param values those that do not */
export function widensUnless(...values: readonly SettingValue[]): Consent {
  return { does: "lets agent or checks do more", unless: (value) => values.includes(value) };
}

/** It shows variables of the person's environment to agent and checks. */
export const PASSES = { does: "passes variables on" } as const satisfies Consent;

/** It names a file that is written, or a state that is believed. */
export const WRITES = { does: "names files to write" } as const satisfies Consent;

/** It names a file that is read, which may be in the workspace only. */
export const READS = {
  does: "reads outside of the workspace",
  outside: true,
  unless: (value) => typeof value === "string" && staysInside(value),
} as const satisfies Consent;

/** It does something under the person's name. @param value that does not */
export function actsUnless(value: SettingValue): Consent {
  return { does: "acts in your name", unless: (given) => given === value };
}

/** Whether a path that is seen from the workspace stays inside, as it is written; links are not looked at. */
export function staysInside(file: string): boolean {
  if (/^(?:[/\\]|[A-Za-z]:)/u.test(file)) return false;
  let depth = 0;
  for (const part of file.split(/[/\\]/u)) {
    if (part === "..") depth -= 1;
    else if (part !== "" && part !== ".") depth += 1;
    if (depth < 0) return false;
  }
  return true;
}
