import { describe, expect, test } from "vitest";
import { cleanUp } from "../../src/requests/clean-up.ts";
import type { DeleteRef } from "../../src/github/refs.ts";
import { markerOf } from "../../src/views/github/markers.ts";
import {
  anAccount,
  anEvent,
  type Asking,
  asking,
  HEAD,
  LATER,
  LOOP,
  OURS,
  RELAY,
  type StoredLoop,
} from "../support/asking.ts";
import { aCache, aPull } from "../support/github-api/server.ts";
import { writes } from "./relay-stage.ts";

const TREE = "d".repeat(40);
const BRANCH = `smithers/${LOOP}`;
const PREFIX = `smithers-v1-${LOOP}-`;
const LOOP_REF = `refs/smithers-loops/${LOOP}`;
const REQUEST = `refs/smithers-control/${LOOP}/pause/alice-3`;

const CLOSED = anEvent("pull_request", { action: "closed", pull_request: { number: 7 }, sender: anAccount("alice") });
const DONE = { status: "completed", stop_reason: { kind: "promise", verified: true } } as const;
const PAUSED = { status: "paused_hard_stop", stop_reason: { kind: "paused", by: "alice" } } as const;

interface Closed extends StoredLoop {
  readonly own?: boolean;
  readonly merged?: boolean;
  /** the commit that the loop says it pushed last */
  readonly head?: string | null;
  /** of that commit, on GitHub */
  readonly tree?: string;
  /** the tree of its first parent; absent: it has none */
  readonly below?: string;
}

/** A closed pull request with a loop of which everything is there that can be. */
async function closed(how: Closed = {}) {
  const { own = true, merged = true, head = HEAD, tree = TREE, below, number = 7, ...stored } = how;
  const at = await asking(RELAY);
  const { world } = at.api;
  Object.assign(at.pull, { state: "closed", labels: ["smithers:paused", "smithers:mine", "bug"] });
  Object.assign(at.pull.pull ?? {}, { merged, headBranch: BRANCH });
  const github = {
    ...{ branch: BRANCH, head, authorised_by: "alice", obeyed: null, continuations: 0 },
    pull_request: number === null ? null : { number, url: "", own },
  };
  const work = { iteration: 1, snapshot: { id: "x", tree: TREE, head: HEAD }, github };
  await at.loop({ ...stored, state: { ...DONE, ...work, ...stored.state } });
  at.comment(markerOf({ workflow: "smithers.yml", job: "loop", loopId: LOOP }), { author: OURS });
  await world.refs.set(`refs/heads/${BRANCH}`, HEAD);
  await world.refs.set(REQUEST, HEAD);
  world.caches.push(aCache({ id: 1, key: `${PREFIX}1` }), aCache({ id: 2, key: "npm" }));
  const said = { name: "x", email: "x", date: "2026-01-01T00:00:00Z" };
  const verification = { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null };
  const parent = { sha: LATER, url: "https://x.test/p", html_url: "https://x.test/p" };
  const commit = (sha: string, parents: readonly (typeof parent)[]) => ({
    ...{ sha: HEAD, node_id: "C", url: "https://x.test/c", html_url: "https://x.test/c" },
    ...{ author: said, committer: said },
    ...{ message: "m", tree: { sha, url: "https://x.test/t" }, parents, verification },
  });
  const bodies = below === undefined ? [commit(tree, [])] : [commit(tree, [parent]), commit(below, [])];
  const answers = bodies.map((body) => ({ status: 200, body }));
  at.api.fail("git/get-commit", answers, 9);
  return at;
}

async function clean(at: Asking, event = CLOSED, failing: readonly string[] = []) {
  const lines: string[] = [];
  const log = { line: (text: string) => lines.push(text), warning: (text: string) => lines.push(`! ${text}`) };
  const { refs } = at.api.world;
  const deleteRef: DeleteRef = async (ref, expected) => {
    if (failing.includes(ref))
      return { ok: false, trouble: { moved: false, because: "a rule of the repository forbids it" } };
    const now = await refs.get(ref);
    if (now === undefined) return { ok: true, value: { already: true } };
    if (now !== expected) return { ok: false, trouble: { moved: true, because: "somebody moved it" } };
    await refs.delete(ref);
    return { ok: true, value: { already: false } };
  };
  const exitCode = await cleanUp({
    event: event.event,
    github: at.github,
    log,
    branch: "smithers/<loop-id>",
    deleteRef,
  });
  return { exitCode, lines };
}

