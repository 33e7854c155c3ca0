import { expect, test } from "vitest";
import type { WorkBranch } from "../../src/git/branch.ts";
import type { Fault, GitHttp } from "../support/git-http.ts";
import { BRANCH, machine, remoteWith, SOON } from "./branch-support.ts";

test.concurrent("a branch that is in the way of the name is told before a turn is paid for, and when pushing [C13]", async () => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const branch = await job.branch();
  const commit = await job.commit("new.md", "1\n");
  await remote.push(`${BRANCH}-other`, {});
  expect(await branch.dryRun([], SOON)).toEqual({ ok: true });
  for (const obstacle of ["smithers", `${BRANCH}/below`]) {
    await deleteAll(remote.http);
    await remote.push(obstacle, {});
    const next = "Rename or delete the branch that is in the way, or set `branch` to another name.";
    const because = expect.stringContaining(`refs/heads/${obstacle}`);
    const refused = { ok: false, trouble: { kind: "name_in_use", because, next } };
    expect(await branch.dryRun([], SOON)).toEqual(refused);
    expect(await answered(() => branch.push(commit, null, SOON))).toEqual(refused);
  }
});

/** No answer is none that says why: whoever pushes asks again, as the publisher does. */
async function answered(push: () => ReturnType<WorkBranch["push"]>): ReturnType<WorkBranch["push"]> {
  const first = await push();
  return first.ok || first.trouble.kind !== "unreachable" ? first : push();
}

async function deleteAll(remote: GitHttp): Promise<void> {
  const names = await remote.git("for-each-ref", "--format=%(refname)", "refs/heads/smithers");
  for (const name of names.split("\n").filter((line) => line !== "")) await remote.git("update-ref", "-d", name);
}

const ELSEWHERE = { location: "http://127.0.0.1:9/o/new/info/refs?service=git-receive-pack" };

test.concurrent.for<{ name: string; fault: Fault; kind: string; says: string; next: string }>([
  {
    name: "renamed",
    fault: { status: 301, text: "", headers: ELSEWHERE },
    kind: "moved_away",
    says: "the repository is at another address by now",
    next: "Let the workflow run again",
  },
  {
    name: "archived",
    fault: { status: 403, text: "This repository was archived so it is read-only." },
    kind: "archived",
    says: "the repository is archived",
    next: "Unarchive it.",
  },
])("the repository was $name while the loop ran [C13]", async ({ fault, kind, says, next }) => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const branch = await job.branch();
  const commit = await job.commit("new.md", "1\n");
  remote.http.fault = ({ url }) => (url.includes("receive-pack") ? fault : undefined);
  const trouble = { kind, because: expect.stringContaining(says), next: expect.stringContaining(next) };
  expect(await branch.push(commit, null, SOON)).toEqual({ ok: false, trouble });
  expect(await branch.dryRun([], SOON)).toEqual({ ok: false, trouble });
});

test.concurrent.for<{ name: string; fault: Fault; says: string }>([
  { name: "429", fault: { status: 429, text: "slow down", headers: { "retry-after": "60" } }, says: "slow down" },
  { name: "503", fault: { status: 503, text: "GitHub is down" }, says: "GitHub is down" },
  { name: "a cut connection", fault: "drop", says: "Empty reply from server" },
])("$name may be over soon: it is not a refusal [C13]", async ({ fault, says }) => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const commit = await job.commit("new.md", "1\n");
  remote.http.fault = ({ url }) => (url.includes("receive-pack") ? fault : undefined);
  const pushed = await (await job.branch()).push(commit, null, SOON);
  expect(pushed).toEqual({ ok: false, trouble: { kind: "unreachable", because: expect.stringContaining(says) } });
});
