import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createGitWorkspace } from "../../../src/git/workspace.ts";
import { forgeObject } from "../../support/forge-object.ts";
import { type GitRepository, gitRepository, shellIn } from "../../support/git-repository.ts";
import { LOOPS, snapshotOf, workspaceOf } from "../support.ts";

const FILE = "set-aside.patch";
const folderOf = (repository: GitRepository) => path.join(repository.path, LOOPS, "loops/loop");
const patchOf = (repository: GitRepository, name = FILE) => readFile(path.join(folderOf(repository), name), "latin1");
const at = (repository: GitRepository, name: string) => path.join(repository.path, name);

/** Files and links with what they hold, without those of git and of loops. */
async function filesOf(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(root, { recursive: true })).toSorted()) {
    const file = path.join(root, name);
    const info = await lstat(file);
    if (info.isDirectory() || /^(?:.*\/)?\.(?:git|codex)(?:\/|$)/u.test(name)) continue;
    const mode = (info.mode & 0o100) === 0 ? "" : "x:";
    found[name] = info.isSymbolicLink() ? `-> ${await readlink(file)}` : `${mode}${await readFile(file, "base64")}`;
  }
  return found;
}

const START = {
  "a.txt": "a\n",
  "gone.txt": "gone\n",
  file: "file\n",
  "folder/x": "x\n",
  "linked/y": "y\n",
  "run.sh": "true\n",
  ".gitignore": "ignored/\n",
};

/** Everything that a turn can do to files. */
async function work(repository: GitRepository): Promise<void> {
  for (const name of ["gone.txt", "file", "folder", "linked"]) await rm(at(repository, name), { recursive: true });
  await repository.write("a.txt", "changed\nno newline at the end");
  await repository.write("file/inner", "f\n");
  await repository.write("folder", "now a file\n");
  await symlink("/etc", at(repository, "linked"));
  await chmod(at(repository, "run.sh"), 0o755);
  await writeFile(at(repository, "binary"), Buffer.from([0, 1, 2, 255, 0, 13, 10]));
  await repository.write("new\nline/diff --git a/x b/x", "diff --git a/x b/x\n");
  await repository.write("staged.txt", "staged\n");
  await repository.git("add", "staged.txt");
}

test("what HEAD does not hold becomes a patch that brings all of it back, and files and index are as HEAD has them", async () => {
  await using repository = await gitRepository(START);
  await repository.write("a.txt", "stashed\n");
  await repository.git("stash");
  await repository.write("ignored/kept", "kept\n");
  const [before, head, stash] = [
    await filesOf(repository.path),
    await repository.git("rev-parse", "HEAD"),
    await repository.git("rev-parse", "stash@{0}"),
  ];
  await work(repository);
  const worked = await filesOf(repository.path);
  const workspace = await workspaceOf(repository.path);
  const begun = await snapshotOf(workspace);
  const after = await workspace.setAside(FILE);
  expect(await filesOf(repository.path)).toEqual(before);
  expect(await repository.git("status", "--porcelain")).toBe("?? .codex/");
  expect(await repository.git("rev-parse", "HEAD", "stash@{0}")).toBe(`${head}\n${stash}`);
  expect(after).toEqual(await snapshotOf(await workspaceOf(repository.path, "fresh")));
  expect(after).toMatchObject({ head, tree: await repository.git("rev-parse", "HEAD^{tree}") });
  expect(await workspace.setAside(FILE)).toEqual(after);
  expect(await workspace.takeBack(FILE, false)).toMatchObject({ ok: false });
  expect(await filesOf(repository.path)).toEqual(before);
  const files = expect.arrayContaining(["a.txt", "binary", "gone.txt", "staged.txt"]);
  expect(await workspace.takeBack(FILE, true)).toEqual({ ok: true, value: { how: "applied", files } });
  expect(await filesOf(repository.path)).toEqual(worked);
  expect((await snapshotOf(workspace)).tree).toBe(begun.tree);
  expect(await workspace.takeBack(FILE, true)).toEqual({ ok: true, value: { how: "there", files } });
});

