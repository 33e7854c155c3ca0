import type { Bend, TextChange } from "../bend.ts";
import { isTestPath } from "../../progress/test-paths.ts";
import { ecosystemOf } from "../ecosystems/ecosystems.ts";
import { HASHES } from "../ecosystems/syntax.ts";
import { type CaseSpan, casesIn } from "./cases.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { bendAt } from "./found.ts";
import { textAt, tokenAt } from "./spans.ts";
import { type Code, codeOf } from "./tokens.ts";

/** A time that a test, or what it waits for, may take. */
interface Timeout {
  /** what is limited, as the text says it */
  readonly name: string;
  /** milliseconds where the unit is known, else in whatever it is; no limit: Infinity */
  readonly time: number;
  readonly line: number;
}

/** Calls that take a time and do not say so in their name. */
const WAITING: ReadonlySet<string> = new Set([
  "Eventually",
  "WithDeadline",
  "assertTimeout",
  "completesWithin",
  "waitFor",
  "wait_for",
  "awaitility",
]);
const NAMED = /timeout/iu;
/** `setTimeout` of the language waits; that of a runner limits. */
const SLEEPS: ReadonlySet<string> = new Set(["setTimeout", "clearTimeout"]);
const RUNNERS: ReadonlySet<string> = new Set(["jest", "vi", "this", "test", "page", "context", "driver"]);
/** Options of `go test -timeout 30s`, also within a text. */
const OPTION = /[\w-]*timeout[=: ]{1,3}(?<time>\d{1,12})(?<unit>ms|s|m|h)?\b/iu;

const UNITS: Readonly<Record<string, number>> = {
  ...{ nanosecond: 1e-6, microsecond: 1e-3, millisecond: 1, milli: 1, ms: 1 },
  ...{ second: 1_000, sec: 1_000, s: 1_000, minute: 60_000, min: 60_000, m: 60_000, hour: 3_600_000, h: 3_600_000 },
};
const REACH = 14;

/** Every time limit of a text, in order. */
function timeoutsIn(code: Code, cases: readonly CaseSpan[]): readonly Timeout[] {
  const found: Timeout[] = cases.flatMap(({ timeout, line }) =>
    timeout === null ? [] : [{ name: "test", time: limit(Number(timeout)), line }],
  );
  for (const [place, { kind, text, line }] of code.tokens.entries()) {
    const name = text.replaceAll('"', "");
    if (kind === "string" && name.length > 40) {
      const option = OPTION.exec(name.slice(0, 2_000))?.groups;
      if (option !== undefined) found.push({ name: "option", time: timeOf(option["time"], option["unit"]), line });
    }
    const isSleep = SLEEPS.has(text) && !RUNNERS.has(textAt(code, place - 2));
    if (kind === "sign" || kind === "number" || name.length > 40 || isSleep) continue;
    if (!NAMED.test(name) && !WAITING.has(name)) continue;
    const time = timeAfter(code, place);
    if (time !== null) found.push({ name: name.toLowerCase(), time, line });
  }
  return found;
}

function timeOf(time = "0", unit = ""): number {
  return limit(Number(time) * (unitOf(unit) ?? 1));
}

function limit(time: number): number {
  return time === 0 ? Infinity : time;
}

/** The first number behind a name, in the same statement, times its unit; of `timeout: x, retries: 3` none. */
function timeAfter(code: Code, place: number): number | null {
  let factor = 1;
  const isValue = [":", "="].includes(textAt(code, place + 1));
  let depth = 0;
  for (let at = place + 1; at < place + REACH; at += 1) {
    const { kind, text, first } = tokenAt(code, at);
    if (text === "(" || text === "[" || text === "{") depth += 1;
    if (text === ")" || text === "]" || text === "}") depth -= 1;
    if (isValue && (depth < 0 || (depth === 0 && text === ","))) return null;
    if (kind === "end" || text === ";" || (first && tokenAt(code, at - 1).kind !== "sign")) return null;
    if (kind === "word") {
      if (text === "Infinity" || text === "None") return Infinity;
      if (NAMED.test(text)) return null; // it speaks for itself
      factor = unitOf(text) ?? factor;
    }
    const number = kind === "number" ? /^(?<time>[\d._]+)(?<unit>[a-z]{0,2})/u.exec(text)?.groups : undefined;
    if (number === undefined) continue;
    const { time = "", unit = "" } = number;
    return limit(Number(time.replaceAll("_", "")) * (unitOf(unit) ?? unitBehind(code, at) ?? factor));
  }
  return null;
}

