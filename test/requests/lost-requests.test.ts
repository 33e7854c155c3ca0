import { expect, test } from "vitest";
import { aRun, moment } from "../support/github-api/server.ts";
import { type Asking, commented, OURS, type StoredLoop } from "../support/asking.ts";
import { answers, looped, relayed } from "./relay-stage.ts";

const SAVED: StoredLoop = { state: { status: "paused_hard_stop", updated_at: moment(10).toISOString() } };

/** Somebody has asked, and a relay has handed it on. */
function handedOn(at: Asking, body: string, minute: number, contents: readonly string[] = ["eyes", "rocket"]) {
  const reactions = contents.map((content, index) => ({ id: 70 + index, author: OURS, content }));
  const when = { createdAt: moment(minute), updatedAt: moment(minute) };
  return at.comment(body, { author: "wendy", reactions, ...when });
}

test("what was asked and came to nothing is told by the next relay, once [C88]", async () => {
  await using at = await looped(SAVED);
  const lost = handedOn(at, "/smithers continue with v2", 20);
  for (const _ of ["the next", "the one after"]) await relayed(at, commented(at.comment("/smithers status")));
  const { reactions, replies } = answers(at, lost.id);
  expect(reactions).toEqual(["eyes", "rocket", "confused"]);
  const told = replies.filter((body) => body.includes(`#issuecomment-${lost.id} asked for /smithers continue`));
  expect(told).toEqual([expect.stringContaining("nothing came of it")]);
});

test("only our own account's reactions say what was handed on and told: another bot's 🚀 is nothing, nor its 😕 [C88]", async () => {
  await using at = await looped(SAVED);
  const asked = handedOn(at, "/smithers continue", 20, []);
  const said = (id: number, author: string, content: string) => void asked.reactions.push({ id, author, content });
  const told = () => at.api.world.comments.filter(({ body }) => body.includes("came of it"));
  said(90, "renovate[bot]", "rocket");
  await relayed(at, commented(at.comment("/smithers status")));
  expect(told()).toEqual([]);
  said(91, OURS, "rocket");
  said(92, "renovate[bot]", "confused");
  await relayed(at, commented(at.comment("/smithers status")));
  expect(told()).toHaveLength(1);
});

test.for<[what: string, prepare: (at: Asking) => unknown]>([
  ["what a run has begun with", (at) => handedOn(at, "/smithers continue", 9)],
  ["what was never handed on", (at) => handedOn(at, "/smithers continue", 20, ["eyes"])],
  ["what lets nobody work", (at) => handedOn(at, "/smithers status", 20)],
  ["other words", (at) => handedOn(at, "well done", 20)],
  [
    "what a run that waits may still do",
    (at) => {
      at.api.world.runs.push(aRun({ id: 77, status: "pending", conclusion: null }));
      return handedOn(at, "/smithers continue", 20);
    },
  ],
])("nothing is told of $0 [C88]", async ([, prepare]) => {
  await using at = await looped(SAVED);
  prepare(at);
  const comment = at.comment("/smithers status");
  expect(await relayed(at, commented(comment))).toMatchObject({ exitCode: 0 });
  expect(at.api.world.comments.filter(({ body }) => body.includes("came of it"))).toEqual([]);
  expect(answers(at, comment.id).reactions).toEqual(["eyes", "rocket"]);
});

test("what was handed on a moment ago is not lost, though no list has its run yet; later it is [C148, C88]", async () => {
  await using at = await looped(SAVED);
  const { world } = at.api;
  const just = handedOn(at, "/smithers continue", 20);
  just.reactions.splice(1, 1, { id: 90, author: OURS, content: "rocket", at: new Date(moment(30).getTime() - 59_000) });
  world.runs.push(aRun({ id: 77, status: "queued", conclusion: null }));
  const told = () => world.comments.filter(({ body }) => body.includes("came of it"));
  at.api.lag("actions/list-workflow-runs", 5);
  await relayed(at, commented(at.comment("/smithers status")));
  expect(told()).toEqual([]);
  world.runs.splice(-1);
  const createdAt = new Date(moment(30).getTime() + 1_000);
  await relayed(at, commented(at.comment("/smithers status", { createdAt, updatedAt: createdAt })));
  expect(told()).toHaveLength(1);
});

test("a GitHub that does not say keeps nobody from an answer", async () => {
  await using at = await looped(SAVED);
  at.api.fail("issues/list-comments", { status: 422, body: { message: "Oops" } });
  const comment = at.comment("/smithers status");
  const { exitCode, lines } = await relayed(at, commented(comment));
  expect([exitCode, answers(at, comment.id).reactions]).toEqual([0, ["eyes", "rocket"]]);
  expect(lines.join("\n")).toContain("Whether earlier requests got lost cannot be told");
});
