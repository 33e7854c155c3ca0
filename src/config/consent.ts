import type { Prd } from "../core/story/story.ts";
import type { TaskIdentity } from "../core/task.ts";
import type { Given } from "./config.ts";
import { SETTING_BY_NAME } from "./settings.ts";
import { RUNS, READS, staysInside } from "./settings/consent.ts";
import type { SettingValue } from "./setting.ts";

/** Something that takes effect only after a person has agreed to it. */
export interface Asking {
  /** the setting's name */
  readonly name: string;
  /** for people: `.smithers.toml line 3 [success-cmd]` */
  readonly where: string;
  readonly value: SettingValue;
  /** what it does, to go after `where` */
  readonly does: string;
}

/**
 * What a repository's file says that needs a person's consent (docs/decisions/0023-consent.md).
 *
 * @param leadsOut names of settings whose path leads out of the workspace by a link
 */
export function askingIn(given: ReadonlyMap<string, Given>, leadsOut: ReadonlySet<string>): readonly Asking[] {
  return [...given].flatMap(([name, { value, source }]) => {
    const consent = SETTING_BY_NAME.get(name)?.consent ?? null;
    if (consent === null || isNothing(value)) return [];
    if (consent.unless?.(value) === true && !leadsOut.has(name)) return [];
    return [{ name, where: source.where, value, does: consent.does }];
  });
}

/** The paths that a file gives to settings that may only read inside of the workspace, by the setting's name. */
export function readPaths(given: ReadonlyMap<string, Given>): ReadonlyMap<string, string> {
  return new Map(
    [...given].flatMap(([name, { value }]) =>
      SETTING_BY_NAME.get(name)?.consent?.outside === true && typeof value === "string" ? [[name, value]] : [],
    ),
  );
}

/**
 * What a stored task would run, or read outside of the workspace: the state may have come with a clone, or may have been
 * changed by the agent.
 *
 * @param where the state file, for people
 */
export function askingInTask({ checks, todo, plan }: TaskIdentity, where: string): readonly Asking[] {
  const runs = {
    "success-cmd": checks.successCommand,
    "success-sh": checks.successShell,
    "quality-commands": checks.quality,
  };
  const reads = { "todo-file": todo?.path, "plan-file": plan?.path, "agent-file": plan?.agentFile };
  const asking =
    (does: string) =>
    ([name, value]: readonly [string, SettingValue]): Asking => ({
      name,
      where: `${where} [${name}]`,
      value,
      does,
    });
  return [
    ...Object.entries(runs)
      .filter(([, value]) => !isNothing(value))
      .map(asking(RUNS.does)),
    ...Object.entries(reads)
      .flatMap(([name, file]) => (file === undefined || staysInside(file) ? [] : [[name, file] as const]))
      .map(asking(READS.does)),
  ];
}

/**
 * What a PRD would start: the commands that its criteria name, and agents of its choice.
 *
 * @param where the file, for people
 */
export function askingInPrd({ provider, stories }: Prd, where: string): readonly Asking[] {
  const agent = (at: string, name: string | null): readonly Asking[] =>
    name === null || SETTING_BY_NAME.get("provider")?.consent?.unless?.(name) === true
      ? []
      : [{ name: "provider", where: at, value: name, does: "chooses the agent" }];
  return [
    ...agent(where, provider),
    ...stories.flatMap((story) => [
      ...agent(`${where}: ${story.id}`, story.provider),
      ...story.checks.map(({ criterion, run }) => ({
        name: "checks",
        where: `${where}: ${story.id}, criterion ${criterion + 1}`,
        value: run,
        does: "runs",
      })),
    ]),
  ];
}

/** A value that sets nothing does nothing. */
function isNothing(value: SettingValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
