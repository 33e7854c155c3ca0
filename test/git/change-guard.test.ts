import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { appendFile, chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { OperationalError } from "../../src/core/errors.ts";
import { ALWAYS_PROTECTED, PATCH_FILE } from "../../src/core/names.ts";
import { createGitWorkspace, createPlainWorkspace } from "../../src/git/workspace.ts";
import { forgeHead, forgeObject } from "../support/forge-object.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { LOOPS, snapshotOf } from "./support.ts";

const CI = ".github/workflows/ci.yml";
const FILES = { "src/a.ts": "a\n", [CI]: "on: push\n", CODEOWNERS: "* @us\n", "AGENTS.md": "Be kind.\n" };

interface Wanted {
  readonly open?: readonly string[];
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly published?: () => Promise<readonly string[]>;
  /** below the top */
  readonly at?: string;
}

/** A guarded workspace, as it was when the loop began. */
async function guarded(repository: GitRepository, { open = [], published, at = "", ...limits }: Wanted = {}) {
  const root = path.join(repository.path, at);
  const folder = path.join(root, LOOPS, "loops/loop");
  const { maxFiles = null, maxBytes = null } = limits;
  const rules = { protectedPaths: [...ALWAYS_PROTECTED, ...open], maxFiles, maxBytes };
  const workspace = await createGitWorkspace({ root, folder, excluded: [LOOPS], rules, published });
  const begun = await snapshotOf(workspace);
  return {
    workspace,
    begun,
    folder,
    refused: async () => workspace.refusal(begun, await snapshotOf(workspace)),
    commit: async () => workspace.commit({ message: "work", loopId: "loop", iteration: 1 }),
  };
}

type Attack = (repository: GitRepository) => Promise<unknown>;

const ATTACKS: Readonly<Record<string, readonly [Attack, readonly string[]]>> = {
  "rewrites a workflow": [(r) => r.write(CI, "on: [push, dispatch]\n"), [CI]],
  "adds one": [(r) => r.write(".github/workflows/evil.yml", "x\n"), [".github/workflows/evil.yml"]],
  "deletes one": [(r) => rm(path.join(r.path, CI)), [CI]],
  "makes it executable": [async (r) => chmod(path.join(r.path, CI), 0o755), [CI]],
  "renames it away": [async (r) => rename(path.join(r.path, CI), path.join(r.path, "ci.yml")), [CI]],
  "renames its folder to another case": [
    async (r) => rename(path.join(r.path, ".github"), path.join(r.path, ".GitHub")),
    [CI, ".GitHub/workflows/ci.yml"].toSorted(),
  ],
  "puts a link in its place": [
    async (r) => {
      await rm(path.join(r.path, CI));
      await symlink("../../src/a.ts", path.join(r.path, CI));
    },
    [CI],
  ],
  "puts a link in the place of its folder": [
    async (r) => {
      await rename(path.join(r.path, ".github"), path.join(r.path, "src/g"));
      await symlink("src/g", path.join(r.path, ".github"));
    },
    [".github", CI],
  ],
  "plants a local action behind a name with a line break": [
    (r) => r.write(".github/actions/a\nb/action.yml", "x\n"),
    [String.raw`.github/actions/a\nb/action.yml`],
  ],
  "writes a name that is not text": [
    async (r) => {
      await mkdir(path.join(r.path, ".codex"), { recursive: true });
      await writeFile(Buffer.concat([Buffer.from(`${r.path}/.codex/`), Buffer.from([0xff, 0xfe])]), "x");
    },
    [".codex/\uFFFD\uFFFD"],
  ],
  "gives instructions to the next agent": [
    (r) => r.write("packages/a/agents.override.md", "x\n"),
    ["packages/a/agents.override.md"],
  ],
  "commits it by itself": [
    async (r) => {
      await r.write(CI, "on: []\n");
      await r.git("commit", "-qam", "mine");
    },
    [CI],
  ],
  "commits it, and hides it from git status": [
    async (r) => {
      await r.write(CI, "on: []\n");
      await r.git("commit", "-qam", "mine");
      await r.git("update-index", "--assume-unchanged", CI);
    },
    [CI],
  ],
};

describe("an agent that", () => {
  test.for(Object.entries(ATTACKS))(
    "%s is refused, and the change is in no commit of ours [T17]",
    async ([, [attack, paths]]) => {
      await using repository = await gitRepository(FILES);
      const { refused, commit } = await guarded(repository);
      await repository.write("src/a.ts", "honest work\n");
      expect(await refused()).toBeNull();
      await attack(repository);
      const head = await repository.git("rev-parse", "HEAD");
      expect(await refused()).toEqual({ kind: "protected_paths", count: paths.length, paths });
      // What the agent has committed already is nothing to commit for us: a push is what meets that.
      const isItsOwn = (await repository.git("log", "-1", "--format=%s")) === "mine";
      const code = await commit().then(
        () => "nothing",
        (error: unknown) => error instanceof OperationalError && error.code,
      );
      expect(code).toBe(isItsOwn ? "nothing" : "PROTECTED_PATHS");
      expect(await repository.git("rev-parse", "HEAD")).toBe(head);
    },
  );
});

test("a tree that is forged so that a protected file looks unchanged hides nothing, and is in no commit of ours [T17]", async () => {
  const owners = ".github/CODEOWNERS";
  await using repository = await gitRepository({ ...FILES, [owners]: "* @us\n" });
  const { refused, commit } = await guarded(repository);
  await repository.write(".github/notes.md", "honest work\n");
  await repository.write(owners, "evil\n");
  await forgeHead(repository.path, owners);
  await repository.git("read-tree", "HEAD");
  const head = await repository.git("rev-parse", "HEAD");
  await expect(refused()).rejects.toMatchObject({ code: "GIT_OBJECT_FORGED" });
  await expect(commit()).rejects.toMatchObject({ code: "GIT_OBJECT_FORGED" });
  expect(await repository.git("rev-parse", "HEAD")).toBe(head);
});

test("a tree that is forged so that it holds an ignored file's name does not hide that file [T8]", async () => {
  await using repository = await gitRepository({ ...FILES, ".gitignore": "AGENTS.md\n" });
  const { refused, begun } = await guarded(repository);
  await repository.write("AGENTS.md", "evil\n");
  expect(await refused()).toMatchObject({ paths: ["AGENTS.md"] });
  const entry = `100644 AGENTS.md\0${Buffer.from("1".repeat(40), "hex").toString("latin1")}`;
  await forgeObject(repository.path, begun.tree, "tree", entry);
  await expect(refused()).rejects.toMatchObject({ code: "GIT_OBJECT_FORGED" });
});

test("a file that is forged to be short is not below the cap [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const { refused } = await guarded(repository, { maxBytes: 1_000 });
  await repository.write("src/long.ts", "x".repeat(2_000));
  const id = await repository.git("hash-object", "src/long.ts");
  await forgeObject(repository.path, id, "blob", "x");
  await expect(refused()).rejects.toMatchObject({ code: "GIT_OBJECT_FORGED" });
});

