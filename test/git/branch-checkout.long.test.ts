import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createGitWorkspace } from "../../src/git/workspace.ts";
import { BRANCH, filesOf, machine, remoteWith, SOON } from "./branch-support.ts";

const REF = `refs/heads/${BRANCH}`;

describe("checking out a branch that the remote has", () => {
  it("HEAD, index and files become its tip, with other people's commits on it [C13]", async () => {
    await using remote = await remoteWith({
      "README.md": "hello\n",
      "gone.md": "x\n",
      "dir/file": "x\n",
      run: "#!/bin/sh\n",
    });
    await using job = await machine(remote);
    await remote.push(BRANCH, { "README.md": "changed\n", "gone.md": null });
    const tip = await remote.push(BRANCH, { "new/file.md": "new\n", dir: null, "dir.md": "x\n" });
    await job.write("untracked.md", "mine\n");
    const branch = await job.branch();
    expect(await branch.checkOut(SOON)).toEqual({
      ok: true,
      value: { how: "moved", tip, head: tip, empty: null, notices: [] },
    });
    await rm(path.join(job.top, "untracked.md"));
    await job.expectAt(tip);
    expect(await filesOf(job.top)).toEqual(await filesOf(remote.person.path));
    expect(await branch.checkOut(SOON)).toEqual({
      ok: true,
      value: { how: "there", tip, head: tip, empty: null, notices: [] },
    });
    expect(await job.git("log", "--format=%s", "-2")).toBe("work\nwork");
    expect(await job.git("fsck", "--no-dangling")).toBe("");
  });

  it("a server that was out of reach for a moment is asked again [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const tip = await remote.push(BRANCH, { "new.md": "new\n" });
    const faults = ["drop", { status: 503, text: "Service unavailable" }] as const;
    const rest = faults.values();
    remote.http.fault = () => rest.next().value;
    const branch = await job.branch();
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved", tip } });
  });

  it("the next run begins with what somebody pushed meanwhile, and its push goes forward [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    await branch.checkOut(SOON);
    const first = await job.commit("new.md", "1\n");
    await branch.push(first, null, SOON);
    await remote.person.git("fetch", "-q", remote.http.folder, REF);
    const tip = await remote.push(BRANCH, { "theirs.md": "x\n" }, "FETCH_HEAD");
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved", tip, head: tip } });
    const second = await job.commit("new.md", "2\n");
    expect(await branch.push(second, tip, SOON)).toEqual({ ok: true });
  });

  it("commits of ours that were not pushed yet stay [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    await branch.checkOut(SOON);
    const tip = await job.commit("new.md", "1\n");
    await branch.push(tip, null, SOON);
    const head = await job.commit("new.md", "2\n");
    expect(await branch.checkOut(SOON)).toEqual({
      ok: true,
      value: { how: "there", tip, head, empty: null, notices: [] },
    });
    await job.expectAt(head);
    // The same on a branch of that name that is not checked out: it would be lost sight of.
    await job.git("checkout", "-q", "main");
    const answer = await branch.checkOut(SOON);
    expect(answer).toMatchObject({
      ok: false,
      trouble: { kind: "diverged", because: expect.stringContaining("Nothing was") },
    });
    expect(await job.git("rev-parse", REF)).toBe(head);
  });

  it("a local branch that went another way is left alone [T6]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await job.git("checkout", "-q", "-b", BRANCH);
    const head = await job.commit("mine.md", "1\n");
    await remote.push(BRANCH, { "theirs.md": "x\n" });
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "diverged" } });
    await job.expectAt(head);
  });

  it.each([
    ["shallow", ["--depth=1"], "1"],
    ["shallow with some history", ["--depth=2"], "4"],
    ["without files", ["--filter=blob:none"], "5"],
    ["without folders", ["--filter=tree:0"], "5"],
    ["detached", ["--no-checkout"], "5"],
  ])("into a clone that is %s [C13]", async (what, clone, history) => {
    await using remote = await remoteWith({ "README.md": "hello\n", "docs/long.md": "long\n".repeat(500) });
    await using job = await machine(remote, clone);
    if (what === "detached") await job.git("checkout", "-q", "--detach");
    await remote.push(BRANCH, { "docs/long.md": `${"long\n".repeat(500)}more\n` });
    const tip = await remote.push(BRANCH, { "README.md": "changed\n", "docs/a.md": "a\n" });
    const branch = await job.branch();
    expect(await branch.checkOut(SOON)).toEqual({
      ok: true,
      value: { how: "moved", tip, head: tip, empty: null, notices: [] },
    });
    await job.expectAt(tip);
    expect(await filesOf(job.top)).toEqual(await filesOf(remote.person.path));
    expect(await job.git("rev-list", "--count", "HEAD")).toBe(history);
    await job.git("fsck", "--connectivity-only", "--no-dangling");
    expect(await job.git("show", "--name-only", "--format=%H", tip)).toContain(tip);
    const head = await job.commit("new.md", "1\n");
    expect(await branch.push(head, tip, SOON)).toEqual({ ok: true });
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "there", head } });
  });

  it("work that is not committed yet stays where the tip is checked out already [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const tip = await remote.push(BRANCH, { "README.md": "2\n" });
    const branch = await job.branch();
    await branch.checkOut(SOON);
    await job.git("checkout", "-q", "--detach");
    await job.git("branch", "-q", "-D", BRANCH);
    await job.write("README.md", "mine\n");
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved", head: tip } });
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "there", head: tip } });
    expect(await job.git("status", "--porcelain", "--branch")).toBe(`## ${BRANCH}\n M README.md`);
  });

  it("history that a shallow checkout has is not cut off [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote, ["--depth=2"]);
    const shallow = await readFile(path.join(job.top, ".git/shallow"), "utf8");
    const tip = await remote.push(BRANCH, { "a.md": "1\n" });
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: true, value: { tip } });
    expect(await job.git("rev-list", "--count", "HEAD")).toBe("3");
    expect(await readFile(path.join(job.top, ".git/shallow"), "utf8")).toBe(shallow);
  });

  it("the whole repository is checked out where the loop works in a folder below its top [W-19]", async () => {
    await using remote = await remoteWith({ "README.md": "hello\n", "packages/a/x": "1\n" });
    await using job = await machine(remote, [], "packages/a");
    const tip = await remote.push(BRANCH, { "README.md": "changed\n", "packages/a/x": "2\n" });
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved" } });
    await job.expectAt(tip);
    await job.git("checkout", "-q", "main");
    await job.git("branch", "-q", "-D", BRANCH);
    await job.write("README.md", "mine\n");
    // Above the loop's folder, and yet in the way.
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "dirty" } });
  });

  it("into a linked work tree; not where another one has the branch [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const tip = await remote.push(BRANCH, { "a.md": "1\n" });
    await job.git("worktree", "add", "-q", "--detach", "linked");
    await using linked = { ...job, top: path.join(job.top, "linked"), [Symbol.asyncDispose]: async () => {} };
    const { findRepository } = await import("../../src/git/repository.ts");
    const repository = await findRepository(linked.top);
    if (repository === undefined) throw new Error("there is a repository");
    const there = await job.branch({ repository, folder: path.join(job.path, "linked.branch") });
    expect(await there.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved" } });
    expect(await job.git("-C", "linked", "rev-parse", "HEAD")).toBe(tip);
    expect(await job.git("-C", "linked", "status", "--porcelain")).toBe("");
    const why = expect.stringContaining("another work tree (linked) has it checked out");
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({
      ok: false,
      trouble: { kind: "taken", because: why },
    });
  });

  it("a sparse checkout stays sparse [C13]", async () => {
    await using remote = await remoteWith({ "a/x": "1\n", "b/x": "1\n" });
    await using job = await machine(remote);
    await job.git("sparse-checkout", "set", "a");
    const tip = await remote.push(BRANCH, { "a/x": "2\n", "b/x": "2\n", "b/y": "1\n" });
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved" } });
    await job.expectAt(tip);
    expect(Object.keys(await filesOf(job.top)).filter((name) => name !== "README.md")).toEqual(["a/x"]);
  });

  it("a run that was killed between the files and HEAD is completed [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const tip = await remote.push(BRANCH, { "README.md": "2\n", "new.md": "1\n" });
    const branch = await job.branch();
    await branch.checkOut(SOON);
    await job.git("symbolic-ref", "HEAD", "refs/heads/main");
    await job.git("update-ref", "-d", REF);
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved", head: tip } });
    await job.expectAt(tip);
  });

  it("the engine commits and pushes on it [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const tip = await remote.push(BRANCH, { "README.md": "2\n" });
    const workspace = await createGitWorkspace({ root: job.top, folder: path.join(job.path, "loop"), excluded: [] });
    await workspace.snapshot();
    const branch = await job.branch();
    await branch.checkOut(SOON);
    expect(await workspace.dirtyFiles()).toEqual([]);
    await job.write("README.md", "3\n");
    const done = await workspace.commit({ message: "work", loopId: "a-loop", iteration: 1 });
    expect(await branch.push(done?.commit ?? "", tip, SOON)).toEqual({ ok: true });
    expect(await remote.http.git("show", `${REF}:README.md`)).toBe("3");
  });
});

