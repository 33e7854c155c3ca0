import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiMachine, startCi } from "../support/ci/ci.ts";
import { aState } from "../support/builders.ts";
import { aCarriedRecord } from "../support/fake-carriers.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { anIssueEvent, aPull, aReview, aRun, aUser, type CommentRow } from "../support/github-api/server.ts";
import {
  commentEvent,
  dispatchEvent,
  type Event,
  labelEvent,
  reviewEvent,
  workflowRunEvent,
} from "../support/github-api/webhooks.ts";
import type { Job } from "../support/runner/runner.ts";

const GUIDE = readFileSync(path.join(import.meta.dirname, "../../docs/github.md"), "utf8");

/** The table that people read. Each of its cells is tried. */
const TABLE = (/### Who may[^]*?\n((?:\|.*\n)+)/u.exec(GUIDE)?.[1] ?? "")
  .split("\n")
  .slice(2, -1)
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, who = "", comment = "", label = "", run = "", review = ""]) => ({ who, comment, label, run, review }));

/** Pull requests: with a loop, of somebody who may not write, from a fork. */
const [LOOPED, THEIRS, FORK] = [7, 8, 9];

/** Who the rows of the table are about. */
interface Actor {
  readonly login: string;
  readonly pull?: number;
  /** the comment is changed before the relay reads it */
  readonly edits?: true;
  /** GitHub does not say what they may */
  readonly unknown?: true;
  /** the person who caused a failed run is looked up like everybody else: not each of them is tried again */
  readonly run?: "alike";
}

const ACTORS: Readonly<Record<string, Actor>> = {
  "administers the repository": { login: "alice", run: "alike" },
  "may write to it, or maintains it": { login: "wendy" },
  "has the triage role": { login: "tom", run: "alike" },
  "may read it": { login: "rob" },
  "is not a collaborator": { login: "olga", run: "alike" },
  "opened the pull request, and may not write": { login: "amy", pull: THEIRS, run: "alike" },
  "could not be looked up": { login: "wendy", unknown: true, run: "alike" },
  "a bot that `allowed-bots` names, as in `renovate[bot]`": { login: "renovate[bot]" },
  "any other bot": { login: "dependabot[bot]" },
  "the loop's own account": { login: "github-actions[bot]" },
  "may write, and has edited the comment since": { login: "wendy", edits: true },
  "may write, on a pull request that comes from a fork": { login: "wendy", pull: FORK },
};

const LOOP = "a-loop";
const link = { branch: "topic", head: null, authorised_by: null, obeyed: null, continuations: 0 };
const github = { ...link, pull_request: { number: LOOPED, url: "", own: false } };
const STATE = { ...aState(), loop_id: LOOP, status: "paused_hard_stop", github } as const;
const RECORD = { ...aCarriedRecord(STATE.revision), loop_id: LOOP, state: STATE };

let ci: Ci;
let machine: CiMachine;
beforeAll(async () => {
  ci = await startCi({ files: { "record.json": JSON.stringify(RECORD) } });
  const { world } = ci.api;
  const roles = { alice: "admin", wendy: "write", tom: "triage", rob: "read", amy: "read" } as const;
  for (const [login, role] of Object.entries(roles)) world.users.set(login, aUser({ login, role }));
  await ci.remote.git("update-ref", "refs/heads/topic", "main");
  await ci.remote.git("update-ref", `refs/smithers-loops/${LOOP}`, "main");
  // Comments and labels come after the push.
  world.now = () => new Date(Date.now() + 2_000);
  world.issues.push(
    aPull({ number: LOOPED, headBranch: "topic" }),
    aPull({ number: THEIRS, headBranch: "topic", author: "amy" }),
    aPull({ number: FORK, headBranch: "topic", author: "rob", headRepositoryId: 9 }),
  );
  machine = await ci.machine();
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await ci[Symbol.asyncDispose]();
});

/**
 * Without post, which does nothing where there was no loop (`post.long.test.ts`); and without a process, of which nothing is
 * to be seen here (`examples-asked.long.test.ts` has them).
 */
