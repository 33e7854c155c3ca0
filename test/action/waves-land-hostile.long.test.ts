import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { dispatchEvent } from "../support/github-api/webhooks.ts";
import { unzipped } from "../support/zip.ts";
import { aStory, type LandStage, landStage, type Left } from "./land-stage.ts";

let at: LandStage;
afterEach(async () => at[Symbol.asyncDispose]());

const OTHERS = { prd: "other", total: 0, active: null, passed_in_run: 0, records: [] };

const UNCHANGED = {
  ...{ how: "proved", commit: null, by: null, at: "2026-11-20T03:00:00.000Z" },
  ...{ proved: 1, criteria: 1 },
} as const;

const TRAILERS = (loop: string, story: string) =>
  `Smithers-Loop: ${loop}\nSmithers-Story: ${story}\nSmithers-Prd: shop`;

/** What somebody who broke out of a story's job may leave, by what is wrong with it. */
const FORGED: readonly (readonly [what: string, left: (id: string, loop: string) => Partial<Left>, why: RegExp])[] = [
  ["claims green and is red", () => ({ files: { "other.txt": "x\n" } }), /checks are red/u],
  ["touches protected paths", () => ({ files: { ".github/workflows/x.yml": "on: push\n" } }), /may not change/u],
  ["names another story", (_id, loop) => ({ message: `x\n\n${TRAILERS(loop, "US-099")}` }), /does not say/u],
  ["names another loop", (id) => ({ message: `x\n\n${TRAILERS("prd-shop.us-099.1", id)}` }), /does not say/u],
  [
    "names two loops",
    (id, loop) => ({ message: `x\n\n${TRAILERS(loop, id)}\nSmithers-Loop: prd-shop.us-099.1` }),
    /does not say/u,
  ],
  ["is built on a stranger's commit", () => ({ on: "refs/heads/stranger" }), /one commit on/u],
  ["has two commits", () => ({ on: "refs/heads/two" }), /one commit on/u],
  ["changes more than it may", () => ({ files: { "big.txt": "x".repeat(300_000) } }), /bytes changed/u],
  ["has lost its branch", () => ({ pushes: false }), /its branch is missing/u],
  ["has left no branch", () => ({ pushes: false, record: { passing: UNCHANGED } }), /changed nothing/u],
  ["changes nothing but the PRD", () => ({ files: { ".daedalus/prds/shop/prd.json": "{}" } }), /changes nothing/u],
  ["has a record of another PRD", () => ({ state: { stories: OTHERS } }), /another PRD/u],
  ["has a record that is none", () => ({ state: { loop_id: "another-loop" } }), /cannot be read/u],
];

