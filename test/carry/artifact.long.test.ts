import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { artifactName } from "../../src/carry/artifact.ts";
import { findInRun, newestOfLoop } from "../../src/carry/find-artifact.ts";
import { type CarrierUnderTest, carrierContract } from "../contract/carrier-contract.ts";
import { aRun } from "../support/github-api/server.ts";
import { ArtifactBench, READS_ACTIONS, WITHIN } from "./artifact-bench.ts";

const FORK = 2002;

let bench: ArtifactBench;
beforeAll(async () => {
  bench = await ArtifactBench.start();
});
afterAll(() => bench.end());
beforeEach(() => bench.ready());
afterEach(() => bench.clear());

const foundRevision = (revision: number, more: object = {}) => ({
  ok: true,
  value: { bundle: { record: { revision } }, ...more },
});

carrierContract("an artifact", (): CarrierUnderTest => ({
  in: (run) => bench.carrier(run),
  hang() {
    bench.service.fail("CreateArtifact", "hang");
    for (const operation of ["actions/list-artifacts-for-repo", "actions/list-workflow-run-artifacts"]) {
      bench.api.fail(operation, "hang", 99);
    }
  },
}));

describe("artifacts", () => {
  it("have a name of their own for each run and attempt, and hold what people look at [C11]", async () => {
    const made = await bench.bundle(7);
    const options = { retentionDays: 3 };
    const done = await bench.carrier(101, options).save(made, WITHIN);
    const name = "smithers-a-loop-101-1";
    expect(artifactName(made)).toBe(name);
    expect(done).toEqual({ ok: true, value: { artifact: { id: 1, name, run_id: 101 } } });
    const days = (Date.parse(bench.service.artifacts.stored[0]?.expiresAt ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(3, 1);
    const restored = await bench.restore(bench.carrier(102), null);
    expect(restored).toMatchObject(foundRevision(7));
    if (!restored.ok) return;
    expect(await readdir(path.join(restored.value.bundle.folder, "loop"))).toContain("events.jsonl");
    expect(await readdir(path.join(restored.value.bundle.folder, "loop"))).toContain("last_message_iter_2.txt");
  });

  it("a service that knows fewer fields is spoken to in the older form, on a runner that is not GitHub's too", async () => {
    const env = { ...bench.environment(101), GITHUB_SERVER_URL: "https://git.example.org", GITEA_ACTIONS: "true" };
    bench.service.artifacts.isOlder = true;
    const saved = await bench.carrier(101, { env }).save(await bench.bundle(7), WITHIN);
    expect(saved).toMatchObject({ ok: true, value: { artifact: { name: "smithers-a-loop-101-1" } } });
    const versions = bench.service.requests.filter(({ method }) => method === "CreateArtifact").map(({ body }) => body);
    expect(versions).toMatchObject([{ version: 7 }, { version: 4 }]);
    expect(await bench.restore(bench.carrier(102, { env }), null)).toMatchObject(foundRevision(7));
  });

  it("the newest attempt of the newest run that has one is taken [C11]", async () => {
    bench.listed(101);
    for (const attempt of [1, 2]) bench.listed(102, `smithers-a-loop-102-${attempt}`);
    await bench.saved(8, 102, "10");
    bench.carrier(103);
    expect(await bench.restore(bench.carrier(104), null)).toMatchObject(foundRevision(8));
  });

  it("other loops' artifacts are not looked at, however their names begin [T15]", async () => {
    for (const loop of ["a-loop-101", "a-loop-101-1", "a", "A-LOOP"]) bench.listed(101, `smithers-${loop}-101-1`);
    for (const name of ["smithers-a-loop-101-", "smithers-a-loop-101-x", "smithers-a-loop-99-1"])
      bench.listed(101, name);
    expect(await bench.restore(bench.carrier(102), null)).toMatchObject({ ok: false, trouble: { kind: "absent" } });
  });

  it.each([
    { what: "the last that is looked at", others: 499, found: foundRevision(5) },
    { what: "one behind those that are looked at", others: 500, found: { ok: false, trouble: { kind: "absent" } } },
  ])("pages about loops do not shorten the search, nor make it longer: $what [C138]", async ({ others, found }) => {
    await bench.saved(5, 101);
    for (let number = 1; number <= others; number += 1) {
      bench.listed(102, `smithers-other-102-${number}`);
      bench.listed(102, `smithers-other-102-${number}.html`);
    }
    expect(await bench.restore(bench.carrier(103), null)).toMatchObject(found);
    expect(bench.api.requests.filter(({ path }) => path.includes("/actions/artifacts?"))).toHaveLength(10);
  });

  it("a page about the loop is never taken for its files [C138]", async () => {
    for (const name of ["smithers-a-loop-101-1.html", "smithers-a-loop-101-1.2.html"]) bench.listed(101, name);
    expect(await bench.restore(bench.carrier(102), null)).toMatchObject({ ok: false, trouble: { kind: "absent" } });
  });

  it("what was handed over is found among the pages of one run, however many it has [C138]", async () => {
    const { artifact } = await bench.saved(5, 101);
    for (let number = 1; number <= 99; number += 1) {
      bench.listed(101, `smithers-other-101-${number}`);
      bench.listed(101, `smithers-other-101-${number}.html`);
    }
    const [own, ...others] = bench.api.world.artifacts;
    if (own !== undefined) bench.api.world.artifacts.splice(0, Infinity, ...others, own);
    const client = await bench.github(READS_ACTIONS).access.within(WITHIN);
    const found = [];
    for await (const one of findInRun(client, "a-loop", { runId: 101, attempt: 1 }, null)) found.push(one);
    expect(found).toMatchObject([{ ok: true, value: { id: artifact?.id } }]);
    expect(await newestOfLoop(client, "a-loop")).toMatchObject({ id: artifact?.id, runId: 101 });
  });

  it("a look-alike of a fork is refused, and the loop's own older one is taken [T15]", async () => {
    await bench.saved(5, 101);
    bench.api.world.runs.push(aRun({ id: 102, headRepositoryId: FORK, event: "pull_request" }));
    bench.listed(102);
    expect(await bench.restore(bench.carrier(103), null)).toMatchObject(foundRevision(5));
  });

  it("a look-alike alone is refused, by name and by pointer [T15]", async () => {
    bench.api.world.runs.push(aRun({ id: 102, headRepositoryId: FORK, event: "pull_request" }));
    const pointer = bench.listed(102);
    const why = expect.stringContaining("another repository");
    expect(await bench.restore(bench.carrier(103), null)).toMatchObject({
      ok: false,
      trouble: { kind: "refused", because: why },
    });
    expect(await bench.restore(bench.carrier(103), pointer)).toMatchObject({
      ok: false,
      trouble: { kind: "refused", because: why },
    });
  });

  it("another workflow's artifacts are none of the loop's [T15]", async () => {
    bench.api.world.runs.push(aRun({ id: 101, path: ".github/workflows/other.yml" }));
    bench.listed(101);
    expect(await bench.restore(bench.carrier(102), null)).toMatchObject({ ok: false, trouble: { kind: "absent" } });
  });

  it("one that does not hold is passed over for an older one [T14]", async () => {
    await bench.saved(5, 101);
    await bench.saved(6, 102);
    await bench.service.blobs.write(bench.service.artifacts.stored[1]?.blob ?? "", Buffer.from("this is no archive"));
    const passedOver = expect.stringMatching(/smithers-a-loop-102-1/u);
    expect(await bench.restore(bench.carrier(103), null)).toMatchObject(foundRevision(5, { passedOver }));
  });

  it("one that was replaced after it was uploaded is refused [T14]", async () => {
    const pointer = await bench.saved(5, 101);
    await bench.saved(6, 102);
    const [first, second] = bench.service.artifacts.stored;
    await bench.service.blobs.write(first?.blob ?? "", await bench.service.blobs.read(second?.blob ?? ""));
    const why = expect.stringContaining("another digest");
    expect(await bench.restore(bench.carrier(103), pointer)).toMatchObject({
      ok: false,
      trouble: { kind: "refused", because: why },
    });
  });

  it("a newer one of a later version is not passed over [T15]", async () => {
    bench.listed(101);
    const made = await bench.bundle(6, 102);
    const file = path.join(made.folder, "carried.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"schema": 1', '"schema": 2'));
    expect(await bench.carrier(102).save(made, WITHIN)).toMatchObject({ ok: true });
    expect(await bench.restore(bench.carrier(103), null)).toMatchObject({ ok: false, trouble: { kind: "newer" } });
  });

  it("one that the record names and that is gone is absent", async () => {
    const pointer = bench.listed(101);
    bench.api.world.artifacts.length = 0;
    expect(await bench.restore(bench.carrier(102), pointer)).toMatchObject({ ok: false, trouble: { kind: "absent" } });
  });

  it("one that has expired is absent", async () => {
    const pointer = bench.listed(101, undefined, { expired: true });
    const why = expect.stringContaining("expired");
    expect(await bench.restore(bench.carrier(102), pointer)).toMatchObject({
      ok: false,
      trouble: { kind: "absent", because: why },
    });
  });
});

describe("a page about a loop", () => {
  const PAGE = "<!doctype html><title>Loop a-loop</title>";
  const NAME = "smithers-a-loop-101-1";

  it("is uploaded as it is, under the next name where its own is taken [C137]", async () => {
    const ids = [await bench.page("<p>before</p>", NAME), await bench.page(PAGE, NAME)];
    const { stored } = bench.service.artifacts;
    expect(stored).toMatchObject([
      { name: `${NAME}.html`, isArchive: false, finalized: true },
      { name: `${NAME}.2.html`, isArchive: false, finalized: true },
    ]);
    expect(ids).toEqual(stored.map(({ id }) => ({ ok: true, value: id })));
    expect((await bench.service.blobs.read(stored[1]?.blob ?? "")).toString()).toBe(PAGE);
    expect((Date.parse(stored[1]?.expiresAt ?? "") - Date.now()) / 86_400_000).toBeCloseTo(3, 1);
  });

  it("leaves its process to the loop's files, which are a whole artifact of their own [C171]", async () => {
    expect(await bench.page(PAGE, NAME)).toMatchObject({ ok: true });
    expect(bench.spare).toHaveLength(1);
    const saved = await bench.carrier(101, { spare: bench.spare }).save(await bench.bundle(7), WITHIN);
    expect([saved, bench.spare]).toEqual([{ ok: true, value: { artifact: { id: 1, name: NAME, run_id: 101 } } }, []]);
    expect(await bench.restore(bench.carrier(102), null)).toMatchObject(foundRevision(7));
  });

  it("is given up when the service has not answered in time [C137]", async () => {
    bench.service.fail("FinalizeArtifact", "hang");
    const late = await bench.page(PAGE, NAME, { ms: 2_000 });
    expect(late).toEqual({ ok: false, trouble: { because: "the service took longer than 2 s" } });
    expect(bench.spare).toEqual([]);
  });

  it.each([
    {
      server: "without single files",
      set: { refusesFiles: true },
      env: {},
      because: "the service does not know artifacts of this kind (400)",
      asked: 1,
    },
    {
      server: "of the first version, such as act's",
      set: { isOlder: true },
      env: {},
      because: "the service does not know artifacts of this kind (400)",
      asked: 1,
    },
    {
      server: "of Gitea, whose pages have other addresses",
      set: {},
      env: { GITEA_ACTIONS: "true", GITHUB_SERVER_URL: "https://git.example.org" },
      because: "this server shows no page of an artifact",
      asked: 0,
    },
    {
      server: "of GitHub Enterprise",
      set: {},
      env: { GITHUB_SERVER_URL: "https://github.example.org" },
      because: "GitHub Enterprise Server has no such artifacts",
      asked: 0,
    },
  ])("is refused by a server $server, which is asked at most once [C137]", async ({ set, env, because, asked }) => {
    Object.assign(bench.service.artifacts, set);
    expect(await bench.page(PAGE, NAME, { env })).toMatchObject({ ok: false, trouble: { because } });
    expect(bench.service.requests).toHaveLength(asked);
    expect([bench.service.artifacts.stored, bench.spare]).toEqual([[], []]);
  });
});