test("an index that says of a changed folder that it is the old tree hides nothing [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const { refused } = await guarded(repository);
  await repository.git("read-tree", "HEAD");
  const tree = await repository.git("rev-parse", "HEAD:.github/workflows");
  await repository.write(CI, "evil\n");
  await repository.git("add", "-A");
  const evil = await repository.git("write-tree");
  const now = await repository.git("rev-parse", `${evil}:.github/workflows`);
  // What the index keeps about its folders, with the old names in place of the new ones.
  const file = path.join(repository.path, ".git/index");
  const bytes = (await readFile(file)).subarray(0, -20).toString("latin1");
  const name = (id: string) => Buffer.from(id, "hex").toString("latin1");
  const old = await Promise.all(["", ".github"].map((at) => repository.git("rev-parse", `HEAD:${at}`)));
  const made = await Promise.all(["", ".github"].map((at) => repository.git("rev-parse", `${evil}:${at}`)));
  const ids = [[now, tree], ...made.map((id, i) => [id, old[i] ?? ""])];
  const bent = Buffer.from(
    ids.reduce((all, [a = "", b = ""]) => all.replace(name(a), name(b)), bytes),
    "latin1",
  );
  await writeFile(file, Buffer.concat([bent, createHash("sha1").update(bent).digest()]));
  expect(await refused()).toMatchObject({ kind: "protected_paths", paths: [CI] });
});

