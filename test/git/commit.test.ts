import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { squashedMessage } from "../../src/git/commit.ts";
import { createPlainWorkspace } from "../../src/git/workspace.ts";
import { workspaceContract } from "../contract/workspace-contract.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { bytesOf, LOOPS, snapshotOf, workspaceOf } from "./support.ts";

const run = promisify(execFile);
const REQUEST = { message: "feat: the work\n\nDone by a loop.", loopId: "demo", iteration: 4 };

workspaceContract("plain workspace", async () => {
  const folder = await tempFolder();
  const write = (name: string, content: string) => writeFile(path.join(folder.path, name), content);
  return { ...folder, workspace: createPlainWorkspace(), measured: false, write };
});

test("everything that is not ignored goes to the current branch, with our trailers [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "out/\n" });
  const workspace = await workspaceOf(repository.path);
  const head = await repository.git("rev-parse", "HEAD");
  await repository.write("a.txt", "changed\n");
  await rm(path.join(repository.path, "b.txt"));
  await repository.write("sub/new.txt", "new\n");
  await repository.write("out/ignored.txt", "x\n");
  await repository.write("staged.txt", "staged\n");
  await repository.git("add", "staged.txt");
  const { commit } = (await workspace.commit(REQUEST)) ?? {};
  expect(await repository.git("rev-parse", "main", "main^")).toBe(`${commit}\n${head}`);
  expect(await repository.git("show", "--name-status", "--format=", "main")).toBe(
    "M\ta.txt\nD\tb.txt\nA\tstaged.txt\nA\tsub/new.txt",
  );
  expect(await repository.git("log", "-1", "--format=%B%an <%ae> %cn <%ce>")).toBe(
    "feat: the work\n\nDone by a loop.\n\nSmithers-Loop: demo\nSmithers-Iteration: 4\n" +
      "Test <test@example.invalid> Test <test@example.invalid>",
  );
  expect(await repository.git("log", "-1", "--format=%(trailers:key=Smithers-Loop,valueonly)")).toBe("demo\n");
  expect(await repository.git("status", "--porcelain")).toBe("?? .codex/");
  expect(await repository.git("fsck", "--strict")).toBe("");
  expect(await repository.git("reflog", "-1", "--format=%gs", "main")).toBe("commit (smithers): demo, iteration 4");
});

test("the commit needs nothing of the loop's folder [C13]", async () => {
  await using repository = await gitRepository();
  await repository.write("new.txt", "new\n");
  const workspace = await workspaceOf(repository.path);
  await workspace.snapshot();
  await workspace.commit(REQUEST);
  await rm(path.join(repository.path, LOOPS), { recursive: true });
  expect(await repository.git("fsck", "--strict")).toBe("");
  expect(await repository.git("show", "main:new.txt")).toBe("new");
  expect(await repository.git("status", "--porcelain")).toBe("");
});

test("trailers join those that the message ends with [C13]", async () => {
  await using repository = await gitRepository();
  await repository.write("new.txt", "new\n");
  await (await workspaceOf(repository.path)).commit({ ...REQUEST, message: "subject: x\n\nSmithers-Story: US-001\n" });
  expect(await repository.git("log", "-1", "--format=%(trailers:only,unfold)")).toBe(
    "Smithers-Story: US-001\nSmithers-Loop: demo\nSmithers-Iteration: 4\n",
  );
});

test("a settle that died between the commit and the index is completed, and commits nothing twice [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await repository.write("a.txt", "changed\n");
  const index = path.join(repository.path, ".git/index");
  const before = await readFile(index);
  const { commit } = (await (await workspaceOf(repository.path)).commit(REQUEST)) ?? {};
  await writeFile(index, before);
  expect(await repository.git("status", "--porcelain", "a.txt")).not.toBe("");
  expect(await (await workspaceOf(repository.path)).commit(REQUEST)).toBeUndefined();
  expect(await repository.git("rev-parse", "main")).toBe(commit);
  expect(await repository.git("status", "--porcelain", "a.txt")).toBe("");
});

const STORY = { ...REQUEST, message: "feat: [US-001] - Log in", story: { prd: "login", id: "US-001" } };

