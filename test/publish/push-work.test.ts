import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Pushing, pushWork } from "../../src/publish/push-work.ts";
import type { LoopState } from "../../src/core/state.ts";
import { PATCH_FILE } from "../../src/core/names.ts";
import { done, failed } from "../../src/core/result.ts";
import { aView } from "../views/a-state.ts";
import { COMPLETED, ended, PAUSED } from "../views/publication-facts.ts";
import { BRANCH, type JobOnStage, LOOP, type PublishStage, publishStage, type StageJob } from "./publish-stage.ts";

const DONE = ended(COMPLETED);
const HALF = ended(PAUSED);
const KEPT = `The work is kept in refs/smithers-loops/${LOOP}; the next run puts it on top of what is there then.`;
const BESIDE = `${BRANCH}.run-77`;
const MERGE = `The work is on the branch ${BESIDE} instead: merge that by hand.`;

/** A checked out branch with a commit of the loop on it. */
async function worked(at: PublishStage, job?: StageJob, name = "a.txt", refHolds = true): Promise<Worked> {
  const knows = await at.job(job);
  const branch = await at.checkOut(knows);
  return { ...at.pushing(knows, branch, refHolds), job: knows, commit: await at.work(name) };
}

interface Worked extends Pushing {
  readonly job: JobOnStage;
  readonly commit: string;
}

function push(publishing: Worked, state: Partial<LoopState> = HALF) {
  return pushWork(publishing, publishing.commit, aView(state));
}

