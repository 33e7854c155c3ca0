import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { aState } from "../support/builders.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { type GitRepository, gitRepository } from "../support/git-repository.ts";
import type { Job } from "../support/runner/runner.ts";
import { pullRequestMarker } from "../../src/views/github/markers.ts";
import { aPull } from "../support/github-api/rows.ts";
import { leaveBranch, leaveRecord } from "./land-stage.ts";

const DONE = { status: "completed", stop_reason: { kind: "promise", verified: true } } as const;
const ALL = { attempts: "3", "success-sh": "test -f done.txt", "check-sandbox": "off", job: "land" };
const LOOPS = [1, 2, 3].map((at) => `best-best-of-n.8001-${at}`);

let ci: Ci;
let clone: GitRepository;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  ci = stack.use(await startCi({ files: { "README.md": "hello\n" }, byRef: true }));
  clone = stack.use(await gitRepository({}));
});
afterEach(async () => stack.disposeAsync());

async function land(inputs: Record<string, string> = {}): Promise<Job> {
  await using machine = await ci.machine({ depth: 1 });
  const github = { run_id: "8001", workflow_ref: "o/r/.github/workflows/best-of-n.yml@refs/heads/main" };
  return await machine.run({ inProcess: true, github, inputs: { ...ALL, ...inputs } });
}

/** What a candidate's job has left. @param lines of its one file besides `done.txt`; null: without `done.txt` */
async function leave(
  at: number,
  lines: number | null,
  { state = {}, files = {}, on = "refs/heads/main" }: Left = {},
): Promise<void> {
  const loop = LOOPS[at - 1] ?? "";
  const text = Array.from({ length: lines ?? 1 }, (_, number) => `${number}\n`).join("");
  const work = { ...(lines === null ? {} : { "done.txt": "done\n" }), "work.txt": text, ...files };
  await leaveBranch(ci, clone, { loop, on, files: work, message: "Work", base: null });
  const { world } = ci.api;
  const body = `${pullRequestMarker(loop)}\n`;
  const author = "github-actions[bot]";
  world.issues.push(aPull({ number: world.nextId(), headBranch: `smithers/${loop}`, author, body, draft: true }));
  await leaveRecord(ci, clone, loop, { ...DONE, ...state });
}

interface Left {
  readonly state?: Partial<LoopState>;
  readonly files?: Readonly<Record<string, string>>;
  readonly on?: string;
}

/** How the pull request of each candidate is: R for ready, d for a draft, - for closed, `.` for none. */
function pulls(): string {
  const { issues } = ci.api.world;
  return LOOPS.map((loop) => {
    const found = issues.find(({ pull }) => pull?.headBranch === `smithers/${loop}`);
    if (found === undefined) return ".";
    return found.state === "closed" ? "-" : found.pull?.draft === true ? "d" : "R";
  }).join("");
}

const spent = (tokens: number): Partial<LoopState> => ({ spent: { ...aState().spent, tokens } });

const FORGED: readonly (readonly [what: string, lines: number | null, left: Left, why: RegExp])[] = [
  ["claims green and is red", null, {}, /its checks are red/u],
  ["touches protected paths", 1, { files: { ".github/workflows/x.yml": "on: push\n" } }, /may not change/u],
  ["is built on a stranger's commit", 1, { on: "refs/heads/stranger" }, /not built on the commit/u],
  ["has a record of another loop", 1, { state: { loop_id: "another" } }, /cannot be read/u],
  ["is blocked", 1, { state: { status: "blocked", stop_reason: { kind: "agent_blocked", why: "x" } } }, /blocked/u],
];

function isWrite({ method, path, body, login }: Ci["api"]["requests"][number]): boolean {
  if (login === "") return false;
  return path.endsWith("/graphql") ? JSON.stringify(body).includes("mutation") : method !== "GET";
}

describe("a candidate's record is a claim [T15]", () => {
  test.each(FORGED)("one that %s is not chosen, and the report says why", async (_what, lines, left, why) => {
    await clone.git("commit", "-q", "--allow-empty", "-m", "stranger");
    await clone.git("push", "-q", ci.remote.folder, "HEAD:refs/heads/stranger");
    await leave(1, lines, left);
    await leave(2, 3);
    const job = await land();
    expect(job).toMatchObject({ conclusion: "success" });
    expect(job.main.summary).toMatch(why);
    expect(pulls()).toBe("-R.");
    expect(await ci.remote.git("for-each-ref", "--format=%(refname)", `refs/heads/smithers/${LOOPS[0]}`)).not.toBe("");
    expect(ci.api.problems).toEqual([]);
  });

  test("when none can be chosen, the job is red, says what is next, and leaves everything as it is", async () => {
    await leave(1, null);
    await leaveRecord(ci, clone, LOOPS[1] ?? "", DONE);
    await leave(3, 1, { state: { status: "paused_time_budget", stop_reason: { kind: "time_budget" } } });
    const job = await land();
    expect(job).toMatchObject({ conclusion: "failure" });
    for (const why of [/checks are red/u, /its branch is missing/u, /time budget/u, /those that were cut off go on/u]) {
      expect(job.main.summary).toMatch(why);
    }
    expect(pulls()).toBe("d.d");
    expect(ci.api.world.comments).toEqual([]);
  });
});

describe("of several that hold", () => {
  test("the first one of equals is chosen, else the one with fewer tokens", async () => {
    for (const at of [1, 2]) await leave(at, 2, { state: spent(5) });
    await leave(3, 2, { state: spent(6) });
    expect(await land()).toMatchObject({ conclusion: "success" });
    expect(pulls()).toBe("R--");
  });

  test("what was chosen stays, whatever has come to its end since; a draft where that is asked for", async () => {
    await leave(1, 4);
    expect(await land({ "pull-request": "draft" })).toMatchObject({ conclusion: "success" });
    expect(pulls()).toBe("d..");
    expect(await land()).toMatchObject({ conclusion: "success" });
    expect(pulls()).toBe("R..");
    await leave(2, 1);
    const job = await land();
    expect(job.main.log).toContain("candidate 1 was chosen");
    expect(pulls()).toBe("R-.");
  });

  test.each([0, 1, 2, 3, 4])("a job killed after %s writes and run again chooses once", async (most) => {
    await leave(1, 1);
    await leave(2, 2);
    const { tokens } = ci.api.world;
    const get = tokens.get.bind(tokens);
    const before = ci.api.requests.length;
    const writes = () => ci.api.requests.slice(before).filter(isWrite).length;
    tokens.get = (name) => (writes() >= most ? undefined : get(name));
    await land();
    tokens.get = get;
    expect(await land()).toMatchObject({ conclusion: "success" });
    expect(pulls()).toBe("R-.");
    expect(ci.api.world.comments).toHaveLength(2);
  });
});
