import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { savePoint } from "../support/ci/save-point.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { gitRepository } from "../support/git-repository.ts";
import { aRun, anArtifact } from "../support/github-api/server.ts";
import type { Job } from "../support/runner/runner.ts";
import { unzipped, zipped } from "../support/zip.ts";

/** Done after two turns, and after three when the work of the first is lost. */
const TASK = scriptedTask([
  { files: { "a.txt": "a\n" } },
  { files: { "b.txt": "b\n" } },
  { files: { "a.txt": "again\n" } },
]);

const LOOP = "one";
const REF = `refs/smithers-loops/${LOOP}`;

let ci: Ci;
let again: () => Promise<void>;

beforeAll(async () => {
  ci = await startCi({ publishes: false, files: TASK.files });
  await run(LOOP, { until: "a.txt" });
  again = await savePoint(ci);
});
afterAll(() => ci[Symbol.asyncDispose]());
beforeEach(() => again());

/** Runs the loop on an empty machine: until it has written `until`, when the job's time is up, or until it is done. */
async function run(loopId: string, { until, ...job }: CiJob & { readonly until?: string } = {}): Promise<Job> {
  await using machine = await ci.machine();
  return await machine.run({
    ...job,
    inputs: {
      ...TASK.inputs,
      "success-sh": "test -f a.txt && test -f b.txt",
      "job-timeout-minutes": "60",
      "loop-id": loopId,
      ...job.inputs,
    },
    env: until === undefined ? {} : timeIsUpOnce(ci, machine, until),
  });
}

/** A newer artifact of the loop, from another run: what the last one holds, with another manifest. */
async function addArtifact(headRepositoryId: number, change: (manifest: Manifest) => Manifest): Promise<string> {
  // The page beside it is no archive, and may have come after it.
  const last = ci.results.artifacts.stored.findLast(
    ({ name, isArchive }) => isArchive && name.startsWith(`smithers-${LOOP}-`),
  );
  if (last === undefined) throw new Error("There is no artifact yet.");
  const files = unzipped(await ci.results.blobs.read(last.blob));
  const manifest: Manifest = JSON.parse(String(files["carried.json"]));
  const id = last.id + 1;
  const runId = 6_000 + id;
  const [name, blob] = [`smithers-${LOOP}-${runId}-1`, `artifact-${id}.zip`];
  const { record, ...changed } = change(manifest);
  // As that run would have saved it: a copy says which run has.
  const saved = { ...changed, record: { ...record, run: { id: String(runId), attempt: "1" } } };
  const bytes = zipped({ ...files, "carried.json": Buffer.from(JSON.stringify(saved)) });
  await ci.results.blobs.write(blob, bytes);
  ci.results.artifacts.stored.push({ ...last, id, run: String(runId), name, blob });
  ci.api.world.runs.push(aRun({ id: runId, headRepositoryId, createdAt: new Date() }));
  ci.api.world.artifacts.push(anArtifact({ id, runId, name, zip: bytes, createdAt: new Date() }));
  return name;
}

/** What of `carried.json` matters here. */
interface Manifest {
  readonly schema: number;
  readonly record: { readonly revision: number; readonly state: Readonly<Record<string, unknown>> };
}

/** A loop that is further than the real one. */
function ahead({ record, ...manifest }: Manifest): Manifest {
  const revision = record.revision + 100;
  return { ...manifest, record: { ...record, revision, state: { ...record.state, revision, iteration: 20 } } };
}

describe("copies that must not be used [C11, PRE 1]", () => {
  test.each([
    { whose: "this repository is used", id: 1001, iterations: "20" },
    { whose: "a fork is refused", id: 666, iterations: "2" },
  ])("a newer artifact of the same name by a run of $whose [T15]", async ({ id, iterations }) => {
    await ci.remote.git("update-ref", "-d", REF);
    await addArtifact(id, ahead);
    const second = await run(LOOP, { inputs: { "max-iterations": "2" } });
    expect(second.outputs).toMatchObject({ iterations });
  });

  test("a cache of an older revision in the narrower scope does not hide the newest one", async () => {
    const scopes = [
      { scope: "refs/heads/topic", may: "write" },
      { scope: "refs/heads/main", may: "read" },
    ] as const;
    await run("scope", { until: "a.txt", scopes, inputs: { "success-sh": "test -f c.txt" } });
    await run("scope", { until: "b.txt", inputs: { "success-sh": "test -f c.txt" } });
    ci.api.world.artifacts.length = 0;
    const third = await run("scope", { scopes, inputs: { "success-sh": "test -f c.txt", "max-iterations": "3" } });
    expect(third.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "3" });
    expect(third.log).not.toContain("::notice");
  });

  test.each(["the record", "the state"])(
    "%s on the ref of a newer schema ends the run, and nothing is overwritten [T14]",
    async (what) => {
      await using repository = await gitRepository();
      await repository.git("fetch", "-q", ci.remote.folder, REF);
      await repository.git("checkout", "-q", "FETCH_HEAD");
      const record: { schema: number; state: { schema: number } } = JSON.parse(
        await readFile(path.join(repository.path, "record.json"), "utf8"),
      );
      if (what === "the state") record.state.schema = 99;
      else record.schema = 99;
      await repository.write("record.json", JSON.stringify(record));
      await repository.git("commit", "-qam", "newer");
      await repository.git("push", "-q", ci.remote.folder, `HEAD:${REF}`);
      const before = await ci.refOf(LOOP);
      const artifacts = ci.results.artifacts.stored.length;
      const second = await run(LOOP);
      expect(second).toMatchObject({ conclusion: "failure", outputs: { status: "error" } });
      expect(second.log).toMatch(/::error::.*newer version.*[Uu]pdate/u);
      expect(await ci.refOf(LOOP)).toBe(before);
      expect(ci.results.artifacts.stored).toHaveLength(artifacts);
    },
  );

  test("an artifact of a newer schema ends the run, and nothing is overwritten [T14]", async () => {
    await ci.remote.git("update-ref", "-d", REF);
    await addArtifact(1001, (manifest) => ({ ...manifest, schema: 2 }));
    const second = await run(LOOP);
    expect(second).toMatchObject({ conclusion: "failure", outputs: { status: "error" } });
    expect(second.log).toMatch(/::error::.*newer version.*newest version of the Action/u);
    expect(await ci.refOf(LOOP)).toBe("");
  });

  test("a corrupted archive in the cache is told, and the artifact takes its place [T14]", async () => {
    const entry = ci.results.cache.entries.findLast(({ key }) => key.includes(`-${LOOP}-`));
    const whole = await ci.results.blobs.read(entry?.blob ?? "");
    await ci.results.blobs.write(entry?.blob ?? "", whole.subarray(0, whole.length / 2));
    const second = await run(LOOP);
    await ci.results.blobs.write(entry?.blob ?? "", whole);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second.log).toContain("::notice::The loop's files could not be had from the cache");
    expect(second.log).not.toContain("Neither cache nor artifact");
  });
});
