import type { Flags } from "../config/read.ts";
import type { SettingsInput } from "../config/resolve.ts";
import type { Shell } from "./shell.ts";

/** Where the settings of a command can be said, apart from the config file. */
export function settingPlaces(flags: Flags, { env, inputs }: Shell): Omit<SettingsInput, "file"> {
  return { flags, env, ...(inputs === undefined ? {} : { inputs }) };
}