describe("a branch that the remote does not have", () => {
  it("begins at what is checked out, and no file is touched [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await job.write("README.md", "mine\n");
    const head = await job.git("rev-parse", "HEAD");
    const branch = await job.branch();
    expect(await branch.checkOut(SOON)).toEqual({
      ok: true,
      value: { how: "begun", tip: null, head, empty: null, notices: [] },
    });
    expect(await branch.checkOut(SOON)).toEqual({
      ok: true,
      value: { how: "there", tip: null, head, empty: null, notices: [] },
    });
    expect(await job.git("status", "--porcelain", "--branch")).toBe(`## ${BRANCH}\n M README.md`);
  });

  it("before the first commit [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await job.git("checkout", "-q", "--orphan", "empty");
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({
      ok: true,
      value: { how: "begun", tip: null, head: null },
    });
    expect(await job.git("symbolic-ref", "HEAD")).toBe(REF);
  });

  it("a local branch with commits that are nowhere else is left alone [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await job.git("checkout", "-q", "-b", BRANCH);
    const lost = await job.commit("mine.md", "x\n");
    await job.git("checkout", "-q", "main");
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "diverged" } });
    expect(await job.git("rev-parse", REF)).toBe(lost);
  });

  it("a local branch that what is checked out holds goes along [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await job.git("branch", BRANCH, "HEAD^");
    const head = await job.git("rev-parse", "HEAD");
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: true, value: { how: "begun", head } });
    await job.expectAt(head);
  });

  it("a name that another branch makes impossible [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await job.git("branch", "smithers");
    const branch = await job.branch();
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "failed" } });
    await remote.push(BRANCH, { "README.md": "2\n" });
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "failed" } });
    await job.expectAt(await job.git("rev-parse", "main"), "main");
  });
});

