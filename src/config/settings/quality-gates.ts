/** What an item of `quality-commands` can say besides its shell text. */
import { parsedJson } from "../../core/text.ts";
import type { ItemRead, ObjectItems } from "../setting.ts";
import { LONGEST_MINUTES } from "./checks.ts";

/** One command that has to be green. Its text makes the task (C25); the rest comes from the current settings. */
export interface QualityGate {
  /** shell text */
  readonly run: string;
  /** for people; null: the command is its name */
  readonly name: string | null;
  /** milliseconds; null: as long as any check may take */
  readonly timeoutMs: number | null;
  /** whether a red result is tried once more */
  readonly flaky: boolean;
}

/** Each key of an item that is an object: what it takes, as in "expected …", and whether a value does. */
const KEYS: Readonly<Record<string, { readonly takes: string; readonly fits: (value: unknown) => boolean }>> = {
  name: { takes: "one line of at most 80 characters", fits: isName },
  run: { takes: "a shell text", fits: (value) => typeof value === "string" && value.trim() !== "" },
  "timeout-minutes": { takes: `minutes from 0.01 to ${LONGEST_MINUTES}`, fits: isMinutes },
  flaky: { takes: "true or false", fits: (value) => typeof value === "boolean" },
};
const SAME_KEY: ReadonlyMap<string, string> = new Map([["timeout", "timeout-minutes"]]);

function isName(value: unknown): boolean {
  return typeof value === "string" && value.length <= 80 && value.trim() !== "" && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value);
}

function isMinutes(value: unknown): boolean {
  return typeof value === "number" && value >= 0.01 && value <= LONGEST_MINUTES;
}

/** No shell would take it: a brace, and a word in quotes that ends in a colon. */
const BEGINS_AS_OBJECT = /^\s*\{\s*"[^"]*"\s*:/u;

/** Items that are objects are kept as JSON texts, so that all settings hold texts; shell texts are kept as they are. */
export const GATE_ITEMS: ObjectItems = {
  read: (item) => {
    if (typeof item !== "string") return isObject(item) ? readObject(item) : refused("a shell text or an object");
    if (!BEGINS_AS_OBJECT.test(item)) return { ok: true, text: item };
    const object = parsedJson(item);
    return isObject(object) ? readObject(object) : refused("JSON, as it begins like an object,");
  },
  cure: 'write an item as a shell text, or as {"name":"unit tests","run":"npm test","timeout-minutes":5,"flaky":true}, of which run alone is needed; in a TOML file as { name = "unit tests", run = "npm test" }',
};

function readObject(object: object): ItemRead {
  const known = new Map<string, unknown>();
  for (const [key, value] of Object.entries(object)) {
    const name = SAME_KEY.get(key) ?? key;
    const rule = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
    if (rule === undefined) return refused(`no key ${JSON.stringify(key.slice(0, 80))}`);
    if (known.has(name)) return refused("timeout-minutes once");
    if (!rule.fits(value)) return refused(`${rule.takes} as ${key}`);
    known.set(name, value);
  }
  if (!known.has("run")) return refused("the key run");
  const inOrder = Object.keys(KEYS).flatMap((key) => (known.has(key) ? [[key, known.get(key)]] : []));
  return { ok: true, text: JSON.stringify(Object.fromEntries(inOrder)) };
}

function refused(expected: string): ItemRead {
  return { ok: false, expected };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the text of a flag holds an item that is an object. */
export function describesGates(text: string): boolean {
  const json = parsedJson(text);
  if (json !== undefined)
    return [json].flat().some((item) => isObject(item) || (typeof item === "string" && isDetailed(item)));
  return text.split("\n").some(isDetailed);
}

/** Whether an item of `quality-commands` says more than its shell text. */
export function isDetailed(item: string): boolean {
  return BEGINS_AS_OBJECT.test(item);
}

/** What an item says that `GATE_ITEMS` has read. */
export function gateOf(item: string): QualityGate {
  const said = isDetailed(item) ? parsedJson(item) : { run: item };
  const values = new Map<string, unknown>(isObject(said) ? Object.entries(said) : []);
  const [run, name, minutes] = [values.get("run"), values.get("name"), values.get("timeout-minutes")];
  return {
    run: typeof run === "string" ? run : item,
    name: typeof name === "string" ? name : null,
    timeoutMs: typeof minutes === "number" ? Math.round(minutes * 60_000) : null,
    flaky: values.get("flaky") === true,
  };
}

/** A quality command as an item of its setting. */
export function itemOf({ run, name, timeoutMs, flaky }: QualityGate): string {
  const said = {
    ...(name === null ? {} : { name }),
    run,
    ...(timeoutMs === null ? {} : { "timeout-minutes": timeoutMs / 60_000 }),
    ...(flaky ? { flaky } : {}),
  };
  return Object.keys(said).length === 1 ? run : JSON.stringify(said);
}

/**
 * Items with what lower places say of the same commands: a command that was said plainly, or that comes from a stored
 * loop, has the name and the time-out that a configuration file gives it.
 *
 * @param said all items of all places, the highest first
 */
export function withDetails(items: readonly string[], said: readonly string[]): readonly string[] {
  const described = new Map(
    said
      .filter(isDetailed)
      .toReversed()
      .map((item) => [gateOf(item).run, item]),
  );
  return items.map((item) => (isDetailed(item) ? item : (described.get(item) ?? item)));
}

/** Why items cannot stand side by side: two have one name, or one is described that is there again. */
export function saidTwice(items: readonly string[]): string | undefined {
  const gates = items.map(gateOf);
  const run = gates.find(
    (gate, at) => isDetailed(items[at] ?? "") && gates.some((other, place) => place !== at && other.run === gate.run),
  )?.run;
  if (run !== undefined) return `the command ${JSON.stringify(run)} is there twice`;
  const names = gates.flatMap(({ name }) => (name === null ? [] : [name]));
  const name = names.find((one, at) => names.indexOf(one) !== at);
  return name === undefined ? undefined : `two commands have the name ${JSON.stringify(name)}`;
}
