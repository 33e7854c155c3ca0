import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { gitHttp } from "../support/git-http.ts";
import { SecretValues } from "../../src/os/secrets.ts";
import { forgeHead, forgeObject } from "../support/forge-object.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { BRANCH, type Machine, machine, remoteWith, SOON } from "./branch-support.ts";

const HOOKS = [
  ...["pre-commit", "post-commit", "post-checkout", "post-index-change", "reference-transaction", "pre-push"],
  ...["post-merge", "pre-auto-gc", "push-to-checkout", "update"],
];

/** Plants every program that a repository can make git run; each leaves a file in `traces` when it does. */
async function plant(job: Machine, traces: string, elsewhere: string): Promise<void> {
  const trace = (name: string) => `touch ${path.join(traces, name)}; cat`;
  const hooks = path.join(job.top, ".git/hooks");
  await mkdir(hooks, { recursive: true });
  for (const hook of HOOKS) {
    await writeFile(path.join(hooks, hook), `#!/bin/sh\ntouch ${path.join(traces, hook)}\n`);
    await chmod(path.join(hooks, hook), 0o755);
  }
  await writeFile(path.join(job.top, ".git/info/attributes"), "*.txt filter=evil diff=evil merge=evil\n");
  const settings = {
    "filter.evil.clean": trace("clean"),
    "filter.evil.smudge": trace("smudge"),
    "filter.evil.process": trace("process"),
    "filter.evil.required": "true",
    "diff.evil.textconv": trace("textconv"),
    "diff.external": trace("external-diff"),
    "core.sshCommand": trace("ssh"),
    "core.askPass": trace("askpass"),
    "core.fsmonitor": trace("fsmonitor"),
    "core.alternateRefsCommand": trace("alternates"),
    "core.worktree": traces,
    "credential.helper": `!${trace("credential")}`,
    "alias.fetch": `!${trace("alias")}`,
    "uploadpack.packObjectsHook": trace("pack-objects"),
    "remote.origin.uploadpack": trace("upload-pack"),
    "gpg.program": trace("gpg"),
    "push.gpgSign": "true",
    "protocol.ext.allow": "always",
    "http.proxy": elsewhere,
    "http.followRedirects": "true",
    [`url.${elsewhere}/o/r.insteadOf`]: "http://127.0.0.1",
    [`url.${elsewhere}/o/r.pushInsteadOf`]: "http://",
  };
  for (const [key, value] of Object.entries(settings)) await job.git("config", key, value);
}

test("nothing planted runs, and the token is sent to the one server only [T12]", async () => {
  await using remote = await remoteWith({ "a.txt": "1\n" });
  await using other = await gitHttp();
  await using job = await machine(remote);
  await using traces = await tempFolder();
  const elsewhere = new URL(other.url).origin;
  const head = await job.git("rev-parse", "HEAD");
  const tip = await remote.push(BRANCH, { "a.txt": "2\n", "b.txt": "1\n" });
  await plant(job, traces.path, elsewhere);
  const own = path.join(job.path, "loops/a-loop.branch");
  for (const name of ["git", "remote.git"]) {
    await mkdir(path.join(own, name), { recursive: true });
    await writeFile(path.join(own, name, "config"), `[core]\n\tfsmonitor = "touch ${traces.path}/own"\n`);
    await writeFile(path.join(own, name, "commondir"), path.join(job.top, ".git"));
  }
  const branch = await job.branch();
  expect(await branch.dryRun(["refs/smithers-loops/a-loop"], SOON)).toEqual({ ok: true });
  expect(await branch.tip(SOON)).toEqual({ tip: "found", commit: tip });
  expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved", tip } });
  expect(await branch.changedPaths(head, tip, SOON)).toMatchObject({ ok: true });
  expect(await branch.push(tip, tip, SOON)).toEqual({ ok: true });
  await remote.http.git("update-ref", "-d", `refs/heads/${BRANCH}`);
  expect(await branch.checkOut(SOON)).toMatchObject({ ok: true });
  expect(await branch.push(tip, null, SOON)).toEqual({ ok: true });
  expect(await readdir(traces.path)).toEqual([]);
  expect(other.requests).toEqual([]);
});

