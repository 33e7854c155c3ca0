import type { Config } from "./config.ts";
import { LOOPR } from "./presets/loopr.ts";
import { RALPH } from "./presets/ralph.ts";
import { SOLO } from "./presets/solo.ts";
import { WAYLON } from "./presets/waylon.ts";
import { propertyName, type SettingValue } from "./setting.ts";
import { SETTINGS } from "./settings.ts";
import type { Given } from "./source.ts";

/** Every preset; none may ever open the sandbox to the whole machine (W-55). */
export const PRESETS: Readonly<Record<NonNullable<Config["preset"]>, Partial<Config>>> = {
  waylon: WAYLON,
  ralph: RALPH,
  loopr: LOOPR,
  solo: SOLO,
};

/** What a preset says, by the setting's name. */
export function readPreset(name: SettingValue): ReadonlyMap<string, Given> {
  const preset = Object.entries(PRESETS).find(([known]) => known === name)?.[1] ?? {};
  const source = { from: "preset", where: `preset ${String(name)}` } as const;
  const values = new Map(Object.entries(preset));
  const given = SETTINGS.map(({ name: setting }) => ({ setting, value: values.get(propertyName(setting)) }));
  return new Map(
    given.flatMap(({ setting, value }) => (value === undefined ? [] : [[setting, { value, source }] as const])),
  );
}
