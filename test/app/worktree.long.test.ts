import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { setUpWorktree } from "../../src/app/checkout/set-up-worktree.ts";
import { openWorktree, removableWorktree, removeWorktree } from "../../src/app/checkout/worktree.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import { createGitWorkspace } from "../../src/git/workspace.ts";
import { placeOf } from "../../src/store/place.ts";
import { type GitRepository, gitRepository, shellIn } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

async function home() {
  const folder = await tempFolder();
  const wanted = (repository: GitRepository) => ({
    root: repository.path,
    name: "login",
    env: { HOME: "/nowhere", XDG_STATE_HOME: folder.path },
  });
  return { ...folder, wanted };
}

const on = (folder: string) => shellIn(folder, "git symbolic-ref --short HEAD");

test("a work tree beside the checkout is made once and found again, without hooks or filters [D-27]", async () => {
  await using repository = await gitRepository({
    "a.txt": "a\n",
    "pkg/run.sh": "true\n",
    ".gitattributes": "*.bin filter=evil\n",
    "x.bin": "stored\n",
  });
  await using state = await home();
  const ran = path.join(repository.path, ".git/ran");
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
    await repository.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch "${ran}"\n`);
    await shellIn(repository.path, `chmod +x ".git/hooks/$0"`, hook);
  }
  for (const what of ["smudge", "clean", "process"])
    await repository.git("config", `filter.evil.${what}`, `touch "${ran}"; cat`);
  const before = await shellIn(repository.path, "git -c core.hooksPath=/dev/null rev-parse HEAD; cat a.txt");
  const opened = await openWorktree({ ...state.wanted(repository), branch: "prd/login" });
  expect(opened).toMatchObject({ branch: "prd/login", isNew: true, notices: [expect.stringContaining("x.bin")] });
  expect(path.relative(state.path, opened.root)).toMatch(/^smithers\/worktrees\/[\w.-]+-[0-9a-f]{8}\/login$/u);
  expect((await readdir(opened.root)).toSorted()).toEqual([...(await readdir(repository.path))].toSorted());
  expect(await readFile(path.join(opened.root, "x.bin"), "utf8")).toBe("stored\n");
  expect(await readdir(path.join(repository.path, ".git"))).not.toContain("ran");
  await rm(path.join(repository.path, ".git/hooks"), { recursive: true });
  expect([await on(opened.root), await on(repository.path)]).toEqual(["prd/login", "main"]);
  expect(await shellIn(repository.path, "git rev-parse HEAD; cat a.txt")).toBe(before);
  expect(await shellIn(opened.root, "git -c filter.evil.clean=cat -c filter.evil.process= status --porcelain")).toBe(
    "",
  );
  const again = await openWorktree({ ...state.wanted(repository), branch: "prd/login" });
  expect(again).toEqual({ ...opened, isNew: false, notices: [], takeBack: undefined });
  const workspace = await createGitWorkspace({
    root: opened.root,
    folder: path.join(state.path, "loop"),
    excluded: [],
  });
  await writeFile(path.join(opened.root, "a.txt"), "b\n");
  const committed = await workspace.commit({ message: "feat: x", loopId: "l", iteration: 1 });
  expect(await repository.git("rev-parse", "prd/login")).toBe(committed?.commit);
});

test("what a killed call has left, and a folder removed by hand, do not keep it from being made [D-27]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using state = await home();
  const wanted = { ...state.wanted(repository), branch: "work" };
  const { root } = await openWorktree(wanted);
  const gitDir = await shellIn(root, "git rev-parse --absolute-git-dir");
  await rm(path.join(gitDir, "index"));
  await rm(path.join(root, "a.txt"));
  expect(await openWorktree(wanted)).toMatchObject({ root, isNew: true });
  expect(await shellIn(root, "git status --porcelain; cat a.txt")).toBe("a");
  await rm(root, { recursive: true });
  expect(await openWorktree(wanted)).toMatchObject({ root, isNew: true });
  expect((await repository.git("worktree", "list")).split("\n")).toHaveLength(2);
});

test.for([
  {
    what: "a branch that the checkout is on",
    code: "WORKTREE_BRANCH_TAKEN",
    branch: "main",
    make: async () => {},
  },
  {
    what: "a branch of another work tree",
    code: "WORKTREE_BRANCH_TAKEN",
    branch: "side",
    make: async (repository: GitRepository, folder: string) => {
      await repository.git("worktree", "add", "-q", "-b", "side", path.join(folder, "side"));
    },
  },
  {
    what: "a work tree on another branch",
    code: "WORKTREE_BRANCH_TAKEN",
    branch: "other",
    make: async (repository: GitRepository, folder: string) => {
      await openWorktree({ root: repository.path, name: "login", env: { XDG_STATE_HOME: folder }, branch: "work" });
    },
  },
  { what: "no branch's name", code: "BRANCH_NAME_INVALID", branch: "--force", make: async () => {} },
])("$what is refused, and nothing is changed [D-27]", async ({ code, branch, make }) => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using state = await home();
  await make(repository, state.path);
  const before = await shellIn(repository.path, "git worktree list; git branch");
  await expect(openWorktree({ ...state.wanted(repository), branch })).rejects.toMatchObject({ problems: [{ code }] });
  expect(await shellIn(repository.path, "git worktree list; git branch")).toBe(before);
});

test.for([
  { what: "a folder", make: (folder: string) => mkdir(path.join(folder, "x"), { recursive: true }) },
  {
    what: "a link to somebody's folder",
    make: async (folder: string, elsewhere: string) => {
      await mkdir(path.dirname(folder), { recursive: true });
      await symlink(elsewhere, folder);
    },
  },
  {
    what: "another repository",
    make: async (folder: string) => {
      await mkdir(folder, { recursive: true });
      await shellIn(folder, "git init -q; echo x > x");
    },
  },
])("$what in the way is left alone [D-27]", async ({ make }) => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using state = await home();
  await using other = await tempFolder();
  await writeFile(path.join(other.path, "theirs"), "theirs\n");
  const wanted = { ...state.wanted(repository), branch: "work" };
  const { folder } = await openWorktree(wanted);
  await removeWorktree(wanted, { unmerged: false });
  await make(folder, other.path);
  const code = "WORKTREE_IN_THE_WAY";
  await expect(openWorktree(wanted)).rejects.toHaveProperty("code", code);
  await expect(removeWorktree(wanted, { unmerged: true })).rejects.toHaveProperty("code", code);
  expect(await readdir(other.path)).toEqual(["theirs"]);
  expect((await readdir(folder)).length).toBeGreaterThan(0);
});

test("it is removed when its branch is merged, or a person says so, and never with work that is not committed [D-27]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using state = await home();
  const wanted = { ...state.wanted(repository), branch: "work" };
  const { root } = await openWorktree(wanted);
  const kept = (why: string) => ({ code: "WORKTREE_KEPT", message: expect.stringContaining(why) });
  await writeFile(path.join(root, "new.txt"), "new\n");
  await expect(removeWorktree(wanted, { unmerged: true })).rejects.toMatchObject(kept("new.txt"));
  await shellIn(root, "git add -A; git commit -qm on");
  await expect(removeWorktree(wanted, { unmerged: false })).rejects.toMatchObject(kept("work is not merged"));
  await shellIn(root, "git init -q inner");
  await expect(removeWorktree(wanted, { unmerged: true })).rejects.toMatchObject(kept("inner/"));
  await rm(path.join(root, "inner"), { recursive: true });
  expect(await removableWorktree(wanted)).toMatchObject({ branch: "work", loses: "", isMerged: false });
  await repository.git("checkout", "-qb", "elsewhere");
  await repository.git("branch", "-f", "main", "work");
  await removeWorktree(wanted, { unmerged: false });
  expect(await removableWorktree(wanted)).toBeUndefined();
  expect(await readdir(path.dirname(root))).toEqual([]);
  expect((await repository.git("worktree", "list")).split("\n")).toHaveLength(1);
  expect(await repository.git("branch", "--list", "work")).toContain("work");
  const again = await openWorktree(wanted);
  await writeFile(path.join(again.root, "b.txt"), "b\n");
  await shellIn(again.root, "git add -A; git commit -qm two");
  await removeWorktree(wanted, { unmerged: true });
  expect(await repository.git("log", "-1", "--format=%s", "work")).toBe("two");
});

test("what checks need is installed once, again after it has failed, and again when the command is another one [D-27]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using state = await home();
  const wanted = { ...state.wanted(repository), branch: "work" };
  const worktree = await openWorktree(wanted);
  const { config } = resolveSettings({ flags: { prompt: ["x"], "check-sandbox": ["off"] }, env: {} });
  const env = { PATH: process.env["PATH"] ?? "", HOME: state.path };
  const isolating = { place: { ...placeOf(repository.path, "loop", null), root: worktree.root }, config, env };
  const told: string[] = [];
  const setUp = (command: string) => setUpWorktree(worktree, isolating, command, (text) => told.push(text));
  await expect(setUp("echo trying >> runs; echo no such thing; exit 3")).rejects.toMatchObject({
    code: "WORKTREE_SETUP_FAILED",
    message: expect.stringContaining("it ended with 3"),
  });
  expect(told.join("\n")).toContain("no such thing");
  for (const command of ["echo one >> runs", "echo one >> runs", "echo two >> runs"]) await setUp(command);
  const again = await openWorktree(wanted);
  await setUpWorktree(again, isolating, "echo two >> runs", () => {});
  expect(await readFile(path.join(worktree.root, "runs"), "utf8")).toBe("trying\none\ntwo\n");
  await rm(worktree.root, { recursive: true });
  await openWorktree(wanted);
  await setUp("echo two >> runs");
  expect(await readFile(path.join(worktree.root, "runs"), "utf8")).toBe("two\n");
});