test("a change that is undone is none any more, even one that the agent has committed [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const { refused, commit } = await guarded(repository);
  await repository.write(CI, "on: []\n");
  await repository.git("commit", "-qam", "mine");
  expect(await refused()).toMatchObject({ kind: "protected_paths" });
  await repository.write(CI, FILES[CI]);
  expect(await refused()).toBeNull();
  expect(await commit()).toMatchObject({ commit: expect.any(String) });
});

test("what a person had changed before the loop began is theirs [T17]", async () => {
  await using repository = await gitRepository(FILES);
  await repository.write(CI, "on: [mine]\n");
  const { refused, commit } = await guarded(repository);
  await repository.write("src/a.ts", "work\n");
  expect(await refused()).toBeNull();
  await commit();
  expect(await repository.git("show", `HEAD:${CI}`)).toBe("on: [mine]");
});

test("an opened path may change, the others may not [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const { refused, commit } = await guarded(repository, { open: [`!${CI}`] });
  await repository.write(CI, "on: []\n");
  expect(await refused()).toBeNull();
  await commit();
  await repository.write(".github/workflows/release.yml", "x\n");
  expect(await refused()).toMatchObject({ paths: [".github/workflows/release.yml"] });
});

test("a merge of the default branch is nobody's change, unless more was changed in the same file [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const tips: string[] = [];
  const { refused, commit } = await guarded(repository, { published: async () => tips, maxFiles: 1 });
  await repository.git("checkout", "-qb", "theirs");
  await repository.write(CI, "on: theirs\n");
  await repository.write("src/b.ts", "theirs\n");
  await repository.write("src/c.ts", "theirs\n");
  await repository.git("add", ".");
  await repository.git("commit", "-qm", "theirs");
  tips.push("0".repeat(40), await repository.git("rev-parse", "HEAD"));
  await repository.git("checkout", "-q", "main");
  await repository.git("merge", "-q", "--no-commit", "--no-ff", "theirs");
  await repository.git("commit", "-qm", "merged");
  await repository.write("src/a.ts", "work\n");
  expect(await refused()).toBeNull();
  await commit();
  await repository.write(CI, "on: theirs and mine\n");
  expect(await refused()).toMatchObject({ paths: [CI] });
});

test("too many files or bytes are refused, with the numbers [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const limits = { maxFiles: 2, maxBytes: 1000 };
  const { refused } = await guarded(repository, limits);
  await repository.write("one", "x".repeat(600));
  await repository.write("two", "x".repeat(400));
  expect(await refused()).toBeNull();
  await repository.write("three", "");
  const counted = { kind: "too_large", max_files: 2, max_bytes: 1000 };
  expect(await refused()).toEqual({ ...counted, files: 3, bytes: 1000 });
  await rm(path.join(repository.path, "three"));
  await repository.write("two", "x".repeat(401));
  expect(await refused()).toEqual({ ...counted, files: 2, bytes: 1001 });
});

test("in a folder of a repository, paths are seen from the repository's top [T17]", async () => {
  await using repository = await gitRepository({ ...FILES, "docs/a.md": "a\n" });
  const { refused, commit } = await guarded(repository, { at: "docs" });
  await repository.write("docs/workflows/ci.yml", "x\n");
  expect(await refused()).toBeNull();
  await repository.write("docs/CODEOWNERS", "* @me\n");
  expect(await refused()).toMatchObject({ paths: ["docs/CODEOWNERS"] });
  await expect(commit()).rejects.toMatchObject({ code: "PROTECTED_PATHS" });
});