test("a story's commit says in its trailers which one it completes [D-25]", async () => {
  await using repository = await gitRepository();
  await repository.write("new.txt", "new\n");
  await (await workspaceOf(repository.path)).commit(STORY);
  expect(await repository.git("log", "-1", "--format=%B")).toBe(
    "feat: [US-001] - Log in\n\nSmithers-Loop: demo\nSmithers-Iteration: 4\nSmithers-Story: US-001\nSmithers-Prd: login\n",
  );
});

test("a story that a person accepted names them in a trailer, on one line whatever they are called [D-14, D-25]", async () => {
  await using repository = await gitRepository();
  await repository.write("new.txt", "new\n");
  const acceptedBy = "Eve\nSmithers-Loop: other\r\n\nx\u202E <eve@example.org>";
  const request = { ...STORY, story: { ...STORY.story, acceptedBy } };
  const workspace = await workspaceOf(repository.path);
  const made = await workspace.commit(request);
  const trailers = await repository.git("log", "-1", "--format=%(trailers:only,unfold)");
  expect(trailers.trim().split("\n")).toEqual([
    ...["Smithers-Loop: demo", "Smithers-Iteration: 4", "Smithers-Story: US-001", "Smithers-Prd: login"],
    "Smithers-Accepted-By: Eve Smithers-Loop: other x <eve@example.org>",
  ]);
  // Made and never noted, it is found again.
  expect((await workspace.commit(request))?.commit).toBe(made?.commit);
});

test.for([
  "a\nSmithers-Loop: other",
  "a\r\n\r\nSmithers-Story: US-009",
  "a\u2028b\u0085c\0d",
  "quotes \" and ' and $(touch ran) and `touch ran`",
  "ends with\n\n",
])("whatever a title holds, it stays in the subject: %j [D-35]", async (title) => {
  await using repository = await gitRepository();
  await repository.write("new.txt", "new\n");
  await (await workspaceOf(repository.path)).commit({ ...STORY, message: `feat: [US-001] - ${title}` });
  const [subject = "", ...rest] = (await repository.git("log", "-1", "--format=%B")).split("\n");
  expect(subject.startsWith("feat: [US-001] - ")).toBe(true);
  expect(subject).not.toMatch(/[\p{Cc}\u2028]/u);
  expect(rest.join("\n")).toBe(
    "\nSmithers-Loop: demo\nSmithers-Iteration: 4\nSmithers-Story: US-001\nSmithers-Prd: login\n",
  );
});

test("a story's commit that nobody has noted is found again, and made once [D-08]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await repository.write("a.txt", "changed\n");
  const index = path.join(repository.path, ".git/index");
  const before = await readFile(index);
  const committed = await (await workspaceOf(repository.path)).commit(STORY);
  await writeFile(index, before);
  const again = await (await workspaceOf(repository.path)).commit(STORY);
  expect(again).toEqual(committed);
  expect(await repository.git("status", "--porcelain", "a.txt")).toBe("");
  const workspace = await workspaceOf(repository.path);
  expect(await workspace.commit(STORY)).toEqual(committed);
  expect(await workspace.commit({ ...STORY, iteration: 5 })).toBeUndefined();
  expect(await workspace.commit({ ...STORY, story: { prd: "other", id: "US-001" } })).toBeUndefined();
  expect(await workspace.commit(REQUEST)).toBeUndefined();
  expect(await repository.git("rev-list", "--count", "HEAD")).toBe("2");
});

