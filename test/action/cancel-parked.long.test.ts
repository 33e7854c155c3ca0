import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { dispatchedJob } from "../support/ci/dispatched-job.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { commentEvent, dispatchEvent } from "../support/github-api/webhooks.ts";
import { pullsOf, stateOf, tipOf, told, work } from "./publish-stage.ts";

const TODO = "- [x] Choose.\n- HARD STOP: which version of the API?\n- [ ] Write done.txt.\n";
const LOOP = "parked";
const BRANCH = `smithers/${LOOP}`;
const OURS = "github-actions[bot]";

test("a loop that waits at a HARD STOP is cancelled by a comment, once, all that is said is final, and nobody is called for it [C10, C12, C87]", async () => {
  const task = scriptedTask([{ files: { "TODO.md": TODO, "a.txt": "a\n" } }]);
  await using ci = await startCi({ byRef: true, files: { ...task.files, "TODO.md": "- [ ] Choose.\n" } });
  const { world } = ci.api;
  const inputs = { ...task.inputs, "todo-file": "TODO.md" };
  const started = { workflow: ".github/workflows/smithers.yml", ref: "main", inputs: {}, login: "alice" };
  const paused = await work(ci, LOOP, inputs, { event: dispatchEvent(world, started) });
  expect(paused.outputs).toMatchObject({ status: "paused_hard_stop" });
  const [pull] = pullsOf(ci, BRANCH);
  const stopped = await tipOf(ci, BRANCH);
  expect(pull).toMatchObject({ labels: ["smithers:paused"], pull: { draft: true, requested: [] } });
  const calls = () => [...world.reviews, ...world.comments].filter(({ body }) => body.includes("@alice"));
  const called = calls();
  expect(called.map(({ body }) => body)).toEqual([expect.stringContaining("@alice: the loop waits for a person.")]);

  world.now = () => new Date(Date.now() + 2_000);
  const comment = addComment(world, pull?.number ?? 0, "alice", "/smithers cancel");
  pull?.labels.push("smithers:cancel");
  await using machine = await ci.machine();
  await machine.run({ event: commentEvent(world, comment) });
  expect(comment.reactions.map(({ content }) => content)).toEqual(["eyes", "rocket"]);
  const [dispatch] = world.dispatches;
  if (dispatch === undefined) throw new Error("nothing was dispatched");
  const canceled = await work(ci, LOOP, inputs, dispatchedJob(ci.api, dispatch));
  expect(canceled).toMatchObject({ conclusion: "success", outputs: { status: "canceled", resumable: "false" } });
  expect(canceled.log).not.toContain("Iteration 2 of");

  expect(await stateOf(ci, LOOP)).toMatchObject({
    status: "canceled",
    stop_reason: { kind: "canceled", by: "alice on GitHub" },
    iteration: 1,
    github: { head: stopped, authorised_by: "alice", obeyed: `comment:${comment.id}` },
  });
  expect(await tipOf(ci, BRANCH)).toBe(stopped);
  expect(pull).toMatchObject({ state: "open", labels: [], pull: { draft: true, requested: [] } });
  // Who has cancelled it knows.
  expect(calls()).toEqual(called);
  expect(pull?.body).toContain("`canceled`");
  const statuses = world.statuses.filter(({ sha }) => sha === stopped);
  expect(statuses.at(-1)).toMatchObject({ context: "smithers/loop", state: "failure" });
  expect(statuses.at(-1)?.description).toContain("ancel");
  const ours = world.comments.filter(({ author, id }) => author === OURS && id !== comment.id);
  expect(ours).toHaveLength(1);
  expect(ours[0]?.body).toContain("`canceled`");
  for (const text of [pull?.body, ours[0]?.body]) expect(text).not.toContain("/smithers continue");

  const again = await work(ci, LOOP, inputs, dispatchedJob(ci.api, dispatch));
  expect(again.conclusion).toBe("failure");
  expect(told(again)).toContain(`has done already what comment:${comment.id} asks for`);
  expect(await stateOf(ci, LOOP)).toMatchObject({ status: "canceled", iteration: 1 });
  expect(ci.api.problems).toEqual([]);
});