const run = (event: Event, more: Parameters<CiMachine["run"]>[0] = {}): Promise<Job> =>
  machine.run({ event, inputs: { "allowed-bots": "renovate[bot]" }, posts: 0, inProcess: true, ...more });

/** What everybody can see of it: a word of the table, or everything visible when no word fits. */
async function seen(event: Event, comment?: CommentRow): Promise<string> {
  const { world } = ci.api;
  const before = { dispatches: world.dispatches.length, comments: world.comments.length };
  const { conclusion } = await run(event);
  const sign = comment?.reactions.map(({ content }) => content).join(" ") ?? "";
  const [done, told, nothing] = comment === undefined ? ["", "", ""] : ["eyes rocket", "eyes confused", ""];
  const [dispatched, answers] = [world.dispatches.length - before.dispatches, world.comments.length - before.comments];
  const found = JSON.stringify({ conclusion, sign, dispatched, answers });
  const like = (word: string, what: object): string[] => (found === JSON.stringify(what) ? [word] : []);
  const words = [
    ...like("done", { conclusion: "success", sign: done, dispatched: 1, answers: 0 }),
    ...like("told", { conclusion: "success", sign: told, dispatched: 0, answers: 1 }),
    ...like("nothing", { conclusion: "success", sign: nothing, dispatched: 0, answers: 0 }),
  ];
  return words[0] ?? found;
}

async function comments({ login, pull = LOOPED, edits, unknown }: Actor): Promise<string> {
  const { api } = ci;
  const row = addComment(api.world, pull, login, "/smithers continue");
  const event = commentEvent(api.world, row);
  if (edits) row.updatedAt = new Date(row.updatedAt.getTime() + 1_000);
  if (unknown) api.fail("repos/get-collaborator-permission-level", { status: 403, body: { message: "No." } });
  return seen(event, row);
}

async function labels({ login, pull = LOOPED, unknown }: Actor): Promise<string> {
  const { api } = ci;
  const { world } = api;
  const row = anIssueEvent({ id: world.nextId(), issue: pull, author: login, createdAt: world.now() });
  world.issueEvents.push(row);
  const issue = world.issues.find(({ number }) => number === pull);
  issue?.labels.splice(0, Infinity, row.label);
  const event = await labelEvent(world, row);
  if (unknown) api.fail("repos/get-collaborator-permission-level", { status: 403, body: { message: "No." } });
  const word = await seen(event);
  // Who is not heard sees nothing of us, not even that.
  expect(issue?.labels).toEqual(word === "nothing" ? [row.label] : []);
  return word;
}

async function failedRun({ login, pull }: Actor): Promise<string> {
  const { world } = ci.api;
  const sha = await ci.remote.git("rev-parse", "topic");
  const failed = { path: ".github/workflows/ci.yml", branch: "topic", sha, conclusion: "failure", actor: login };
  const row = aRun({ id: world.nextId(), ...failed, headRepositoryId: pull === FORK ? 9 : 1001 });
  world.runs.push(row);
  return seen(workflowRunEvent(world, row, [LOOPED]));
}

async function reviews({ login, pull = LOOPED, unknown }: Actor): Promise<string> {
  const { api } = ci;
  const [id, commit, submittedAt] = [api.world.nextId(), await ci.remote.git("rev-parse", "topic"), api.world.now()];
  const row = aReview({ id, pull, author: login, state: "CHANGES_REQUESTED", commit, submittedAt });
  api.world.reviews.push(row);
  const event = await reviewEvent(api.world, row);
  if (unknown) api.fail("repos/get-collaborator-permission-level", { status: 403, body: { message: "No." } });
  return seen(event);
}