test("a story's commit is built on nothing else than it is asked for, and found again only there [D-08]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const workspace = await workspaceOf(repository.path);
  const { head, branch } = await snapshotOf(workspace);
  const on = { head, branch: branch ?? "" };
  await repository.write("a.txt", "changed\n");
  expect([branch, await workspace.pendingFiles(), await workspace.pendingFiles(head)]).toEqual(["main", 1, 1]);
  await repository.git("commit", "-qam", "mine");
  expect([await workspace.pendingFiles(), await workspace.pendingFiles(head)]).toEqual([0, 1]);
  expect([await workspace.pendingFiles("f".repeat(40)), await workspace.pendingFiles(null)]).toEqual([0, 1]);
  const moved = { code: "GIT_HEAD_MOVED" };
  await expect(workspace.commit({ ...STORY, on })).rejects.toMatchObject(moved);
  await repository.git("reset", "-q", "--soft", head ?? "");
  for (const elsewhere of [
    ["switch", "-qc", "other"],
    ["switch", "-q", "--detach"],
  ]) {
    await repository.git(...elsewhere);
    await expect(workspace.commit({ ...STORY, on })).rejects.toMatchObject(moved);
  }
  await repository.git("switch", "-q", "main");
  const committed = await workspace.commit({ ...STORY, on });
  expect(await workspace.commit({ ...STORY, on })).toEqual(committed);
  await repository.write("a.txt", "once more\n");
  await expect(workspace.commit({ ...STORY, on }), "after its commit").rejects.toMatchObject(moved);
  await repository.git("checkout", "-q", "--", ".");
  await repository.git("switch", "-qc", "another");
  await expect(workspace.commit({ ...STORY, on }), "on another branch").rejects.toMatchObject(moved);
  // A check can write whatever trailers it likes.
  await repository.git("switch", "-q", "main");
  const forged = await repository.git("log", "-1", "--format=%B");
  await repository.git("commit", "-q", "--allow-empty", "-m", forged);
  await expect(workspace.commit({ ...STORY, on }), "a second one").rejects.toMatchObject(moved);
});

test("a commit that only mentions a story is not its commit", async () => {
  await using repository = await gitRepository();
  await repository.write("new.txt", "new\n");
  const trailers = "Smithers-Loop: demo\nSmithers-Iteration: 4\nSmithers-Story: US-001\nSmithers-Prd: login";
  await repository.git("add", "-A");
  await repository.git("commit", "-qm", `About\n\n${trailers}\n\nand more`);
  expect(await (await workspaceOf(repository.path)).commit(STORY)).toBeUndefined();
});

test("which commits are part of what is checked out: those that were merged, and nothing else [D-32]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const commit = async (name: string) => {
    await repository.git("commit", "-q", "--allow-empty", "-m", name);
    return repository.git("rev-parse", "HEAD");
  };
  const first = await commit("first");
  await repository.git("checkout", "-qb", "merged");
  const merged = await commit("merged");
  await repository.git("checkout", "-q", "main");
  await repository.git("checkout", "-qb", "side");
  const side = [await commit("one"), await commit("two")];
  await repository.git("checkout", "-q", "main");
  await repository.git("merge", "-q", "--no-ff", "-m", "m", "merged");
  const head = await commit("head");
  const others = await repository.git("rev-parse", "HEAD^{tree}", "HEAD:a.txt");
  const workspace = await workspaceOf(repository.path);
  const asked = [first, merged, head, ...side, ...others.split("\n"), "f".repeat(40), "f".repeat(64), "main", "--all"];
  expect(await workspace.holding([...asked, head.slice(0, 12), `${head}\n`, ""])).toEqual(
    new Set([first, merged, head]),
  );
  expect(await workspace.holding([])).toEqual(new Set());
  const many = Array.from({ length: 2000 }, (_, i) => i.toString(16).padStart(40, "0"));
  expect(await workspace.holding([...many, first])).toEqual(new Set([first]));
  await repository.git("pack-refs", "--all");
  await repository.git("checkout", "-q", "--orphan", "empty");
  expect(await workspace.holding([first])).toEqual(new Set());
});

test("in a shallow clone, what its history still has is part of it [D-32]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await repository.git("commit", "-q", "--allow-empty", "-m", "two");
  const [head, first] = (await repository.git("rev-parse", "HEAD", "HEAD^")).split("\n");
  await using folder = await tempFolder();
  const clone = path.join(folder.path, "clone");
  await repository.git("clone", "-q", "--depth=1", `file://${repository.path}`, clone);
  expect(await (await workspaceOf(clone)).holding([head ?? "", first ?? ""])).toEqual(new Set([head]));
});

test("the snapshot of a commit is the one that another process takes [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", "b/c.txt": "c\n" });
  const workspace = await workspaceOf(repository.path);
  for (const [iteration, content] of ["one\n", "two\n"].entries()) {
    await repository.write("a.txt", content);
    await repository.write(`staged-${content.trim()}`, "x\n");
    await repository.git("add", "--", `staged-${content.trim()}`);
    await rm(path.join(repository.path, "b"), { recursive: true, force: true });
    const committed = await workspace.commit({ ...REQUEST, iteration });
    expect(committed?.snapshot).toEqual(await snapshotOf(await workspaceOf(repository.path, content.trim())));
    expect(await repository.git("status", "--porcelain")).toBe("?? .codex/");
    expect(await repository.git("diff-files", "--name-only")).toBe("");
  }
});