test("where what the loop began with is lost, everything counts as changed [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const { workspace } = await guarded(repository);
  const lost = { id: "lost", tree: "1".repeat(40), head: null };
  expect(await workspace.refusal(lost, await snapshotOf(workspace))).toMatchObject({
    kind: "protected_paths",
    count: 3,
  });
});

test("a commit without a known beginning is held against its own parent [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const { commit } = await guarded(repository);
  await repository.write(CI, "on: []\n");
  await expect(commit()).rejects.toMatchObject({ code: "PROTECTED_PATHS" });
});

test("the patch of what was refused applies to where the loop began, and one that is too large is not written [T17]", async () => {
  await using repository = await gitRepository(FILES);
  const { workspace, begun, folder } = await guarded(repository);
  await repository.write(CI, "on: []\n");
  await workspace.keepPatch(begun, await snapshotOf(workspace));
  const patch = path.join(folder, PATCH_FILE);
  await repository.git("checkout", CI);
  await repository.git("apply", patch);
  expect(await readFile(path.join(repository.path, CI), "utf8")).toBe("on: []\n");
  await workspace.keepPatch({ ...begun, tree: "1".repeat(40) }, begun);
  await expect(readFile(patch)).rejects.toMatchObject({ code: "ENOENT" });
});

test("outside of git nothing is measured, and nothing is claimed [T17, W-25]", async () => {
  await using folder = await tempFolder();
  const workspace = createPlainWorkspace();
  const nothing = { id: folder.path, tree: "", head: null };
  expect(await workspace.refusal(nothing, nothing)).toBeNull();
  await workspace.keepPatch(nothing, nothing);
});

describe("instructions that git ignores [T8]", () => {
  const hidden = async (r: GitRepository, ...names: readonly string[]) => {
    await appendFile(path.join(r.path, ".git/info/exclude"), "*\n");
    for (const name of names) await r.write(name, "evil\n");
  };

  test("count as changed, by whatever file they are ignored, and are in no tree of ours", async () => {
    await using repository = await gitRepository({ ...FILES, ".gitignore": ".env\nCLAUDE.md\n" });
    const at = await guarded(repository);
    await hidden(repository, ".claude/settings.json", "CLAUDE.md", "pkg/.codex/config.toml", ".smithers.toml", ".env");
    const paths = [".claude/settings.json", ".smithers.toml", "CLAUDE.md", "pkg/.codex/config.toml"];
    expect(await at.refused()).toMatchObject({ kind: "protected_paths", count: 4, paths });
    expect(await snapshotOf(at.workspace)).toEqual(at.begun);
  });

  test("are nobody's change as they were when the run began, and are one when they are changed since", async () => {
    await using repository = await gitRepository({ ...FILES, ".gitignore": ".claude\n" });
    await repository.write(".claude/settings.local.json", "mine\n");
    const at = await guarded(repository);
    expect(await at.refused()).toBeNull();
    await repository.write(".claude/settings.local.json", "evil\n");
    expect(await at.refused()).toMatchObject({ paths: [".claude/settings.local.json"] });
  });

  test("may change where a person opens them, and in packages and other repositories", async () => {
    await using repository = await gitRepository(FILES);
    await repository.write("other/.git/HEAD", "ref: refs/heads/main\n");
    const at = await guarded(repository, { open: ["!.claude/**"] });
    await hidden(repository, ".claude/settings.json", "node_modules/a/AGENTS.md", "other/AGENTS.md", `${LOOPS}/a.json`);
    expect(await at.refused()).toBeNull();
  });

  test("are not hidden by a repository that the agent makes around them", async () => {
    await using repository = await gitRepository(FILES);
    const at = await guarded(repository);
    await hidden(repository, "pkg/.git/HEAD", "pkg/CLAUDE.md", ".codex/.git/HEAD", ".codex/node_modules/x");
    expect(await at.refused()).toMatchObject({ paths: [".codex/node_modules/x", "pkg/CLAUDE.md"] });
  });
});
