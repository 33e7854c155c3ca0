import { appendFile, link, mkdir, readFile, readdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { gatherBundle, openBundle, unpackBundle } from "../../src/carry/bundle.ts";
import { isCarried } from "../../src/carry/manifest.ts";
import type { BulkPointer } from "../../src/core/carry.ts";
import { sha256 } from "../../src/os/digest.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { ROLLOUT, SESSION_ID, aBundle, aRecord, contentOf, loopFiles, placesIn, writeLoop } from "./a-loop.ts";

const open = (folder: string, named: BulkPointer | null = null) =>
  openBundle({ folder, loopId: "a-loop", named, where: "the cache" });

const pointerTo = (bundle: { digest: string }, revision: number): BulkPointer => ({
  digest: bundle.digest,
  revision,
  cache_key: "k",
  artifact: null,
});

describe("gathering and unpacking", () => {
  it.each([{ seal: null }, { seal: "a key" }])(
    "brings 51 files and the session to another machine ($seal) [C11]",
    async ({ seal }) => {
      await using temp = await tempFolder();
      const record = aRecord(7);
      const bundle = await aBundle(temp.path, record, { iterations: 23, ...(seal === null ? {} : { seal }) });
      const opened = await open(bundle.folder, pointerTo(bundle, 7));
      expect(opened).toEqual({ folder: bundle.folder, digest: bundle.digest, record });
      const to = placesIn(path.join(temp.path, "next"));
      const unpacked = await unpackBundle(opened, { to, state: record.state, key: seal });
      expect(unpacked).toEqual({ loopFiles: 51, session: true, work: null });
      expect((await readdir(to.folder)).toSorted()).toEqual(loopFiles(23).toSorted());
      for (const name of loopFiles(23))
        expect(await readFile(path.join(to.folder, name), "utf8")).toBe(contentOf(name));
      const session = await readFile(path.join(to.sessionsFolder ?? "", ROLLOUT), "utf8");
      expect(session).toBe(contentOf("the session"));
      expect(await readdir(bundle.folder)).not.toContainEqual(expect.stringMatching(/^plain/u));
    },
  );

  it("with a key, nothing of the files can be read in the bundle [T16]", async () => {
    await using temp = await tempFolder();
    const { folder } = await aBundle(temp.path, aRecord(7), { seal: "a key" });
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) expect(await readFile(file, "latin1")).not.toContain("this");
  });

  it("gathers the newest iterations first, so that the oldest are left out", async () => {
    await using temp = await tempFolder();
    const { folder } = await aBundle(temp.path, aRecord(1), { iterations: 11 });
    const text = await readFile(path.join(folder, "carried.json"), "utf8");
    const logs = [...text.matchAll(/"loop\/events_iter_(\d+)\.jsonl"/gu)].map(([, n]) => Number(n));
    expect(logs).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it("takes the loop's own files and its own session, nothing else, and follows no link [T14]", async () => {
    await using temp = await tempFolder();
    const places = placesIn(temp.path);
    await writeLoop(places, 1);
    const codex = path.dirname(places.sessionsFolder ?? "");
    for (const name of ["auth.json", "config.toml", "sessions/auth.json", "sessions/rollout-other.jsonl"]) {
      await writeFile(path.join(codex, name), "secret");
    }
    for (const name of ["lock", "control", "git"]) await mkdir(path.join(places.folder, name));
    for (const name of ["lock/owner", "git/config", "notes.txt", ".prompt.txt.1.tmp"]) {
      await writeFile(path.join(places.folder, name), "secret");
    }
    await writeFile(path.join(places.folder, "agent.log"), "of a PRD\n");
    await writeFile(path.join(temp.path, "elsewhere"), "secret");
    await rm(path.join(places.folder, "progress.md"));
    await symlink(path.join(temp.path, "elsewhere"), path.join(places.folder, "progress.md"));
    await writeFile(path.join(places.folder, "US-001-12.patch"), "unfinished");
    await writeFile(path.join(places.folder, "undone-1-prd.json"), "somebody's");
    const { folder } = await gatherBundle({
      places,
      record: aRecord(1),
      into: path.join(temp.path, "b"),
      seal: null,
      secrets: [],
    });
    const manifest = await readFile(path.join(folder, "carried.json"), "utf8");
    expect([...manifest.matchAll(/"path": "(.+)"/gu)].map(([, name]) => name)).toEqual([
      "loop/state.json",
      `sessions/${ROLLOUT}`,
      "loop/events.jsonl",
      "loop/prompt.txt",
      "loop/tests.json",
      "loop/summary.json",
      "loop/agent.log",
      "loop/US-001-12.patch",
      "loop/undone-1-prd.json",
      "loop/last_message_iter_1.txt",
      "loop/events_iter_1.jsonl",
    ]);
  });

  it.each([null, "a-key-of-the-job"])(
    "follows no link of an agent, coming and going (sealed by %s) [T14]",
    async (seal) => {
      await using temp = await tempFolder();
      const root = path.join(temp.path, "work");
      const places = { ...placesIn(root), root, sessionsFolder: path.join(temp.path, "codex/sessions") };
      await writeLoop(places, 1);
      const outside = path.join(temp.path, "outside");
      await rename(path.join(root, "loops"), outside);
      await symlink(outside, path.join(root, "loops"));
      const into = path.join(temp.path, "b");
      const gathering = { places, record: aRecord(7), into, seal, secrets: [] };
      await expect(gatherBundle(gathering)).rejects.toMatchObject({ code: "LINK_REFUSED" });
      const options = seal === null ? {} : { seal };
      const bundle = await aBundle(temp.path, aRecord(7), options);
      const before = await readdir(outside, { recursive: true });
      await rm(path.join(outside, "a-loop"), { recursive: true });
      const state = aRecord(7).state;
      const putting = unpackBundle(bundle, { to: places, state, key: seal });
      await expect(putting).rejects.toMatchObject({ code: "LINK_REFUSED" });
      expect(before).not.toEqual([]);
      expect(await readdir(outside, { recursive: true })).toEqual(["a-loop.json"]);
    },
  );

  it("puts no session where a link in the agent's folder leads [T14]", async () => {
    await using temp = await tempFolder();
    const bundle = await aBundle(temp.path, aRecord(7));
    const to = placesIn(path.join(temp.path, "next"));
    const outside = path.join(temp.path, "outside");
    await mkdir(outside);
    await mkdir(to.sessionsFolder ?? "", { recursive: true });
    await symlink(outside, path.join(to.sessionsFolder ?? "", ROLLOUT.split("/")[0] ?? ""));
    const putting = unpackBundle(bundle, { to, state: aRecord(7).state, key: null });
    await expect(putting).rejects.toMatchObject({ code: "LINK_REFUSED" });
    expect(await readdir(outside)).toEqual([]);
  });

  it("leaves out what is too much, and says so", async () => {
    await using temp = await tempFolder();
    const places = placesIn(temp.path);
    await writeLoop(places, 3);
    await truncate(path.join(places.folder, "events_iter_1.jsonl"), 200 << 20);
    const into = path.join(temp.path, "b");
    const bundle = await gatherBundle({ places, record: aRecord(1), into, seal: null, secrets: [] });
    expect(bundle.leftOut).toEqual(["loop/events_iter_1.jsonl"]);
    expect(await open(into)).toMatchObject({ digest: bundle.digest });
  });

  it("has a digest that is that of its manifest", async () => {
    await using temp = await tempFolder();
    const bundle = await aBundle(temp.path, aRecord(3, { bulk: pointerTo({ digest: "a".repeat(64) }, 2) }));
    const text = await readFile(path.join(bundle.folder, "carried.json"), "utf8");
    expect(bundle.digest).toBe(sha256(text));
    expect(bundle.record.bulk).toBeNull();
  });

  it.each([
    { where: "an older bundle", bundle: 6, state: 7, loopFiles: 9, session: false },
    { where: "a newer bundle", bundle: 8, state: 7, loopFiles: 0, session: false },
  ])("$where: the session only goes with the very state, and nothing goes before it", async (row) => {
    await using temp = await tempFolder();
    const bundle = await aBundle(temp.path, aRecord(row.bundle));
    const to = placesIn(path.join(temp.path, "next"));
    const { state } = aRecord(row.state);
    const unpacked = await unpackBundle(bundle, { to, state, key: null });
    expect(unpacked).toEqual({ loopFiles: row.loopFiles, session: row.session, work: null });
  });

  it("puts nothing of another generation in place", async () => {
    await using temp = await tempFolder();
    const bundle = await aBundle(temp.path, aRecord(7));
    const to = placesIn(path.join(temp.path, "next"));
    const state = { ...aRecord(9).state, generation: 2 };
    expect(await unpackBundle(bundle, { to, state, key: null })).toEqual({
      loopFiles: 0,
      session: false,
      work: null,
    });
  });

  it.each([
    { key: null, code: "BUNDLE_SEALED" },
    { key: "another key", code: "BUNDLE_KEY" },
  ])("with the key $key a sealed bundle stays closed, and nothing is put in place [T16]", async ({ key, code }) => {
    await using temp = await tempFolder();
    const bundle = await aBundle(temp.path, aRecord(7), { seal: "a key" });
    const to = placesIn(path.join(temp.path, "next"));
    await writeLoop(to, 0);
    await writeFile(path.join(to.folder, "progress.md"), "mine");
    const { state } = aRecord(7);
    await expect(unpackBundle(bundle, { to, state, key })).rejects.toMatchObject({ code });
    expect(await readFile(path.join(to.folder, "progress.md"), "utf8")).toBe("mine");
  });
});

describe("verifying", () => {
  const damage: readonly [string, (folder: string) => Promise<unknown>, string][] = [
    ["a file is gone", (f) => rm(path.join(f, "loop/progress.md")), "loop/progress.md"],
    [
      "a file is altered",
      (f) => writeFile(path.join(f, "loop/progress.md"), contentOf("another.md")),
      "loop/progress.md",
    ],
    ["a file is shorter", (f) => truncate(path.join(f, "loop/progress.md"), 5), "loop/progress.md"],
    [
      "a file is a link",
      async (f) => {
        await rm(path.join(f, "loop/progress.md"));
        await symlink("prompt.txt", path.join(f, "loop/progress.md"));
      },
      "loop/progress.md",
    ],
    ["there is no manifest", (f) => rm(path.join(f, "carried.json")), "carried.json"],
    ["the manifest is no JSON", (f) => writeFile(path.join(f, "carried.json"), "{"), "not JSON"],
    ["the manifest is huge", (f) => writeFile(path.join(f, "carried.json"), " ".repeat(5 << 20)), "carried.json"],
  ];

  it.each(damage)("%s: it is refused [T14]", async (_what, harm, told) => {
    await using temp = await tempFolder();
    const { folder } = await aBundle(temp.path, aRecord(3));
    await harm(folder);
    const refused = open(folder);
    await expect(refused).rejects.toMatchObject({ code: "RECORD_DAMAGED" });
    await expect(refused).rejects.toThrow(told);
  });

  const replace = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
  const forged: readonly [string, (manifest: string) => string, string, string][] = [
    ["a path goes up", replace('"loop/progress.md"', '"loop/../../x"'), "RECORD_DAMAGED", "no loop has"],
    ["a path is absolute", replace('"loop/progress.md"', '"/etc/passwd"'), "RECORD_DAMAGED", "no loop has"],
    ["a path is auth.json", replace('"loop/progress.md"', '"sessions/auth.json"'), "RECORD_DAMAGED", "no loop has"],
    ["a file twice", replace('"loop/progress.md"', '"loop/prompt.txt"'), "RECORD_DAMAGED", "twice"],
    ["too many bytes", replace(/"bytes": \d+/u, '"bytes": 314572800'), "RECORD_DAMAGED", "more than"],
    ["too many files", replace(/("files": \[)([^}]+\},)/u, `$1${"$2".repeat(2000)}`), "RECORD_DAMAGED", "files"],
    ["another loop's", (text) => text.replaceAll('"a-loop"', '"b-loop"'), "RECORD_DAMAGED", "another loop"],
    ["a state of another revision", replace('"revision": 3', '"revision": 4'), "RECORD_DAMAGED", "revision"],
    ["a damaged state", replace('"status": "running"', '"status": "happy"'), "RECORD_DAMAGED", "state"],
    ["a path as the loop's id", replace('"loop_id": "a-loop"', '"loop_id": "../x"'), "RECORD_DAMAGED", "loop_id"],
    ["a newer manifest", replace('{\n "schema": 1', '{\n "schema": 2'), "STATE_NEWER", "schema 2"],
    ["a newer record", replace('"record": {\n  "schema": 1', '"record": {\n "schema": 3'), "STATE_NEWER", "schema 3"],
    ["a newer state", replace('"state": {\n   "schema": 1', '"state": {\n "schema": 4'), "STATE_NEWER", "later schema"],
  ];

  it.each(forged)("%s: it is refused [T15]", async (_what, change, code, told) => {
    await using temp = await tempFolder();
    const { folder } = await aBundle(temp.path, aRecord(3));
    const file = path.join(folder, "carried.json");
    const manifest = await readFile(file, "utf8");
    expect(change(manifest)).not.toBe(manifest);
    await writeFile(file, change(manifest));
    const refused = open(folder);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.toThrow(told);
  });

  it("what the record names has to be it, to the last byte [T14]", async () => {
    await using temp = await tempFolder();
    const bundle = await aBundle(temp.path, aRecord(3));
    const other = { digest: "b".repeat(64) };
    await expect(open(bundle.folder, pointerTo(other, 3))).rejects.toThrow("another digest");
    await expect(open(bundle.folder, pointerTo(bundle, 4))).rejects.toThrow("of revision 3, not of 4");
  });

  it.each([
    ["loop/events_iter_12.jsonl", true],
    ["loop/events_iter_.jsonl", false],
    ["loop/events.jsonl.sealed", false],
    ["loop/eventsXjsonl", false],
    ["loop/lock/owner", false],
    [`sessions/${ROLLOUT}`, true],
    [`sessions/rollout-${SESSION_ID}.jsonl`, true],
    ["sessions/../rollout-x.jsonl", false],
    ["sessions//rollout-x.jsonl", false],
    ["sessions/config.toml", false],
    ["sessions/2026/hooks/rollout-x.sh", false],
    ["auth.json", false],
  ])("%s may be in a bundle: %s [T14]", (name, allowed) => {
    expect(isCarried(name)).toBe(allowed);
  });
});

test("a file that came with a second name cannot be changed by it afterwards [T14]", async () => {
  await using temp = await tempFolder();
  const record = aRecord(7);
  const bundle = await aBundle(temp.path, record);
  const second = path.join(temp.path, "second-name");
  await link(path.join(bundle.folder, "loop/events.jsonl"), second);
  const to = placesIn(path.join(temp.path, "next"));
  await unpackBundle(bundle, { to, state: record.state, key: null });
  await appendFile(second, "planted");
  expect(await readFile(path.join(to.folder, "events.jsonl"), "utf8")).toBe(contentOf("events.jsonl"));
});
