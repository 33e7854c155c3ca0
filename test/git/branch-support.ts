import { execFile } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { findRepository } from "../../src/git/repository.ts";
import { createWorkBranch, type WorkBranch, type WorkBranchOptions } from "../../src/git/branch.ts";
import { gitHttp, type GitHttp } from "../support/git-http.ts";
import { gitRepository, type GitRepository, shellIn } from "../support/git-repository.ts";
import { tempFolder, type TempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);

export const BRANCH = "smithers/a-loop";
/** Milliseconds that no answer takes, however busy the machine is: a git that is cut off says no more why. */
export const SOON = 120_000;

/** A remote, and a person who pushes to it. */
export interface Remote extends AsyncDisposable {
  readonly http: GitHttp;
  readonly person: GitRepository;
  /** The person commits these files on top of a ref of theirs and pushes to a branch; null deletes. */
  push(branch: string, files: Record<string, string | null>, from?: string): Promise<string>;
}

/** A remote whose `main` has three commits. */
export async function remoteWith(files: Record<string, string> = { "README.md": "hello\n" }): Promise<Remote> {
  const http = await gitHttp();
  const person = await gitRepository(files);
  const push: Remote["push"] = async (branch, changes, from = "HEAD") => {
    if (from !== "HEAD") await person.git("checkout", "-q", "--detach", from);
    for (const [name, content] of Object.entries(changes)) {
      if (content === null) await rm(path.join(person.path, name), { recursive: true, force: true });
      else await person.write(name, content);
    }
    const script = `git checkout -q --detach; git add -A -f; git commit -q --allow-empty -m work
      git push -q "$0" "HEAD:refs/heads/$1"; git rev-parse HEAD`;
    return shellIn(person.path, script, http.folder, branch);
  };
  await person.write("docs/a.md", "a\n");
  await shellIn(person.path, "git add -A; git commit -q -m work");
  await push("main", { "docs/a.md": "b\n" });
  return {
    http,
    person,
    push,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      await person[Symbol.asyncDispose]();
    },
  };
}

/** A machine with the remote's `main` checked out, as a job has it. */
export interface Machine extends TempFolder {
  readonly top: string;
  readonly git: (...args: string[]) => Promise<string>;
  readonly write: (name: string, content: string) => Promise<void>;
  branch(overrides?: Partial<WorkBranchOptions>): Promise<WorkBranch>;
  /** commits everything, the way the engine does */
  commit(name: string, content: string): Promise<string>;
  /** what is checked out: branch, commit, files, and that git holds nothing for changed */
  expectAt(commit: string, branch?: string): Promise<void>;
}

export async function machine({ http }: Remote, clone: readonly string[] = [], below = ""): Promise<Machine> {
  const folder = await tempFolder("machine-");
  const top = path.join(folder.path, "work");
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: top, maxBuffer: 1 << 26 })).stdout.replace(/\n$/u, "");
  await run("git", ["-c", header(http), "clone", "-q", ...clone, http.url, top]);
  await appendFile(path.join(top, ".git/config"), "[user]\n\tname = Engine\n\temail = engine@example.invalid\n");
  const write = async (name: string, content: string) => {
    await mkdir(path.dirname(path.join(top, name)), { recursive: true });
    await writeFile(path.join(top, name), content);
  };
  return {
    ...folder,
    top,
    git,
    write,
    async branch(overrides = {}) {
      const repository = await findRepository(path.join(top, below));
      if (repository === undefined) throw new Error("there is a repository");
      const own = path.join(folder.path, "loops/a-loop.branch");
      const place = { repository, folder: own, url: http.url, token: http.writeToken, mark: "test", branch: BRANCH };
      return createWorkBranch({ ...place, ...overrides });
    },
    async commit(name, content) {
      await write(name, content);
      return shellIn(top, "git add -A; git commit -q -m engine; git rev-parse HEAD");
    },
    async expectAt(commit, branch = BRANCH) {
      const script = "git symbolic-ref HEAD; git rev-parse HEAD; git status --porcelain; git diff HEAD --stat";
      expect(await shellIn(top, script)).toBe(`refs/heads/${branch}\n${commit}`);
    },
  };
}

/** The setting with which a person's git may read the remote. */
function header(http: GitHttp): string {
  return `http.extraHeader=AUTHORIZATION: basic ${btoa(`x-access-token:${http.readToken}`)}`;
}

/** Every file of a work tree but git's own. */
export async function filesOf(top: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(top, file);
    if (entry.isFile() && !name.startsWith(".git/")) files[name] = await readFile(file, "utf8");
  }
  return files;
}
