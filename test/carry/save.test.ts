import { expect, test } from "vitest";
import { Checkpoints } from "../../src/carry/checkpoints.ts";
import {
  type BulkPointer,
  type CarriedRecord,
  type RefWritten,
  type Saved,
  shareReserve,
} from "../../src/core/carry.ts";
import { saveLoop } from "../../src/carry/save.ts";
import { aState } from "../support/builders.ts";
import { aCarriedBundle, aCarriedRecord, fakeCarrier, fakeRef } from "../support/fake-carriers.ts";

const SHARES = shareReserve(300_000);
const STATE = aState({ revision: 5 });
const ARTIFACT = { id: 7, name: "an-artifact", run_id: 1 };
const IN_CACHE: Saved = { ok: true, value: { cache_key: "a-key" } };
const UPLOADED: Saved = { ok: true, value: { artifact: ARTIFACT } };

/** Saves a state with a ref that answers so, and carriers that do. */
async function save(answer: RefWritten, saved: { artifact?: Saved; cache?: Saved } = {}) {
  const written: CarriedRecord[] = [];
  let bulk: BulkPointer | null = null;
  const recordOf = (_state: unknown, follows: string | null) => aCarriedRecord(5, { follows, bulk });
  const checkpoints = new Checkpoints({
    ref: {
      ...fakeRef({ answer: "absent" }),
      write: async (record) => {
        written.push(record);
        return answer;
      },
    },
    follows: "c0",
    recordOf,
    treeOf: () => null,
    seen: true,
    since: null,
    note: async () => undefined,
    notice: () => undefined,
    withinMs: 1000,
  });
  const [artifact, cache] = (["artifact", "cache"] as const).map((name) => {
    const how = saved[name];
    return fakeCarrier(name, how === undefined ? {} : { saved: how });
  });
  const gather = async (record: CarriedRecord) => aCarriedBundle(record);
  const point = (named: BulkPointer | null): void => {
    bulk = named;
  };
  const seen: number[] = [];
  const meanwhile = () => void seen.push(written.length);
  const sources = { checkpoints, artifact, cache, gather, recordOf, point };
  const away = await saveLoop(STATE, { ...sources, shares: SHARES, meanwhile });
  return { away, seen, written, saves: [artifact, cache].flatMap((carrier) => carrier?.saves ?? []) };
}

const WRITTEN: RefWritten = { ok: true, value: { commit: "c1", notices: [] } };

test("the ref has the state first, and then where the other files are [C11]", async () => {
  const { away, written, saves, seen } = await save(WRITTEN, { artifact: UPLOADED, cache: IN_CACHE });
  // What goes on beside begins once the loop is known to be still this run's.
  expect(seen).toEqual([1]);
  const bulk = { digest: "digest-5", revision: 5, cache_key: "a-key", artifact: ARTIFACT };
  expect(written.map((record) => [record.follows, record.bulk])).toEqual([
    ["c0", null],
    ["c1", bulk],
  ]);
  expect(saves.map(({ bundle, within }) => [bundle.record.follows, within])).toEqual([
    ["c1", SHARES.upload],
    ["c1", SHARES.upload],
  ]);
  expect(away).toEqual({
    artifact: ARTIFACT,
    cacheKey: "a-key",
    fates: [
      { name: "git ref", saved: true, detail: "c1" },
      { name: "artifact", saved: true, detail: "an-artifact" },
      { name: "cache", saved: true, detail: "a-key" },
    ],
  });
});

test("what one carrier refuses, the others have all the same [C11]", async () => {
  const refused: RefWritten = { ok: false, trouble: { kind: "refused", because: "add contents: write" } };
  const { away, written } = await save(refused, { cache: IN_CACHE });
  expect(written.at(-1)?.bulk).toMatchObject({ cache_key: "a-key", artifact: null });
  expect(away).toEqual({
    artifact: null,
    cacheKey: "a-key",
    fates: [
      { name: "git ref", saved: false, detail: "add contents: write" },
      { name: "artifact", saved: false, detail: "artifact is closed" },
      { name: "cache", saved: true, detail: "a-key" },
    ],
  });
});

test("of a loop that another run has, nothing is saved [C11]", async () => {
  const { away, saves, seen } = await save({ ok: false, trouble: { kind: "superseded", because: "run 7 has it" } });
  expect([saves, seen]).toEqual([[], []]);
  expect(away.fates).toMatchObject([
    { name: "git ref", saved: false, detail: expect.stringContaining("run 7 has it") },
  ]);
});
