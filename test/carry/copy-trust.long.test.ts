import path from "node:path";
import { cp, mkdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { gatherBundle } from "../../src/carry/bundle.ts";
import { createCacheCarrier } from "../../src/carry/cache.ts";
import type { CopyOrigin } from "../../src/carry/copy-trust.ts";
import type { CarriedRecord, Carrier, Restored } from "../../src/core/carry.ts";
import { pointerTo } from "../contract/carrier-contract.ts";
import type { Caller } from "../support/results/service.ts";
import { aRecord, placesIn, writeLoop } from "./a-loop.ts";
import { CacheBench, WITHIN } from "./cache-bench.ts";

const bench = CacheBench.forFile();
const KEY = "a long and random text that nobody guesses";
const HERE: CopyOrigin = { repository: 1, workflow: ".github/workflows/smithers.yml", ref: "refs/heads/main" };
const MAIN = { scope: "refs/heads/main", may: "write" } as const;
const TOPIC = { scope: "refs/heads/topic", may: "write" } as const;

interface Saving {
  readonly origin?: CopyOrigin | null;
  readonly key?: string | null;
  readonly record?: Partial<CarriedRecord>;
  readonly caller?: Partial<Caller>;
}

/** Has a run save the loop as of this revision. */
async function save(revision: number, { origin = HERE, key = null, record = {}, caller = {} }: Saving = {}) {
  const made = aRecord(revision, { nonce: `n-${revision}-${key === null ? "plain" : "sealed"}`, ...record });
  const places = placesIn(path.join(bench.folder, made.nonce));
  await writeLoop(places);
  const into = path.join(bench.folder, `bundle-${made.nonce}`);
  const where = origin === null ? {} : { origin };
  const bundle = await gatherBundle({ places, record: made, into, seal: key, secrets: [], ...where });
  return { bundle, pointer: pointerTo(bundle, await bench.carrier({}, caller).save(bundle, WITHIN)) };
}

function reader(key: string | null, origin = HERE, caller: Partial<Caller> = {}): Carrier {
  const scratch = path.join(bench.folder, "scratch");
  const trust = { from: "cache", origin, key } as const;
  const env = bench.service.environment(caller);
  return createCacheCarrier({ mark: "test", program: bench.programs.cache, env, scratch, trust });
}

const taken = (revision: number) => ({ ok: true, value: { bundle: { record: { revision } } } });
const refused = (why: RegExp) => ({ ok: false, trouble: { kind: "refused", because: expect.stringMatching(why) } });

async function newest(from: Carrier): Promise<Restored> {
  return bench.restore(from, null);
}

describe("a copy from the cache that no record names [C54, T14]", () => {
  it("is taken when this workflow saved it for this branch, with and without a state-key", async () => {
    await save(5);
    expect(await newest(reader(null))).toMatchObject(taken(5));
    bench.service.cache.entries.length = 0;
    await save(6, { key: KEY });
    expect(await newest(reader(KEY))).toMatchObject(taken(6));
  });

  it("is taken by a run without a state-key, though it is sealed: its state is no secret", async () => {
    await save(6, { key: KEY });
    expect(await newest(reader(null))).toMatchObject(taken(6));
  });

  it("is taken after the repository was renamed, whose id stays", async () => {
    await save(5, { key: KEY });
    expect(await newest(reader(KEY, { ...HERE }))).toMatchObject(taken(5));
  });

  it.each<[string, Saving, RegExp]>([
    ["another key", { key: `${KEY}!` }, /not proved by the state-key/u],
    ["no key", {}, /not proved by the state-key/u],
    ["no origin, and no key", { origin: null }, /not proved by the state-key/u],
  ])("is refused when a state-key is set and it was made with %s", async (_name, saving, why) => {
    await save(9, saving);
    expect(await newest(reader(KEY))).toMatchObject(refused(why));
  });

  it.each<[string, CopyOrigin | null, RegExp]>([
    ["another workflow", { ...HERE, workflow: ".github/workflows/other.yml" }, /another workflow/u],
    ["another repository", { ...HERE, repository: 2 }, /another repository/u],
    ["a run of another branch", { ...HERE, ref: "refs/heads/topic" }, /another branch/u],
    ["somebody who does not say where", null, /does not say/u],
  ])("is refused when it was saved by %s", async (_name, origin, why) => {
    await save(9, { origin });
    expect(await newest(reader(null))).toMatchObject(refused(why));
  });

  it("is refused with the default branch's scope in sight, where a branch has none of its own", async () => {
    await save(9, { caller: { scopes: [MAIN] } });
    const topic = reader(null, { ...HERE, ref: "refs/heads/topic" }, { scopes: [TOPIC, { ...MAIN, may: "read" }] });
    expect(await newest(topic)).toMatchObject(refused(/another branch/u));
  });

  it("is refused under another key than its own: an older one that was put there again does not come back", async () => {
    const { bundle } = await save(5, { key: KEY });
    const again = path.join(bench.folder, "again");
    await mkdir(again);
    await cp(bundle.folder, again, { recursive: true });
    bench.service.cache.entries.length = 0;
    // The archive is the old one, with all its proofs; its key says that it is newer.
    const record = { ...bundle.record, revision: 99 };
    await bench.carrier().save({ ...bundle, record }, WITHIN);
    expect(await newest(reader(KEY))).toMatchObject(refused(/another key than it was saved under/u));
  });

  it("is refused when its manifest was changed after it was proved", async () => {
    const { bundle } = await save(5, { key: KEY });
    const { readFile, writeFile } = await import("node:fs/promises");
    const file = path.join(bundle.folder, "carried.json");
    await writeFile(file, (await readFile(file, "utf8")).replace('"iteration": 0', '"iteration": 1'));
    bench.service.cache.entries.length = 0;
    await bench.carrier().save(bundle, WITHIN);
    expect(await newest(reader(KEY))).toMatchObject(refused(/not proved/u));
  });

  it("needs no proof when a record names it, by its digest", async () => {
    const { pointer } = await save(5, { origin: null });
    expect(await bench.restore(reader(KEY), pointer)).toMatchObject(taken(5));
  });
});
