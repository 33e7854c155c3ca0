import { execFile } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { BRANCH, filesOf, machine, remoteWith, SOON } from "./branch-support.ts";

const run = promisify(execFile);
const REF = `refs/heads/${BRANCH}`;

describe("a checkout that cannot be moved", () => {
  it.each<[string, "dirty" | "in_the_way", string, Record<string, string>, Record<string, string>]>([
    ["a changed file", "dirty", "README.md has changes", { "README.md": "mine\n" }, { "README.md": "2\n" }],
    ["a changed file that the branch leaves alone", "dirty", "docs/a.md has", { "docs/a.md": "mine\n" }, { x: "1\n" }],
    ["an untracked file", "in_the_way", "new.md would be written over", { "new.md": "mine\n" }, { "new.md": "2\n" }],
    ["an ignored file", "in_the_way", "build/x would be", { "build/x": "mine\n" }, { "build/x": "2\n" }],
    ["an untracked file instead of a folder", "in_the_way", "new would be", { new: "mine\n" }, { "new/x": "2\n" }],
    ["an untracked folder instead of a file", "in_the_way", "new/x would be", { "new/x": "mine\n" }, { new: "2\n" }],
  ])("%s: nothing is changed [C13]", async (_what, kind, why, mine, theirs) => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await writeFile(path.join(job.top, ".git/info/exclude"), "build\n");
    await remote.push(BRANCH, theirs);
    for (const [name, content] of Object.entries(mine)) await job.write(name, content);
    const before = [await filesOf(job.top), await job.git("status"), await job.git("for-each-ref")];
    const answer = await (await job.branch()).checkOut(SOON);
    expect(answer).toEqual({ ok: false, trouble: { kind, because: expect.stringContaining(why) } });
    expect(answer).toHaveProperty("trouble.because", expect.stringContaining("Nothing was changed."));
    expect([await filesOf(job.top), await job.git("status"), await job.git("for-each-ref")]).toEqual(before);
  });

  it("a symbolic link is not followed out of the work tree [T12]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await remote.push(BRANCH, { "out/x": "2\n" });
    await mkdir(path.join(job.path, "outside"));
    await symlink(path.join(job.path, "outside"), path.join(job.top, "out"));
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "in_the_way" } });
    expect(await filesOf(path.join(job.path, "outside"))).toEqual({});
  });

  it("staged, deleted and conflicting files, and a merge in progress [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await remote.push(BRANCH, { "README.md": "2\n" });
    const branch = await job.branch();
    await job.write("staged.md", "x\n");
    await job.git("add", "staged.md");
    expect(await branch.checkOut(SOON)).toMatchObject({
      trouble: { kind: "dirty", because: expect.stringContaining("staged.md has") },
    });
    await job.git("rm", "-qf", "staged.md");
    await rm(path.join(job.top, "README.md"));
    expect(await branch.checkOut(SOON)).toMatchObject({
      trouble: { kind: "dirty", because: expect.stringContaining("README.md has") },
    });
    await job.git("checkout", "-q", "README.md");
    await job.git("checkout", "-q", "-b", "one");
    await job.commit("README.md", "one\n");
    await job.git("checkout", "-q", "-b", "two", "main");
    await job.commit("README.md", "two\n");
    await job.git("merge", "one").catch(() => undefined);
    const why = expect.stringContaining("a merge is in progress");
    expect(await branch.checkOut(SOON)).toMatchObject({ trouble: { kind: "busy", because: why } });
  });

  it("another git command at work [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    await remote.push(BRANCH, { "README.md": "2\n" });
    await writeFile(path.join(job.top, ".git/index.lock"), "");
    const why = expect.stringContaining("index.lock");
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({
      ok: false,
      trouble: { kind: "busy", because: why },
    });
  });

  it("a submodule that is here stays as it is [C13]", async () => {
    await using remote = await remoteWith();
    await using inner = await remoteWith();
    const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.person.path, "sub"];
    await remote.person.git(...add);
    await remote.push("main", {});
    await using job = await machine(remote);
    await remote.person.git("-C", "sub", "checkout", "-q", "HEAD^");
    await remote.push(BRANCH, {});
    const branch = await job.branch();
    const configured = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"];
    await job.git(...configured);
    const why = expect.stringContaining("sub would have to be at another commit");
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: false, trouble: { kind: "in_the_way", because: why } });
    await job.git("submodule", "--quiet", "deinit", "-f", "sub");
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "moved" } });
  });

  it("a tree with names that git never writes is refused [T12]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const { folder } = remote.http;
    const blob = await remote.http.git("hash-object", "-w", path.join(folder, "HEAD"));
    const tree = (text: string) => run("sh", ["-c", `printf '${text}' | git mktree`], { cwd: folder });
    const inner = (await tree(`100644 blob ${blob}\\tconfig\\n`)).stdout.trim();
    const outer = (await tree(`040000 tree ${inner}\\t.git\\n`)).stdout.trim();
    const by = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"];
    const commit = await remote.http.git(...by, "commit-tree", "-p", "main", "-m", "x", outer);
    await remote.http.git("update-ref", REF, commit);
    const config = await readFile(path.join(job.top, ".git/config"), "utf8");
    expect(await (await job.branch()).checkOut(SOON)).toMatchObject({ ok: false });
    expect(await readFile(path.join(job.top, ".git/config"), "utf8")).toBe(config);
    await job.expectAt(await job.git("rev-parse", "main"), "main");
  });
});
