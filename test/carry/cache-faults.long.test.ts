import path from "node:path";
import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, stat, truncate, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createCacheCarrier } from "../../src/carry/cache.ts";
import type { BulkPointer } from "../../src/core/carry.ts";
import { pointerTo } from "../contract/carrier-contract.ts";
import { aBundle, aRecord } from "./a-loop.ts";

import type { Caller } from "../support/results/service.ts";
import { CacheBench, WITHIN } from "./cache-bench.ts";

const run = promisify(execFile);
const bench = CacheBench.forFile();

describe("archives that somebody made", () => {
  /** Saves one to learn the version that the toolkit looks for, and puts another archive in its place. */
  async function poisoned(make: (archive: string) => Promise<unknown>): Promise<BulkPointer> {
    const made = await bench.bundle();
    const pointer = pointerTo(made, await bench.carrier().save(made, WITHIN));
    const archive = path.join(bench.folder, "archive.tzst");
    await make(archive);
    await bench.service.blobs.write(bench.service.cache.entries[0]?.blob ?? "", await readFile(archive));
    return pointer;
  }

  it("a corrupted one is refused [T14]", async () => {
    const pointer = await poisoned((archive) => writeFile(archive, "this is no archive"));
    const restored = await bench.restore(bench.carrier(), pointer);
    expect(restored).toMatchObject({
      ok: false,
      trouble: { kind: "refused", because: expect.stringContaining("archive is damaged") },
    });
  });

  it.runIf(process.platform === "linux")("absolute members, `..` and links write nothing outside [T14]", async () => {
    const outside = path.join(bench.folder, "outside");
    await mkdir(outside);
    const pointer = await poisoned(async (archive) => {
      const source = path.join(bench.folder, "source");
      await mkdir(source);
      await writeFile(path.join(source, "evil"), "evil");
      const rename = (to: string) => ["--transform", `s,^evil,${to},`];
      const tar = path.join(bench.folder, "archive.tar");
      const add = (args: readonly string[]) => run("tar", ["-P", "-C", source, "-rf", tar, ...args]);
      await add([...rename(`${outside}/absolute`), "evil"]);
      await add([...rename("../outside/up"), "evil"]);
      await run("ln", ["-s", outside, path.join(source, "link")]);
      await add(["link"]);
      await add([...rename("link/through"), "evil"]);
      await run("zstd", ["-q", tar, "-o", archive]);
    });
    const restored = await bench.restore(bench.carrier(), pointer);
    expect(restored).toMatchObject({ ok: false, trouble: { kind: "refused" } });
    expect(await readdir(outside)).toEqual([]);
    await run("tar", ["-xf", path.join(bench.folder, "archive.tar"), "-P", "-C", restored.into]);
    expect((await readdir(outside)).toSorted(), "what tar does by itself").toEqual(["absolute", "through", "up"]);
    expect(await readdir(restored.into, { recursive: true })).toContain("__");
  });

  it.runIf(process.platform === "linux")("one that grows is refused before it has filled the disk [T14]", async () => {
    const pointer = await poisoned((archive) =>
      run("sh", [
        "-c",
        `mkdir "$1" && cd "$1" && truncate -s 900M z && tar -cf - z | zstd -q -o "$2"; rm z`,
        "sh",
        path.join(bench.folder, "big"),
        archive,
      ]),
    );
    const restored = await bench.restore(bench.carrier(), pointer);
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
    expect(await bench.restore(bench.carrier(), pointer)).toMatchObject({
      ok: false,
      trouble: { kind: "refused", because },
    });
  });

  it("a whole bundle of another digest is refused [T14]", async () => {
    const pointer = await poisoned(async (archive) => {
      const other = await aBundle(bench.folder, aRecord(7, { nonce: "forged" }));
      const tar = path.join(bench.folder, "forged.tar");
      await run("tar", ["-C", other.folder, "-cf", tar, "."]);
      await run("zstd", ["-q", tar, "-o", archive]);
    });
    expect(await bench.restore(bench.carrier(), pointer)).toMatchObject({
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
    const made = await bench.bundle();
    for (const method of ["CreateCacheEntry", "GetCacheEntryDownloadURL"]) bench.service.fail(method, twirp(status));
    expect(await bench.carrier().save(made, WITHIN)).toMatchObject({
      ok: false,
      trouble: { because: expect.stringContaining(told) },
    });
    expect(bench.service.requests).toHaveLength(tries);
    const restored = await bench.restore(bench.carrier(), null);
    expect(restored).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because: expect.stringContaining(told) },
    });
    expect(bench.service.requests).toHaveLength(2 * tries);
  });

  it("503 twice: it is saved and restored all the same", async () => {
    const made = await bench.bundle();
    for (const nth of [1, 2]) {
      for (const method of ["CreateCacheEntry", "GetCacheEntryDownloadURL"])
        bench.service.fail(method, twirp(503), nth);
    }
    const pointer = pointerTo(made, await bench.carrier().save(made, WITHIN));
    expect(await bench.restore(bench.carrier(), pointer)).toMatchObject({ ok: true });
  });

  it.each([
    ["refused connections", { ACTIONS_RESULTS_URL: "http://127.0.0.1:1/" }, "ECONNREFUSED"],
    ["no runtime token", { ACTIONS_RUNTIME_TOKEN: "" }, "ACTIONS_RUNTIME_TOKEN"],
    ["no service", { ACTIONS_RESULTS_URL: "" }, "no cache service"],
    ["cache-mode none", { ACTIONS_CACHE_MODE: "none" }, 'cache-mode is "none"'],
  ])("%s: neither saves nor restores, and says why", async (_name, env, told) => {
    const why = expect.stringContaining(told);
    expect(await bench.carrier(env).save(await bench.bundle(), WITHIN)).toMatchObject({
      ok: false,
      trouble: { because: why },
    });
    expect(await bench.restore(bench.carrier(env), null)).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because: why },
    });
    expect(bench.service.requests).toEqual([]);
  });

  it("a job that may only read is told so, without asking the service", async () => {
    const denied = await bench.carrier({ ACTIONS_CACHE_MODE: "read" }).save(await bench.bundle(), WITHIN);
    expect(denied).toMatchObject({ ok: false, trouble: { because: expect.stringContaining('cache-mode is "read"') } });
    expect(bench.service.requests).toEqual([]);
  });

  it("a run whose token may only read learns it from the service", async () => {
    const scopes: Caller["scopes"] = [{ scope: "refs/heads/main", may: "read" }];
    const denied = await bench.carrier({}, { scopes }).save(await bench.bundle(), WITHIN);
    expect(denied).toMatchObject({ ok: false, trouble: { because: expect.stringContaining("cache write denied") } });
  });

  it("a connection that breaks off is told as one", async () => {
    bench.service.fail("CreateCacheEntry", "drop");
    const saved = await bench.carrier().save(await bench.bundle(), WITHIN);
    expect(saved).toMatchObject({ ok: false, trouble: { because: expect.stringContaining("ECONNRESET") } });
  });

  it("a program that is not there is a failure like any other", async () => {
    const scratch = path.join(bench.folder, "scratch");
    const program = path.join(bench.folder, "no.mjs");
    const gone = createCacheCarrier({ mark: "test", program, env: bench.service.environment(), scratch });
    expect(await gone.save(await bench.bundle(), WITHIN)).toMatchObject({ ok: false });
  });
});

describe("a blob store that is down", () => {
  it("neither saves nor restores, and says why", async () => {
    const made = await bench.bundle();
    const pointer = pointerTo(made, await bench.carrier().save(made, WITHIN));
    await bench.service.blobs.stop();
    const later = await bench.bundle(8);
    const why = expect.stringContaining("ECONNREFUSED");
    expect(await bench.carrier().save(later, WITHIN)).toMatchObject({ ok: false, trouble: { because: why } });
    expect(await bench.restore(bench.carrier(), pointer)).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because: why },
    });
  });
});