/** `5 * time.Second`, `5.seconds` */
function unitBehind(code: Code, place: number): number | undefined {
  for (let at = place + 1; at < place + 5; at += 1) {
    const { kind, text } = tokenAt(code, at);
    if (kind === "word" && unitOf(text) !== undefined) return unitOf(text);
    if (kind === "sign" && text !== "*" && text !== ".") return undefined;
  }
  return undefined;
}

/** `Second`, `ofSeconds`, `from_secs`, `FromMinutes` */
function unitOf(word: string): number | undefined {
  const name = word
    .toLowerCase()
    .replace(/^(?:of|from)_?/u, "")
    .replace(/(?<=.{2})s$/u, "");
  return Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
}

/** A limit that was raised, or that is above what holds where nothing is said. */
interface Raised {
  readonly was: Timeout | null;
  readonly now: Timeout;
}

/** @param usual how long a test may take where nothing is said; null: that is not known */
function raisedTimeouts(
  before: readonly Timeout[],
  after: readonly Timeout[],
  usual: number | null,
): readonly Raised[] {
  const raised: Raised[] = [];
  for (const name of new Set(after.map((one) => one.name))) {
    const ofName = (all: readonly Timeout[]) => all.filter((one) => one.name === name);
    const [old, current] = [ofName(before), ofName(after)];
    const left = without(old, current);
    for (const [index, now] of without(current, old).entries()) {
      const was = left[index] ?? null;
      const allowed = was === null ? usual : was.time;
      if (allowed !== null && now.time > allowed) raised.push({ was, now });
    }
  }
  return raised;
}

/** Those whose time the others do not have. */
function without(some: readonly Timeout[], others: readonly Timeout[]): readonly Timeout[] {
  const times = new Map<number, number>();
  for (const { time } of others) times.set(time, (times.get(time) ?? 0) + 1);
  return some.filter(({ time }) => {
    const left = times.get(time) ?? 0;
    times.set(time, left - 1);
    return left <= 0;
  });
}

/** Files that say how tests are run. */
const CONFIGURATION =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|karma|ava|wdio)\.(?:config|workspace|conf)[^/]{0,40}|\.mocharc[^/]{0,20}|pytest\.ini|pyproject\.toml|setup\.cfg|tox\.ini|package\.json|GNUmakefile|[Mm]akefile|[Jj]ustfile|CTestConfig\.cmake|nextest\.toml|Rakefile|\.rspec|phpunit\.xml(?:\.dist)?|\.runsettings|build\.gradle(?:\.kts)?|pom\.xml)$/u;

/** Time limits of tests that were raised, in tests and in what says how they are run. */
export function timeoutBends({ path, before, after }: TextChange): readonly Bend[] {
  const ecosystem = ecosystemOf(path);
  const isRead = CONFIGURATION.test(path) || (ecosystem !== undefined && (isTestPath(path) || ecosystem.mixed));
  if (!isRead || before === null || after === null) return [];
  const raised = raisedTimeouts(limits(before, ecosystem), limits(after, ecosystem), ecosystem?.timeout ?? null);
  const lines = { before: before.split("\n"), after: after.split("\n") };
  return raised.map(({ was, now }) => bendAt("timeout_raised", { path, was: was?.line ?? null, now: now.line }, lines));
}

function limits(text: string, ecosystem: Ecosystem | undefined): readonly Timeout[] {
  const code = codeOf(text, ecosystem?.syntax ?? HASHES);
  return timeoutsIn(code, ecosystem === undefined ? [] : casesIn(code, ecosystem));
}