test("what was set aside comes back whole or not at all, into the workspace alone, and through no link", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", "sub/b.txt": "b\n", "sub/c.txt": "c\n" });
  const folder = path.join(repository.path, "loop");
  const workspace = await createGitWorkspace({ root: at(repository, "sub"), folder, excluded: [] });
  await repository.write("sub/b.txt", "changed\n");
  await repository.write("sub/c.txt", "changed\n");
  await workspace.setAside(FILE);
  expect(await workspace.dirtyFiles()).toEqual([]);
  await repository.write("sub/c.txt", "another\n");
  const refused = { ok: false, trouble: { because: expect.stringContaining("sub/c.txt") } };
  expect(await workspace.takeBack(FILE, true)).toMatchObject(refused);
  expect(await workspace.dirtyFiles()).toEqual(["c.txt"]);
  expect(await workspace.takeBack("other.patch", true)).toBeUndefined();

  await repository.git("checkout", "--", "sub");
  const patch = await readFile(path.join(folder, FILE), "utf8");
  for (const [name, to] of [
    ["sub/b.txt", "a.txt"],
    ["sub/b.txt", ".git/config"],
    ["sub/b.txt", "sub/link/b.txt"],
  ] as const) {
    await symlink("..", at(repository, "sub/link"));
    await writeFile(path.join(folder, "odd.patch"), patch.replaceAll(name, to));
    expect(await workspace.takeBack("odd.patch", true)).toMatchObject({ ok: false });
    await rm(at(repository, "sub/link"));
    expect(await repository.git("status", "--porcelain")).toBe("?? loop/");
  }
  await writeFile(path.join(folder, "odd.patch"), "no patch\n");
  expect(await workspace.takeBack("odd.patch", true)).toMatchObject({ ok: false });
});

test("without a difference nothing is written", async () => {
  await using repository = await gitRepository(START);
  const workspace = await workspaceOf(repository.path);
  const snapshot = await snapshotOf(workspace);
  expect(await workspace.setAside(FILE)).toEqual(snapshot);
  expect(await readdir(folderOf(repository))).toEqual(["git"]);
});

test("a run that was killed after the patch, or midway, goes on, and the patch keeps all of the work", async () => {
  await using repository = await gitRepository(START);
  await work(repository);
  const workspace = await workspaceOf(repository.path);
  await workspace.setAside(FILE);
  const whole = await patchOf(repository);
  for (const script of ["true", "git checkout -q -- a.txt; rm binary", "git reset -q"]) {
    await shellIn(
      repository.path,
      `git apply "$0"; git add staged.txt; ${script}`,
      path.join(folderOf(repository), FILE),
    );
    await (await workspaceOf(repository.path)).setAside(FILE);
    expect(await repository.git("status", "--porcelain")).toBe("?? .codex/");
    expect(await patchOf(repository)).toBe(whole);
    expect(await readdir(folderOf(repository))).toEqual(["git", FILE]);
  }
  // Other work under the same name takes nothing away.
  await repository.write("a.txt", "another attempt\n");
  await workspace.setAside(FILE);
  expect(await patchOf(repository)).toContain("+another attempt");
  expect(await patchOf(repository, "set-aside.1.patch")).toBe(whole);
});

test("an index that was staged with what the files no longer say is put back too", async () => {
  await using repository = await gitRepository(START);
  await repository.write("a.txt", "staged\n");
  await repository.git("add", "a.txt");
  await repository.write("a.txt", "a\n");
  await (await workspaceOf(repository.path)).setAside(FILE);
  expect(await repository.git("diff", "--cached", "--name-only")).toBe("");
});

test("only the workspace's root is put back, without what is kept, and the patch applies in the whole repository", async () => {
  await using repository = await gitRepository({ "a/x.txt": "x\n", "b/y.txt": "y\n", "a/prds/one/prd.json": "{}\n" });
  const folder = path.join(folderOf(repository));
  await repository.write("a/x.txt", "changed\n");
  await repository.write("b/y.txt", "theirs\n");
  await repository.write("a/prds/one/prd.json", "theirs\n");
  await repository.write("a/prds/one/prd.md", "theirs\n");
  const workspace = await createGitWorkspace({
    ...{ root: at(repository, "a"), folder, excluded: [] },
    kept: ["prds/one"],
  });
  await workspace.setAside(FILE);
  expect(await repository.git("status", "--porcelain", "-uall", "--", "a", "b")).toBe(
    " M a/prds/one/prd.json\n M b/y.txt\n?? a/prds/one/prd.md",
  );
  await repository.git("apply", path.join(folder, FILE));
  expect(await readFile(at(repository, "a/x.txt"), "utf8")).toBe("changed\n");
});

test("what HEAD's rules ignore stays, whatever the work has made of the rules; what it hid is set aside as well", async () => {
  await using repository = await gitRepository({ ".gitignore": "*.env\n", "sub/.gitignore": "out/\n", "sub/a": "a\n" });
  await repository.write("my.env", "secret\n");
  await repository.write("sub/out/made", "made\n");
  await repository.write(".gitignore", "hidden\n");
  await rm(at(repository, "sub/.gitignore"));
  await repository.write("hidden", "the agent's\n");
  await repository.git("add", "-A", "my.env");
  await (await workspaceOf(repository.path)).setAside(FILE);
  expect(await repository.git("status", "--porcelain")).toBe("?? .codex/");
  expect(Object.keys(await filesOf(repository.path))).toEqual(
    ["README.md", ".gitignore", "my.env", "sub", "sub/.gitignore", "sub/a", "sub/out/made"].filter(
      (name) => !["README.md", "sub"].includes(name),
    ),
  );
  const patch = await patchOf(repository);
  expect(patch).toContain("the agent's");
  expect(patch).not.toContain("secret");
});

