import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { advance, machine, REF, remoteWith, SOON } from "../../carry/git-machines.ts";
import { FILES, work } from "./some-work.ts";

test.each([[{}], [{ clone: ["--depth=1"] }]])(
  "a branch that went on is merged with the work %j [C13]",
  async (options) => {
    await using remote = await remoteWith(FILES);
    await using one = await machine(remote, options);
    await work(one);
    await one.ref().write(one.record(), await one.tree(), SOON);
    await advance(remote, async ({ write }) => {
      await write("README.md", FILES["README.md"].replace("eight", "EIGHT"));
      await write("theirs.txt", "theirs\n");
    });
    await using other = await machine(remote, options);
    expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
    const merged = FILES["README.md"].replace("eight", "EIGHT").replace("two", "TWO");
    expect(await readFile(path.join(other.top, "README.md"), "utf8")).toBe(merged);
    expect(await readFile(path.join(other.top, "theirs.txt"), "utf8")).toBe("theirs\n");
    const expected = { ...(await one.files()), ...(await other.files()) };
    expect(Object.keys(await other.files()).toSorted()).toEqual(Object.keys(expected).toSorted());
    expect(await other.git("diff", "--cached", "--name-only")).toBe("");
  },
);

test("a branch that changed the same lines: the workspace is left alone, and where the work is is told [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await work(one);
  await one.ref().write(one.record(), await one.tree(), SOON);
  await advance(remote, ({ write }) => write("README.md", FILES["README.md"].replace("two", "zwei")));
  await using other = await machine(remote);
  const ref = other.ref();
  const restored = await ref.restoreTree(SOON);
  expect(restored).toMatchObject({ restored: "conflict", why: expect.stringContaining("README.md") });
  expect(await other.git("status", "--porcelain")).toBe("");
  const [, command = ""] =
    /`git fetch origin \S+ && git (diff [^`]+)`/u.exec("why" in restored ? restored.why : "") ?? [];
  expect(await ref.write(other.record(2), await other.tree(), SOON)).toMatchObject({ ok: true });
  await other.git("fetch", "-q", remote.folder, REF);
  expect(await other.git(...command.split(" "))).toContain("+TWO");
});

test.each([
  ["a file of the work was changed here", "README.md"],
  ["a new file of the work is in the way", "binary.bin"],
])("%s: the workspace is left alone [C13]", async (_name, name) => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await using other = await machine(remote);
  await work(one);
  await one.ref().write(one.record(), await one.tree(), SOON);
  await other.write(name, "somebody's own\n");
  const files = await other.files();
  const restored = await other.ref().restoreTree(SOON);
  expect(restored).toMatchObject({ restored: "conflict", why: expect.stringContaining(name) });
  expect(await other.files()).toEqual(files);
});

test("files that the work does not touch may be anything [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await using other = await machine(remote);
  await one.write("README.md", "changed\n");
  await one.ref().write(one.record(), await one.tree(), SOON);
  await other.write("tool.sh", "built\n");
  await other.write("build/out.o", "built\n");
  expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await readFile(path.join(other.top, "tool.sh"), "utf8")).toBe("built\n");
});

test("nothing is written through a link that leads out of the workspace [T12]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await using other = await machine(remote);
  await one.write("out/file.txt", "from the ref\n");
  await one.ref().write(one.record(), await one.tree(), SOON);
  const outside = path.join(other.path, "outside");
  await mkdir(outside);
  await symlink(outside, path.join(other.top, "out"));
  const restored = await other.ref().restoreTree(SOON);
  expect(restored).toMatchObject({ restored: "conflict", why: expect.stringContaining("out is a symbolic link") });
  await expect(readFile(path.join(outside, "file.txt"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("a tree with git's own folder in it is not brought [T12]", async () => {
  await using remote = await remoteWith(FILES);
  await using other = await machine(remote);
  const ref = other.ref();
  await ref.write(other.record(), await other.tree(), SOON);
  const blob = await remote.git("rev-parse", "main:README.md");
  await using author = await machine(remote);
  await writeFile(path.join(author.path, "entries"), `100755 blob ${blob}\tpost-checkout\n`);
  const tree = async (entries: string) => {
    await writeFile(path.join(remote.folder, "entries"), entries);
    return remote.git("-c", "alias.m=!git mktree < entries", "m");
  };
  const hooks = await tree(`100755 blob ${blob}\tpost-checkout\n`);
  const evil = await tree(`040000 tree ${await tree(`040000 tree ${hooks}\thooks\n`)}\t.git\n`);
  const record = await remote.git("rev-parse", `${REF}:record.json`);
  const top = await tree(`100644 blob ${record}\trecord.json\n040000 tree ${evil}\ttree\n`);
  const env = ["-c", "user.name=E", "-c", "user.email=e@example.invalid"];
  const commit = await remote.git(...env, "commit-tree", top, "-p", "main", "-m", "evil");
  await remote.git("update-ref", REF, commit);
  expect(await other.ref().restoreTree(SOON)).toMatchObject({ restored: "failed" });
  expect(await other.git("status", "--porcelain")).toBe("");
  await expect(readFile(path.join(other.top, ".git/hooks/post-checkout"))).rejects.toMatchObject({ code: "ENOENT" });
});
