import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { PLAN_OUTPUTS } from "../../src/config/action.ts";
import {
  blocked,
  emptyLedger,
  entryOf,
  landed,
  type Ledger,
  ledgerText,
  parseLedger,
} from "../../src/core/story/ledger.ts";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { anIssue } from "../support/github-api/server.ts";
import { dispatchEvent } from "../support/github-api/webhooks.ts";
import { gitRepository, pushFile } from "../support/git-repository.ts";
import type { Job } from "../support/runner/runner.ts";

const story = (number: number, more: object = {}) => ({
  ...{ id: `US-${String(number).padStart(3, "0")}`, title: `Story ${number}`, description: "" },
  ...{ acceptanceCriteria: ["It works."], priority: number, passes: false, dependsOn: [], ...more },
});

const prd = (stories: readonly object[], branchName = "shop"): string =>
  JSON.stringify({ project: "Shop", branchName, description: "A shop.", userStories: stories }, null, 2);

const at = (name: string): string => `.daedalus/prds/${name}/prd.json`;

const many = (count: number) => Array.from({ length: count }, (_, number) => story(number + 1));

const HOSTILE = "Buy | **now** <img src=x> @everyone $(id) `x`";
/** A job that plans, and one that lands and may not. */
const LACKING = `name: lacking
on: { workflow_dispatch: { inputs: { smithers: {} } } }
jobs:
  plan: { permissions: { actions: read, contents: write }, steps: [{ uses: smithers/loop@v1, with: { job: plan } }] }
  land:
    permissions: { contents: write, pull-requests: write }
    steps: [{ uses: smithers/loop@v1, with: { job: land, prd: done } }]
`;

