import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { PLAN_OUTPUTS } from "../../src/config/action.ts";
import { entryOf, parseLedger } from "../../src/core/story/ledger.ts";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { anIssue } from "../support/github-api/server.ts";
import { dispatchEvent } from "../support/github-api/webhooks.ts";
import type { Job } from "../support/runner/runner.ts";

const story = (number: number, more: object = {}) => ({
  ...{ id: `US-${String(number).padStart(3, "0")}`, title: `Story ${number}`, description: "" },
  ...{ acceptanceCriteria: ["It works."], priority: number, passes: false, dependsOn: [], ...more },
});

const prd = (stories: readonly object[]): string =>
  JSON.stringify({ project: "Shop", branchName: "shop", description: "A shop.", userStories: stories }, null, 2);

const at = (name: string): string => `.daedalus/prds/${name}/prd.json`;

const many = (count: number) => Array.from({ length: count }, (_, number) => story(number + 1));

const HOSTILE = "Buy | **now** <img src=x> @everyone $(id) `x`";
const FILES = {
  [at("shop")]: prd([story(1, { title: HOSTILE }), story(2, { dependsOn: ["US-001"] }), story(3, { attempts: 2 })]),
  [at("asked")]: prd([story(1), story(2, { dependsOn: ["US-001"] })]),
  [at("drift")]: prd([story(1)]),
  ".daedalus/prds/drift/prd.md": "# Shop\n\n<!-- stories-start -->\n\n## Stories\n\nNone.\n\n<!-- stories-end -->\n",
  [at("done")]: prd([story(1, { passes: true })]),
  [at("wrong")]: prd([story(1, { priority: "high" })]),
  [at("all")]: prd(many(256)),
  [at("more")]: prd(many(257)),
};

const Matrix = z.strictObject({ include: z.array(z.strictObject({ story: z.string(), loop: z.string() })) });

let ci: Ci;
beforeAll(async () => {
  ci = await startCi({ files: FILES });
});
afterAll(async () => ci[Symbol.asyncDispose]());

/** One job of a run on a machine of its own. */
async function plan(inputs: Record<string, string>, job: CiJob = {}): Promise<Job> {
  await using machine = await ci.machine();
  return await machine.run({ inProcess: true, ...job, inputs: { job: "plan", ...inputs } });
}

async function ledgerOf(name: string) {
  const text = await ci.remote.git("show", `refs/smithers-prd/${name}:ledger.json`);
  const read = parseLedger(text, name);
  if (!read.ok) throw new Error(read.trouble.because);
  return read.value;
}

function said({ main }: Job): string {
  return main.commands.map(({ data }) => data).join("\n");
}