const refsOf = async (at: Asking) =>
  (await at.refs("refs/")).filter((ref) => !["refs/heads/main", "refs/heads/feature"].includes(ref));
const cachesOf = (at: Asking) => at.api.world.caches.map(({ id }) => id);
const ALL = [`refs/heads/${BRANCH}`, REQUEST, LOOP_REF];

describe("a merged pull request", () => {
  test("of a loop takes everything of the loop with it, and nothing else", async () => {
    await using at = await closed();
    const { exitCode, lines } = await clean(at);
    expect(exitCode).toBe(0);
    expect(await refsOf(at)).toEqual([]);
    expect(at.pull.labels).toEqual(["smithers:mine", "bug"]);
    expect(cachesOf(at)).toEqual([2]);
    expect(lines).toEqual([
      "removed the label smithers:paused from pull request #7",
      `removed 1 cache entries of loop ${LOOP}`,
      `removed refs/heads/${BRANCH}, which was at ${HEAD}`,
      `removed ${REQUEST}, which was at ${HEAD}`,
      expect.stringMatching(new RegExp(`^removed ${LOOP_REF}, which was at e+1$`, "u")),
    ]);
  });

  test("with nothing left is not a failure", async () => {
    await using at = await closed();
    await clean(at);
    expect(await clean(at)).toEqual({
      exitCode: 0,
      lines: ["Nothing to clean up. No loop says that pull request #7 is its own."],
    });
  });

  test("has a branch that GitHub deleted already", async () => {
    await using at = await closed();
    await at.api.world.refs.delete(`refs/heads/${BRANCH}`);
    expect((await clean(at)).lines).toContain(`refs/heads/${BRANCH} is gone already`);
    expect(await refsOf(at)).toEqual([]);
  });

  test("takes a loop with it that could go on", async () => {
    await using at = await closed({ state: PAUSED });
    await clean(at);
    expect(await refsOf(at)).toEqual([]);
  });

  test.for([
    ["a person's", { own: false }],
    ["one that somebody pushed to", { head: LATER }],
    ["one that was never pushed, of a loop without a turn", { head: null, state: { iteration: 0 } }],
  ] as const)("leaves the branch: %s", async ([, stored]) => {
    await using at = await closed(stored);
    await clean(at);
    expect(await refsOf(at)).toEqual([`refs/heads/${BRANCH}`]);
  });

  test.for([
    { headBranch: BRANCH, base: "other" },
    { headBranch: "stacked", base: BRANCH },
  ])("leaves a branch that another pull request needs: $headBranch into $base", async (row) => {
    await using at = await closed();
    await at.api.world.refs.set("refs/heads/stacked", HEAD);
    at.api.world.issues.push(aPull({ number: 8, ...row }));
    expect((await clean(at)).lines).toContain(`The branch ${BRANCH} is left: another open pull request needs it.`);
    expect(await refsOf(at)).toEqual([`refs/heads/${BRANCH}`, "refs/heads/stacked"].toSorted());
  });

  const OTHER = "0".repeat(40);
  test("takes work for pushed that lies below workflow files of the default branch [C13, C80]", async () => {
    await using at = await closed({ tree: OTHER, below: TREE });
    await clean(at);
    expect(await refsOf(at)).toEqual([]);
  });

  test.for([{ tree: OTHER }, { tree: OTHER, below: OTHER }, { head: null }, { state: { snapshot: null } }])(
    "keeps a loop whose work is not all in its commits: %j [C13]",
    async (stored) => {
      await using at = await closed(stored);
      expect((await clean(at)).lines).toContain(
        `Loop ${LOOP} has work that is in none of its commits on GitHub, so it is kept in ${LOOP_REF}; smithers prune removes it later.`,
      );
      expect(await refsOf(at)).toEqual(ALL);
      expect(at.pull.labels).toEqual(["smithers:mine", "bug"]);
    },
  );

  test("what cannot be removed is told and keeps no other from being removed", async () => {
    await using at = await closed();
    at.api.fail("issues/remove-label", { status: 403, body: { message: "Resource not accessible by integration" } });
    at.api.fail("actions/get-actions-cache-list", {
      status: 403,
      body: { message: "Resource not accessible by integration" },
    });
    const { exitCode, lines } = await clean(at, CLOSED, [REQUEST]);
    expect(exitCode).toBe(0);
    const may = "the token may not do this; give the job permissions:";
    expect(lines).toEqual(
      expect.arrayContaining([
        `! The label smithers:paused is left on pull request #7: ${may} pull-requests: write.`,
        `cache entries of loop ${LOOP} stay until GitHub evicts them: ${may} actions: write`,
        `! ${REQUEST} is left: a rule of the repository forbids it.`,
      ]),
    );
    expect(await refsOf(at)).toEqual([REQUEST]);
  });
});