describe("files behind a filter", () => {
  const pointer = (content: string) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash("sha256").update(content).digest("hex")}\nsize ${content.length}\n`;

  it("unchanged ones stay; others are what git stores, which is told [C13]", async () => {
    await using remote = await remoteWith({
      ".gitattributes": "*.bin filter=lfs\n",
      "same.bin": pointer("same"),
      "other.bin": pointer("old"),
    });
    await using job = await machine(remote);
    // As LFS has it, and git thinks that it has to read the file again.
    await job.write("same.bin", "same");
    const tip = await remote.push(BRANCH, { "other.bin": pointer("new") });
    const notice = expect.stringContaining("other.bin belongs to a git filter");
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: true, value: { tip, notices: [notice] } });
    expect(await filesOf(job.top)).toMatchObject({ "same.bin": "same", "other.bin": pointer("new") });
    await job.write("same.bin", "changed");
    await job.git("checkout", "-q", "--detach");
    await remote.push(BRANCH, { x: "1\n" });
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "dirty" } });
  });

  it("line ends are those of the person's configuration [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await job.git("config", "core.autocrlf", "true");
    const tip = await remote.push(BRANCH, { "new.md": "1\n2\n" });
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: true });
    expect(await filesOf(job.top)).toMatchObject({ "new.md": "1\r\n2\r\n" });
    await job.expectAt(tip);
  });
});
