import { namesOf, type ListedSetting, type Setting, type SettingRows } from "./setting.ts";
import { AGENT_SETTINGS } from "./settings/agent.ts";
import { CHECKPOINT_SETTINGS, CIRCUIT_SETTINGS, LIMIT_SETTINGS } from "./settings/limits.ts";
import { DONE_SETTINGS } from "./settings/done.ts";
import { GIT_SETTINGS } from "./settings/git.ts";
import { STATE_SETTINGS } from "./settings/state.ts";
import { STORY_SETTINGS } from "./settings/stories.ts";
import { TASK_SETTINGS } from "./settings/task.ts";

/** The rows by the heading under which people find them, in the order in which they see them. */
const TABLE = {
  Task: TASK_SETTINGS,
  Stories: STORY_SETTINGS,
  "When it is done": DONE_SETTINGS,
  Agent: AGENT_SETTINGS,
  Limits: LIMIT_SETTINGS,
  "Circuit breaker": CIRCUIT_SETTINGS,
  "Checkpoints for people": CHECKPOINT_SETTINGS,
  State: STATE_SETTINGS,
  "Git and GitHub": GIT_SETTINGS,
} as const satisfies Record<string, SettingRows>;

type Named<Rows> = { [Name in keyof Rows]: Rows[Name] extends { is: infer Is } ? Is & { name: Name } : never };
type RowOf<Rows> = Rows extends SettingRows ? Named<Rows>[keyof Rows] : never;

/** A row with the very words that it is written in. */
export type LiteralRow = RowOf<(typeof TABLE)[keyof typeof TABLE]>;

/**
 * Every setting: flags, environment variables, keys of the file, `Config`, `action.yml` and the tables in the README
 * come only from here. After a change: `npm run fix`.
 */
export const SETTINGS: readonly ListedSetting[] = Object.entries<SettingRows>(TABLE).flatMap(([heading, rows]) =>
  Object.entries(rows).map(([name, { is, help, consent }]) => ({ name, ...is, help, consent, heading })),
);

/** Every setting by its name and its aliases. */
export const SETTING_BY_NAME: ReadonlyMap<string, Setting> = new Map(
  SETTINGS.flatMap((setting) => namesOf(setting).map((name) => [name, setting])),
);
