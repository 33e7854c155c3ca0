import { UsageError } from "../core/errors.ts";
import { fits, type Given, type Source } from "./config.ts";
import { valueText } from "./parse.ts";
import type { SettingValue } from "./setting.ts";
import { SETTING_BY_NAME, SETTINGS } from "./settings.ts";
import { IDENTITY } from "./settings/task.ts";

/** The places that are there again at the next run, and may say something else by then. */
const LASTING = ["environment", "file", "foreign"] as const;
type LastingPlace = (typeof LASTING)[number];

/** A value, and the kind of place that it came from. */
interface KeptValue {
  readonly value: SettingValue;
  readonly from: "flag" | LastingPlace;
}

/** What a loop on the command line was given, as it is kept between its runs (docs/decisions/0047-resume-remembers.md). */
export interface KeptSettings {
  /** what holds, by the setting's name: everything that was said, as far as it outranked the rest */
  readonly holds: Readonly<Record<string, KeptValue>>;
  /** what each place said that is there again at the next run, by the setting's name; absent: nothing */
  readonly said: Readonly<Partial<Record<LastingPlace, Readonly<Record<string, SettingValue>>>>>;
}

/** What one place says, by the setting's name. */
export type Layer = ReadonlyMap<string, Given>;

const DANGER = "danger-full-access";

/** What says where the loop is, or is for one run alone. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(
  "cd loop-id state-file config-file prd backlog story max-stories".split(" "),
);

/** Kept with the loop's task, except for a PRD, whose task every run says anew. */
const PROMPTS: ReadonlySet<string> = new Set(["prompt", "prompt-file"]);

/** Where a kept value comes from, for people. */
const KEPT = "as the loop was given";

/** Two ways to say the same: whoever says one of them now means neither as it was kept. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ["sandbox", "full-auto"],
  ["full-auto", "sandbox"],
  ["success-cmd", "success-sh"],
  ["success-sh", "success-cmd"],
  ["prompt", "prompt-file"],
  ["prompt-file", "prompt"],
]);

/**
 * What is to be kept of a run's settings.
 *
 * @param layers what each place says, the highest first
 * @param mayKeep whether what a place says of a setting may be kept at all
 */
export function toKeep(
  layers: readonly Layer[],
  mayKeep: (name: string, from: Source["from"]) => boolean,
): KeptSettings {
  const holds: Record<string, KeptValue> = {};
  const said: Partial<Record<LastingPlace, Record<string, SettingValue>>> = {};
  const isPrd = layers.some((layer) => layer.has("prd"));
  const isForHere = (name: string): boolean => OF_ONE_RUN.has(name) || (PROMPTS.has(name) && !isPrd);
  // Of a setting that several places say, the first is the highest.
  for (const layer of layers.toReversed()) {
    for (const [name, { value, source }] of layer) {
      const { from } = source;
      if (from !== "flag" && !isLasting(from)) continue;
      if (isForHere(name) || SETTING_BY_NAME.get(name)?.secret === true || !mayKeep(name, from)) continue;
      holds[name] = { value, from };
      if (from !== "flag") (said[from] ??= {})[name] = value;
    }
  }
  return { holds, said };
}

/**
 * What each place says to a loop that goes on, the highest first: a flag, then what a variable or a file says otherwise
 * than when it was kept, then what is kept.
 *
 * @throws UsageError `SANDBOX_ASKED_ANEW`
 */
export function withKept(layers: readonly Layer[], { holds, said }: KeptSettings): readonly Layer[] {
  const isNews = (name: string, { value, source: { from } }: Given): boolean =>
    !isLasting(from) || !isEqual(said[from]?.[name] ?? null, value);
  const news = layers.map((layer) => new Map([...layer].filter((entry) => isNews(...entry))));
  const isSaid = (among: readonly Layer[], name: string): boolean =>
    [name, PAIRS.get(name) ?? name].some((one) => among.some((layer) => layer.has(one)));
  if (holds["sandbox"]?.value === DANGER && !isSaid(layers, "sandbox")) throw askedAnew();
  const kept = SETTINGS.flatMap((setting) => {
    const { value, from } = holds[setting.name] ?? {};
    if (value === undefined || from === undefined || value === DANGER) return [];
    if (isSaid(news, setting.name) || !fits(setting, value)) return [];
    return [[setting.name, { value, source: { from, where: KEPT } }] as const];
  });
  return [...news, new Map(kept), ...layers];
}

/** What is kept besides what makes the task this task. */
export function besidesTask({ holds, said }: KeptSettings): KeptSettings {
  return { holds: Object.fromEntries(Object.entries(holds).filter(([name]) => !IDENTITY.has(name))), said };
}

function askedAnew(): UsageError {
  return new UsageError({
    code: "SANDBOX_ASKED_ANEW",
    what: `The loop had sandbox ${DANGER}, which lets the agent change everything that you can. It is never taken over from an earlier run.`,
    next: `Add --sandbox ${DANGER} to continue with it, or --sandbox workspace-write to continue with less.`,
  });
}

/**
 * What a person has to know of what is kept, a line each: what holds although nobody says it now, and what is different
 * from how the loop was given.
 *
 * @param layers as `withKept` returns them
 */
export function tellKept(layers: readonly Layer[], { holds }: KeptSettings): readonly string[] {
  const remembered = SETTINGS.flatMap(({ name }) => {
    const [first, ...others] = layers.flatMap((layer) => layer.get(name) ?? []);
    const isRemembered = first?.source.where === KEPT && !others.some(({ value }) => isEqual(value, first.value));
    return isRemembered ? [`${name} ${shown(first.value)}`] : [];
  });
  const told = remembered.length === 0 ? [] : [`As the loop was given: ${remembered.join(", ")}.`];
  const different = SETTINGS.flatMap(({ name }) => {
    const now = layers.map((layer) => layer.get(name)).find((given) => given !== undefined);
    const was = holds[name]?.value ?? null;
    const other = PAIRS.get(name);
    // Another task is another loop, and refused or told as such.
    if (now === undefined || OF_ONE_RUN.has(name) || IDENTITY.has(name) || isEqual(now.value, was)) return [];
    const so =
      was === null && other !== undefined && holds[other] !== undefined
        ? `${other} ${shown(holds[other].value)}`
        : shown(was);
    return [`${name}: ${so} so far, ${shown(now.value)} now (${now.source.where})`];
  });
  return [...told, ...different];
}

function isLasting(from: Source["from"]): from is LastingPlace {
  return LASTING.some((place) => place === from);
}

function isEqual(one: SettingValue, other: SettingValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const LONGEST_SHOWN = 60;

function shown(value: SettingValue): string {
  const text = valueText(value) ?? "not set";
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
}
