import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import type { ReviewOrder } from "../../src/core/task.ts";
import type { PublishBranch } from "../../src/publish/publish-branch.ts";
import { answerReview } from "../../src/publish/answer-review.ts";
import { answerMarker } from "../../src/views/github/markers.ts";
import { aState } from "../support/builders.ts";
import { answer } from "../support/github-api/operations/review-comments.ts";
import { aPull, aThread, type ThreadRow } from "../support/github-api/server.ts";
import { BOT, BRANCH, type JobOnStage, LOOP, type PublishStage, publishStage } from "./publish-stage.ts";

const REVIEW = 4711;
const REPLY = "pulls/create-reply-for-review-comment";
const TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
const STATE: LoopState = { ...aState(), loop_id: LOOP, status: "completed" };

type Place = ReviewOrder["threads"][number];

let at: PublishStage;
let job: JobOnStage;
let branch: PublishBranch;
let reviewed = "";
let here = "";

/** Commits what is there now. */
async function commit(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(job.place.root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await at.git("add", "-A");
  await at.git("commit", "-q", "-m", "work");
  return at.git("rev-parse", "HEAD");
}

beforeAll(async () => {
  at = await publishStage();
  at.api.world.issues.push(aPull({ number: 7, headBranch: BRANCH }));
  job = await at.job();
  branch = await at.checkOut(job);
  const same = { "same.ts": TEN, "moved.ts": TEN, "put.ts": TEN, "deleted.ts": TEN, "renamed.ts": TEN };
  reviewed = await commit({ ...same, "a.ts": TEN, "b.bin": Buffer.from([0, 1, 2]), "dir ü/ß.ts": TEN });
  await rm(path.join(job.place.root, "deleted.ts"));
  await rename(path.join(job.place.root, "renamed.ts"), path.join(job.place.root, "new.ts"));
  here = await commit({
    "a.ts": TEN.replace("5\n", "five\n"),
    "moved.ts": `new\nnew\nnew\n${TEN}`,
    "put.ts": TEN.replace("3\n", "3\nnew\n"),
    "b.bin": Buffer.from([0, 3]),
    "dir ü/ß.ts": TEN.replace("1\n", ""),
  });
});
afterAll(async () => at[Symbol.asyncDispose]());
beforeEach(() => {
  at.api.world.threads.length = 0;
  at.api.fail(REPLY, "drop", 0);
});

/** A thread on GitHub. */
function there({ id, path: file, lines }: Place): ThreadRow {
  const row = aThread({ id, pull: 7, review: REVIEW, path: file, line: lines?.to ?? null }, "Shorter.");
  at.api.world.threads.push(row);
  return row;
}

async function answers(threads: readonly Place[], more: Readonly<Record<string, unknown>> = {}) {
  const review = { id: REVIEW, commit: reviewed, threads };
  const place = { access: at.access(), branch, number: 7, url: "https://github.com/o/r" };
  return answerReview({ ...place, state: STATE, review, commits: { here, head: here }, withinMs: 60_000, ...more });
}

const ours = ({ comments }: ThreadRow): readonly string[] =>
  comments.filter(({ author }) => author === BOT).map(({ body }) => body);
const place = (file: string, from: number | null, to = from): Place => ({
  ...{ id: 60, path: file },
  lines: from === null || to === null ? null : { from, to },
});

describe("a thread is answered where its lines were changed since the reviewed commit [C110]", () => {
  test.for<[what: string, thread: Place, isAnswered: boolean]>([
    ["its line", place("a.ts", 5), true],
    ["one of its lines", place("a.ts", 3, 9), true],
    ["a line next to it", place("a.ts", 6), false],
    ["another line, so that it has moved", place("moved.ts", 5), false],
    ["what was put before its first line", place("moved.ts", 1), true],
    ["what was put behind its line", place("put.ts", 3), true],
    ["what was put far behind it", place("put.ts", 2), false],
    ["a line of its file, about which it is as a whole", place("a.ts", null), true],
    ["nothing of its file, about which it is as a whole", place("same.ts", null), false],
    ["nothing of its file", place("same.ts", 5), false],
    ["its file, which was deleted", place("deleted.ts", 5), true],
    ["its file's name", place("renamed.ts", 5), true],
    ["its file, which is no text", place("b.bin", 1), true],
    ["a line of a file with another name than git shows", place("dir ü/ß.ts", 1), true],
    ["nothing that the repository has", place("none.ts", 1), false],
  ])("changed: %s", async ([, thread, isAnswered]) => {
    const row = there(thread);
    const notes = await answers([thread]);
    const commits = ours(row).map((body) => /\/o\/r\/commit\/(?<id>[0-9a-f]+)/u.exec(body)?.groups?.["id"]);
    expect(commits).toEqual(isAnswered ? [here] : []);
    const named = notes.filter((note) => note.includes(`thread are as they were: ${thread.path}`));
    expect([notes.length, named.length]).toEqual(isAnswered ? [0, 0] : [1, 1]);
  });

  test("each once, whatever was run again; another review's answer, and a marker that somebody has pasted, are none", async () => {
    const threads = [place("a.ts", 5), { ...place("put.ts", 3), id: 61 }];
    const rows = threads.map(there);
    const { world } = at.api;
    for (const row of rows) answer(world, row, "mallory", `${answerMarker(LOOP, REVIEW)}\n\nDone.`);
    for (const row of rows) answer(world, row, BOT, `${answerMarker(LOOP, REVIEW - 1)}\n\nDone.`);
    for (const _ of ["first", "again"]) expect(await answers(threads)).toEqual([]);
    expect(rows.map((row) => ours(row).filter((body) => body.includes(here)))).toMatchObject([[{}], [{}]]);
    // Nothing is resolved for anybody: the only thing that is written is the answer.
    const written = at.api.requests.filter(({ method, path: url }) => method !== "GET" && url !== "/graphql");
    expect(new Set(written.map(({ operation }) => operation))).toEqual(new Set([REPLY]));
  });

  test("not where somebody has deleted it", async () => {
    const before = at.api.requests.length;
    expect(await answers([place("a.ts", 5)])).toEqual([]);
    expect(at.api.requests.slice(before).filter(({ operation }) => operation === REPLY)).toEqual([]);
  });

  test("without threads nothing is asked", async () => {
    const before = at.api.requests.length;
    expect(await answers([])).toEqual([]);
    expect(at.api.requests).toHaveLength(before);
  });
});

describe("an answer that GitHub's answer to is lost [C110]", () => {
  const thread = place("a.ts", 5);
  const OOPS = { status: 502, body: { message: "Oops" } };

  test("is written again where it is not there", async () => {
    const row = there(thread);
    at.api.fail(REPLY, OOPS);
    expect(await answers([thread])).toEqual([]);
    expect(ours(row)).toHaveLength(1);
  });

  test("is found where it is there", async () => {
    const row = there(thread);
    const before = at.api.requests.length;
    const [first] = row.comments;
    if (first === undefined) throw new Error("a thread has a comment");
    const taken = { ...first, id: 62, author: BOT, body: `${answerMarker(LOOP, REVIEW)}\n\nDone.` };
    const asked = (): boolean => at.api.requests.slice(before).some(({ operation }) => operation === REPLY);
    Object.defineProperty(row, "comments", { get: () => (asked() ? [first, taken] : [first]) });
    at.api.fail(REPLY, OOPS);
    expect(await answers([thread])).toEqual([]);
    expect(at.api.requests.slice(before).filter(({ operation }) => operation === REPLY)).toHaveLength(1);
  });

  test.for<[what: string, prepare: () => void, why: string]>([
    ["is lost twice", () => at.api.fail(REPLY, OOPS, 2), "GitHub does not say whether it was taken"],
    [
      "is lost, and refused then",
      () => at.api.fail(REPLY, [OOPS, { status: 403, body: { message: "Oops" } }]),
      "refused (Oops)",
    ],
    ["is refused", () => at.api.fail(REPLY, { status: 403, body: { message: "lock prevents review" } }), "is locked"],
    [
      "cannot be looked for",
      () => at.api.fail("graphql/repository", { status: 401, body: { message: "Oops" } }),
      "The threads of the review are not answered",
    ],
  ])("and %s: that is told, and ends nothing", async ([, prepare, why]) => {
    const row = there(thread);
    prepare();
    expect(await answers([thread])).toEqual([expect.stringContaining(why)]);
    expect(ours(row)).toEqual([]);
  });

  test("the reviewed commit is gone: that is told", async () => {
    there(thread);
    const review = { id: REVIEW, commit: "e".repeat(40), threads: [thread] };
    expect(await answers([thread], { review })).toEqual([
      expect.stringContaining("The threads of the review are not answered: eeeeeeeeeeee"),
    ]);
  });
});
