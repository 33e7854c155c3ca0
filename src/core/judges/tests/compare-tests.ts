import { type Assertion, strengthOf } from "./assertion.ts";
import { compareAssertions, type Comparison, type Loosened } from "./compare-assertions.ts";
import type { Reading, TestCase } from "./reading.ts";

/** A file of tests before and now. */
export interface TestPair {
  readonly path: string;
  readonly before: Reading;
  readonly after: Reading;
  readonly looseTruth: boolean;
}

/** What a file's tests hold less. */
export interface TestLoss {
  readonly pair: TestPair;
  readonly loosened: readonly Loosened[];
  /** tests that are nowhere now */
  readonly removed: readonly TestCase[];
  /** the first assertion of each test that holds fewer */
  readonly fewer: readonly { readonly was: Assertion; readonly now: number | null }[];
}

interface Paired {
  readonly was: TestCase;
  readonly now: TestCase;
  readonly pair: TestPair;
}

/** A test that has no counterpart yet. */
interface Open {
  readonly one: TestCase;
  readonly pair: TestPair;
}

/** How a test is known again: by its name, by its code, by what it holds, by what it calls. */
const WAYS: readonly ((one: TestCase) => readonly string[])[] = [
  ({ name, body }) => [`${name}\0${body}`],
  ({ name }) => [name],
  ({ body }) => [body.slice(body.indexOf(" "))],
  ({ assertions }) => assertions.filter((one) => !one.trivial).map(({ about, expected }) => `${about}\0${expected}`),
  ({ assertions }) => assertions.filter((one) => !one.trivial).map(({ about }) => about),
  ({ calls, assertions }) => (assertions.length === 0 ? [] : [[...calls.keys()].toSorted().join(" ")]),
];

/**
 * Compares the tests of files.
 *
 * @param added files that are new, where tests may have gone to
 */
export function compareTests(pairs: readonly TestPair[], added: readonly Reading[]): readonly TestLoss[] {
  const { paired, gone, arrived } = pairedTests(pairs, added);
  const helpers = {
    before: allHelpers(pairs.map(({ before }) => before)),
    after: allHelpers([...pairs.map(({ after }) => after), ...added]),
  };
  const gained = new Map<string, number>();
  const compared = [
    ...paired.map(({ was, now, pair }) => ({
      pair,
      now,
      isLess: weight(now, helpers.after) < weight(was, helpers.before),
      ...withTurned(was, now, compareAssertions(was.assertions, now.assertions, pair.looseTruth)),
    })),
    ...pairs.map((pair) => ({
      pair,
      now: null,
      isLess: true,
      ...compareAssertions(pair.before.outside, pair.after.outside, pair.looseTruth),
    })),
  ];
  const arrivals = [
    ...compared.flatMap(({ gained: more }) => more),
    ...arrived.flatMap(({ assertions }) => assertions),
  ];
  const some = arrivals.slice(0, MOST_ARRIVALS);
  for (const one of arrivals) for (const key of meanings(one)) gained.set(key, (gained.get(key) ?? 0) + 1);
  const isMoved = (one: Assertion): boolean => {
    const known = meanings(one).map((key) => ({ key, left: gained.get(key) ?? 0 }));
    const same = known.find(({ left }) => left > 0);
    if (same !== undefined) gained.set(same.key, same.left - 1);
    return same !== undefined || some.some((other) => isPartOf(one, other));
  };
  const absorbed = folded(gone, pairs, arrived);
  const tabled = new Map(pairs.map((pair) => [pair, newCells(pair)]));
  const isCell = ({ expected }: Assertion, pair: TestPair): boolean =>
    expected !== null && tabled.get(pair)?.has(expected) === true;
  return pairs.map((pair) => {
    const own = compared.filter((one) => one.pair === pair);
    return {
      pair,
      loosened: own.flatMap(({ loosened }) => loosened),
      removed: gone.filter((open) => open.pair === pair && !absorbed.has(open)).map(({ one }) => one),
      fewer: own.flatMap(({ now, isLess, lost }) => {
        const first = isLess
          ? lost.slice(0, MOST_LOST).find((one) => !isMoved(one) && !isMerged(one, now) && !isCell(one, pair))
          : undefined;
        return first === undefined ? [] : [{ was: first, now: now?.line ?? null }];
      }),
    };
  });
}

/** What makes a test want the failure that its assertions would be. */
const TURNED = /\bshould_panic\b|\bexpected = [\w. ]{1,100} class\b|\bExpectedException\b/u;

function withTurned(was: TestCase, now: TestCase, compared: Comparison): Comparison {
  const asked = was.assertions.find(({ trivial }) => !trivial);
  if (asked === undefined || TURNED.test(was.body) || !TURNED.test(now.body)) return compared;
  const turned = { kind: "expectation_replaced", was: asked, now: now.assertions[0] ?? asked } as const;
  return { ...compared, loosened: [turned, ...compared.loosened] };
}

