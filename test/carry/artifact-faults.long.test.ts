import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ArtifactBench, READS_ACTIONS, READS_NOTHING, WITHIN } from "./artifact-bench.ts";

let bench: ArtifactBench;
beforeAll(async () => {
  bench = await ArtifactBench.start();
});
afterAll(() => bench.end());
beforeEach(() => bench.ready());
afterEach(() => bench.clear());

describe("an artifact service that does not do what it should", () => {
  it.each([
    [401, "(401)", 1],
    [403, "(403)", 1],
    [429, "(429)", 5],
    [500, "(500)", 5],
  ])("%i: nothing is uploaded, and the reason is told", async (status, told, tries) => {
    bench.service.fail("CreateArtifact", {
      status,
      body: { code: "unavailable", msg: "no" },
      headers: { "retry-after": "60" },
    });
    const refused = await bench.carrier().save(await bench.bundle(7), WITHIN);
    expect(refused).toMatchObject({ ok: false, trouble: { because: expect.stringContaining(told) } });
    expect(bench.service.requests).toHaveLength(tries);
  });

  it("503 twice: it is uploaded all the same", async () => {
    for (const nth of [1, 2])
      bench.service.fail("CreateArtifact", { status: 503, body: { code: "unavailable", msg: "no" } }, nth);
    expect(await bench.carrier().save(await bench.bundle(7), WITHIN)).toMatchObject({ ok: true });
  });

  it.each([
    ["refused connections", { ACTIONS_RESULTS_URL: "http://127.0.0.1:1/" }, "ECONNREFUSED"],
    ["no runtime token", { ACTIONS_RUNTIME_TOKEN: "" }, "ACTIONS_RUNTIME_TOKEN"],
    ["no service", { ACTIONS_RESULTS_URL: "" }, "no artifact service"],
    ["GitHub Enterprise Server", { GITHUB_SERVER_URL: "https://github.example.org" }, "Enterprise"],
  ])("%s: nothing is uploaded, and the reason is told", async (_name, env, told) => {
    const refused = await bench
      .carrier(101, { env: { ...bench.environment(101), ...env } })
      .save(await bench.bundle(7), WITHIN);
    expect(refused).toMatchObject({ ok: false, trouble: { because: expect.stringContaining(told) } });
    expect(bench.service.requests).toEqual([]);
  });
});

describe("GitHub, when it does not answer as it should", () => {
  it.each([
    ["no token", () => null, "no token"],
    ["a token nobody knows", () => bench.github("ghs_forged"), "does not know the token"],
    ["a token that may not", () => bench.github(READS_NOTHING), "actions: read"],
    ["refused connections", () => bench.github(READS_ACTIONS, "http://127.0.0.1:1"), "cannot be reached"],
  ])("%s: nothing is found, and the reason is told", async (_name, client, told) => {
    const restored = await bench.restore(bench.carrier(101, { github: client() }), null);
    expect(restored).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because: expect.stringContaining(told) },
    });
  });

  it("on GitHub Enterprise Server nothing is asked", async () => {
    const env = { ...bench.environment(101), GITHUB_SERVER_URL: "https://github.example.org" };
    const restored = await bench.restore(bench.carrier(101, { env }), null);
    expect(restored).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
    expect(bench.api.requests).toEqual([]);
  });

  it("a blob store that is down is told as one", async () => {
    const pointer = await bench.saved(7, 101);
    await bench.service.blobs.stop();
    const why = expect.stringContaining("ECONNREFUSED");
    expect(await bench.carrier(102).save(await bench.bundle(8, 102), WITHIN)).toMatchObject({
      ok: false,
      trouble: { because: why },
    });
    expect(await bench.restore(bench.carrier(102), pointer)).toMatchObject({
      ok: false,
      trouble: { kind: "unreachable", because: why },
    });
  });
});
