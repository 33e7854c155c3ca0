import type { BendKind } from "../bend.ts";
import { type Assertion, keyOf, strengthOf, wildcards } from "./assertion.ts";

/** Two assertions of which the second holds less, or something else. */
export interface Loosened {
  readonly kind: BendKind;
  readonly was: Assertion;
  readonly now: Assertion;
}

export interface Comparison {
  readonly loosened: readonly Loosened[];
  /** without a counterpart */
  readonly lost: readonly Assertion[];
  readonly gained: readonly Assertion[];
}

/** What two assertions may have in common; the first way that finds a counterpart counts. */
const WAYS: readonly ((assertion: Assertion) => string | null)[] = [
  keyOf,
  ({ subject, relation, negated }) => `${relation}${negated}\0${subject}`,
  ({ subject }) => subject,
  ({ about }) => about,
  ({ relation, negated, expected, trivial }) =>
    expected === null || trivial ? null : `${relation}${negated}\0${expected}`,
  ({ about }) => calleeOf(about),
  ({ subject }) => /^[\p{L}\p{N}_$@]+/u.exec(subject)?.[0] ?? null,
  ({ subject }) => /[\p{L}\p{N}_$]+(?=[^\p{L}\p{N}_$]*$)/u.exec(subject.slice(-200))?.[0] ?? null,
  ({ relation, negated, expected }) => (expected === null ? `${relation}${negated}` : null),
];
/** Of these the subject is the same. */
const SAME_SUBJECT = 4;
const MOST_CANDIDATES = 8;

/** Finds the counterpart of each assertion of a test, and what it holds less. */
export function compareAssertions(
  before: readonly Assertion[],
  after: readonly Assertion[],
  looseTruth: boolean,
): Comparison {
  const loosened: Loosened[] = [];
  let open = before;
  const free = new Set(after);
  for (const [number, way] of WAYS.entries()) {
    const candidates = grouped(free, way);
    const left: Assertion[] = [];
    for (const was of open) {
      const now = counterpart(candidates.get(way(was) ?? "") ?? [], free, was);
      if (now === null) {
        left.push(was);
        continue;
      }
      free.delete(now);
      const kind = number < SAME_SUBJECT ? loss(was, now, looseTruth) : weaker(was, now, looseTruth);
      if (kind !== null) loosened.push({ kind, was, now });
    }
    open = left;
  }
  const gained = [...free].filter((now) => !now.trivial);
  const trivial = [...free].filter((now) => now.trivial);
  for (const [index, now] of trivial.entries()) {
    const was = open.filter((one) => !one.trivial)[index];
    if (was !== undefined) loosened.push({ kind: "matcher_loosened", was, now });
  }
  const replaced = new Set(loosened.map(({ was }) => was));
  const kept = after.filter(({ relation, negated, trivial: always }) => relation === "eq" && !negated && !always);
  const values = new Set(kept.map(({ subject }) => subject));
  return {
    loosened,
    gained,
    lost: open.filter((was) => !was.trivial && !replaced.has(was) && !isCovered(was, values)),
  };
}

/** That something is there needs not be said where its value is. */
function isCovered({ relation, subject }: Assertion, values: ReadonlySet<string>): boolean {
  return (relation === "some" || relation === "truthy" || relation === "type") && values.has(subject);
}

function grouped(
  assertions: Iterable<Assertion>,
  way: (assertion: Assertion) => string | null,
): ReadonlyMap<string, readonly Assertion[]> {
  const groups = new Map<string, Assertion[]>();
  for (const assertion of assertions) {
    const name = way(assertion);
    if (name === null) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [assertion]);
    else group.push(assertion);
  }
  return groups;
}

/** The strongest that is left, the first of equals; only the first eight that are left are looked at. */
function counterpart(group: readonly Assertion[], free: ReadonlySet<Assertion>, was: Assertion): Assertion | null {
  let best: Assertion | null = null;
  let seen = 0;
  for (const now of group) {
    if (!free.has(now)) continue;
    if (best === null || rank(now, was) > rank(best, was)) best = now;
    seen += 1;
    if (seen === MOST_CANDIDATES) break;
  }
  return best;
}

