import { execFile } from "node:child_process";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { committingEarly, createGitWorkspace } from "../../src/git/workspace.ts";
import { workspaceContract } from "../contract/workspace-contract.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { bytesOf, LOOPS, snapshotOf, workspaceOf } from "./support.ts";

const run = promisify(execFile);

workspaceContract("git workspace", async () => {
  const repository = await gitRepository();
  return { ...repository, workspace: await workspaceOf(repository.path), measured: true };
});

test("outside git there is no git workspace [W-25]", async () => {
  const root = path.parse(process.cwd()).root;
  await expect(createGitWorkspace({ root, folder: root, excluded: [] })).rejects.toHaveProperty(
    "code",
    "NOT_A_GIT_REPOSITORY",
  );
});

test("a snapshot leaves the person's repository as it is, byte for byte [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", "b.txt": "b\n" });
  await repository.write("b.txt", "stashed\n");
  await repository.git("stash");
  await repository.write("a.txt", "staged\n");
  await repository.git("add", "a.txt");
  await repository.write("a.txt", "and changed\n");
  await repository.write("new.txt", "new\n");
  const before = await bytesOf(path.join(repository.path, ".git"));
  const workspace = await workspaceOf(repository.path);
  const first = await snapshotOf(workspace);
  await repository.write("new.txt", "newer\n");
  await workspace.compare(first, await snapshotOf(workspace));
  await workspace.dirtyFiles();
  expect(await bytesOf(path.join(repository.path, ".git"))).toEqual(before);
});

test("a repository without a commit", async () => {
  await using folder = await tempFolder();
  await run("git", ["init", "-q", "-b", "main"], { cwd: folder.path });
  const workspace = await workspaceOf(folder.path);
  const empty = await snapshotOf(workspace);
  expect(empty.head).toBeNull();
  await writeFile(path.join(folder.path, "a.txt"), "a\n");
  const after = await snapshotOf(workspace);
  expect(await workspace.compare(empty, after)).toMatchObject({ files: 1, added: 1 });
  expect(await workspace.dirtyFiles()).toEqual(["a.txt"]);
});

test.for([
  { home: "is not there yet", make: async () => undefined, stays: false },
  {
    home: "has objects of a carrier",
    make: async (home) => mkdir(path.join(home, "objects/aa"), { recursive: true }),
    stays: true,
  },
  {
    home: "was used by another run, whose index is older",
    make: async (_home, root) => {
      await (await workspaceOf(root)).snapshot();
      await writeFile(path.join(root, "a.txt"), "newer\n");
    },
    stays: true,
  },
] satisfies { home: string; make: (home: string, root: string) => Promise<unknown>; stays: boolean }[])(
  "what was measured in a scratch folder serves a loop whose own folder $home",
  async ({ make, stays }) => {
    await using scratch = await tempFolder();
    await using repository = await gitRepository({ "a.txt": "a\n" });
    const home = path.join(repository.path, LOOPS, "loops/loop/git");
    await make(home, repository.path);
    await repository.git("commit", "-qam", "on", "--allow-empty");
    const before = await bytesOf(repository.path);
    const workspace = await workspaceOf(repository.path);
    expect(await workspace.dirtyFiles(scratch.path)).toEqual([]);
    expect(await bytesOf(repository.path)).toEqual(before);
    const snapshot = await snapshotOf(workspace);
    expect(snapshot).toEqual(await snapshotOf(await workspaceOf(repository.path, "fresh")));
    expect(await readdir(scratch.path)).toEqual(stays ? ["git"] : []);
    await repository.write("a.txt", "changed\n");
    expect(await workspace.compare(snapshot, await snapshotOf(workspace))).toMatchObject({ files: 1 });
  },
);

test("odd names: newline, leading dash, pathspec magic, not UTF-8", async () => {
  await using repository = await gitRepository();
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  for (const name of ["new\nline", "-dash", ":(exclude)x", "a*b", 'quo"te', "git~1", "ключ"])
    await repository.write(name, "x\n");
  await writeFile(Buffer.concat([Buffer.from(`${repository.path}/`), Buffer.from([0x66, 0xff, 0x6f])]), "x\n");
  const change = await workspace.compare(before, await snapshotOf(workspace));
  expect(change).toMatchObject({ files: 8, added: 8 });
  expect(change?.stat.split("\n").toSorted()).toEqual(
    ["-dash", ":(exclude)x", "a*b", "f\ufffdo", "git~1", String.raw`new\nline`, 'quo"te', "ключ"].map(
      (name) => `${name} | +1 -0`,
    ),
  );
});

