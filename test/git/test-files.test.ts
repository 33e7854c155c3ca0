import path from "node:path";
import { cp, rm } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Snapshot } from "../../src/core/state.ts";
import type { TestQuery } from "../../src/core/progress/test-files.ts";
import { createTestBaseline } from "../../src/store/test-baseline.ts";
import { createPlainWorkspace } from "../../src/git/workspace.ts";
import { PrivateGit } from "../../src/git/private-git.ts";
import { findRepository } from "../../src/git/repository.ts";
import { testFilesIn, type TestFileLimits } from "../../src/git/test-files.ts";
import { testBaselineContract } from "../contract/test-baseline-contract.ts";
import { forgeObject } from "../support/forge-object.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { LOOPS, snapshotOf, workspaceOf } from "./support.ts";

const QUERY: TestQuery = { scripts: ["Makefile", "check.sh"], known: new Map() };
const FOLDER = path.join(LOOPS, "loops", "loop");

function baselineOf(root: string, workspace: Awaited<ReturnType<typeof workspaceOf>>) {
  return createTestBaseline({
    folder: path.join(root, FOLDER),
    workspace,
    scripts: QUERY.scripts,
    notice: (text) => expect.fail(text),
  });
}

testBaselineContract("test baseline of a git workspace", async () => {
  const repository = await gitRepository();
  const workspace = await workspaceOf(repository.path);
  return {
    open: async () => baselineOf(repository.path, await workspaceOf(repository.path)),
    async tree(files) {
      await Promise.all(
        ["test", "src"].map((name) => rm(path.join(repository.path, name), { recursive: true, force: true })),
      );
      for (const [name, content] of Object.entries(files)) await repository.write(name, content);
      return snapshotOf(workspace);
    },
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  };
});

const FILES = {
  Makefile: "check:\n\tnode --test\n",
  "lib.rs": "#[test]\nfn a() {}\n#[ignore]\n",
  "src/a.js": "1;\n",
  "src/ü b.test.js": "it.skip('ü');\nit.skip('c');\n",
  "test/copy.test.js": "it.skip('ü');\nit.skip('c');\n",
  "test/empty.test.js": "",
  "test/fixtures/a.json": "{}",
};

test("the files that have a say in what the checks find, untracked ones included [C21]", async () => {
  await using repository = await gitRepository({ Makefile: FILES.Makefile });
  for (const [name, content] of Object.entries(FILES)) await repository.write(name, content);
  const workspace = await workspaceOf(repository.path);
  const listing = await workspace.testFiles(await snapshotOf(workspace), QUERY);
  const marks = { skips: { "it.skip": 2 }, tests: 0 };
  const blob = expect.stringMatching(/^[0-9a-f]{40}$/u);
  expect(listing).toEqual({
    complete: true,
    files: [
      { path: "Makefile", role: "script", bytes: 20, blob, marks: null },
      { path: "lib.rs", role: "mixed", bytes: 28, blob, marks: { skips: { "#[ignore": 1 }, tests: 1 } },
      { path: "src/ü b.test.js", role: "test", bytes: 29, blob, marks },
      { path: "test/copy.test.js", role: "test", bytes: 29, blob, marks },
      { path: "test/empty.test.js", role: "test", bytes: 0, blob, marks: { skips: {}, tests: 0 } },
      { path: "test/fixtures/a.json", role: "support", bytes: 2, blob, marks: null },
    ],
  });
});

test("a workspace below the top of its repository, and one outside of git [C21]", async () => {
  await using repository = await gitRepository({ "a/test/a.test.js": "x", "test/b.test.js": "x" });
  const workspace = await workspaceOf(path.join(repository.path, "a"));
  const listing = await workspace.testFiles(await snapshotOf(workspace), QUERY);
  expect(listing?.files.map(({ path: name }) => name)).toEqual(["test/a.test.js"]);
  expect(await createPlainWorkspace().testFiles({ id: "1", tree: "1", head: null }, QUERY)).toBeNull();
});

test("a snapshot whose objects are gone has files that nobody knows [C21]", async () => {
  await using repository = await gitRepository();
  const workspace = await workspaceOf(repository.path);
  const gone: Snapshot = { id: "1", tree: "1".repeat(40), head: null };
  expect(await workspace.testFiles(gone, QUERY)).toBeNull();
});