const FILES = {
  ".github/workflows/lacking.yml": LACKING,
  [at("shop")]: prd([story(1, { title: HOSTILE }), story(2, { dependsOn: ["US-001"] }), story(3, { attempts: 2 })]),
  [at("asked")]: prd([story(1), story(2, { dependsOn: ["US-001"] })]),
  [at("held")]: prd([story(1), story(2, { dependsOn: ["US-001"] }), story(3), story(4, { passes: true })], "held"),
  [at("first")]: prd([story(1)], "held"),
  [at("direct")]: prd([story(1)], "main"),
  [at("raced")]: prd([story(1), story(2)]),
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

function byHand(name: string) {
  const smithers = JSON.stringify({ command: "prd", prd: name, verb: "run" });
  return dispatchEvent(ci.api.world, { workflow: "prd.yml", ref: "main", inputs: { smithers }, login: "me" });
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
    expect(summary).toContain(
      "4 branches, 4 pull requests, 4 comments, 3 commit statuses, 10 changes of these and 33 pushes",
    );
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

  test("says what it and the job that closes the wave lack in their workflow; that one says it as well [C146]", async () => {
    const github = { workflow_ref: "o/r/.github/workflows/lacking.yml@refs/heads/main" };
    const own = /GAP +the workflow lacking\.yml: .+ → permissions: (?<line>[a-z-]+: [a-z]+)$/gmu;
    const lines = (job: Job): readonly string[] =>
      [...said(job).matchAll(own)].map(({ groups }) => groups?.["line"] ?? "");
    const planned = await plan({ prd: "done" }, { github: { ...github, job: "plan" } });
    expect(planned).toMatchObject({ conclusion: "success" });
    expect(lines(planned)).toEqual(["pull-requests: write", "pull-requests: read"]);
    expect(said(planned)).toMatch(/GAP +the workflow lacking\.yml, its job land: .+ → permissions: actions: write$/mu);
    const landing = await plan(
      { job: "land", prd: "done", "quality-commands": "true" },
      { github: { ...github, job: "land" } },
    );
    expect(landing).toMatchObject({ conclusion: "success" });
    expect(lines(landing)).toEqual(["actions: write", "actions: read"]);
  });

  test("what the jobs of its stories would refuse, it refuses before a wave begins", async () => {
    const job = await plan({ prd: "shop", "ci-workflow": "ci.yml" });
    expect(job).toMatchObject({ conclusion: "failure", outputs: {} });
    expect(said(job)).toContain("input ci-workflow cannot judge stories");
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
    ["direct", "would land on main itself", undefined],
    ["drift", "says something else of the stories than prd.json", ".daedalus/prds/drift/prd.md"],
    ["missing", "by a commit or a pull request that somebody has looked at", undefined],
  ])("a PRD that is %s is red, with the cure, and begins nothing", async (name, why, file) => {
    const job = await plan({ prd: name });
    expect(job.conclusion).toBe("failure");
    expect(said(job)).toContain(why);
    expect(job.main.commands.find(({ name: command }) => command === "error")?.properties["file"]).toBe(file);
    expect(await ci.remote.git("for-each-ref", `refs/smithers-prd/${name}`)).toBe("");
  });

  test("a run for another branch than the default one begins nothing: the next wave would not find its PRD", async () => {
    const at = { ref: "refs/heads/feature", ref_name: "feature" };
    const job = await plan({ prd: "held" }, { event: byHand("held"), github: at });
    expect(job.conclusion).toBe("failure");
    expect(said(job)).toContain("Merge the PRD into main");
  });

  test("what git does not hold has not landed, and what was edited since is named", async () => {
    await using clone = await gitRepository({});
    const landing = (name: string) => `feat: [US-001] - x\n\nSmithers-Story: US-001\nSmithers-Prd: ${name}`;
    const remote = ci.remote.folder;
    const here = await pushFile(clone, { remote, branch: "held", name: "1.txt", message: landing("held") });
    const gone = await pushFile(clone, { remote, branch: "other", name: "2.txt", message: landing("held") });
    const seen = (digest: string) => ({ tokens: null, proved: 1, digest });
    const put = async (ledger: Ledger): Promise<void> => {
      await clone.git("checkout", "-q", "-f", "--orphan", `ledger-${ledger.revision}`);
      await clone.write("ledger.json", ledgerText(ledger));
      await clone.git("add", "ledger.json");
      await clone.git("commit", "-q", "-m", "x");
      await clone.git("push", "-q", "-f", remote, "HEAD:refs/smithers-prd/held");
    };
    const edited = landed(emptyLedger("held"), "US-003", here, seen("what it said"));
    await put(landed(edited, "US-001", gone, seen("the same")));
    const job = await plan({ prd: "held" });
    expect(Matrix.parse(JSON.parse(job.outputs["matrix"] ?? "")).include).toEqual([
      { story: "US-001", loop: "prd-held.us-001.2" },
    ]);
    expect(said(job)).toContain("US-001 had landed, and held holds its commit no more: it begins again.");
    expect(job.main.summary).toContain("US-003 has passed and reads differently now. It waits for retry.");
    expect((await ledgerOf("held")).stories).toMatchObject({ "US-001": { state: "in_progress", commit: null } });

    // The other PRD of that branch lands nothing among them, whatever its name is.
    const first = await plan({ prd: "first" });
    expect(first.conclusion).toBe("failure");
    expect(said(first)).toContain("holds stories of the PRD held, which are not merged");

    // Nothing that could begin: what is lost is written down all the same.
    const stuck = blocked(landed(edited, "US-002", gone, seen("x")), "US-001", 1, "It asks.");
    await put({ ...stuck, revision: 9 });
    expect(await plan({ prd: "held" })).toMatchObject({ conclusion: "success", outputs: { stories: "0" } });
    expect((await ledgerOf("held")).stories).toMatchObject({ "US-002": { state: "pending", take: 2 } });
  });

  test("a run of an old commit that is started again begins nothing", async () => {
    await using clone = await gitRepository({});
    const sha = await ci.remote.git("rev-parse", "refs/heads/main");
    await pushFile(clone, { remote: ci.remote.folder, branch: "main", name: "later.txt", message: "later" });
    const again = { event: byHand("raced"), github: { run_id: "8004", sha }, attempt: 2 };
    const old = await plan({ prd: "raced" }, again);
    expect(old).toMatchObject({ conclusion: "success", outputs: { stories: "0", wave: "" } });
    expect(said(old)).toContain("main has moved since this run was started first");
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

  test("a wave begins although somebody changes the ledger at the same moment, and begins once", async () => {
    const flag = `${ci.remote.folder}/changed`;
    const theirs = `git -c user.name=x -c user.email=x commit-tree "$2^{tree}" -p "$2" -m theirs`;
    const change = `[ ! -e ${flag} ] && touch ${flag} && git update-ref "$1" "$(${theirs})"`;
    await ci.remote.hook(
      "update",
      `case "$1 $2" in *smithers-prd*" 000000"*) ;; *smithers-prd/raced*) ${change};; esac; exit 0`,
    );
    const smithers = JSON.stringify({ command: "prd", prd: "raced", verb: "accept", story: "US-001" });
    const event = dispatchEvent(ci.api.world, { workflow: "prd.yml", ref: "main", inputs: { smithers }, login: "me" });
    const job = await plan({}, { event, github: { actor: "me", triggering_actor: "me", run_id: "8003" } });
    await ci.remote.hook("update", "exit 0");
    expect(job.outputs).toMatchObject({ stories: "1", wave: "1" });
    expect(await ledgerOf("raced")).toMatchObject({ wave: { number: 1, run: 8003 }, revision: 3 });
    expect(await ci.remote.git("log", "--format=%s", "refs/smithers-prd/raced")).toContain("theirs");
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
      "US-001 counts as passed, in the name of me. Wave 1 of the PRD asked has begun with US-002.",
    ]);
    const accepted = { state: "passed", passed: "accepted", accepted_by: "me" };
    expect(entryOf(await ledgerOf("asked"), "US-001")).toMatchObject(accepted);

    const { run } = (await ledgerOf("asked")).wave ?? {};
    Object.assign(world.runs.find(({ id }) => id === run) ?? {}, { status: "in_progress", conclusion: null });
    await ask("/smithers prd asked retry US-002", { verb: "retry", story: "US-002" });
    expect(answers().at(-1)).toMatch(/^US-002 may be tried again\. Wave 1 runs already: /u);
    expect(entryOf(await ledgerOf("asked"), "US-002")).toMatchObject({ state: "pending", take: 2 });
  });
});