test("a file becomes a folder, a folder a file, a folder a link", async () => {
  await using repository = await gitRepository({
    file: "f\n",
    "folder/x": "x\n",
    "linked/y": "y\n",
    "target/y": "y\n",
  });
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  for (const name of ["file", "folder", "linked"]) await rm(path.join(repository.path, name), { recursive: true });
  await repository.write("file/inner", "f\n");
  await repository.write("folder", "x\n");
  await symlink("target", path.join(repository.path, "linked"));
  await symlink("nowhere", path.join(repository.path, "dangling"));
  const after = await snapshotOf(workspace);
  expect(after).toEqual(await snapshotOf(await workspaceOf(repository.path, "fresh")));
  expect((await workspace.compare(before, after))?.stat.split("\n")).toEqual([
    "dangling | +1 -0",
    "file | +0 -1",
    "file/inner | +1 -0",
    "folder | +1 -0",
    "folder/x | +0 -1",
    "linked | +1 -0",
    "linked/y | +0 -1",
  ]);
});

test("binary files are told, and many files in at most 20 lines", async () => {
  await using repository = await gitRepository();
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await writeFile(path.join(repository.path, "0.bin"), Buffer.from([0, 1, 2, 0]));
  for (let i = 100; i < 130; i++) await repository.write(`${i}.txt`, "x\n");
  const change = await workspace.compare(before, await snapshotOf(workspace));
  expect(change).toMatchObject({ files: 31, added: 30, removed: 0 });
  const lines = (change?.stat ?? "").split("\n");
  expect(lines).toHaveLength(20);
  expect([lines[0], lines[1], lines[19]]).toEqual(["0.bin | binary", "100.txt | +1 -0", "… and 12 more files"]);

  await repository.write("z/.github/workflows/ci.yml", "x\n");
  await repository.write(".github/workflows/ci.yml", "x\n");
  await repository.write("z.test.ts", "x\n");
  const judged = await workspace.compare(before, await snapshotOf(workspace));
  expect(judged?.stat.split("\n").slice(0, 3)).toEqual([
    ".github/workflows/ci.yml | +1 -0",
    "z.test.ts | +1 -0",
    "0.bin | binary",
  ]);
});

test("below the top only the root is measured, and paths are relative to it [W-19]", async () => {
  await using repository = await gitRepository({ "a/x.txt": "x\n", "b/y.txt": "y\n" });
  const workspace = await workspaceOf(path.join(repository.path, "a"));
  const before = await snapshotOf(workspace);
  await repository.write("b/y.txt", "other\n");
  await repository.write("b/new.txt", "new\n");
  expect(await workspace.snapshot()).toEqual(before);
  await repository.write("a/x.txt", "x\nmore\n");
  expect((await workspace.compare(before, await snapshotOf(workspace)))?.stat).toBe("x.txt | +1 -0");
});

test("a root in which there is nothing yet [W-19]", async () => {
  await using repository = await gitRepository();
  await mkdir(path.join(repository.path, "a"));
  const workspace = await workspaceOf(path.join(repository.path, "a"));
  const before = await snapshotOf(workspace);
  await repository.write("a/x.txt", "x\n");
  expect((await workspace.compare(before, await snapshotOf(workspace)))?.stat).toBe("x.txt | +1 -0");
});

test("a linked work tree", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using folder = await tempFolder();
  const tree = path.join(folder.path, "tree");
  await repository.git("worktree", "add", "-q", "-b", "side", tree);
  const workspace = await workspaceOf(tree);
  const before = await snapshotOf(workspace);
  await writeFile(path.join(tree, "a.txt"), "b\n");
  expect((await workspace.compare(before, await snapshotOf(workspace)))?.stat).toBe("a.txt | +1 -1");
  expect(before.head).toBe(await repository.git("rev-parse", "side"));
});

