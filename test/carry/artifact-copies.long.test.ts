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

describe("on a server that says less than GitHub, as Gitea does [C54, T15]", () => {
  const PATH = "smithers.yml@refs/heads/main";

  /** Its answers: no run's code has a repository, and a run has no more of its workflow than the file's name. */
  function isGitea(run: Record<string, unknown>, says: object | null = { repository_id: 1001 }): void {
    const artifacts = bench.api.world.artifacts.map(({ id, name, runId, zip }) => ({
      ...{ id, name, size_in_bytes: zip.length, expired: false },
      ...(says === null ? {} : { workflow_run: { id: runId, ...says } }),
    }));
    const list = { status: 200, body: { total_count: artifacts.length, artifacts } };
    bench.api.fail("actions/list-artifacts-for-repo", list, 9);
    bench.api.fail("actions/list-workflow-run-artifacts", list, 9);
    bench.api.fail("actions/get-workflow-run", { status: 200, body: { id: 101, ...run } }, 9);
  }

  it.each(["schedule", "workflow_dispatch", "push", "issue_comment"])("that of a run by %s is taken", async (event) => {
    await upload(101, 5);
    isGitea({ path: PATH, event });
    expect(await newest()).toBe(5);
  });

  it.each<[string, Record<string, unknown>]>([
    ["of a proposed change, which may be a fork's", { path: PATH, event: "pull_request" }],
    ["of which it does not say what started it", { path: PATH }],
  ])("that of a run %s is refused, in these words", async (_name, run) => {
    await upload(101, 5);
    isGitea(run);
    const because = expect.stringMatching(/does not say whose code .* may be a fork's/u);
    expect(await newest()).toMatchObject({ kind: "refused", because });
  });

  it("that of another repository is refused", async () => {
    await upload(101, 5);
    isGitea({ path: PATH, event: "push" }, { repository_id: 7 });
    expect(await newest()).toMatchObject({ kind: "refused", because: expect.stringMatching(/another repository/u) });
  });

  it.each(["other.yml@refs/heads/main", ".github/workflows/other.yml", "deep/smithers.yml", ""])(
    "that of another workflow is none of the loop's: %j",
    async (path) => {
      await upload(101, 5);
      isGitea({ path, event: "push" });
      expect(await newest()).toMatchObject({ kind: "absent" });
    },
  );

  it("one behind a page that is shorter than was asked for is found", async () => {
    await upload(101, 5);
    isGitea({ path: PATH, event: "push" });
    const others = [
      { id: 9_999, name: "logs", size_in_bytes: 1, expired: false, workflow_run: { id: 100 } },
      ...bench.api.world.artifacts.map(({ id, name, runId, zip }) => ({
        ...{ id, name, size_in_bytes: zip.length, expired: false },
        workflow_run: { id: runId, repository_id: 1001 },
      })),
    ];
    const pages = others.map((one) => ({ status: 200, body: { total_count: others.length, artifacts: [one] } }));
    bench.api.fail("actions/list-artifacts-for-repo", pages);
    expect(await newest()).toBe(5);
  });

  it("where no run is named with it, it is refused and that is said", async () => {
    await upload(101, 5);
    isGitea({ path: PATH, event: "push" }, null);
    const because = expect.stringMatching(/does not say which run has uploaded smithers-a-loop-101-1/u);
    expect(await newest()).toMatchObject({ kind: "refused", because });
  });

  it("what a record names is taken by the record's digest", async () => {
    const pointer = await bench.saved(5, 101);
    isGitea({ path: PATH, event: "pull_request" });
    const restored = await bench.restore(bench.carrier(102), pointer);
    expect(restored).toMatchObject({ ok: true, value: { bundle: { record: { revision: 5 } } } });
  });

  it.each([
    ["workflow_dispatch", true],
    ["pull_request", false],
  ])("what this run has handed over itself, by %s", async (event, isTaken) => {
    await upload(101, 5);
    isGitea({ path: PATH, event });
    const handedOver = { runId: 101, attempt: 1, id: null };
    const wanted = { loopId: "a-loop", named: null, unnamed: false, into: bench.folder, handedOver };
    const restored = await bench.carrier(101).restore(wanted, WITHIN);
    // It holds nothing to publish; whether it was looked into shows in the answer.
    expect(!restored.ok && restored.trouble.kind).toBe(isTaken ? "absent" : "refused");
  });
});
