import { namesOf, type Setting } from "./setting.ts";
import { AGENT_SETTINGS } from "./settings/agent.ts";
import { LIMIT_SETTINGS } from "./settings/limits.ts";
import { DONE_SETTINGS } from "./settings/done.ts";
import { GIT_SETTINGS } from "./settings/git.ts";
import { STATE_SETTINGS } from "./settings/state.ts";
import { TASK_SETTINGS } from "./settings/task.ts";

const ROWS = [
  ...TASK_SETTINGS,
  ...DONE_SETTINGS,
  ...AGENT_SETTINGS,
  ...LIMIT_SETTINGS,
  ...STATE_SETTINGS,
  ...GIT_SETTINGS,
] as const;

/** A row with the very words that it is written in. */
export type SettingRow = (typeof ROWS)[number];

/**
 * Every setting there is: flags, environment variables, keys of the file, `Config`, `action.yml` and the tables in the
 * README come from here and from nowhere else. After a change: `node scripts/generate.ts`.
 */
export const SETTINGS: readonly Setting[] = ROWS;

/** Every setting by its name and its aliases. */
export const SETTING_BY_NAME: ReadonlyMap<string, Setting> = new Map(
  SETTINGS.flatMap((setting) => namesOf(setting).map((name) => [name, setting])),
);
