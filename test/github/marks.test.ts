import { expect, test } from "vitest";
import { setCommitStatus } from "../../src/github/statuses.ts";
import { addLabels, claimLabel, removeLabel } from "../../src/github/labels.ts";
import { react } from "../../src/github/comments.ts";
import { aComment } from "../support/github-api/server.ts";
import { HEAD, ownPull, stage } from "./stage.ts";

const URL = "https://github.com/octo/demo/actions/runs/1";

test.concurrent("a commit's status is under smithers/loop", async () => {
  await using at = await stage();
  const said = { context: "smithers/loop", description: "Paused at a HARD STOP.", targetUrl: URL };
  const status = { sha: HEAD, state: "failure", ...said } as const;
  expect(await setCommitStatus(at.github(), status)).toMatchObject({ ok: true });
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
  expect(await setCommitStatus(at.github(), status)).toMatchObject({ ok: true });
  expect(at.api.world.statuses).toMatchObject([{ context: "ci", description: shown }]);
});

test.concurrent("labels come and go, however often they are asked to", async () => {
  await using at = await stage();
  const pull = ownPull();
  at.api.world.issues.push(pull);
  expect(await addLabels(at.github(), 7, ["smithers:paused", "other"])).toMatchObject({ ok: true });
  expect(await addLabels(at.github(), 7, ["smithers:paused"])).toMatchObject({ ok: true });
  expect(pull.labels).toEqual(["smithers:paused", "other"]);
  expect(await removeLabel(at.github(), 7, "smithers:paused")).toMatchObject({ ok: true });
  expect(await removeLabel(at.github(), 7, "smithers:paused")).toMatchObject({ ok: true });
  expect(pull.labels).toEqual(["other"]);
});

test.concurrent("a label is claimed by who finds it, and asked for once", async () => {
  await using at = await stage();
  at.api.world.issues.push(ownPull({ labels: ["smithers:continue"] }));
  at.api.fail("issues/remove-label", { status: 502 });
  expect(await claimLabel(at.patient(), 7, "smithers:continue", "pull-requests")).toMatchObject({ ok: false });
  for (const there of [true, false])
    expect(await claimLabel(at.github(), 7, "smithers:continue", "pull-requests")).toEqual({
      ok: true,
      value: { there },
    });
});

test.concurrent("no label costs no request", async () => {
  await using at = await stage();
  expect(await addLabels(at.github(), 7, [])).toMatchObject({ ok: true });
  expect(at.asked()).toEqual([]);
});

test.concurrent("a label on a pull request that is gone is refused, one that it does not have does not matter", async () => {
  await using at = await stage();
  expect(await addLabels(at.github(), 8, ["x"])).toMatchObject({ ok: false, trouble: { kind: "absent" } });
  expect(await removeLabel(at.github(), 8, "x")).toMatchObject({ ok: true });
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
    expect(await react(at.github(), 31, reaction)).toEqual({ ok: true, value: { first } });
  expect(comment.reactions.map(({ content }) => content)).toEqual(["eyes", "rocket", "confused"]);
  expect(await react(at.github(), 32, "eyes")).toMatchObject({ ok: false, trouble: { kind: "absent" } });
});

test.concurrent("a commit that GitHub does not know yet gets its status a moment later", async () => {
  await using at = await stage();
  at.api.fail("repos/create-commit-status", { status: 422, body: { message: `No commit found for SHA: ${HEAD}` } });
  const status = { sha: HEAD, state: "success", context: "ci", description: "Green.", targetUrl: URL } as const;
  expect(await setCommitStatus(at.github(), status)).toMatchObject({ ok: true });
  expect(at.api.world.statuses).toHaveLength(1);
});
