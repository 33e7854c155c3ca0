import { namesOf, type Setting } from "./setting.ts";
import { AGENT_SETTINGS } from "./settings/agent.ts";
import { CHECKPOINT_SETTINGS } from "./settings/checkpoint.ts";
import { CIRCUIT_SETTINGS } from "./settings/circuit.ts";
import { DONE_SETTINGS } from "./settings/done.ts";
import { GIT_SETTINGS } from "./settings/git.ts";
import { LIMIT_SETTINGS } from "./settings/limits.ts";
import { STATE_SETTINGS } from "./settings/state.ts";
import { TASK_SETTINGS } from "./settings/task.ts";

/**
 * Every setting there is: flags, environment variables, keys of the file, `Config` and the tables in the README come
 * from here and from nowhere else. After a change: `node scripts/generate.ts`.
 */
export const SETTINGS: readonly Setting[] = [
  ...TASK_SETTINGS,
  ...DONE_SETTINGS,
  ...AGENT_SETTINGS,
  ...LIMIT_SETTINGS,
  ...CIRCUIT_SETTINGS,
  ...CHECKPOINT_SETTINGS,
  ...STATE_SETTINGS,
  ...GIT_SETTINGS,
];

/** Every setting by its name and its aliases. */
export const SETTING_BY_NAME: ReadonlyMap<string, Setting> = new Map(
  SETTINGS.flatMap((setting) => namesOf(setting).map((name) => [name, setting])),
);
