/** The shape of a row of the settings table (section 9 of the requirements). */

/** Where a setting can be given. `input` is an input of the GitHub Action. */
export type Place = "flag" | "input" | "environment" | "file" | "preset";

/** How people start a loop; each has its own way to spell a setting and may have a default of its own. */
export type Surface = "command-line" | "action";

/** A value of any setting; null: not set. */
export type SettingValue = string | number | boolean | readonly string[] | null;

/** Says what is expected, as in "expected …", when a value does not do; undefined when it does. */
type Check<Value> = (value: Value) => string | undefined;

interface Common {
  /** absent: everywhere */
  readonly where?: readonly Place[];
  /** absent: on both; else the other surface ignores it without a word */
  readonly surface?: Surface;
  /** absent: as everywhere */
  readonly actionDefault?: SettingValue;
  /**
   * what an empty text or list means: as if not given (the default), a value, or a mistake; `flag-error`: a mistake as a
   * flag, where a shell's variable was meant to say it, and elsewhere as if not given
   */
  readonly empty?: "unset" | "value" | "error" | "flag-error";
  /** never shown, never taken from a flag or a file */
  readonly secret?: true;
  /** other names under which flag, environment and file accept it */
  readonly aliases?: readonly string[];
  /** the variable of another system that says the same (S-06, S-14) */
  readonly theirVariable?: string;
  /** the word that spells null, so that a setting of a lower place can be taken back */
  readonly unsetWord?: string;
  /** a mistake when one place says it twice; absent: the last one counts, or lists add up */
  readonly once?: true;
  /** how the default follows from other settings; the value is then never null (`resolve.ts`) */
  readonly derived?: string;
}

interface TextSetting extends Common {
  readonly type: "string";
  readonly default: string | null;
  readonly placeholder: string;
  readonly check?: Check<string>;
}

export interface NumberSetting extends Common {
  readonly type: "integer" | "number";
  readonly default: number | null;
  readonly min: number;
  readonly max: number;
}

export interface BooleanSetting extends Common {
  readonly type: "boolean";
  readonly default: boolean;
}

export interface ChoiceSetting extends Common {
  readonly type: "choice";
  readonly default: string | null;
  readonly choices: readonly string[];
}

/** The text under which an item of a list is kept, or what was expected in its place. */
export type ItemRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly expected: string };

/** How a list takes items that are not just any text. */
export interface ObjectItems {
  readonly read: (item: unknown) => ItemRead;
  /** how to write it, to go after "Instead," */
  readonly cure: string;
}

/** Several texts: a JSON array, or one per line; with `commas` also separated by commas. Flags add up. */
export interface ListSetting extends Common {
  readonly type: "list";
  readonly default: readonly string[];
  readonly commas: boolean;
  /** absent: any text */
  readonly choices?: readonly string[];
  /** the word that spells the empty list, where an empty value means unset */
  readonly emptyWord?: string;
  readonly placeholder: string;
  /** absent: every item is a text as it stands */
  readonly objects?: ObjectItems;
  readonly check?: Check<readonly string[]>;
}

/** Words of a command line as a JSON array, never through a shell (D-35). */
export interface ArgvSetting extends Common {
  readonly type: "argv";
  readonly default: readonly string[] | null;
  readonly check?: Check<readonly string[]>;
}

/** What a setting takes, and how it is given. */
export type SettingKind = TextSetting | NumberSetting | BooleanSetting | ChoiceSetting | ListSetting | ArgvSetting;

/** What a setting does that a repository's file may say only after a person has agreed. */
export interface Consent {
  /** goes after the line that says it */
  readonly does: string;
  /** whether a value does nothing of that kind; absent: every value does */
  readonly unless?: (value: SettingValue) => boolean;
  /** whether a link that leads out of the workspace does it as well */
  readonly outside?: boolean;
}

/** The table as it is written: names in kebab-case, the flag without its dashes and the key in the file. */
export type SettingRows = Readonly<Record<string, { readonly is: SettingKind } & Pick<Setting, "help" | "consent">>>;

export type Setting = SettingKind & {
  readonly name: string;
  /** one sentence that teaches what the setting is for */
  readonly help: string;
  /** null: it does nothing that would need a person's consent; there is no default, so that each row says it */
  readonly consent: Consent | null;
};

/** A setting with the heading under which people find it. */
export type ListedSetting = Setting & { readonly heading: string };

/** Of a setting that means something in a job only, where the workflow alone may say it. */
export const ACTION_ONLY = { surface: "action", where: ["environment", "input"] } as const;

/** Of a setting that guards against what can write to the repository. */
export const NOT_FROM_FILES = { where: ["flag", "environment", "input"] } as const;

/** The property of `Config`: `max-iterations` is `maxIterations`. */
export function propertyName(name: string): string {
  return name.replaceAll(/-(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

/** The environment variable: `max-iterations` is `SMITHERS_MAX_ITERATIONS`. */
export function environmentName(name: string): string {
  return `${ENVIRONMENT_PREFIX}${name.replaceAll("-", "_").toUpperCase()}`;
}

/** What all our environment variables begin with. */
export const ENVIRONMENT_PREFIX = "SMITHERS_";

/** Whether `setting` can be given in `place`. */
export function allowedIn(setting: Setting, place: Place): boolean {
  return setting.where?.includes(place) ?? true;
}

/** Whether `setting` means anything to people who use `surface`. */
export function concerns(setting: Setting, surface: Surface): boolean {
  return setting.surface === undefined || setting.surface === surface;
}

/** The default of `setting` on `surface`, before others that it may follow from are looked at. */
export function defaultOn(setting: Setting, surface: Surface): SettingValue {
  return surface === "action" && setting.actionDefault !== undefined ? setting.actionDefault : setting.default;
}

/** The name of `setting` and all its aliases. */
export function namesOf(setting: Setting): readonly string[] {
  return [setting.name, ...(setting.aliases ?? [])];
}