test("tests that are forged to be there, or to say more, are refused [T17]", async () => {
  await using repository = await gitRepository({ "test/a.test.js": "it('a');\n", "test/b.test.js": "it('b');\n" });
  const workspace = await workspaceOf(repository.path);
  await repository.write("test/a.test.js", "it.skip('a');\n");
  const snapshot = await snapshotOf(workspace);
  const id = await repository.git("hash-object", "test/a.test.js");
  await forgeObject(repository.path, id, "blob", "it('a', x);\n");
  await rm(path.join(repository.path, FOLDER, "git/objects", id.slice(0, 2), id.slice(2)), { force: true });
  await expect(workspace.testFiles(snapshot, QUERY)).rejects.toMatchObject({ code: "GIT_OBJECT_FORGED" });
});

test.each<[string, Partial<TestFileLimits>, object]>([
  ["too many files", { files: 1 }, { complete: false, files: [{ path: "a.test.js", marks: {} }] }],
  ["a file that is too long", { fileBytes: 2 }, { complete: true, files: [{ marks: null }, { bytes: 1, marks: {} }] }],
  ["too much in all", { bytes: 4 }, { complete: true, files: [{ marks: {} }, { marks: null }] }],
])("what is beyond the limits is unknown: %s [C21]", async (_title, limits, expected) => {
  await using repository = await gitRepository({ "a.test.js": "1234", "b.test.js": "x" });
  const git = await gitOf(repository.path);
  const all = { files: 9, fileBytes: 9, bytes: 9, ...limits };
  const tree = await repository.git("rev-parse", "HEAD^{tree}");
  expect(await testFilesIn(git, tree, QUERY, all)).toMatchObject(expected);
});

test("a content that is known is not read, and one that is not there is unknown [C21]", async () => {
  await using repository = await gitRepository({ "a.test.js": "it.skip()", "b.test.js": "xit('b')" });
  const blobs = (await repository.git("ls-tree", "--object-only", "HEAD")).trim().split("\n");
  const [known = "", gone = ""] = blobs;
  const git = await gitOf(repository.path);
  const tree = (await repository.git("rev-parse", "HEAD^{tree}")).trim();
  await rm(path.join(repository.path, ".git/objects", gone.slice(0, 2), gone.slice(2)));
  const marks = { skips: { xit: 7 }, tests: 0 };
  const listing = await testFilesIn(git, tree, { ...QUERY, known: new Map([[known, marks]]) });
  expect(listing).toEqual({
    complete: false,
    files: [{ path: "a.test.js", role: "test", bytes: 9, blob: known, marks }],
  });
});

async function gitOf(root: string): Promise<PrivateGit> {
  const repository = await findRepository(root);
  if (repository === undefined) throw new Error("no repository");
  const git = new PrivateGit(repository, path.join(root, FOLDER, "git"));
  await git.prepare();
  // The tests name commits of the person's.
  await git.run(["update-ref", "HEAD", (await git.head()) ?? ""]);
  return git;
}

test("on another machine the loop's folder is enough [C21]", async () => {
  await using repository = await gitRepository({ "test/a.test.js": "it('a');\n", "check.sh": "true\n" });
  const workspace = await workspaceOf(repository.path);
  await baselineOf(repository.path, workspace).remember(await snapshotOf(workspace), 0);
  await using other = await tempFolder();
  const clone = path.join(other.path, "clone");
  await repository.git("clone", "-q", "--depth=1", `file://${repository.path}`, clone);
  await cp(path.join(repository.path, FOLDER, "tests.json"), path.join(clone, FOLDER, "tests.json"));
  await rm(path.join(clone, "test"), { recursive: true });
  await rm(path.join(clone, "check.sh"));
  const there = await workspaceOf(clone);
  const tests = baselineOf(clone, there);
  const now = await snapshotOf(there);
  await tests.remember(now, 4);
  expect(await tests.since(now)).toMatchObject({
    since: 0,
    deleted: { count: 1, paths: ["test/a.test.js"] },
    scripts: { count: 1, paths: ["check.sh"] },
  });
});

test("what a check's script takes in has a say as well, also what is only taken in now [T3, C21]", async () => {
  await using repository = await gitRepository({
    "check.sh": '. "$(dirname "$0")/ci/lib.sh"\n',
    "ci/lib.sh": "source ci/deep.sh\n",
    "ci/deep.sh": "true\n",
    "other.sh": "true\n",
  });
  const workspace = await workspaceOf(repository.path);
  const scripts = async () => {
    const listing = await workspace.testFiles(await snapshotOf(workspace), QUERY);
    return listing?.files.filter(({ role }) => role === "script").map((file) => file.path);
  };
  expect(await scripts()).toEqual(["check.sh", "ci/deep.sh", "ci/lib.sh"]);
  await repository.write("ci/lib.sh", "sh other.sh\n");
  expect(await scripts()).toEqual(["check.sh", "ci/lib.sh", "other.sh"]);
});