describe("job: plan", () => {
  test("begins a wave once: matrix, branch and ledger agree, and a second run does nothing meanwhile", async () => {
    const main = await ci.remote.git("rev-parse", "refs/heads/main");
    const job = await plan({ prd: "shop" }, { github: { run_id: "8001" } });
    expect(job).toMatchObject({ conclusion: "success" });
    expect(Object.keys(job.outputs).toSorted()).toEqual(PLAN_OUTPUTS.map(({ name }) => name).toSorted());
    expect(job.outputs).toMatchObject({ stories: "2", prd: "shop", "prd-branch": "shop", commit: main, wave: "1" });
    expect(JSON.parse(job.outputs["matrix"] ?? "")).toEqual({
      include: [
        { story: "US-001", loop: "prd-shop.us-001.1" },
        { story: "US-003", loop: "prd-shop.us-003.1-1" },
        { story: "US-003", loop: "prd-shop.us-003.1-2" },
      ],
    });
    expect(await ci.remote.git("rev-parse", "refs/heads/shop")).toBe(main);
    expect(await ledgerOf("shop")).toMatchObject({ wave: { number: 1, run: 8001, commit: main, is_open: true } });
    const summary = job.main.summary;
    expect(summary).toContain("wave 1, 2 stories");
    expect(summary).toContain("It depends on US-001, which has not landed.");
    expect(summary).toContain("4 branches, 4 pull requests, 7 comments and 11 pushes");
    expect(summary).not.toMatch(/(?<!\\)<img|@everyone/u);

    const again = ci.api.world.runs.find(({ id }) => id === 8001);
    if (again === undefined) throw new Error("there is no such run");
    Object.assign(again, { status: "in_progress", conclusion: null });
    const second = await plan({ prd: "shop" });
    expect(second).toMatchObject({ conclusion: "success", outputs: { stories: "0", wave: "" } });
    expect(said(second)).toContain("Wave 1 runs already");
    expect(await ledgerOf("shop")).toMatchObject({ revision: 1 });

    Object.assign(again, { status: "completed", conclusion: "cancelled" });
    const third = await plan({ prd: "shop" });
    expect(third.outputs).toMatchObject({ stories: "0", wave: "1", commit: main, matrix: '{"include":[]}' });
    expect(said(third)).toContain("Wave 1 is closed first");
  });

  test("a PRD whose stories have all passed begins nothing, and its jobs are left out", async () => {
    const job = await plan({ prd: "done" });
    expect(job.outputs).toMatchObject({ stories: "0", matrix: '{"include":[]}', wave: "" });
    expect(job.main.summary).toContain("every story has passed");
    expect(await ci.remote.git("for-each-ref", "refs/smithers-prd/done")).toBe("");
  });

  test.each([
    ["all", 256],
    ["more", 256],
  ])("of the stories of %s, %s make a matrix that GitHub takes", async (name, count) => {
    const { outputs } = await plan({ prd: name, "wave-size": "256" });
    const { include } = Matrix.parse(JSON.parse(outputs["matrix"] ?? ""));
    expect(include).toHaveLength(count);
    expect(new Set(include.map(({ loop }) => loop)).size).toBe(count);
    // UTF-16, as GitHub counts them.
    expect(Object.values(outputs).join("").length * 2).toBeLessThan(1 << 20);
    expect(outputs["matrix"]).toMatch(/^[\w\-".:,[\]{}]+$/u);
  });

  test.each([
    ["wrong", "priority", at("wrong")],
    ["drift", "says something else of the stories than prd.json", ".daedalus/prds/drift/prd.md"],
    ["missing", "by a commit or a pull request that somebody has looked at", undefined],
  ])("a PRD that is %s is red, with the cure, and begins nothing", async (name, why, file) => {
    const job = await plan({ prd: name });
    expect(job.conclusion).toBe("failure");
    expect(said(job)).toContain(why);
    expect(job.main.commands.find(({ name: command }) => command === "error")?.properties["file"]).toBe(file);
    expect(await ci.remote.git("for-each-ref", `refs/smithers-prd/${name}`)).toBe("");
  });

  test("a person lets a story try again, and it is of another take", async () => {
    await plan({ prd: "shop", story: "US-001" });
    const input = JSON.stringify({ command: "prd", prd: "shop", verb: "retry", story: "US-001", words: "Blue." });
    const event = dispatchEvent(ci.api.world, {
      ...{ workflow: ".github/workflows/prd.yml", ref: "main", inputs: { smithers: input }, login: "me" },
    });
    const by = { actor: "me", triggering_actor: "me", run_id: "8002" };
    const job = await plan({}, { event, github: by });
    expect(job.conclusion).toBe("success");
    const retried = { state: "pending", take: 2, words: "Blue." };
    expect(entryOf(await ledgerOf("shop"), "US-001")).toMatchObject(retried);

    const again = await plan({}, { event, github: by, attempt: 2 });
    expect(said(again)).toContain("What run:8002 asks for was done before");
    expect(entryOf(await ledgerOf("shop"), "US-001")).toMatchObject(retried);
  });

  test("who asks by a comment hears what was planned, or why nothing was", async () => {
    const { world } = ci.api;
    world.issues.push(anIssue({ number: 70 }));
    const ask = async (body: string, order: object): Promise<Job> => {
      const { id } = addComment(world, 70, "me", body);
      const smithers = JSON.stringify({ command: "prd", prd: "asked", request: `comment:${id}`, ...order });
      const login = "github-actions[bot]";
      const event = dispatchEvent(world, { workflow: "prd.yml", ref: "main", inputs: { smithers }, login });
      return plan({}, { event });
    };
    const answers = () => world.comments.filter(({ author }) => author !== "me").map(({ body }) => body);
    const none = await ask("/smithers prd asked accept US-404", { verb: "accept", story: "US-404" });
    expect(none.conclusion).toBe("failure");
    const begun = await ask("/smithers prd asked accept US-001", { verb: "accept", story: "US-001" });
    expect(begun.conclusion).toBe("success");
    expect(answers()).toEqual([
      expect.stringContaining("asked has no story US-404."),
      "Wave 1 of the PRD asked has begun with US-002.",
    ]);
    expect(entryOf(await ledgerOf("asked"), "US-001")).toMatchObject({ state: "passed", passed: "accepted" });
  });
});