test("after a commit the person's next `git add` counts as a change [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const workspace = await workspaceOf(repository.path);
  await repository.write("a.txt", "b\n");
  const committed = await workspace.commit(REQUEST);
  await repository.git("rm", "-q", "--cached", "a.txt");
  const after = await snapshotOf(workspace);
  expect(after.tree).toBe(committed?.snapshot.tree);
  expect(after.id).not.toBe(committed?.snapshot.id);
});

test("with nothing to commit, what a person has staged stays staged [C13]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await repository.write("a.txt", "b\n");
  await repository.git("add", "a.txt");
  await repository.write("a.txt", "a\n");
  const before = await bytesOf(path.join(repository.path, ".git"));
  expect(await (await workspaceOf(repository.path)).commit(REQUEST)).toBeUndefined();
  expect(await bytesOf(path.join(repository.path, ".git"))).toEqual(before);
});

test("a detached HEAD moves on, no branch does [C13]", async () => {
  await using repository = await gitRepository();
  const main = await repository.git("rev-parse", "main");
  await repository.git("checkout", "-q", "--detach");
  await repository.write("new.txt", "new\n");
  const { commit } = (await (await workspaceOf(repository.path)).commit(REQUEST)) ?? {};
  expect(await repository.git("rev-parse", "HEAD", "main")).toBe(`${commit}\n${main}`);
});

test("the first commit of a repository, by the fallback author [C13]", async () => {
  await using folder = await tempFolder();
  await run("git", ["init", "-q", "-b", "trunk"], { cwd: folder.path });
  await run("git", ["config", "user.name", ""], { cwd: folder.path });
  await writeFile(path.join(folder.path, "a.txt"), "a\n");
  const workspace = await workspaceOf(folder.path);
  expect(await workspace.author()).toEqual({ name: "smithers", email: "smithers@localhost", source: "fallback" });
  const { commit } = (await workspace.commit(REQUEST)) ?? {};
  const { stdout } = await run("git", ["log", "--format=%H %an <%ae>", "trunk"], { cwd: folder.path });
  expect(stdout).toBe(`${commit} smithers <smithers@localhost>\n`);
});

test("below the top only the root is committed; what is staged elsewhere stays staged [W-19]", async () => {
  await using repository = await gitRepository({ "a/x.txt": "x\n", "b/y.txt": "y\n" });
  await repository.write("a/x.txt", "changed\n");
  await repository.write("b/y.txt", "staged\n");
  await repository.git("add", "b/y.txt");
  await (await workspaceOf(path.join(repository.path, "a"))).commit(REQUEST);
  expect(await repository.git("show", "--name-only", "--format=")).toBe("a/x.txt");
  expect(await repository.git("status", "--porcelain", "--", "b", "a/x.txt")).toBe("M  b/y.txt");
});

test("loop folders are left alone, even those that somebody has committed or staged [C13]", async () => {
  await using repository = await gitRepository({ [`${LOOPS}/loops/old/events.jsonl`]: "old\n" });
  await repository.write(`${LOOPS}/loops/old/events.jsonl`, "more\n");
  await repository.write(`${LOOPS}/loops/new/events.jsonl`, "new\n");
  await repository.git("add", "-A");
  const workspace = await workspaceOf(repository.path);
  expect(await workspace.commit(REQUEST)).toBeUndefined();
  await repository.write("work.txt", "work\n");
  await workspace.commit(REQUEST);
  expect(await repository.git("show", "--name-only", "--format=")).toBe("work.txt");
  expect(await repository.git("show", `HEAD:${LOOPS}/loops/old/events.jsonl`)).toBe("old");
});

