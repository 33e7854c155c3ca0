import { describe, expect, test } from "vitest";
import { shareReserve, type CarriedRecord, type RefAnswer } from "../../src/core/carry.ts";
import { chooseCopy, momentOf, type Copy } from "../../src/core/choose-copy.ts";
import { aState, AT } from "../support/builders.ts";

function aRecord(overrides: Partial<CarriedRecord> = {}): CarriedRecord {
  const state = aState();
  return {
    schema: 1,
    loop_id: state.loop_id,
    generation: 1,
    revision: 10,
    saved_at: AT,
    run: { id: "1", attempt: "1" },
    nonce: "n",
    follows: null,
    base: null,
    bulk: null,
    state,
    ...overrides,
  };
}

const copy = (from: string, overrides: Partial<CarriedRecord>): Copy => ({ from, record: aRecord(overrides) });
const refAt = (revision: number): RefAnswer => ({ answer: "found", commit: "c1", record: aRecord({ revision }) });
const absent: RefAnswer = { answer: "absent" };
const unreachable: RefAnswer = { answer: "unreachable", why: "403" };

describe("the copy to go on with [C11]", () => {
  test.each<[string, RefAnswer, readonly Copy[], string | undefined]>([
    ["nobody has one", absent, [], undefined],
    ["only the ref has one", refAt(10), [], "ref"],
    ["the ref is as new as the others", refAt(10), [copy("cache", { revision: 10 })], "ref"],
    ["an older copy is in the cache", refAt(10), [copy("cache", { revision: 9 })], "ref"],
    ["a newer one goes on from the ref", refAt(10), [copy("artifact", { revision: 12, follows: "c1" })], "artifact"],
    ["a newer one goes on from elsewhere", refAt(10), [copy("artifact", { revision: 12, follows: "c0" })], "ref"],
    ["a newer one goes on from nothing", refAt(10), [copy("artifact", { revision: 12 })], "ref"],
    ["a later generation goes on from elsewhere", refAt(10), [copy("cache", { generation: 2, revision: 1 })], "ref"],
    ["the ref is gone", absent, [copy("cache", { revision: 9 }), copy("artifact", { revision: 12 })], "artifact"],
    ["the ref cannot be asked", unreachable, [copy("cache", { revision: 9 })], "cache"],
    [
      "a later generation has a lower revision",
      absent,
      [copy("cache", { revision: 40 }), copy("artifact", { generation: 2, revision: 3 })],
      "artifact",
    ],
  ])("%s", (_title, ref, copies, from) => {
    expect(chooseCopy(ref, copies)?.from).toBe(from);
  });
});

test.each([
  [300_000, { stop: 30_000, save: 60_000, publish: 60_000, upload: 90_000, report: 60_000 }],
  [900_000, { stop: 30_000, save: 60_000, publish: 60_000, upload: 90_000, report: 60_000 }],
  [30_000, { stop: 3_000, save: 6_000, publish: 6_000, upload: 9_000, report: 6_000 }],
  [0, { stop: 0, save: 0, publish: 0, upload: 0, report: 0 }],
])("a reserve of %i ms is shared out: %o", (reserve, shares) => {
  expect(shareReserve(reserve)).toEqual(shares);
});

test("a state and a record are of one moment [C53]", () => {
  const record = aRecord({ revision: 7, generation: 2 });
  expect(momentOf(record)).toEqual({ generation: 2, revision: 7 });
  const { generation, revision } = record.state;
  expect(momentOf(record.state)).toEqual({ generation, revision });
});
