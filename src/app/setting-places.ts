import type { Flags } from "../config/read.ts";
import type { SettingsInput } from "../config/resolve.ts";
import type { Shell } from "./shell.ts";

/** Where the settings of a command can be said, apart from files. */
export function settingPlaces(flags: Flags, { env, inputs }: Shell): Omit<SettingsInput, "file" | "foreign"> {
  return { flags, env, ...(inputs === undefined ? {} : { inputs }) };
}