test("file and folder change places; odd names and modes are kept [C13]", async () => {
  await using repository = await gitRepository({ file: "f\n", "folder/x": "x\n" });
  for (const name of ["file", "folder"]) await rm(path.join(repository.path, name), { recursive: true });
  await repository.write("file/-in\nner", "f\n");
  await repository.write("folder", "x\n");
  await writeFile(path.join(repository.path, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  const workspace = await workspaceOf(repository.path);
  await workspace.commit(REQUEST);
  const entries = (await repository.git("ls-tree", "-r", "-z", "HEAD")).replaceAll(/ blob \w+\t/gu, " ").split("\0");
  expect(entries).toEqual(["100644 file/-in\nner", "100644 folder", "100755 run.sh", ""]);
  expect(await workspace.dirtyFiles()).toEqual([]);
});

describe("a commit in the middle of the person's own work is refused [C13]", () => {
  const begin: [string, string, (repository: GitRepository) => Promise<unknown>][] = [
    ["merge", "a merge is in progress", (r) => r.git("merge", "-q", "side")],
    ["rebase", "a rebase is in progress", (r) => r.git("rebase", "-q", "side")],
    ["cherry-pick", "a cherry-pick is in progress", (r) => r.git("cherry-pick", "side")],
    ["stash", "a.txt is in conflict", (r) => r.git("stash", "pop", "-q")],
  ];

  test.each(begin)("%s", async (_name, what, act) => {
    await using repository = await gitRepository({ "a.txt": "a\n" });
    await repository.git("checkout", "-q", "-b", "side");
    await repository.write("a.txt", "side\n");
    await repository.git("commit", "-qam", "side");
    await repository.write("a.txt", "stashed\n");
    await repository.git("stash", "-q");
    await repository.git("checkout", "-q", "main");
    await repository.write("a.txt", "main\n");
    await repository.git("commit", "-qam", "main");
    await act(repository).catch(() => undefined);
    const before = await bytesOf(path.join(repository.path, ".git"));
    const workspace = await workspaceOf(repository.path);
    await snapshotOf(workspace);
    await expect(workspace.commit(REQUEST)).rejects.toMatchObject({
      code: "GIT_BUSY",
      message: expect.stringContaining(what),
    });
    expect(await bytesOf(path.join(repository.path, ".git"))).toEqual(before);
  });

  test("another git command that holds the index is waited for", async () => {
    await using repository = await gitRepository();
    await repository.write("new.txt", "new\n");
    const lock = path.join(repository.path, ".git/index.lock");
    await writeFile(lock, "");
    const committed = (await workspaceOf(repository.path)).commit(REQUEST);
    setTimeout(() => void rm(lock), 200);
    expect((await committed)?.commit).toMatch(/^[0-9a-f]{40}$/u);
    expect(await repository.git("status", "--porcelain", "new.txt")).toBe("");
  });
});

test("of two loops that commit at once none loses the other's work [W-08, W-62]", async () => {
  await using repository = await gitRepository();
  const [one, two] = await Promise.all([workspaceOf(repository.path, "one"), workspaceOf(repository.path, "two")]);
  await repository.write("a.txt", "a\n");
  const ends = await Promise.allSettled([one.commit(REQUEST), two.commit({ ...REQUEST, loopId: "other" })]);
  const codes = ends.map((end): unknown => (end.status === "rejected" ? end.reason.code : "committed"));
  expect(["committed", "GIT_HEAD_MOVED"]).toEqual(expect.arrayContaining(codes));
  await one.commit(REQUEST);
  expect(await repository.git("show", "HEAD:a.txt")).toBe("a");
  expect(await repository.git("status", "--porcelain", "a.txt")).toBe("");
});

test.for([
  ["one", ["fix: a\n\nBody.\n"], "fix: a\n\nBody.\n"],
  ["one without a word", [""], "\n"],
  ["trailers stay last", ["a\n", "b\n\nBody.\n\nX-Y: z\n"], "b\n\nBody.\n\nWith it:\n\n- a\n\nX-Y: z\n"],
  ["trailers alone are a text", ["a", "Fix: b\n"], "Fix: b\n\nWith it:\n\n- a\n"],
] as const)("sign-commits: the message of one commit for several: %s", ([, messages, expected]) => {
  expect(squashedMessage(messages)).toBe(expected);
});

test("sign-commits: of very many commits the first fifty are named", () => {
  const many = Array.from({ length: 60 }, (_, i) => `commit ${i}\n\nBody.\n`);
  const lines = squashedMessage(many).split("\n");
  expect(lines.filter((line) => line.startsWith("- commit"))).toHaveLength(50);
  expect(lines.at(-2)).toBe("- and 9 more");
});
