import path from "node:path";
import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, stat, truncate, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createCacheCarrier } from "../../src/carry/cache.ts";
import { cacheKey } from "../../src/store/carried-record.ts";
import type { BulkPointer, Carrier, Restored } from "../../src/core/carry.ts";
import { carrierContract, type CarrierUnderTest, pointerTo } from "../contract/carrier-contract.ts";
import { type Caller, type ResultsService, startResultsService } from "../support/results/service.ts";
import { buildToolkitPrograms, type ToolkitPrograms } from "../support/results/toolkit-programs.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";
import { aBundle, aRecord } from "./a-loop.ts";

const run = promisify(execFile);
const WITHIN = 20_000;

let service: ResultsService;
let programs: ToolkitPrograms;
let folder: TempFolder;
beforeAll(async () => {
  [service, programs] = await Promise.all([startResultsService(), buildToolkitPrograms()]);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
});
beforeEach(async () => {
  service.heal();
  service.cache.entries.length = 0;
  folder = await tempFolder();
  return () => folder[Symbol.asyncDispose]();
});

function carrier(env: Readonly<Record<string, string>> = {}, caller: Partial<Caller> = {}): Carrier {
  const scratch = path.join(folder.path, "scratch");
  const given = { ...service.environment(caller), ...env };
  return createCacheCarrier({ mark: "test", program: programs.cache, env: given, scratch });
}

const bundle = (revision = 7) => aBundle(folder.path, aRecord(revision));

let folders = 0;
async function restore(from: Carrier, named: BulkPointer | null): Promise<Restored & { into: string }> {
  const into = path.join(folder.path, `into-${(folders += 1)}`);
  await mkdir(into);
  const wanted = { loopId: "a-loop", named, unnamed: named === null, into };
  return { ...(await from.restore(wanted, WITHIN)), into };
}

carrierContract("the cache", (): CarrierUnderTest => ({
  in: () => carrier(),
  hang() {
    for (const method of ["CreateCacheEntry", "GetCacheEntryDownloadURL"]) service.fail(method, "hang");
  },
}));

