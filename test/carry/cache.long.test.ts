import path from "node:path";
import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it, test } from "vitest";
import { createCacheCarrier } from "../../src/carry/cache.ts";
import { cacheKey } from "../../src/store/carried-record.ts";
import { carrierContract, type CarrierUnderTest, pointerTo } from "../contract/carrier-contract.ts";
import { OlderCache } from "../support/results/older-cache.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aBundle, aRecord } from "./a-loop.ts";

import { CacheBench, WITHIN } from "./cache-bench.ts";

const run = promisify(execFile);
const bench = CacheBench.forFile();

carrierContract("the cache", (): CarrierUnderTest => ({
  in: () => bench.carrier(),
  hang() {
    for (const method of ["CreateCacheEntry", "GetCacheEntryDownloadURL"]) bench.service.fail(method, "hang");
  },
}));

describe("the cache", () => {
  it("names its entries by loop, revision, run and attempt [C11]", async () => {
    const made = await bench.bundle();
    expect(cacheKey(made.record)).toBe("smithers-v1-a-loop-00000007-101-1");
    expect(await bench.carrier().save(made, WITHIN)).toEqual({ ok: true, value: { cache_key: cacheKey(made.record) } });
    expect(bench.service.cache.entries.map(({ key }) => key)).toEqual([cacheKey(made.record)]);
  });

  it("asks for the exact key that the record names, and for nothing when it names none [T14]", async () => {
    const made = await bench.bundle();
    const pointer = pointerTo(made, await bench.carrier().save(made, WITHIN));
    bench.service.heal();
    expect(await bench.restore(bench.carrier(), { ...pointer, cache_key: null })).toMatchObject({
      trouble: { kind: "absent" },
    });
    expect(await bench.restore(bench.carrier(), { ...pointer, cache_key: "another-key" })).toMatchObject({
      trouble: { kind: "absent" },
    });
    expect(bench.service.requests).toEqual([]);
    const shorter = pointer.cache_key?.slice(0, -1) ?? "";
    expect(await bench.restore(bench.carrier(), { ...pointer, cache_key: shorter })).toMatchObject({
      trouble: { kind: "absent" },
    });
    expect(await bench.restore(bench.carrier(), pointer)).toMatchObject({ ok: true });
  });

  it("an older entry of the narrower scope is not taken for the newer one that the record names", async () => {
    const scope = { scope: "refs/heads/topic", may: "write" } as const;
    const main = { scope: "refs/heads/main", may: "write" } as const;
    const [older, newer] = [await bench.bundle(6), await bench.bundle(7)];
    await bench.carrier({}, { scopes: [scope] }).save(older, WITHIN);
    const pointer = pointerTo(newer, await bench.carrier({}, { scopes: [main] }).save(newer, WITHIN));
    const reader = bench.carrier({}, { scopes: [scope, { ...main, may: "read" }] });
    expect(await bench.restore(reader, pointer)).toMatchObject({
      ok: true,
      value: { bundle: { record: { revision: 7 } } },
    });
    expect(await bench.restore(reader, null)).toMatchObject({
      ok: true,
      value: { bundle: { record: { revision: 6 } } },
    });
  });

  it("prints nothing, and keeps what the toolkit prints to itself", async () => {
    const made = await bench.bundle();
    const program = path.join(bench.folder, "use.ts");
    const cache = path.join(import.meta.dirname, "../../src/carry/cache.ts");
    const options = {
      mark: "test",
      program: bench.programs.cache,
      env: bench.service.environment(),
      scratch: path.join(bench.folder, "s"),
    };
    await writeFile(
      program,
      `import { createCacheCarrier } from ${JSON.stringify(cache)};
       const options = ${JSON.stringify(options)};
       const carrier = createCacheCarrier(options);
       const saved = await carrier.save(${JSON.stringify(made)}, 20_000);
       process.exitCode = saved.ok ? 0 : 1;`,
    );
    expect(await run(process.execPath, [program])).toEqual({ stdout: "", stderr: "" });
    expect(await readdir(path.join(bench.folder, "s"))).toEqual([]);
  });
});

test("below a folder with a space in its path the cache says so, and blames no archive [C11]", async () => {
  await using folder = await tempFolder();
  const carrier = createCacheCarrier({
    mark: "test",
    program: path.join(folder.path, "never-started.js"),
    env: { ACTIONS_RUNTIME_TOKEN: "token", ACTIONS_RESULTS_URL: "https://results.example" },
    scratch: path.join(folder.path, "a folder"),
  });
  const why = expect.stringContaining("a space in its path");
  expect(await carrier.save(await aBundle(folder.path, aRecord(7)), 1_000)).toMatchObject({
    ok: false,
    trouble: { because: why },
  });
  const wanted = { loopId: "a-loop", named: null, unnamed: true, into: folder.path };
  expect(await carrier.restore(wanted, 1_000)).toMatchObject({
    ok: false,
    trouble: { kind: "unreachable", because: why },
  });
});

describe("a runner that has the cache service in its first form, as act and Gitea's [C53, C55]", () => {
  it("what is saved there is had again, and before that there is none: no silence", async () => {
    await using older = await OlderCache.start();
    const carrier = bench.carrier(older.environment);
    expect(await bench.restore(carrier, null)).toMatchObject({ ok: false, trouble: { kind: "absent" } });
    expect(await carrier.save(await bench.bundle(), WITHIN)).toMatchObject({ ok: true });
    expect(await bench.restore(carrier, null)).toMatchObject({
      ok: true,
      value: { bundle: { record: { revision: 7 } } },
    });
  });

  it.each([
    [404, "there is no cache service at the address that the runner gives"],
    [403, "the service refuses this to the run's token"],
    [500, "the service has trouble of its own"],
  ])("one that answers %i is silent, and why is said", async (status, why) => {
    await using older = await OlderCache.start();
    older.broken = status;
    const because = expect.stringContaining(why);
    expect(await bench.restore(bench.carrier(older.environment), null)).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because },
    });
  });
});