function pairedTests(pairs: readonly TestPair[], added: readonly Reading[]) {
  const paired: Paired[] = [];
  let gone: readonly Open[] = pairs.flatMap((pair) => pair.before.cases.map((one) => ({ one, pair })));
  const free = new Set([...pairs.flatMap(({ after }) => after.cases), ...added.flatMap(({ cases }) => cases)]);
  const homes = new Map(pairs.flatMap((pair) => pair.after.cases.map((one) => [one, pair] as const)));
  for (const way of WAYS) {
    const groups = new Map<string, TestCase[]>();
    for (const one of [...free].toReversed()) {
      for (const name of way(one)) {
        const group = groups.get(name);
        if (group === undefined) groups.set(name, [one]);
        else group.push(one);
      }
    }
    const left: Open[] = [];
    for (const open of gone) {
      const fits = way(open.one)
        .slice(0, MOST_CANDIDATES)
        .flatMap((name) => firstFree(groups.get(name) ?? [], free));
      const now = fits.find((one) => homes.get(one) === open.pair) ?? fits[0];
      if (now === undefined) left.push(open);
      else {
        free.delete(now);
        paired.push({ was: open.one, now, pair: homes.get(now) ?? open.pair });
      }
    }
    gone = left;
  }
  return { paired, gone, arrived: [...free] };
}

/** Up to three that have no counterpart yet; a group's last is its first in the text. */
function firstFree(group: TestCase[], free: ReadonlySet<TestCase>): readonly TestCase[] {
  for (let last = group.at(-1); last !== undefined && !free.has(last); last = group.at(-1)) group.pop();
  return group
    .slice(-3)
    .toReversed()
    .filter((one) => free.has(one));
}

const MOST_CANDIDATES = 50;
const MOST_ARRIVALS = 200;
const MOST_LOST = 50;

/** What an assertion says, whoever it is said of by another name. */
function meanings({ about, relation, negated, expected }: Assertion): readonly string[] {
  const said = `${relation}${negated}\0`;
  return expected === null ? [said + about] : [`${said}${about}\0${expected}`, `${said}\0${expected}`];
}

/** Whether another assertion holds this one too: `{ a: 1, b: 2 }` holds `.a` to be 1. */
function isPartOf(one: Assertion, other: Assertion): boolean {
  if (one.expected === null || other.expected === null || strengthOf(other) < 3) return false;
  return other.expected.length > one.expected.length && other.expected.includes(one.expected);
}

/** Whether one assertion about the whole took the place of some about its parts. */
function isMerged(one: Assertion, now: TestCase | null): boolean {
  const others = now?.assertions.slice(0, MOST_ARRIVALS) ?? [];
  return others.some((other) => one.about.startsWith(other.about) && isPartOf(one, other));
}

function allHelpers(readings: readonly Reading[]): ReadonlyMap<string, number> {
  return new Map(readings.flatMap(({ helpers }) => [...helpers]));
}

const HELPER = /^(?:expect|assert|check|verify|ensure|require|should)_?[A-Z_]\w*!?$/u;
/** What a helper is taken to hold that stands in a file that did not change. */
const UNKNOWN = 3;

/** How much a test holds: its own assertions, and those of the helpers that it calls. */
function weight(one: TestCase, helpers: ReadonlyMap<string, number>): number {
  const own = one.assertions.filter(({ trivial }) => !trivial).length;
  const helped = [...one.calls].map(([name, times]) => times * (helpers.get(name) ?? 0));
  return own + helped.reduce((sum, count) => sum + count, 0) + unknownHelpers(one, helpers);
}

function unknownHelpers({ calls }: TestCase, helpers: ReadonlyMap<string, number>): number {
  return [...calls].reduce(
    (sum, [name, times]) => sum + (!helpers.has(name) && HELPER.test(name) ? times * UNKNOWN : 0),
    0,
  );
}

/** Tests that became rows of a table: no more than the table has gained, and only where what they call is still called. */
function folded(gone: readonly Open[], pairs: readonly TestPair[], arrived: readonly TestCase[]): ReadonlySet<Open> {
  const tables = new Map(
    pairs.map((pair) => [pair, { room: roomOf(pair, arrived.length), called: namesCalled(pair.after.cases, arrived) }]),
  );
  const found = new Set<Open>();
  for (const open of gone) {
    const table = tables.get(open.pair);
    if (table === undefined || table.room <= 0) continue;
    if (![...open.one.calls.keys()].some((name) => table.called.has(name))) continue;
    table.room -= 1;
    found.add(open);
  }
  return found;
}

/** What stands in a table that has become longer: what a test's assertions wanted each has become a row. */
function newCells({ before, after }: TestPair): ReadonlySet<string> {
  if (after.rows.length <= before.rows.length) return new Set();
  return new Set(after.rows.flatMap(({ cells }) => cells.map(({ text }) => text)));
}

/** How many tests became rows, or how many rows became tests. */
function roomOf({ before, after }: TestPair, arrived: number): number {
  const more = after.rows.length - before.rows.length;
  return more > 0 ? more : Math.min(-more, arrived);
}

function namesCalled(cases: readonly TestCase[], arrived: readonly TestCase[]): ReadonlySet<string> {
  const holding = [...cases, ...arrived].filter(({ assertions }) => assertions.some(({ trivial }) => !trivial));
  return new Set(holding.flatMap(({ calls }) => [...calls.keys()]));
}