describe("a pull request that was closed without being merged", () => {
  test("leaves a loop that can go on, for a while", async () => {
    await using at = await closed({ merged: false, state: PAUSED });
    expect((await clean(at)).lines).toEqual([
      `Loop ${LOOP} is paused_hard_stop and can go on once the pull request is open again, so it is kept; smithers prune removes it later.`,
      "removed the label smithers:paused from pull request #7",
    ]);
    expect(await refsOf(at)).toEqual(ALL);
    expect(cachesOf(at)).toEqual([1, 2]);
  });

  test("leaves a loop that is over, too: its next generation has to know that nobody wanted what is on its branch", async () => {
    await using at = await closed({ merged: false });
    const { lines } = await clean(at);
    expect(lines[0]).toContain(`Only ${LOOP_REF} tells the next run of the task that the pull request was closed`);
    expect([await refsOf(at), at.pull.labels]).toEqual([ALL, ["smithers:mine", "bug"]]);
    await using theirs = await closed({ merged: false, own: false });
    await clean(theirs);
    expect(await refsOf(theirs)).toEqual([`refs/heads/${BRANCH}`]);
    expect(cachesOf(theirs)).toEqual([2]);
  });
});

describe("nothing is touched", () => {
  test("of a loop that runs", async () => {
    await using at = await closed({ state: { status: "running", stop_reason: null }, run: "in_progress" });
    expect((await clean(at)).lines).toEqual([
      `Loop ${LOOP} is running, so nothing of it is removed; smithers prune removes it later.`,
    ]);
    expect(writes(at)).toEqual([]);
    expect(await refsOf(at)).toEqual(ALL);
  });

  test("of a loop that does not say that the pull request is its own [T15]", async () => {
    await using at = await closed({ number: null });
    expect((await clean(at)).lines[0]).toContain("No loop says that pull request #7 is its own.");
    expect(writes(at)).toEqual([]);
  });

  test("when the pull request came from a fork, or is open again", async () => {
    await using at = await closed();
    Object.assign(at.pull.pull ?? {}, { headRepositoryId: 5 });
    expect((await clean(at)).lines).toEqual([expect.stringContaining("came from a fork")]);
    Object.assign(at.pull, { state: "open" });
    expect((await clean(at)).lines).toEqual([expect.stringContaining("is open again")]);
    expect(writes(at)).toEqual([]);
  });

  test.for([
    { operation: "pulls/get", says: "! Nothing was cleaned up. Pull request #7 cannot be read:" },
    { operation: "git/get-ref", says: "! Nothing was cleaned up. The loop cannot be read:" },
  ])("when $operation is not answered", async ({ operation, says }) => {
    await using at = await closed();
    at.api.fail(operation, { status: 500, body: { message: "Oops" } }, 9);
    const { exitCode, lines } = await clean(at);
    expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: [expect.stringContaining(says)] });
    expect(writes(at)).toEqual([]);
  });

  test("when the event names no pull request", async () => {
    await using at = await closed();
    const { lines } = await clean(at, anEvent("pull_request", { action: "closed", sender: anAccount("alice") }));
    expect(lines).toEqual(["Nothing to clean up. The event does not say which pull request was closed."]);
  });
});