describe("a record is a claim [T15]", () => {
  test("what is forged lands nothing, and each story is told why", async () => {
    const stories = FORGED.map((_, index) => aStory(index + 1, { acceptanceCriteria: ["It works.", "It is nice."] }));
    at = await landStage(stories);
    await at.plan({ inputs: { "wave-size": "20" } });
    const { clone, ci } = at;
    await clone.git("fetch", "-q", ci.remote.folder, "refs/heads/main");
    await clone.git("push", "-q", ci.remote.folder, "HEAD:refs/heads/stranger");
    await clone.git("checkout", "-q", "--detach", "FETCH_HEAD");
    await clone.git("commit", "-q", "--allow-empty", "-m", "one");
    await clone.git("push", "-q", ci.remote.folder, "HEAD:refs/heads/two");
    for (const [index, [, left]] of FORGED.entries()) {
      const id = `US-${String(index + 1).padStart(3, "0")}`;
      const loop = `prd-shop.${id.toLowerCase()}.1`;
      const files = { [`${index + 1}.txt`]: "x\n" };
      const forged = left(id, loop);
      await at.leave({ story: id, loop, pull: false, files, ...forged });
    }
    const job = await at.land({ inputs: { "max-changed-bytes": "200000" }, timeoutMs: 200_000 });
    expect(job.conclusion).toBe("success");
    expect(await at.landed()).toEqual([]);
    for (const [index, [what, , why]] of FORGED.entries()) {
      const entry = await at.entry(`US-${String(index + 1).padStart(3, "0")}`);
      expect({ what, ...entry }).toMatchObject({ what, state: "pending", feedback: expect.stringMatching(why) });
    }
  }, 300_000);

  test("three candidates of one story: the smaller one lands, the others are named and kept", async () => {
    at = await landStage([aStory(1, { attempts: 3 })]);
    await at.plan();
    const big = { "1.txt": "1\n2\n3\n", "package-lock.json": "{}\n" };
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1-1", files: big });
    const small = { "1.txt": "1\n", "dist/x.js": "x\n".repeat(50), "poetry.lock": "x\n".repeat(50) };
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1-2", files: small });
    const asks = { kind: "question", why: "Which colour?", at: "2026-11-20T03:00:00.000Z" } as const;
    const open = { state: "in_progress", passing: null, blocked: asks } as const;
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1-3", pushes: false, record: open });
    expect(await at.land({ inputs: { carriers: "ref,artifact" } })).toMatchObject({ conclusion: "success" });
    expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
    expect(await at.ci.remote.git("show", "refs/heads/shop:1.txt")).toBe("1");
    const [kept, ...none] = at.ci.api.world.artifacts;
    expect(none).toEqual([]);
    expect(kept?.name).toMatch(/^smithers-waves-shop-8001-1$/u);
    const files = new Map(
      Object.entries(unzipped(kept?.zip ?? new Uint8Array())).map(([file, bytes]) => [file, bytes.toString()]),
    );
    expect([...files.keys()].toSorted()).toEqual([
      ...["candidates/prd-shop.us-001.1-1.patch", "ledger.json", "progress.md", "report.md"],
    ]);
    expect(files.get("candidates/prd-shop.us-001.1-1.patch")).toContain("+++ b/1.txt\n@@ -0,0 +1,3 @@\n+1\n+2\n+3");
    const lost = "it changes 3 lines, and the one that has landed 1";
    expect(at.pullOf("smithers/prd-shop.us-001.1-1")?.comments.join("")).toContain(lost);
    const pull = at.pullOf("shop");
    for (const text of [pull?.comments.join(""), files.get("report.md"), files.get("progress.md")]) {
      expect(text).toContain(lost);
      expect(text).toMatch(/us-001\.1-3.*it does not claim the story: Which colour\?/u);
    }
    expect(
      await at.ci.remote.git("for-each-ref", "--format=%(refname)", "refs/smithers-loops", "refs/heads/smithers"),
    ).toBe(
      "refs/heads/smithers/prd-shop.us-001.1-1\nrefs/smithers-loops/prd-shop.us-001.1-1\nrefs/smithers-loops/prd-shop.us-001.1-3",
    );
    expect(at.pullOf("smithers/prd-shop.us-001.1-1")).toMatchObject({ state: "closed" });
    const report = at.ci.api.world.issues.find(({ pull }) => pull?.headBranch === "shop");
    expect(report).toMatchObject({ title: "PRD shop: 1 of 1 stories passed", pull: { draft: false } });
    expect(at.ci.api.world.dispatches).toEqual([]);
  }, 120_000);

  test("somebody pushes to the PRD's branch while a story is proved: it is proved anew on that", async () => {
    at = await landStage([aStory(1)]);
    await at.plan();
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1", files: { "1.txt": "1\n" } });
    const { clone, ci } = at;
    await clone.git("fetch", "-q", ci.remote.folder, "refs/heads/shop");
    await clone.git("checkout", "-q", "-f", "--detach", "FETCH_HEAD");
    await clone.write("by-hand.txt", "x\n");
    await clone.git("add", "by-hand.txt");
    await clone.git("commit", "-q", "-m", "by hand");
    const theirs = await clone.git("rev-parse", "HEAD");
    await clone.git("push", "-q", ci.remote.folder, `${theirs}:refs/heads/other`);
    const proofs = path.join(clone.path, "proofs");
    const check = `echo x >> ${proofs}; git -C ${ci.remote.folder} update-ref refs/heads/shop ${theirs} ${await clone.git("rev-parse", "HEAD^")} || true`;
    expect(await at.land({ inputs: { "quality-commands": JSON.stringify([check]) } })).toMatchObject({
      conclusion: "success",
    });
    expect(await at.landed()).toEqual(["by hand", "feat: [US-001] - Story 1"]);
    expect(await readFile(proofs, "utf8")).toBe("x\nx\n");
  }, 120_000);

  test("what was red on the branch is not held against a story, what it has broken is, by name [D-22]", async () => {
    const readme = [{ criterion: 1, run: "grep -q hello README.md" }];
    at = await landStage([
      aStory(1),
      aStory(2),
      aStory(8, { passes: true, checks: readme }),
      aStory(9, { passes: true }),
    ]);
    await at.plan();
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1", files: { "1.txt": "1\n" } });
    await at.leave({ story: "US-002", loop: "prd-shop.us-002.1", files: { "2.txt": "2\n", "README.md": "bye\n" } });
    const job = await at.land();
    expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
    expect(job.log).toContain("US-009: test -f 9.txt is red on shop without US-001 as well");
    const { feedback } = await at.entry("US-002");
    expect(feedback).toContain("US-008: grep -q hello README.md");
    expect(feedback).not.toContain("9.txt");
  }, 120_000);

  test("what git ignores stays from the checks of one story to those of the next [T22]", async () => {
    const checks = (run: string) => ({ checks: [{ criterion: 1, run }] });
    const stories = [aStory(1, checks("sh run.sh")), aStory(2, checks("test -f made/ok"))];
    at = await landStage(stories, { ".gitignore": "made/\n", "run.sh": "exit 1\n" });
    await at.plan();
    const files = { "run.sh": "mkdir -p made && touch made/ok left.txt\n" };
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1", files });
    await at.leave({ story: "US-002", loop: "prd-shop.us-002.1", files: { "2.txt": "2\n" } });
    expect(await at.land({ inputs: { "quality-commands": "test ! -e left.txt" } })).toMatchObject({
      conclusion: "success",
    });
    expect(await at.landed()).toHaveLength(2);
  }, 120_000);

  test("a branch that refuses the push leaves the wave open, and the next run lands it", async () => {
    at = await landStage([aStory(1)]);
    await at.plan();
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1", files: { "1.txt": "1\n" } });
    await at.ci.remote.hook("update", 'case $1 in refs/heads/shop) echo "declined" >&2; exit 1;; esac');
    expect(await at.land()).toMatchObject({ conclusion: "failure" });
    expect(await at.ledger()).toMatchObject({ wave: { is_open: true } });
    expect(at.ci.api.world.dispatches).toEqual([]);
    await at.ci.remote.hook("update", "exit 0");
    expect(await at.land({ github: { run_id: "8002" } })).toMatchObject({ conclusion: "success" });
    expect(await at.landed()).toEqual(["feat: [US-001] - Story 1"]);
  }, 120_000);

  test("a story that was cut off keeps its take, and a dispatch that fails is told and made up for", async () => {
    at = await landStage([aStory(1), aStory(2), aStory(3)]);
    await at.plan();
    await at.leave({ story: "US-001", loop: "prd-shop.us-001.1", files: { "1.txt": "1\n" } });
    await at.leave({ story: "US-003", loop: "prd-shop.us-003.1", files: { "3.txt": "3\n" } });
    // Somebody takes one as it is while the wave is open.
    const smithers = JSON.stringify({ command: "prd", prd: "shop", verb: "accept", story: "US-003" });
    const event = dispatchEvent(at.ci.api.world, {
      workflow: "prd.yml",
      ref: "main",
      inputs: { smithers },
      login: "me",
    });
    await at.plan({ event, github: { actor: "me", triggering_actor: "me" } });
    const refusal = { status: 403, body: { message: "Resource not accessible by integration" } };
    at.ci.api.fail("actions/create-workflow-dispatch", refusal, 9);
    // Somebody has deleted the PRD's branch meanwhile: it begins again where its wave began.
    await at.ci.remote.git("update-ref", "-d", "refs/heads/shop");
    const job = await at.land({ inputs: { "sign-commits": "true" } });
    expect(job.conclusion).toBe("failure");
    expect(await at.landed()).toEqual(["feat: [US-003] - Story 3", "feat: [US-001] - Story 1"]);
    expect(at.pullOf("smithers/prd-shop.us-003.1")).toMatchObject({
      ...{ state: "closed", comments: [expect.stringContaining("as it was, because it was accepted")] },
    });
    expect(at.ci.api.world.signed.has(await at.ci.remote.git("rev-parse", "refs/heads/shop"))).toBe(true);
    expect(job.log).toContain("The next wave could not be started");
    expect(await at.entry("US-002")).toMatchObject({ state: "in_progress", take: 1, attempts: 0 });
    expect(await at.ledger()).toMatchObject({ idle_waves: 0, wave: { is_open: false, next: "due" } });
    const report = at.ci.api.world.issues.find(({ pull }) => pull?.headBranch === "shop");
    expect(report?.body).toContain("could not be started");
    expect(await at.ci.remote.git("show", "refs/smithers-prd/shop:progress.md")).toContain("US-001: it has landed as");
    at.ci.api.fail("actions/create-workflow-dispatch", refusal, 0);
    expect(await at.land()).toMatchObject({ conclusion: "success" });
    expect(await at.ledger()).toMatchObject({ wave: { next: "asked" } });
    expect(at.ci.api.world.dispatches).toHaveLength(1);
  }, 120_000);
});