test("a repository within is left alone, and the patch names it", async () => {
  await using repository = await gitRepository(START);
  await repository.write("a.txt", "changed\n");
  await shellIn(repository.path, "git init -q inner; echo x > inner/x");
  await (await workspaceOf(repository.path)).setAside(FILE);
  expect(await readFile(at(repository, "inner/x"), "utf8")).toBe("x\n");
  expect((await patchOf(repository)).split("\n")[0]).toBe("# Left alone, a repository of its own: inner/");
  expect(await readFile(at(repository, "a.txt"), "utf8")).toBe("a\n");
  await repository.git("apply", "--check", path.join(folderOf(repository), FILE));
});

test.for([
  {
    what: "a file of a filter",
    code: "SET_ASIDE_FAILED",
    make: (repository: GitRepository) => repository.write("large.bin", "other\n"),
  },
  {
    what: "a file of a filter that the work took away from the attributes",
    code: "SET_ASIDE_FAILED",
    make: async (repository: GitRepository) => {
      await repository.write("large.bin", "other\n");
      await rm(at(repository, ".gitattributes"));
    },
  },
  {
    what: "an ignored file where HEAD has a folder",
    code: "SET_ASIDE_FAILED",
    make: async (repository: GitRepository) => {
      await rm(at(repository, "folder"), { recursive: true });
      await repository.write("folder", "x\n");
      await writeFile(at(repository, ".git/info/exclude"), "/folder\n");
    },
  },
  {
    what: "a folder of ignored files where HEAD has a file",
    code: "SET_ASIDE_FAILED",
    make: async (repository: GitRepository) => {
      await rm(at(repository, "b.txt"));
      await repository.write("b.txt/inner", "x\n");
      await writeFile(at(repository, ".git/info/exclude"), "inner\n");
    },
  },
  {
    what: "a merge that a person has begun",
    code: "GIT_BUSY",
    make: async (repository: GitRepository) => repository.write(".git/MERGE_HEAD", `${"0".repeat(40)}\n`),
  },
])("$what keeps the work where it is, and the patch is there", async ({ code, make }) => {
  await using repository = await gitRepository({
    "a.txt": "a\n",
    "b.txt": "b\n",
    "folder/x": "x\n",
    ".gitattributes": "*.bin filter=lfs\n",
    "large.bin": "pointer\n",
  });
  await repository.write("a.txt", "changed\n");
  await make(repository);
  const worked = await filesOf(repository.path);
  await expect((await workspaceOf(repository.path)).setAside(FILE)).rejects.toHaveProperty("code", code);
  expect(await filesOf(repository.path)).toEqual(worked);
  expect(await patchOf(repository)).toContain("+changed");
});

test("an object that was forged under the name of HEAD's is not written into the work tree [T17]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const blob = await repository.git("rev-parse", "HEAD:a.txt");
  await repository.write("a.txt", "changed\n");
  await forgeObject(repository.path, blob, "blob", "evil\n");
  await expect((await workspaceOf(repository.path)).setAside(FILE)).rejects.toHaveProperty("code", "GIT_OBJECT_FORGED");
  expect(await readFile(at(repository, "a.txt"), "utf8")).toBe("changed\n");
});

test("no hook of the repository runs, and no filter [T12]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const evil = `#!/bin/sh\ntouch "${at(repository, ".git/ran")}"\ncat\n`;
  await mkdir(at(repository, ".git/hooks"), { recursive: true });
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction"])
    await writeFile(at(repository, `.git/hooks/${hook}`), evil, { mode: 0o755 });
  await repository.write("a.txt", "changed\n");
  await writeFile(at(repository, ".git/info/attributes"), "*.new filter=evil\n");
  await repository.git("config", "filter.evil.clean", `touch "${at(repository, ".git/ran")}"`);
  await repository.git("config", "filter.evil.smudge", `touch "${at(repository, ".git/ran")}"`);
  await rm(at(repository, ".git/ran"), { force: true });
  await repository.write("b.new", "new\n");
  await (await workspaceOf(repository.path)).setAside(FILE);
  expect(await readdir(at(repository, ".git"))).not.toContain("ran");
});