describe("the cache", () => {
  it("names its entries by loop, revision, run and attempt [C11]", async () => {
    const made = await bundle();
    expect(cacheKey(made.record)).toBe("smithers-v1-a-loop-00000007-101-1");
    expect(await carrier().save(made, WITHIN)).toEqual({ ok: true, value: { cache_key: cacheKey(made.record) } });
    expect(service.cache.entries.map(({ key }) => key)).toEqual([cacheKey(made.record)]);
  });

  it("asks for the exact key that the record names, and for nothing when it names none [T14]", async () => {
    const made = await bundle();
    const pointer = pointerTo(made, await carrier().save(made, WITHIN));
    service.heal();
    expect(await restore(carrier(), { ...pointer, cache_key: null })).toMatchObject({ trouble: { kind: "absent" } });
    expect(await restore(carrier(), { ...pointer, cache_key: "another-key" })).toMatchObject({
      trouble: { kind: "absent" },
    });
    expect(service.requests).toEqual([]);
    const shorter = pointer.cache_key?.slice(0, -1) ?? "";
    expect(await restore(carrier(), { ...pointer, cache_key: shorter })).toMatchObject({ trouble: { kind: "absent" } });
    expect(await restore(carrier(), pointer)).toMatchObject({ ok: true });
  });

  it("an older entry of the narrower scope is not taken for the newer one that the record names", async () => {
    const scope = { scope: "refs/heads/topic", may: "write" } as const;
    const main = { scope: "refs/heads/main", may: "write" } as const;
    const [older, newer] = [await bundle(6), await bundle(7)];
    await carrier({}, { scopes: [scope] }).save(older, WITHIN);
    const pointer = pointerTo(newer, await carrier({}, { scopes: [main] }).save(newer, WITHIN));
    const reader = carrier({}, { scopes: [scope, { ...main, may: "read" }] });
    expect(await restore(reader, pointer)).toMatchObject({ ok: true, value: { bundle: { record: { revision: 7 } } } });
    expect(await restore(reader, null)).toMatchObject({ ok: true, value: { bundle: { record: { revision: 6 } } } });
  });

  it("prints nothing, and keeps what the toolkit prints to itself", async () => {
    const made = await bundle();
    const program = path.join(folder.path, "use.ts");
    const cache = path.join(import.meta.dirname, "../../src/carry/cache.ts");
    const options = {
      mark: "test",
      program: programs.cache,
      env: service.environment(),
      scratch: path.join(folder.path, "s"),
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
    expect(await readdir(path.join(folder.path, "s"))).toEqual([]);
  });
});

describe("archives that somebody made", () => {
  /** Saves one to learn the version that the toolkit looks for, and puts another archive in its place. */
  async function poisoned(make: (archive: string) => Promise<unknown>): Promise<BulkPointer> {
    const made = await bundle();
    const pointer = pointerTo(made, await carrier().save(made, WITHIN));
    const archive = path.join(folder.path, "archive.tzst");
    await make(archive);
    await service.blobs.write(service.cache.entries[0]?.blob ?? "", await readFile(archive));
    return pointer;
  }

  it("a corrupted one is refused [T14]", async () => {
    const pointer = await poisoned((archive) => writeFile(archive, "this is no archive"));
    const restored = await restore(carrier(), pointer);
    expect(restored).toMatchObject({
      ok: false,
      trouble: { kind: "refused", because: expect.stringContaining("archive is damaged") },
    });
  });

  it.runIf(process.platform === "linux")("absolute members, `..` and links write nothing outside [T14]", async () => {
    const outside = path.join(folder.path, "outside");
    await mkdir(outside);
    const pointer = await poisoned(async (archive) => {
      const source = path.join(folder.path, "source");
      await mkdir(source);
      await writeFile(path.join(source, "evil"), "evil");
      const rename = (to: string) => ["--transform", `s,^evil,${to},`];
      const tar = path.join(folder.path, "archive.tar");
      const add = (args: readonly string[]) => run("tar", ["-P", "-C", source, "-rf", tar, ...args]);
      await add([...rename(`${outside}/absolute`), "evil"]);
      await add([...rename("../outside/up"), "evil"]);
      await run("ln", ["-s", outside, path.join(source, "link")]);
      await add(["link"]);
      await add([...rename("link/through"), "evil"]);
      await run("zstd", ["-q", tar, "-o", archive]);
    });
    const restored = await restore(carrier(), pointer);
    expect(restored).toMatchObject({ ok: false, trouble: { kind: "refused" } });
    expect(await readdir(outside)).toEqual([]);
    await run("tar", ["-xf", path.join(folder.path, "archive.tar"), "-P", "-C", restored.into]);
    expect((await readdir(outside)).toSorted(), "what tar does by itself").toEqual(["absolute", "through", "up"]);
    expect(await readdir(restored.into, { recursive: true })).toContain("__");
  });

  it.runIf(process.platform === "linux")("one that grows is refused before it has filled the disk [T14]", async () => {
    const pointer = await poisoned((archive) =>
      run("sh", [
        "-c",
        `mkdir "$1" && cd "$1" && truncate -s 900M z && tar -cf - z | zstd -q -o "$2"; rm z`,
        "sh",
        path.join(folder.path, "big"),
        archive,
      ]),
    );
    const restored = await restore(carrier(), pointer);
    const because = expect.stringContaining("larger than a loop's files can be");
    expect(restored).toMatchObject({ ok: false, trouble: { kind: "refused", because } });
    const sizes = await Promise.all(
      (await readdir(restored.into)).map(async (name) => (await stat(path.join(restored.into, name))).size),
    );
    expect(Math.max(...sizes)).toBeLessThan(250 << 20);
  });

  it("one that is too long is refused while it arrives [T14]", async () => {
    const pointer = await poisoned(async (archive) => {
      await writeFile(archive, "");
      await truncate(archive, 400 << 20);
    });
    const because = expect.stringContaining("larger than a loop's files can be");
    expect(await restore(carrier(), pointer)).toMatchObject({ ok: false, trouble: { kind: "refused", because } });
  });

  it("a whole bundle of another digest is refused [T14]", async () => {
    const pointer = await poisoned(async (archive) => {
      const other = await aBundle(folder.path, aRecord(7, { nonce: "forged" }));
      const tar = path.join(folder.path, "forged.tar");
      await run("tar", ["-C", other.folder, "-cf", tar, "."]);
      await run("zstd", ["-q", tar, "-o", archive]);
    });
    expect(await restore(carrier(), pointer)).toMatchObject({
      trouble: { kind: "refused", because: expect.stringContaining("digest") },
    });
  });
});

describe("a cache that does not do what it should", () => {
  const twirp = (status: number) => ({ status, body: { code: "unavailable", msg: "no" } });
  const outages: readonly [string, number, string, number][] = [
    ["401", 401, "(401)", 1],
    ["403", 403, "(403)", 1],
    ["429", 429, "(429)", 1],
    ["500", 500, "(500)", 5],
    ["503", 503, "(503)", 5],
  ];

  it.each(outages)("%s: neither saves nor restores, and says why", async (_name, status, told, tries) => {
    const made = await bundle();
    for (const method of ["CreateCacheEntry", "GetCacheEntryDownloadURL"]) service.fail(method, twirp(status));
    expect(await carrier().save(made, WITHIN)).toMatchObject({
      ok: false,
      trouble: { because: expect.stringContaining(told) },
    });
    expect(service.requests).toHaveLength(tries);
    const restored = await restore(carrier(), null);
    expect(restored).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because: expect.stringContaining(told) },
    });
    expect(service.requests).toHaveLength(2 * tries);
  });

  it("503 twice: it is saved and restored all the same", async () => {
    const made = await bundle();
    for (const nth of [1, 2]) {
      for (const method of ["CreateCacheEntry", "GetCacheEntryDownloadURL"]) service.fail(method, twirp(503), nth);
    }
    const pointer = pointerTo(made, await carrier().save(made, WITHIN));
    expect(await restore(carrier(), pointer)).toMatchObject({ ok: true });
  });

  it.each([
    ["refused connections", { ACTIONS_RESULTS_URL: "http://127.0.0.1:1/" }, "ECONNREFUSED"],
    ["no runtime token", { ACTIONS_RUNTIME_TOKEN: "" }, "ACTIONS_RUNTIME_TOKEN"],
    ["no service", { ACTIONS_RESULTS_URL: "" }, "no cache service"],
    ["cache-mode none", { ACTIONS_CACHE_MODE: "none" }, 'cache-mode is "none"'],
  ])("%s: neither saves nor restores, and says why", async (_name, env, told) => {
    const why = expect.stringContaining(told);
    expect(await carrier(env).save(await bundle(), WITHIN)).toMatchObject({ ok: false, trouble: { because: why } });
    expect(await restore(carrier(env), null)).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because: why },
    });
    expect(service.requests).toEqual([]);
  });

  it("a job that may only read is told so, without asking the service", async () => {
    const denied = await carrier({ ACTIONS_CACHE_MODE: "read" }).save(await bundle(), WITHIN);
    expect(denied).toMatchObject({ ok: false, trouble: { because: expect.stringContaining('cache-mode is "read"') } });
    expect(service.requests).toEqual([]);
  });

  it("a run whose token may only read learns it from the service", async () => {
    const scopes: Caller["scopes"] = [{ scope: "refs/heads/main", may: "read" }];
    const denied = await carrier({}, { scopes }).save(await bundle(), WITHIN);
    expect(denied).toMatchObject({ ok: false, trouble: { because: expect.stringContaining("cache write denied") } });
  });

  it("a connection that breaks off is told as one", async () => {
    service.fail("CreateCacheEntry", "drop");
    const saved = await carrier().save(await bundle(), WITHIN);
    expect(saved).toMatchObject({ ok: false, trouble: { because: expect.stringContaining("ECONNRESET") } });
  });

  it("a program that is not there is a failure like any other", async () => {
    const scratch = path.join(folder.path, "scratch");
    const program = path.join(folder.path, "no.mjs");
    const gone = createCacheCarrier({ mark: "test", program, env: service.environment(), scratch });
    expect(await gone.save(await bundle(), WITHIN)).toMatchObject({ ok: false });
  });
});

describe("a blob store that is down", () => {
  it("neither saves nor restores, and says why", async () => {
    const made = await bundle();
    const pointer = pointerTo(made, await carrier().save(made, WITHIN));
    await service.blobs.stop();
    const later = await bundle(8);
    const why = expect.stringContaining("ECONNREFUSED");
    expect(await carrier().save(later, WITHIN)).toMatchObject({ ok: false, trouble: { because: why } });
    expect(await restore(carrier(), pointer)).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because: why },
    });
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
