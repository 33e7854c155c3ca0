import { lstat, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { isProtected } from "../../../src/core/boundary.ts";
import { INSTRUCTIONS } from "../../../src/core/names.ts";
import { CommitFiles } from "../../../src/git/commit-files.ts";
import { bringOurs, bringTheirs, findOtherVersions, replaceableNow } from "../../../src/git/work-tree/other-version.ts";
import { findRepository } from "../../../src/git/repository.ts";
import { type GitRepository, gitRepository } from "../../support/git-repository.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const isWanted = (name: string): boolean => isProtected(INSTRUCTIONS, name);

/** A repository whose HEAD differs from its first commit, and what that takes. */
async function stage(base: Record<string, string>, change: (repo: GitRepository) => Promise<unknown>) {
  const stack = new AsyncDisposableStack();
  const repo = stack.use(await gitRepository(base));
  const own = stack.use(await tempFolder("own-"));
  const first = await repo.git("rev-parse", "HEAD");
  await change(repo);
  await repo.git("add", "-A");
  await repo.git("commit", "-q", "-m", "head");
  const repository = await findRepository(repo.path);
  if (repository === undefined) throw new Error("there is no repository");
  const files = await CommitFiles.open(
    { repository, folder: path.join(own.path, "base"), url: "http://127.0.0.1:9/o/r", token: null, mark: "test" },
    first,
  );
  const find = async () => findOtherVersions(files, await repo.git("rev-parse", "HEAD"), isWanted);
  const file = (name: string) => path.join(repo.path, name);
  return {
    ...{ repo, own, files, find, file, read: async (name: string) => readFile(file(name), "utf8") },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test("instructions become the base's for a while, and are as they were after that, to the byte [T8]", async () => {
  await using at = await stage({ "AGENTS.md": "base\n", "a/b/CLAUDE.md": "base\n" }, async (repo) => {
    await repo.write("AGENTS.md", "head\n");
    await rm(path.join(repo.path, "a"), { recursive: true });
    await mkdir(path.join(repo.path, ".codex"));
    await writeFile(path.join(repo.path, ".codex/run.sh"), "evil\n", { mode: 0o755 });
    await symlink("/etc/passwd", path.join(repo.path, ".mcp.json"));
    await repo.write("other.txt", "head\n");
  });
  const now = await replaceableNow(await at.find());
  await bringTheirs(now);
  expect(await at.read("AGENTS.md")).toBe("base\n");
  expect(await at.read("a/b/CLAUDE.md")).toBe("base\n");
  expect(await lstat(at.file(".codex/run.sh")).catch(() => "gone")).toBe("gone");
  expect(await lstat(at.file(".mcp.json")).catch(() => "gone")).toBe("gone");
  expect(await at.read("other.txt")).toBe("head\n");
  expect(await bringOurs(now)).toEqual([]);
  expect(await at.repo.git("status", "--porcelain", "--ignored")).toBe("");
  expect((await stat(at.file(".codex/run.sh"))).mode & 0o777).toBe(0o755);
  expect(await lstat(at.file("a")).catch(() => "gone")).toBe("gone");
  // Doing it again does no harm.
  expect(await bringOurs(now)).toEqual([]);
  expect(await at.repo.git("status", "--porcelain")).toBe("");
});

test("what the agent writes there meanwhile stays to be seen [T8, T17]", async () => {
  await using at = await stage({ "AGENTS.md": "base\n" }, async (repo) => {
    await repo.write("AGENTS.md", "head\n");
    await repo.write(".mcp.json", "head\n");
  });
  const now = await replaceableNow(await at.find());
  await bringTheirs(now);
  await writeFile(at.file("AGENTS.md"), "the agent's\n");
  await writeFile(at.file(".mcp.json"), "the agent's\n");
  expect(await bringOurs(now)).toEqual([]);
  expect(await at.read("AGENTS.md")).toBe("the agent's\n");
  expect(await at.read(".mcp.json")).toBe("the agent's\n");
  // Until the next turn: that has the base's again.
  const again = await replaceableNow(await at.find());
  expect(again.files.map(({ name }) => name)).toEqual(["AGENTS.md", ".mcp.json"]);
});

test.for(["", "ba", null])("half of a file that a kill has left is made good: %o [T8]", async (half) => {
  await using at = await stage({ "AGENTS.md": "base\n" }, (repo) => repo.write("AGENTS.md", "head\n"));
  const now = await replaceableNow(await at.find());
  await rm(at.file("AGENTS.md"));
  if (half !== null) await writeFile(at.file("AGENTS.md"), half);
  expect(await bringOurs(now)).toEqual([]);
  expect(await at.read("AGENTS.md")).toBe("head\n");
});

test("line ends that a checkout has made stay as they lie there [T8]", async () => {
  await using at = await stage({ "AGENTS.md": "base\n" }, (repo) => repo.write("AGENTS.md", "head\nmore\n"));
  await writeFile(at.file("AGENTS.md"), "head\r\nmore\r\n");
  const now = await replaceableNow(await at.find());
  await bringTheirs(now);
  expect(await at.read("AGENTS.md")).toBe("base\n");
  await bringOurs(now);
  expect(await at.read("AGENTS.md")).toBe("head\r\nmore\r\n");
});

test("no link is followed, neither on the way there nor back [T8, T14]", async () => {
  await using at = await stage({ "pkg/AGENTS.md": "base\n" }, (repo) => repo.write("pkg/AGENTS.md", "head\n"));
  await mkdir(at.file("outside"));
  const now = await replaceableNow(await at.find());
  await rm(at.file("pkg"), { recursive: true });
  await symlink(path.join(at.own.path), at.file("pkg"));
  await expect(bringTheirs(now)).rejects.toThrow("is a link or not ours");
  expect(await lstat(path.join(at.own.path, "AGENTS.md")).catch(() => "gone")).toBe("gone");
  await bringOurs(now);
  expect(await lstat(path.join(at.own.path, "AGENTS.md")).catch(() => "gone")).toBe("gone");
});

test("a submodule in the place of instructions is refused, as are too many and too large files [T8]", async () => {
  await using module = await stage({ "a.txt": "a\n" }, async (repo) => {
    const id = await repo.git("rev-parse", "HEAD");
    await repo.git("update-index", "--add", "--cacheinfo", `160000,${id},.codex`);
    await repo.git("commit", "-q", "-m", "submodule");
    await repo.write("b.txt", "b\n");
  });
  await module.repo.git("reset", "-q", "--hard", "HEAD~1");
  await expect(module.find()).rejects.toMatchObject({ code: "INSTRUCTIONS_REFUSED" });
  await using large = await stage({}, (repo) => repo.write("AGENTS.md", "x".repeat((8 << 20) + 1)));
  await expect(large.find().then(replaceableNow)).rejects.toMatchObject({ code: "INSTRUCTIONS_REFUSED" });
});

test("a file of the commit is read whatever the work tree holds; a link is none [T8]", async () => {
  await using at = await stage({ ".smithers.toml": "a = 1\n" }, async (repo) => {
    await repo.write(".smithers.toml", "b = 2\n");
  });
  expect(await at.files.text(".smithers.toml")).toBe("a = 1\n");
  expect(await at.files.text("none.toml")).toBeUndefined();
  expect(await at.files.text("*.toml")).toBeUndefined();
});

test("a commit that cannot be had is a trouble with a cure, not a guess [T8]", async () => {
  await using at = await stage({ "a.txt": "a\n" }, (repo) => repo.write("b.txt", "b\n"));
  const { repository } = at.files;
  const use = { repository, folder: path.join(at.own.path, "other"), url: "http://127.0.0.1:9/o/r", token: null };
  await expect(CommitFiles.open({ ...use, mark: "test" }, "a".repeat(40))).rejects.toMatchObject({
    code: "BASE_UNREACHABLE",
  });
});

test("what something has written there counts as well, also where git ignores it [T8]", async () => {
  await using at = await stage({ "AGENTS.md": "base\n" }, (repo) => repo.write("check.sh", "true\n"));
  await mkdir(at.file("pkg/.codex"), { recursive: true });
  await mkdir(at.file(".git/info"), { recursive: true });
  await writeFile(at.file(".git/info/exclude"), "*\n");
  await writeFile(at.file("AGENTS.md"), "evil\n");
  await writeFile(at.file("pkg/.codex/config.toml"), "evil\n");
  await symlink("/etc/passwd", at.file("CLAUDE.md"));
  await writeFile(at.file("pkg/other.md"), "fine\n");
  const now = await replaceableNow(await at.find());
  await bringTheirs(now);
  expect(await at.read("AGENTS.md")).toBe("base\n");
  for (const name of ["pkg/.codex/config.toml", "CLAUDE.md"]) {
    expect(await lstat(at.file(name)).catch(() => "gone")).toBe("gone");
  }
  expect(await bringOurs(now)).toEqual([]);
  expect(await at.read("AGENTS.md")).toBe("evil\n");
  expect(await at.read("pkg/.codex/config.toml")).toBe("evil\n");
  expect(await at.read("pkg/other.md")).toBe("fine\n");
});

test("what lies in the place of instructions and is no file lets no turn begin [T8]", async () => {
  await using at = await stage({ "AGENTS.md": "base\n" }, (repo) => repo.write("check.sh", "true\n"));
  await rm(at.file("AGENTS.md"));
  await mkdir(at.file("AGENTS.md"));
  await expect(at.find().then(replaceableNow)).rejects.toMatchObject({ code: "INSTRUCTIONS_REFUSED" });
});