test("what was written since a snapshot is taken out, as a patch; index, other folders and what is ignored stay", async () => {
  await using repository = await gitRepository({
    "a/x.txt": "x\n",
    "a/gone.txt": "g\n",
    "b/y.txt": "y\n",
    "a/p/prd.json": "{}\n",
  });
  await repository.write("a/x.txt", "worked\n");
  await repository.write("a/new.txt", "worked\n");
  await repository.git("add", "a/new.txt");
  const folder = folderOf(repository);
  const workspace = await createGitWorkspace({
    ...{ root: at(repository, "a"), folder, excluded: [] },
    kept: ["p"],
  });
  const before = await snapshotOf(workspace);
  const files = await filesOf(repository.path);
  expect(await workspace.takeOut(before, "checks.patch")).toEqual({ made: [], changed: [], left: [] });
  await repository.write("a/x.txt", "by a check\n");
  await repository.write("a/report/é.xml", "r\n");
  await repository.write("a/.gitignore", "*.log\n");
  await rm(at(repository, "a/gone.txt"));
  await repository.write("a/p/prd.json", "others write this\n");
  await repository.write("b/y.txt", "theirs\n");
  await repository.write("a/hidden.log", "shown once the rules are back\n");
  expect(await workspace.takeOut(before, "checks.patch")).toEqual({
    made: ["a/.gitignore", "a/report/é.xml", "a/hidden.log"],
    changed: ["a/gone.txt", "a/x.txt"],
    left: [],
  });
  const others = { "b/y.txt": btoa("theirs\n"), "a/p/prd.json": btoa("others write this\n") };
  expect(await filesOf(repository.path)).toEqual({ ...files, ...others });
  expect(await repository.git("diff", "--cached", "--name-only")).toBe("a/new.txt");
  expect(await patchOf(repository, "checks.patch")).toContain("+by a check");
  await rm(path.join(folder, "git"), { recursive: true });
  await repository.write("a/x.txt", "by a check\n");
  await expect(workspace.takeOut(before, "checks.patch")).rejects.toHaveProperty("code", "SET_ASIDE_FAILED");
});

test("of what was written since, all is taken out that can be, and what stays is named with the reason [T12]", async () => {
  await using repository = await gitRepository({
    ...{ "a.txt": "a\n", "base.txt": "b\n", "sub/x": "x\n", "large.bin": "pointer\n" },
    ...{ ".gitignore": "*.ign\n", ".gitattributes": "*.bin filter=lfs\n" },
  });
  const clone = "git init -q lib; git -C lib commit -q --allow-empty -m one; git add lib; git commit -qm lib";
  await shellIn(repository.path, clone);
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await repository.write("a.txt", "by a check\n");
  await repository.write("new.txt", "by a check\n");
  await repository.write("large.bin", "by a check\n");
  await rm(at(repository, "base.txt"));
  await repository.write("base.txt/inner.ign", "a person's\n");
  await repository.write("base.txt/report", "by a check\n");
  await shellIn(repository.path, "git -C lib commit -q --allow-empty -m two; git init -q more");
  await shellIn(repository.path, "git -C more commit -q --allow-empty -m one; git add more 2>/dev/null");
  const { made, changed, left } = await workspace.takeOut(before, "checks.patch");
  expect({ made: made.toSorted(), changed }).toEqual({ made: ["base.txt/report", "new.txt"], changed: ["a.txt"] });
  expect(left.map(({ files, cure }) => [...files, cure])).toEqual([
    ["more", undefined],
    ["lib", "git submodule update --checkout -- lib"],
    ["base.txt", undefined],
    ["large.bin", undefined],
  ]);
  expect(left.map(({ why }) => why).join("; ")).toMatch(
    /lib is a repository .*base\.txt\/inner\.ign, which git ignores/u,
  );
  expect(await readFile(at(repository, "base.txt/inner.ign"), "utf8")).toBe("a person's\n");
  expect(await readFile(at(repository, "a.txt"), "utf8")).toBe("a\n");
  expect(await patchOf(repository, "checks.patch")).toContain("+by a check");
  // Looked at again, of some of them: what a person has committed is theirs.
  await repository.git("commit", "-qm", "mine", "--", "large.bin");
  const only = ["lib", "large.bin"];
  expect((await workspace.takeOut(before, "checks.patch", only)).left.flatMap(({ files }) => files)).toEqual(["lib"]);
});

test("a submodule's folder that was removed is there again, and the next commit keeps the submodule", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const clone = "git init -q lib; git -C lib commit -q --allow-empty -m one; git add lib; git commit -qm lib";
  await shellIn(repository.path, clone);
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await rm(at(repository, "lib"), { recursive: true });
  expect(await workspace.takeOut(before, "checks.patch")).toMatchObject({ changed: ["lib"], left: [] });
  expect((await snapshotOf(workspace)).tree).toBe(before.tree);
  expect(await workspace.pendingFiles()).toBe(0);
});