test("a submodule counts by the commit it is at; what nested repositories hold is told apart [C34]", async () => {
  await using inner = await gitRepository();
  await using repository = await gitRepository();
  await repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
  await repository.git("commit", "-q", "-m", "submodule");
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await repository.write("sub/README.md", "dirty\n");
  await mkdir(path.join(repository.path, "nested"));
  await run("git", ["init", "-q"], { cwd: path.join(repository.path, "nested") });
  await repository.write("nested/x.txt", "x\n");
  const dirty = await snapshotOf(workspace);
  expect(dirty.tree).toBe(before.tree);
  expect(dirty.nested).not.toBe(before.nested);
  expect(dirty.id).not.toBe(before.id);
  await run("git", ["-c", "user.name=T", "-c", "user.email=t@x", "commit", "-qam", "on"], {
    cwd: path.join(repository.path, "sub"),
  });
  expect((await workspace.compare(before, await snapshotOf(workspace)))?.stat).toBe("sub | +1 -1");
});

test("what a sparse checkout left out is not deleted", async () => {
  await using repository = await gitRepository({ "a/x.txt": "x\n", "b/y.txt": "y\n" });
  await repository.git("sparse-checkout", "set", "a");
  const workspace = await workspaceOf(repository.path);
  expect(await workspace.dirtyFiles()).toEqual([]);
});

test("a split index and a repository with SHA-256 names", async () => {
  await using folder = await tempFolder();
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=T", "-c", "user.email=t@x", ...args], { cwd: folder.path });
  await git("init", "-q", "--object-format=sha256");
  await writeFile(path.join(folder.path, "a.txt"), "a\n");
  await git("add", "-A");
  await git("commit", "-qm", "start");
  await git("update-index", "--split-index");
  const workspace = await workspaceOf(folder.path);
  const before = await snapshotOf(workspace);
  expect(before.tree).toMatch(/^[0-9a-f]{64}$/u);
  await rm(path.join(folder.path, "a.txt"));
  expect((await workspace.compare(before, await snapshotOf(workspace)))?.stat).toBe("a.txt | +0 -1");
  const committed = await workspace.commit({ message: "gone", loopId: "l", iteration: 1 });
  expect(committed?.commit).toMatch(/^[0-9a-f]{64}$/u);
  expect((await git("status", "--porcelain")).stdout).toBe("?? .codex/\n");
});

test("two loops side by side do not clobber each other [W-08, W-62]", async () => {
  await using repository = await gitRepository();
  const [one, two] = await Promise.all([workspaceOf(repository.path, "one"), workspaceOf(repository.path, "two")]);
  await repository.write("a.txt", "a\n");
  const snapshots = await Promise.all([one.snapshot(), two.snapshot(), one.snapshot()]);
  expect(new Set(snapshots.map((snapshot) => snapshot?.id)).size).toBe(1);
  expect(await readdir(path.join(repository.path, LOOPS, "loops"))).toEqual(["one", "two"]);
});

test("a comparison with a snapshot whose objects were cleaned away says that it does not know [W-58]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const workspace = await workspaceOf(repository.path);
  await repository.write("a.txt", "b\n");
  const before = await snapshotOf(workspace);
  await rm(path.join(repository.path, LOOPS), { recursive: true });
  await repository.write("a.txt", "c\n");
  expect(await workspace.compare(before, await snapshotOf(workspace))).toBeNull();
});

test("what CI was given is the commit of the settled iteration, and of no other [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using folder = await tempFolder();
  const inner = await createGitWorkspace({ root: repository.path, folder: folder.path, excluded: [] });
  const workspace = committingEarly(inner);
  const request = (iteration: number) => ({ message: "smithers: x", loopId: "a", iteration });
  await repository.write("b.txt", "b\n");
  const early = await workspace.commit(request(1));
  expect(early?.commit).toBe(await repository.git("rev-parse", "HEAD"));
  expect(await workspace.commit(request(1))).toEqual(early);
  expect(await workspace.commit(request(2))).toBeUndefined();

  await repository.write("c.txt", "c\n");
  const late = await workspace.commit(request(2));
  expect(late?.commit).toBe(await repository.git("rev-parse", "HEAD"));
  const [before, after] = [early?.snapshot, await workspace.snapshot()];
  if (before === undefined || after === null) throw new Error("there is no snapshot");
  expect(await workspace.compare(before, after)).toMatchObject({ files: 1 });
});
