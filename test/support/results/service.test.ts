import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Caller, type ResultsService, startResultsService } from "./service.ts";

const MAIN: Caller["scopes"][number] = { scope: "refs/heads/main", may: "write" };
const BRANCH: Caller["scopes"][number] = { scope: "refs/heads/topic", may: "write" };

let service: ResultsService;
beforeAll(async () => {
  service = await startResultsService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.heal();
  service.cache.entries.length = 0;
  service.artifacts.stored.length = 0;
});

const replySchema = z.looseObject({
  ok: z.boolean().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  matched_key: z.string().optional(),
  signed_upload_url: z.string().optional(),
  signed_download_url: z.string().optional(),
  signed_url: z.string().optional(),
  artifacts: z.array(z.looseObject({ name: z.string() })).optional(),
});

async function call(method: string, body: Readonly<Record<string, unknown>>, caller: Partial<Caller> = {}) {
  const name = /Artifact/u.test(method) ? "ArtifactService" : "CacheService";
  const ids =
    name === "ArtifactService"
      ? { workflow_run_backend_id: caller.run ?? "run-1", workflow_job_run_backend_id: "job-1" }
      : {};
  const response = await fetch(`${service.url}twirp/github.actions.results.api.v1.${name}/${method}`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.environment(caller)["ACTIONS_RUNTIME_TOKEN"] ?? ""}` },
    body: JSON.stringify({ ...ids, ...body }),
  });
  return { status: response.status, ...replySchema.parse(await response.json()) };
}

const upload = async (url: string | undefined, bytes: string): Promise<number> => {
  const sent = await fetch(url ?? "", { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob" }, body: bytes });
  return sent.status;
};

async function save(key: string, caller: Partial<Caller> = {}, version = "v"): Promise<void> {
  const { signed_upload_url: url } = await call("CreateCacheEntry", { key, version }, caller);
  expect(await upload(url, key)).toBe(201);
  expect(await call("FinalizeCacheEntryUpload", { key, version, size_bytes: "1" }, caller)).toMatchObject({ ok: true });
}

const find = (key: string, more: Readonly<Record<string, unknown>> = {}, caller: Partial<Caller> = {}) =>
  call("GetCacheEntryDownloadURL", { key, version: "v", ...more }, caller);

describe("the cache service", () => {
  it("gives back what was saved", async () => {
    await save("k-1");
    const found = await find("k-1");
    expect(found).toMatchObject({ status: 200, ok: true, matched_key: "k-1" });
    expect(await (await fetch(found.signed_download_url ?? "")).text()).toBe("k-1");
  });

  it("refuses a key that exists, finalised or not", async () => {
    await save("k-1");
    await call("CreateCacheEntry", { key: "k-2", version: "v" });
    for (const key of ["k-1", "k-2"]) {
      expect(await call("CreateCacheEntry", { key, version: "v" })).toMatchObject({
        status: 409,
        code: "already_exists",
      });
    }
    expect(await call("CreateCacheEntry", { key: "k-1", version: "w" })).toMatchObject({ ok: true });
  });

  it("finalises an entry once, so that it never changes", async () => {
    await save("k-1");
    const again = await call("FinalizeCacheEntryUpload", { key: "k-1", version: "v", size_bytes: "1" });
    expect(again).toMatchObject({ status: 404 });
  });

  it("finds finalised entries of the same version only", async () => {
    await call("CreateCacheEntry", { key: "k-1", version: "v" });
    await save("k-2", {}, "w");
    expect(await find("k-")).toEqual({ status: 200, ok: false });
  });

  it.each([
    { asked: "k-1", restore: [], found: "k-1" },
    { asked: "k-", restore: [], found: "k-10" },
    { asked: "k-3", restore: ["k-1"], found: "k-10" },
    { asked: "x", restore: ["y", "k-2"], found: "k-2" },
  ])("finds $found for $asked and $restore: the exact key, then beginnings, the newest first", async (row) => {
    for (const key of ["k-1", "k-2", "k-10"]) await save(key);
    const more = row.restore.length === 0 ? {} : { restore_keys: row.restore };
    expect(await find(row.asked, more)).toMatchObject({ matched_key: row.found });
  });

  it("prefers an old entry of the narrower scope to a newer one of the default branch", async () => {
    await save("k-1", { scopes: [BRANCH] });
    await save("k-2", { scopes: [MAIN] });
    const scopes: Caller["scopes"] = [BRANCH, { ...MAIN, may: "read" }];
    expect(await find("k-", {}, { scopes })).toMatchObject({ matched_key: "k-1" });
    expect(await find("k-", {}, { scopes: [MAIN] })).toMatchObject({ matched_key: "k-2" });
  });

  it("denies a run that may only read, without an error", async () => {
    const denied = await call("CreateCacheEntry", { key: "k", version: "v" }, { scopes: [{ ...MAIN, may: "read" }] });
    expect(denied).toMatchObject({ status: 200, ok: false, message: expect.stringMatching(/^cache write denied: /u) });
  });

  it("denies a run without scopes to read", async () => {
    expect(await find("k", {}, { scopes: [] })).toMatchObject({ status: 403, code: "permission_denied" });
  });
});

describe("the artifact service", () => {
  async function publish(name: string, caller: Partial<Caller> = {}): Promise<void> {
    const created = await call("CreateArtifact", { name, version: 7, mime_type: "application/zip" }, caller);
    expect(await upload(created.signed_upload_url, "zip")).toBe(201);
    const whole = await call("FinalizeArtifact", { name, size: "3", hash: `sha256:${"0".repeat(64)}` }, caller);
    expect(whole).toMatchObject({ ok: true });
  }

  it("lists what is finalised, of one run, and gives it back", async () => {
    await publish("a");
    await publish("b", { run: "run-2" });
    await call("CreateArtifact", { name: "c", version: 7, mime_type: "application/zip" });
    const { artifacts } = await call("ListArtifacts", {});
    expect(artifacts?.map(({ name }) => name)).toEqual(["a"]);
    const { signed_url: url = "" } = await call("GetSignedArtifactURL", { name: "a" });
    expect(await (await fetch(url)).text()).toBe("zip");
  });

  it("has a name once in a run", async () => {
    await publish("a");
    const again = await call("CreateArtifact", { name: "a", version: 7, mime_type: "application/zip" });
    expect(again).toMatchObject({ status: 409, code: "already_exists" });
    await publish("a", { run: "run-2" });
  });

  it.each(['a"b', "a:b", "a/b", "a\\b", "a\nb", "a*b", ""])("refuses the name %j", async (name) => {
    const refused = await call("CreateArtifact", { name, version: 7, mime_type: "application/zip" });
    expect(refused).toMatchObject({ status: 400 });
  });

  it("refuses to speak for another run than the token's", async () => {
    expect(await call("ListArtifacts", { workflow_run_backend_id: "run-2" })).toMatchObject({ status: 403 });
  });
});

describe("the service", () => {
  it("knows nobody without a token, and no other methods", async () => {
    const ask = (path: string) => fetch(`${service.url}twirp/${path}`, { method: "POST", body: "{}" });
    expect((await ask("github.actions.results.api.v1.CacheService/CreateCacheEntry")).status).toBe(401);
    expect((await ask("github.actions.results.api.v1.CacheService/Nothing")).status).toBe(401);
    expect((await ask("elsewhere")).status).toBe(404);
  });

  it("fails when it is told to, and remembers the calls", async () => {
    const trouble = { status: 503, body: { code: "unavailable", msg: "later" } };
    service.fail("GetCacheEntryDownloadURL", trouble, 2);
    const statuses = [await find("k"), await find("k"), await find("k")].map(({ status }) => status);
    expect(statuses).toEqual([200, 503, 200]);
    expect(service.requests.map(({ method }) => method)).toEqual(
      Array.from({ length: 3 }, () => "GetCacheEntryDownloadURL"),
    );
    service.fail("GetCacheEntryDownloadURL", "drop");
    await expect(find("k")).rejects.toThrow("fetch failed");
  });
});