describe("what happens, by who does what [T4, T5, T7]", { timeout: 120_000 }, () => {
  test("the table of the guide is about everybody whom this is tried with", () => {
    expect(TABLE.map(({ who }) => who)).toEqual(Object.keys(ACTORS));
  });

  test.for(TABLE)(
    "$who: comment $comment, label $label, failed run $run, review $review",
    async ({ who, ...cells }) => {
      const actor = ACTORS[who] ?? { login: "nobody" };
      const { label, run: ran, review } = cells;
      const found = {
        comment: await comments(actor),
        label: label === "" ? label : await labels(actor),
        run: ran === "" || actor.run !== undefined ? ran : await failedRun(actor),
        review: review === "" ? review : await reviews(actor),
      };
      expect(found).toEqual(cells);
      expect(ci.api.problems).toEqual([]);
    },
  );

  test("an edit is answered and no order [C115], and a failed run of the loop's own workflow lets nothing run", async () => {
    const { world } = ci.api;
    const row = addComment(world, LOOPED, "wendy", "/smithers continue");
    const answered = JSON.stringify({ conclusion: "success", sign: "confused", dispatched: 0, answers: 1 });
    expect(await seen(commentEvent(world, row, "edited"), row)).toBe(answered);
    const own = aRun({ id: world.nextId(), conclusion: "failure", branch: "topic" });
    expect(await seen(workflowRunEvent(world, own, [LOOPED]))).toBe("nothing");
  });

  test("a pull request from a fork starts no loop, and its job is green", async () => {
    const { world } = ci.api;
    const row = anIssueEvent({ id: world.nextId(), issue: FORK, author: "rob" });
    const { name, payload } = await labelEvent(world, row);
    const before = ci.api.requests.length;
    const job = await run({ name, payload: { ...payload, action: "synchronize" } }, { inputs: { prompt: "Work." } });
    expect(job).toMatchObject({ conclusion: "success" });
    expect(job.main.commands).toContainEqual(
      expect.objectContaining({ name: "notice", data: expect.stringContaining("comes from a fork") }),
    );
    expect(ci.api.requests.length).toBe(before);
  });

  test("an event that anybody can cause starts no loop for who may not write", async () => {
    const { world } = ci.api;
    for (const [login, why] of [
      ["rob", "rob has no write permission here"],
      ["dependabot[bot]", "is a bot that allowed-bots does not name"],
    ] as const) {
      const event = commentEvent(world, addComment(world, LOOPED, login, "hello"));
      const job = await run(event, { inputs: { prompt: "Work.", job: "loop" } });
      expect(job).toMatchObject({ conclusion: "success", log: expect.stringContaining(why) });
    }
  });

  test("of two workflows that hear the same comment, one obeys", async () => {
    const { world } = ci.api;
    const row = addComment(world, LOOPED, "wendy", "/smithers continue");
    const event = commentEvent(world, row);
    expect(await seen(event, row)).toBe("done");
    const workflow_ref = "o/r/.github/workflows/relay.yml@refs/heads/main";
    const second = await run(event, { github: { workflow_ref } });
    expect(second).toMatchObject({ conclusion: "success", log: expect.stringContaining("by another workflow") });
    expect(row.reactions.map(({ content }) => content)).toEqual(["eyes", "rocket"]);
  });

  test("GitHub itself starts a workflow for nobody who may not write; a program confirms nothing", async () => {
    const { world, url } = ci.api;
    world.tokens.set("rob's", { login: "rob", permissions: { actions: "read", contents: "read" } });
    const answer = await fetch(`${url}/repos/o/r/actions/workflows/smithers.yml/dispatches`, {
      method: "POST",
      headers: { authorization: "Bearer rob's", "user-agent": "rob", "content-type": "application/json" },
      body: JSON.stringify({ ref: "main", inputs: { smithers: "continue" } }),
    });
    expect(answer.status).toBe(403);
    const dispatch = { workflow: "smithers.yml", ref: "main", inputs: { smithers: "cancel" }, login: "renovate[bot]" };
    const job = await run(dispatchEvent(world, dispatch), { inputs: { prompt: "Work." } });
    expect(job).toMatchObject({ conclusion: "failure", log: expect.stringContaining("cancel takes a person") });
  });
});