describe.concurrent("the loop's commits go to its branch [C13, T6]", () => {
  test("where there is none yet, and then on top of it; what is there already is not pushed again", async () => {
    await using at = await publishStage();
    const first = await worked(at);
    expect(await push(first)).toEqual(done(first.commit));
    expect(await at.tip(BRANCH)).toBe(first.commit);
    const second = await worked(at, {}, "b.txt");
    expect(await push(second)).toEqual(done(second.commit));
    expect(await at.tip(BRANCH)).toBe(second.commit);
    const third = await at.checkOut(second.job);
    const before = at.remote.requests.length;
    expect(await push({ ...second, branch: third })).toEqual(done(second.commit));
    expect(at.remote.requests).toHaveLength(before);
  });

  test("nothing is pushed where there is no branch, or no commit", async () => {
    await using at = await publishStage();
    const publishing = await worked(at);
    const nothing = failed({ because: "There is nothing that could be pushed.", head: null, saved: true });
    expect(await push({ ...publishing, branch: undefined })).toEqual(nothing);
    expect(await pushWork(publishing, null, aView(HALF))).toEqual(nothing);
    expect(await at.tip(BRANCH)).toBe("");
  });

  test("somebody has pushed meanwhile: theirs stays, and the next run goes on with what is kept", async () => {
    await using at = await publishStage();
    const publishing = await worked(at);
    const theirs = await at.push(BRANCH);
    const why = `Nothing was pushed to ${BRANCH}, because somebody moved it meanwhile: it was not there when this run saw it last, and it is at ${theirs.slice(0, 12)}. ${KEPT}`;
    expect(await push(publishing)).toEqual(failed({ because: why, head: theirs, saved: true }));
    expect(await at.tip(BRANCH)).toBe(theirs);
    expect(await at.tip(BESIDE)).toBe("");
  });

  test("somebody has deleted it meanwhile: it is not made again", async () => {
    await using at = await publishStage();
    await at.push(BRANCH);
    const publishing = await worked(at);
    await at.remote.git("update-ref", "-d", `refs/heads/${BRANCH}`);
    expect(await push(publishing)).toMatchObject(
      failed({
        because: expect.stringMatching(
          /moved it meanwhile: it was at [0-9a-f]{12} when this run saw it last, and it was deleted\./u,
        ),
        head: null,
      }),
    );
    expect(await at.tip(BRANCH)).toBe("");
  });

  test("no later run goes on with a completed loop: its work goes beside the branch that was moved", async () => {
    await using at = await publishStage();
    const publishing = await worked(at);
    const theirs = await at.push(BRANCH);
    const pushed = await push(publishing, DONE);
    expect(pushed).toMatchObject(failed({ because: expect.stringContaining(MERGE), head: theirs }));
    expect(pushed).not.toHaveProperty("trouble.unpublished");
    expect(await at.tip(BESIDE)).toBe(publishing.commit);
  });

  test("where others can read the repository nothing is kept: unfinished work goes beside the branch, too", async () => {
    await using at = await publishStage();
    const event = { name: "schedule", payload: { repository: { private: false } } };
    const publishing = await worked(at, { event });
    await at.push(BRANCH);
    expect(await push(publishing)).toMatchObject(failed({ because: expect.stringContaining(MERGE) }));
    expect(await at.tip(BESIDE)).toBe(publishing.commit);
  });

  const RULED =
    'case "$1" in refs/heads/*) echo "error: GH013: Repository rule violations found for $1."; exit 1;; esac';

  test.for([
    { what: "and is not done", inputs: {}, state: HALF, says: "as far as they can be saved; the next run puts it on" },
    { what: "and is done", inputs: {}, state: DONE, says: "as far as they can be saved until the loop starts over." },
    { what: "and has no other carrier", inputs: { carriers: "ref" }, state: HALF, says: "lost with this machine" },
  ])("work that the loop's ref did not take $what: it is not said to be there", async ({ inputs, state, says }) => {
    await using at = await publishStage();
    const publishing = await worked(at, { inputs }, "a.txt", false);
    at.remote.fault = ({ url }) => (url.includes("receive-pack") ? { status: 500, text: "oops" } : undefined);
    const pushed = await push(publishing, state);
    expect(pushed).toMatchObject(failed({ saved: false, because: expect.stringContaining(says) }));
    expect(JSON.stringify(pushed)).not.toContain("refs/smithers-loops");
  });

  test.for([
    { what: "is kept", job: {}, state: HALF, says: KEPT },
    {
      what: "can be fetched",
      job: {},
      state: DONE,
      says: `git fetch origin refs/smithers-loops/${LOOP} && git restore`,
    },
    { what: "is sealed", job: { inputs: { "state-key": "k".repeat(40) } }, state: DONE, says: "sealed by state-key" },
    {
      what: "is lost",
      job: { event: { name: "schedule", payload: { repository: { private: false } } } },
      state: HALF,
      says: "The work is lost with this machine",
    },
  ])("a ruleset refuses every branch: the work $what, and that is said", async ({ job, state, says }) => {
    await using at = await publishStage();
    const publishing = await worked(at, job);
    await at.remote.hook("update", RULED);
    const pushed = await push(publishing, state);
    expect(pushed).toMatchObject({ ok: false, trouble: { head: null } });
    const { because: why = "", unpublished } = pushed.ok ? {} : pushed.trouble;
    expect(why).toContain("a rule of the repository forbids it");
    expect(why).toContain("Leave the ref out of the ruleset");
    expect(why).toContain(says);
    expect(unpublished !== undefined).toBe(!why.includes("lost"));
    expect(why.includes("first, without a turn")).toBe(state === DONE);
  });

  test.for<[what: string, file: string, text: string, isThere: boolean]>([
    ["nothing else keeps is a patch in the artifact", "b.txt", "b\n", true],
    ["shows a secret is none", "b.txt", `ghp_${"aB3dE6gH9".repeat(4)}\n`, false],
    ["changes what it may not is none", ".github/workflows/b.yml", "on: push\n", false],
  ])("work of a public repository that no branch takes and that %s [C83, T2, T17]", async ([, file, text, isThere]) => {
    await using at = await publishStage();
    const event = { name: "schedule", payload: { repository: { private: false } } };
    const inputs = { carriers: "ref, artifact" };
    const { root, folder } = (await at.job({ event, inputs })).place;
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
    await mkdir(folder, { recursive: true });
    const publishing = await worked(at, { event, inputs });
    await at.remote.hook("update", RULED);
    const pushed = await push(publishing);
    const patch = await readFile(path.join(folder, PATCH_FILE), "utf8").catch(() => null);
    expect(patch?.includes("+++ b/a.txt") ?? false).toBe(isThere);
    const { because, inPatch = false } = pushed.ok ? {} : pushed.trouble;
    expect(inPatch).toBe(isThere);
    expect(because?.includes(`it is ${PATCH_FILE} in the loop's artifact`)).toBe(isThere);
    expect(because?.includes("is lost with this machine")).toBe(!isThere);
  });

  test.for([
    { name: "401", text: "Bad credentials", says: "the repository does not accept the token" },
    { name: "403", text: "Write access to repository not granted.", says: "Add `contents: write` to the job's" },
    { name: "404", text: "Not Found", says: "Add `contents: write` to the job's `permissions:`" },
    { name: "500", text: "oops", says: "500" },
  ])("the server says $name: what that means, and where the work is", async ({ name, text, says }) => {
    await using at = await publishStage();
    const publishing = await worked(at);
    at.remote.fault = ({ url }) => (url.includes("receive-pack") ? { status: Number(name), text } : undefined);
    const pushed = await push(publishing);
    expect(pushed).toMatchObject(failed({ because: expect.stringContaining(says), head: null }));
    expect(pushed).toMatchObject(failed({ because: expect.stringContaining(KEPT) }));
    const base = await at.git("rev-parse", "HEAD~");
    expect(pushed).toMatchObject({ trouble: { unpublished: { what: "branch", base, tip: null, kept_on: null } } });
  });
});