test("the token is not sent on to where the server points [T12]", async () => {
  await using remote = await remoteWith();
  await using other = await gitHttp();
  await using job = await machine(remote);
  const origin = new URL(other.url).origin;
  remote.http.fault = ({ url }) => ({ status: 302, text: "", headers: { Location: `${origin}${url}` } });
  const branch = await job.branch();
  expect(await branch.tip(SOON)).toMatchObject({ tip: "unreachable" });
  expect(await branch.checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
  expect(other.requests).toEqual([]);
});

test("history that is only pretended does not make a push a step forward [T12]", async () => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const theirs = await remote.push(BRANCH, { "theirs.md": "x\n" });
  const branch = await job.branch();
  await branch.checkOut(SOON);
  await job.git("checkout", "-q", "-B", BRANCH, "main");
  const mine = await job.commit("mine.md", "x\n");
  const main = await job.git("rev-parse", "main");
  await writeFile(path.join(job.top, ".git/info/grafts"), `${mine} ${theirs}\n`);
  await job.git("commit-graph", "write", "--reachable");
  await job.git("replace", main, theirs, "-f").catch(() => undefined);
  expect(await branch.push(mine, theirs, SOON)).toMatchObject({ trouble: { kind: "not_fast_forward" } });
  expect(await remote.http.git("rev-parse", `refs/heads/${BRANCH}`)).toBe(theirs);
});

test("a forged tree hides no file from the last look before a push [T17]", async () => {
  const ci = ".github/workflows/ci.yml";
  await using remote = await remoteWith({ [ci]: "on: push\n" });
  await using job = await machine(remote);
  const base = await job.git("rev-parse", "HEAD");
  const branch = await job.branch();
  await job.write(ci, "evil\n");
  await forgeHead(job.top, ci);
  // By plumbing: git finds the file unchanged.
  const tree = await job.git("rev-parse", "HEAD^{tree}");
  await job.git("add", "-A");
  await job.git("read-tree", "--empty");
  await job.git("add", "-A");
  const commit = await job.git("commit-tree", "-p", base, "-m", "mine", await job.git("write-tree"));
  expect(await job.git("rev-parse", `${commit}^{tree}`)).not.toBe(tree);
  expect(await job.git("diff-tree", "-r", "--name-only", base, commit)).not.toContain("ci.yml");
  const changed = await branch.changedPaths(base, commit, SOON);
  expect(changed).toMatchObject({ ok: false, trouble: { because: expect.stringContaining("does not hold") } });
});

test("a file whose content is forged away hides no secret from a push [T17]", async () => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const base = await job.git("rev-parse", "HEAD");
  const branch = await job.branch();
  const commit = await job.commit("note.txt", "the canary-of-this-job\n");
  const added = { commit, known: [base], others: async () => [] };
  const secrets = new SecretValues(["canary-of-this-job"]);
  expect(await branch.placesAdding(added, secrets, SOON)).toMatchObject({ ok: true, value: ["line 1 of note.txt"] });
  await forgeObject(job.top, await job.git("rev-parse", `${commit}:note.txt`), "blob", "harmless\n");
  expect(await branch.placesAdding(added, secrets, SOON)).toMatchObject({ ok: false });
});

test("no header of a commit, and no text in UTF-16, brings a secret to a push [T16]", async () => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const base = await job.git("rev-parse", "HEAD");
  const branch = await job.branch();
  const secrets = new SecretValues(["canary-of-this-job"]);
  const placesIn = async (commit: string) =>
    branch.placesAdding({ commit, known: [base], others: async () => [] }, secrets, SOON);
  const plain = await job.git("cat-file", "commit", await job.commit("note.txt", "harmless\n"));
  for (const header of [
    "encoding canary-of-this-job",
    "gpgsig a\n \n canary-of-this-job",
    "mergetag x\n canary-of-this-job",
  ]) {
    await job.write(".git/raw", plain.replace("\n\n", `\n${header}\n\n`));
    const commit = await job.git("hash-object", "-t", "commit", "-w", "--literally", ".git/raw");
    expect(await placesIn(commit)).toMatchObject({ ok: true, value: ["a commit's header"] });
  }
  const wide = Buffer.from("\uFEFFsaid\ncanary-of-this-job", "utf16le");
  for (const bytes of [Buffer.concat([wide, Buffer.from("\n\0")]), wide.swap16()]) {
    await writeFile(path.join(job.top, "wide.txt"), bytes);
    expect(await placesIn(await job.commit("note.txt", "again\n"))).toMatchObject({ value: ["line 2 of wide.txt"] });
    await job.git("reset", "-q", "--hard", base);
  }
});

test("a commit that is grafted away hides no secret from a push [T17]", async () => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const base = await job.git("rev-parse", "HEAD");
  await job.commit("note.txt", "the canary-of-this-job\n");
  const last = await job.commit("note.txt", "harmless\n");
  await writeFile(path.join(job.top, ".git/shallow"), `${last}\n`);
  const branch = await job.branch();
  const added = { commit: last, known: [base], others: async () => [] };
  const found = await branch.placesAdding(added, new SecretValues(["canary-of-this-job"]), SOON);
  expect(found).toMatchObject({ ok: true, value: ["line 1 of note.txt"] });
});
