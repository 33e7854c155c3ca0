import { UsageError } from "../core/errors.ts";
import { secretVariables } from "../core/policy/secret-variables.ts";
import { configOf, sourcesOf, type Config, type Given, type Sources } from "./config.ts";
import { type KeptSettings, type Layer, tellKept, withKept } from "./kept.ts";
import { type ForeignFile, readForeign, staysOpen } from "./foreign.ts";
import { readPreset } from "./presets.ts";
import { readConfigFile, readSaid, type ConfigFile, type Environment, type Flags, type Said } from "./read.ts";
import { judge } from "./rules.ts";
import { defaultOn, type Setting, type Surface } from "./setting.ts";
import { SETTING_BY_NAME, SETTINGS } from "./settings.ts";
import { settle, settleGates } from "./settle.ts";

/** All sources of settings. Nothing else is read: no home folder, no other file. */
export interface SettingsInput extends Said {
  /** absent: no config file */
  readonly file?: ConfigFile;
  /** configuration files of other systems; absent: none */
  readonly foreign?: readonly ForeignFile[];
  /** what a loop that goes on was given; absent: it begins, or nothing is kept of it */
  readonly kept?: KeptSettings;
}

export interface Resolved {
  readonly surface: Surface;
  readonly config: Config;
  readonly sources: Sources;
  /** what each place says, the highest first, before presets and defaults */
  readonly given: readonly Layer[];
  /** what a person should know although nothing is wrong; may have several lines */
  readonly notices: readonly string[];
}

/**
 * Puts the settings together: flag or input over environment over file over another system's file over preset over
 * default (L-06), with what a loop that goes on was given where `withKept` puts it, then holds them against the rules that
 * span several of them.
 *
 * @throws UsageError with every problem there is, each with the place, what was expected and what to do next
 */
export function resolveSettings(input: SettingsInput): Resolved {
  const surface = input.inputs === undefined ? "command-line" : "action";
  const foreign = readForeign(input.foreign ?? []);
  const readings = [...readSaid(input), readConfigFile(input.file), ...foreign];
  const now = readings.map((reading) => reading.given);
  const places = input.kept === undefined ? now : withKept(now, input.kept);
  const layers = [...places, readPreset(firstGiven("preset", places)?.value ?? null)];
  const values = new Map(
    SETTINGS.map((setting) => [setting.name, firstGiven(setting.name, layers) ?? defaultOf(setting, surface)]),
  );
  const settled = [...settleGates(values, layers), ...settle(values)];

  const given = (setting: Setting): Given => values.get(setting.name) ?? defaultOf(setting, surface);
  const config = configOf(
    (setting) => given(setting).value,
    (passEnv) => secretVariables(input.env, passEnv),
  );
  const sources = sourcesOf((setting) => given(setting).source);
  const refused = new Set(readings.flatMap((reading) => [...reading.refused]));
  const findings = [...settled, ...judge({ config, sources, surface }, refused)];

  const problems = [
    ...readings.flatMap((reading) => reading.problems),
    ...staysOpen(foreign, input.env, config.preset === "solo"),
    ...findings.flatMap((finding) => ("problem" in finding ? [finding.problem] : [])),
  ];
  if (problems.length > 0) throw new UsageError(problems);
  const told = input.kept === undefined ? [] : tellKept(places, input.kept);
  const notices = [...told, ...findings.flatMap((finding) => ("notice" in finding ? [finding.notice] : []))];
  return { surface, config, sources, given: places, notices };
}

/** Where to look for the config file, which has to be known before it can be read. */
interface ConfigFileLocation {
  /** the workspace; null: the current folder */
  readonly cd: string | null;
  /** seen from the workspace */
  readonly path: string;
  /** whether somebody named the file, so that it must exist */
  readonly named: boolean;
}

/** Finds the config file by flags, inputs and environment alone. Mistakes in them are left to `resolveSettings`. */
export function locateConfigFile(flags: Flags, env: Environment, inputs?: Environment): ConfigFileLocation {
  const places = readSaid({ flags, env, ...(inputs && { inputs }) }).map((reading) => reading.given);
  const cd = firstGiven("cd", places)?.value;
  const file = firstGiven("config-file", places)?.value;
  const path = String(file ?? SETTING_BY_NAME.get("config-file")?.default);
  return { cd: typeof cd === "string" ? cd : null, path, named: file !== undefined };
}

function firstGiven(name: string, layers: readonly Layer[]): Given | undefined {
  return layers.map((layer) => layer.get(name)).find((given) => given !== undefined);
}

function defaultOf(setting: Setting, surface: Surface): Given {
  return { value: defaultOn(setting, surface), source: { from: "default", where: "default" } };
}
