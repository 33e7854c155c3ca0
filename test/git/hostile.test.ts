import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { LOOPS, snapshotOf, workspaceOf } from "./support.ts";

const run = promisify(execFile);
const REQUEST = { message: "work", loopId: "demo", iteration: 1 };
const HOOKS = [
  "pre-commit",
  "commit-msg",
  "post-commit",
  "post-checkout",
  "post-index-change",
  "reference-transaction",
];

/** Plants every program that a repository can make git run; each leaves a file in `traces` when it does. */
async function plant(repository: { readonly path: string }, traces: string): Promise<void> {
  const git = (...args: string[]) => run("git", args, { cwd: repository.path });
  const trace = (name: string) => `touch ${path.join(traces, name)}; cat`;
  const gitDir = (await git("rev-parse", "--absolute-git-dir")).stdout.trim();
  await mkdir(path.join(gitDir, "hooks"), { recursive: true });
  for (const hook of HOOKS) {
    const file = path.join(gitDir, "hooks", hook);
    await writeFile(file, `#!/bin/sh\ntouch ${path.join(traces, hook)}\n`);
    await chmod(file, 0o755);
  }
  await mkdir(path.join(gitDir, "info"), { recursive: true });
  await writeFile(path.join(gitDir, "info/attributes"), "*.txt filter=evil diff=evil merge=evil\n*.md diff=evil\n");
  await git("config", "filter.evil.clean", trace("clean"));
  await git("config", "filter.evil.smudge", trace("smudge"));
  await git("config", "filter.evil.process", trace("process"));
  await git("config", "diff.evil.textconv", trace("textconv"));
  await git("config", "diff.evil.command", trace("diff-command"));
  await git("config", "diff.external", trace("external-diff"));
  await git("config", "core.pager", trace("pager"));
  await git("config", "core.editor", trace("editor"));
  await git("config", "core.sshCommand", trace("ssh"));
  await git("config", "alias.diff-files", `!${trace("alias")}`);
  await git("config", "gpg.program", trace("gpg"));
  await git("config", "commit.gpgSign", "true");
  await git("config", "core.fsmonitor", trace("fsmonitor"));
}

async function everything(repository: GitRepository): Promise<void> {
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await repository.write("README.md", "changed\n");
  await repository.write("new.md", "new\n");
  expect(await workspace.compare(before, await snapshotOf(workspace))).toMatchObject({ files: 2 });
  await workspace.dirtyFiles();
  expect(await workspace.commit(REQUEST)).toBeDefined();
  await repository.write("new.txt", "new\n");
  await workspace.snapshot();
  await expect(workspace.commit(REQUEST)).rejects.toHaveProperty("code", "GIT_FILTER_NEEDED");
}

test("nothing that the repository's configuration, hooks or attributes name is run [T12]", async () => {
  await using traces = await tempFolder();
  await using repository = await gitRepository();
  await plant(repository, traces.path);
  await repository.git("config", "core.worktree", traces.path);
  await everything(repository);
  expect(await readdir(traces.path)).toEqual([]);
});

test("the traps are real: plain git runs them [T12]", async () => {
  await using traces = await tempFolder();
  await using repository = await gitRepository();
  await plant(repository, traces.path);
  await repository.git("config", "--unset", "commit.gpgSign");
  await repository.write("new.txt", "new\n");
  await repository.git("add", "-A");
  await repository.git("commit", "-qm", "x");
  // Our traps know nothing of the arguments that they get.
  await repository.git("diff", "HEAD^").catch(() => undefined);
  expect(await readdir(traces.path)).toEqual(
    expect.arrayContaining([
      "fsmonitor",
      "pre-commit",
      "post-commit",
      "reference-transaction",
      "process",
      "diff-command",
    ]),
  );
});

test("nor what a submodule or a nested repository names [T12]", async () => {
  await using traces = await tempFolder();
  await using inner = await gitRepository({ "x.txt": "x\n" });
  await using repository = await gitRepository();
  await repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
  await repository.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "none");
  await repository.git("add", "-A");
  await repository.git("commit", "-qm", "submodule");
  await plant({ path: path.join(repository.path, "sub") }, traces.path);
  // Git would have to run the filter to see whether this is a change.
  await repository.write("sub/x.txt", "y\n");
  await mkdir(path.join(repository.path, "nested"));
  await run("git", ["init", "-q"], { cwd: path.join(repository.path, "nested") });
  await plant({ path: path.join(repository.path, "nested") }, traces.path);
  await repository.write(".git/info/attributes", "*.txt filter=evil\n");
  await everything(repository);
  expect(await readdir(traces.path)).toEqual([]);
});

test("nor what was planted in our own git directory [T12]", async () => {
  await using traces = await tempFolder();
  await using repository = await gitRepository();
  await (await workspaceOf(repository.path)).snapshot();
  const own = path.join(repository.path, LOOPS, "loops/loop/git");
  await writeFile(path.join(own, "config"), `[core]\n\tfsmonitor = "touch ${traces.path}/own"\n\tbare = true\n`);
  await writeFile(path.join(own, "commondir"), path.join(repository.path, ".git"));
  await repository.write(".git/info/attributes", "*.txt filter=evil\n");
  await everything(repository);
  expect(await readdir(traces.path)).toEqual([]);
});

test("the caller's GIT_ variables do not lead us elsewhere [T12]", async () => {
  await using elsewhere = await gitRepository();
  await using repository = await gitRepository();
  await repository.write("new.md", "new\n");
  const script = `
    const { createGitWorkspace } = await import(${JSON.stringify(path.join(import.meta.dirname, "../../src/git/workspace.ts"))});
    const root = ${JSON.stringify(repository.path)};
    const workspace = await createGitWorkspace({ root, folder: root + "/.codex/l", excluded: [".codex"] });
    process.stdout.write(JSON.stringify(await workspace.dirtyFiles()));`;
  const git = path.join(elsewhere.path, ".git");
  const env = { ...process.env, GIT_DIR: git, GIT_WORK_TREE: elsewhere.path, GIT_INDEX_FILE: path.join(git, "index") };
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { env });
  expect(JSON.parse(stdout)).toEqual(["new.md"]);
});