function rank(now: Assertion, was: Assertion): number {
  return strengthOf(now) + (now.expected === was.expected ? 10 : 0);
}

function calleeOf(about: string): string | null {
  const end = about.indexOf(" (");
  return end === -1 ? null : about.slice(0, end);
}

/** What an assertion about the same subject holds less, or otherwise; null: nothing. */
function loss(was: Assertion, now: Assertion, looseTruth: boolean): BendKind | null {
  if (was.trivial) return null;
  const isSame = was.relation === now.relation && was.negated === now.negated;
  if (!isSame || now.trivial) {
    const isOpposite = was.relation === now.relation || isFailure(was) !== isFailure(now);
    if (isOpposite && !now.trivial && !isTurnedRound(was, now)) return "expectation_replaced";
    return weaker(was, now, looseTruth);
  }
  return bound(was, now) ?? replaced(was, now) ?? weaker(was, now, looseTruth);
}

function isFailure({ relation, negated }: Assertion): boolean {
  return relation === "throws" && !negated;
}

/** What was refused is now asked for with its value: `not 1` became `2`. */
function isTurnedRound(was: Assertion, now: Assertion): boolean {
  return was.negated && !now.negated && was.relation === "eq" && was.expected !== now.expected;
}

function weaker(was: Assertion, now: Assertion, looseTruth: boolean): BendKind | null {
  if (was.relation === "eq" && now.relation === "approx") return "tolerance_widened";
  const isTruth = was.relation === "eq" && now.relation === "truthy" && !looseTruth && !now.trivial;
  if (isTruth && isBoolean(was, now)) return null;
  return strengthOf(now) < strengthOf(was) ? "matcher_loosened" : null;
}

/** `assertEqual(True, ok)` and `assertTrue(ok)` */
function isBoolean({ expected }: Assertion, { negated }: Assertion): boolean {
  return expected?.toLowerCase() === String(!negated);
}

/** A bound or a tolerance that moved outwards. */
function bound(was: Assertion, now: Assertion): BendKind | null {
  if (was.relation === "approx" && (now.tolerance ?? 0) > (was.tolerance ?? Infinity)) return "tolerance_widened";
  const [old, current] = [numberOf(was.expected), numberOf(now.expected)];
  if (was.relation === "less") return current > old ? "tolerance_widened" : null;
  if (was.relation === "more") return current < old ? "tolerance_widened" : null;
  return null;
}

function numberOf(text: string | null): number {
  return text === null ? Number.NaN : Number(text.replaceAll(/[_ ]|(?<=\d)[fFdDLlm]$/gu, ""));
}

/** Another value, where one is written down now and then. */
function replaced(was: Assertion, now: Assertion): BendKind | null {
  if (was.expected === null || was.expected === now.expected || now.expected === null) return null;
  if (was.relation === "less" || was.relation === "more" || was.relation === "other") return null;
  if (!was.literal || !now.literal || wildcards(now) > wildcards(was)) return null;
  if (was.relation === "throws" && strengthOf(now) < strengthOf(was)) return null;
  return isSameValue(was.expected, now.expected, was.relation)
    ? null
    : was.relation === "snapshot"
      ? "snapshot_replaced"
      : "expectation_replaced";
}

/** Equal but for how it is written, or the same and more. */
export function isSameValue(was: string, now: string, relation: Assertion["relation"]): boolean {
  if (numberOf(was) === numberOf(now)) return true;
  if (relation === "throws" && now.includes(was)) return true;
  if (relation === "contains" && now.includes(was.slice(1, -1))) return true;
  return /[[{(]/u.test(was) && isWithin(was.split(" "), now.split(" "));
}

/** Whether the parts stand among the others in the same order. */
function isWithin(parts: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const one of all) if (one === parts[found]) found += 1;
  return found === parts.length;
}
