import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gatherBundle } from "../../src/carry/bundle.ts";
import type { CopyOrigin } from "../../src/carry/copy-trust.ts";
import type { CarriedRecord } from "../../src/core/carry.ts";
import { aRecord, placesIn, writeLoop } from "./a-loop.ts";
import { ArtifactBench, WITHIN } from "./artifact-bench.ts";

let bench: ArtifactBench;
beforeAll(async () => {
  bench = await ArtifactBench.start();
});
afterAll(() => bench.end());
beforeEach(() => bench.ready());
afterEach(() => bench.clear());

const KEY = "a long and random text that nobody guesses";
const HERE: CopyOrigin = { repository: 1001, workflow: ".github/workflows/smithers.yml", ref: "refs/heads/main" };

interface Upload {
  readonly key?: string;
  readonly origin?: CopyOrigin;
  /** which run the copy itself names; the one that uploads it, unless said */
  readonly says?: number;
  readonly record?: Partial<CarriedRecord>;
}

/** Has a run upload the loop as of this revision. */
async function upload(run: number, revision: number, { key, origin = HERE, says = run, record }: Upload = {}) {
  const named = { run: { id: String(says), attempt: "1" }, nonce: `n-${run}-${revision}`, ...record };
  const made = aRecord(revision, named);
  const places = placesIn(path.join(bench.folder, made.nonce));
  await writeLoop(places);
  const into = path.join(bench.folder, `bundle-${made.nonce}`);
  const bundle = await gatherBundle({ places, record: made, into, seal: key ?? null, secrets: [], origin });
  // The name is the uploader's to choose.
  const called = { ...bundle, record: { ...bundle.record, run: { id: String(run), attempt: "1" } } };
  expect(await bench.carrier(run).save(called, WITHIN)).toMatchObject({ ok: true });
}

async function newest(key: string | null = null, origin = HERE) {
  const restored = await bench.restore(bench.carrier(900, { trust: { from: "artifact", origin, key } }), null);
  return restored.ok ? restored.value.bundle.record.revision : restored.trouble;
}

describe("of the artifacts that no record names [C54, T15]", () => {
  it("the newest by what is in it is taken, not the one that was uploaded last", async () => {
    await upload(101, 9);
    await upload(102, 3);
    expect(await newest()).toBe(9);
  });

  it("a later generation is newer than a later upload of the one before", async () => {
    await upload(101, 2, { record: { generation: 2, state: { ...aRecord(2).state, generation: 2 } } });
    await upload(102, 30);
    expect(await newest()).toBe(2);
  });

  it("an older one that a later run has uploaded again does not come back", async () => {
    await upload(101, 5, { key: KEY });
    await upload(102, 7, { key: KEY });
    await upload(103, 5, { key: KEY, says: 101 });
    expect(await newest(KEY)).toBe(7);
  });

  it("with a state-key one that is not proved by it is passed over, however new it says it is", async () => {
    await upload(101, 5, { key: KEY });
    await upload(102, 99);
    await upload(103, 98, { key: `${KEY}!` });
    expect(await newest(KEY)).toBe(5);
  });

  it("with a state-key none is taken where none is proved, and that is told", async () => {
    await upload(101, 5);
    const because = expect.stringMatching(/not proved by the state-key/u);
    expect(await newest(KEY)).toMatchObject({ kind: "refused", because });
  });

  it("those of another branch's runs are taken: artifacts have no scope", async () => {
    await upload(101, 5, { key: KEY });
    expect(await newest(KEY, { ...HERE, ref: "refs/heads/topic" })).toBe(5);
  });

  it("one that was made elsewhere and put there is refused", async () => {
    await upload(101, 5, { key: KEY, origin: { ...HERE, workflow: ".github/workflows/other.yml" } });
    const because = expect.stringMatching(/another workflow/u);
    expect(await newest(KEY)).toMatchObject({ kind: "refused", because });
  });
});
