import { expect, test } from "vitest";
import { surveyLoops } from "../../src/commands/prune-github.ts";
import { type Asking, asking, HEAD, LATER, LOOP, type StoredLoop } from "../support/asking.ts";
import { aPull, type IssueRow } from "../support/github-api/server.ts";

const DONE = { status: "completed", stop_reason: { kind: "promise", verified: true } } as const;
const STOPPED = { status: "paused_hard_stop", stop_reason: { kind: "paused", by: "alice" } } as const;
const BRANCH = `smithers/${LOOP}`;
/** After every record of the tests. */
const NOW = Date.parse("2100-01-01T00:00:00Z");

const survey = (at: Asking, before = NOW) => surveyLoops(at.github, before);

/** A loop without a turn, of which nothing can be lost; its pull request is its own. */
function ours(state: StoredLoop["state"], own = true): StoredLoop {
  const link = { branch: BRANCH, head: HEAD, authorised_by: null, obeyed: null, continuations: 0 };
  return { state: { iteration: 0, github: { ...link, pull_request: { number: 7, url: "", own } }, ...state } };
}

async function closed(at: Asking, merged: boolean, head = HEAD): Promise<IssueRow> {
  Object.assign(at.pull, { state: "closed" });
  Object.assign(at.pull.pull ?? {}, { merged, headBranch: BRANCH });
  await at.api.world.refs.set(`refs/heads/${BRANCH}`, head);
  return at.pull;
}

/** Kinds of what goes, and what is said of what stays. */
async function found(at: Asking, before?: number) {
  const answer = await survey(at, before);
  if (!answer.ok) return answer.trouble.because;
  const { items, staying } = answer.value;
  return { goes: items.map(({ kind }) => kind), stays: staying.map(({ why }) => why) };
}

test.for([
  { what: "is over", state: DONE, goes: ["ref"] },
  { what: "merged", state: STOPPED, merged: true, goes: ["branch", "ref"] },
  { what: "merged, with a branch that somebody pushed to", state: STOPPED, merged: true, tip: LATER, goes: ["ref"] },
  { what: "merged, in a person's pull request", state: STOPPED, merged: true, own: false, goes: ["ref"] },
  { what: "closed", state: STOPPED, merged: false, goes: ["ref"] },
])("a loop goes that $what", async ({ state, merged, tip, own, goes }) => {
  await using at = await asking();
  await at.loop(ours(state, own));
  if (merged !== undefined) await closed(at, merged, tip);
  expect(await found(at)).toEqual({ goes, stays: [] });
});

test("a branch stays that another open pull request needs, or of which that is not known", async () => {
  await using at = await asking();
  await at.loop(ours(DONE));
  await closed(at, true);
  at.api.world.issues.push(aPull({ number: 8, headBranch: "stacked", base: BRANCH }));
  await at.api.world.refs.set("refs/heads/stacked", LATER);
  expect(await found(at)).toEqual({ goes: ["ref"], stays: [] });
  at.api.fail("pulls/list", { status: 403, body: { message: "You have been blocked" } });
  expect(await found(at)).toEqual({ goes: ["ref"], stays: [] });
});

test("a loop stays that runs, can go on, is young or cannot be read", async () => {
  await using at = await asking();
  const stays = async (before?: number) => {
    const said = await found(at, before);
    return typeof said === "string" || said.goes.length > 0 ? said : said.stays;
  };
  await at.loop({ ...ours({ status: "running", stop_reason: null }), run: "in_progress" });
  expect(await stays()).toEqual(["is running"]);
  await at.loop(ours(STOPPED));
  expect(await stays()).toEqual(["is paused_hard_stop and can go on"]);
  at.api.fail("pulls/get", { status: 403, body: { message: "You have been blocked" } });
  expect(await stays()).toEqual([
    "can go on, and its pull request cannot be read: GitHub refused (You have been blocked)",
  ]);
  await at.loop(ours(DONE));
  expect(await stays(0)).toEqual([expect.stringMatching(/^was saved on \d{4}-\d\d-\d\d$/u)]);
  await at.loop({ state: { max_iterations: -1 } });
  expect(await stays()).toEqual([expect.stringContaining("cannot be read: ")]);
});

test("what is no loop's ref stays", async () => {
  await using at = await asking();
  await at.api.world.refs.set("refs/smithers-loops/a/b", HEAD);
  expect(await found(at)).toEqual({ goes: [], stays: ["is none of ours"] });
});

test.for(["git/list-matching-refs", "actions/get-actions-cache-list"])(
  "nothing is known where %s is refused",
  async (operation) => {
    await using at = await asking();
    at.api.fail(operation, { status: 403, body: { message: "You have been blocked" } });
    expect(await found(at)).toBe("GitHub refused (You have been blocked)");
  },
);
