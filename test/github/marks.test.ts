import { expect, test } from "vitest";
import { setCommitStatus } from "../../src/github/commit-status.ts";
import { addLabels, claimLabel, removeLabel } from "../../src/github/labels.ts";
import { react } from "../../src/github/reactions.ts";
import { aComment } from "../support/github-api/server.ts";
import { HEAD, ownPull, stage } from "./stage.ts";

const URL = "https://github.com/octo/demo/actions/runs/1";

test.concurrent("a commit's status stands under smithers/loop", async () => {
  await using at = await stage();
  const said = { context: "smithers/loop", description: "Paused at a HARD STOP.", targetUrl: URL };
  const status = { sha: HEAD, state: "failure", ...said } as const;
  expect(await setCommitStatus(at.access(), status)).toEqual({ done: true });
  expect(at.api.world.statuses).toMatchObject([
    { sha: HEAD, state: "failure", context: "smithers/loop", description: "Paused at a HARD STOP.", targetUrl: URL },
  ]);
});

test.concurrent.for([
  { name: "as long as it may be", given: "x".repeat(140), shown: "x".repeat(140) },
  { name: "too long", given: "x".repeat(141), shown: `${"x".repeat(139)}…` },
  { name: "too long in the middle of a character", given: `${"x".repeat(138)}😀😀`, shown: `${"x".repeat(138)}…` },
])("a description that is $name is taken", async ({ given, shown }) => {
  await using at = await stage();
  const status = { sha: HEAD, state: "success", context: "ci", description: given, targetUrl: URL } as const;
  expect(await setCommitStatus(at.access(), status)).toEqual({ done: true });
  expect(at.api.world.statuses).toMatchObject([{ context: "ci", description: shown }]);
});

test.concurrent("labels come and go, however often they are asked to", async () => {
  await using at = await stage();
  const pull = ownPull();
  at.api.world.issues.push(pull);
  expect(await addLabels(at.access(), 7, ["smithers:paused", "other"])).toEqual({ done: true });
  expect(await addLabels(at.access(), 7, ["smithers:paused"])).toEqual({ done: true });
  expect(pull.labels).toEqual(["smithers:paused", "other"]);
  expect(await removeLabel(at.access(), 7, "smithers:paused")).toEqual({ done: true });
  expect(await removeLabel(at.access(), 7, "smithers:paused")).toEqual({ done: true });
  expect(pull.labels).toEqual(["other"]);
});

test.concurrent("a label is claimed by who finds it, and asked for once", async () => {
  await using at = await stage();
  at.api.world.issues.push(ownPull({ labels: ["smithers:continue"] }));
  at.api.fail("issues/remove-label", { status: 502 });
  expect(await claimLabel(at.patientAccess(), 7, "smithers:continue")).toMatchObject({ answered: false });
  for (const there of [true, false])
    expect(await claimLabel(at.access(), 7, "smithers:continue")).toEqual({ answered: true, value: { there } });
});

test.concurrent("no label costs no request", async () => {
  await using at = await stage();
  expect(await addLabels(at.access(), 7, [])).toEqual({ done: true });
  expect(at.asked()).toEqual([]);
});

test.concurrent("a label on a pull request that is gone is refused, one off it is no matter", async () => {
  await using at = await stage();
  expect(await addLabels(at.access(), 8, ["x"])).toMatchObject({ done: false, because: "refused" });
  expect(await removeLabel(at.access(), 8, "x")).toEqual({ done: true });
});

test.concurrent("a comment is reacted to once, and a comment that is gone harms nothing", async () => {
  await using at = await stage();
  at.api.world.issues.push(ownPull());
  const comment = aComment({ id: 31, issue: 7, body: "/smithers continue" });
  at.api.world.comments.push(comment);
  for (const [reaction, first] of [
    ["eyes", true],
    ["eyes", false],
    ["rocket", true],
    ["confused", true],
  ] as const)
    expect(await react(at.access(), 31, reaction)).toEqual({ answered: true, value: { first } });
  expect(comment.reactions.map(({ content }) => content)).toEqual(["eyes", "rocket", "confused"]);
  expect(await react(at.access(), 32, "eyes")).toMatchObject({ answered: false, because: "refused" });
});

test.concurrent("a commit that GitHub does not know yet gets its status a moment later", async () => {
  await using at = await stage();
  at.api.fail("repos/create-commit-status", { status: 422, body: { message: `No commit found for SHA: ${HEAD}` } });
  const status = { sha: HEAD, state: "success", context: "ci", description: "Green.", targetUrl: URL } as const;
  expect(await setCommitStatus(at.access(), status)).toEqual({ done: true });
  expect(at.api.world.statuses).toHaveLength(1);
});
