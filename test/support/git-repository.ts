import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { tempFolder, type TempFolder } from "./temp-folder.ts";

const run = promisify(execFile);

const TEMPLATE = path.join(import.meta.dirname, "git-template");

/** What `git init` writes, and who commits. */
const SETTINGS = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[user]
	name = Test
	email = test@example.invalid
`;

/** A real git repository that is gone when its scope ends. */
export interface GitRepository extends TempFolder {
  /** Runs git in the repository and returns its stdout without the final newline. */
  git(...args: string[]): Promise<string>;
  write(name: string, content: string): Promise<void>;
}

/**
 * Runs a shell script that stops at the first error. One shell for many programs: to start one from a test costs more
 * than what most of them do, because the test's whole memory map is copied for it.
 *
 * @param args `$0` and on
 * @returns stdout without space at its ends
 */
export async function shellIn(cwd: string, script: string, ...args: readonly string[]): Promise<string> {
  return (await run("sh", ["-e", "-c", script, ...args], { cwd })).stdout.trim();
}

/**
 * Somebody commits a file that says "theirs" on top of a branch of `remote`, which begins at `main`, and pushes it. They
 * fetch the branch by its short name, as people do.
 *
 * @returns the commit
 */
export async function pushFile(
  { path: cwd }: GitRepository,
  { remote, branch, name, message }: Readonly<Record<"remote" | "branch" | "name" | "message", string>>,
): Promise<string> {
  const script = `
    from=main; if git -C "$0" show-ref --verify -q "refs/heads/$1"; then from=$1; fi
    git fetch -q "$0" "$from"; git checkout -q --detach FETCH_HEAD
    mkdir -p "$(dirname "$2")"; echo theirs > "$2"; git add -A; git commit -q -m "$3"
    git push -q "$0" "HEAD:refs/heads/$1"; git rev-parse HEAD`;
  return shellIn(cwd, script, remote, branch, name, message);
}

/**
 * The commit that is checked out. Read without git, which would be started for each job.
 *
 * @param top of a work tree whose branch, if it is on one, is a loose ref
 */
export async function headOf(top: string): Promise<string> {
  const head = await readFile(path.join(top, ".git/HEAD"), "utf8");
  const ref = /^ref: (.+)$/mu.exec(head)?.[1] ?? "HEAD";
  return (await readFile(path.join(top, ".git", ref), "utf8")).trim();
}

/** Makes a repository on branch `main` with `files` in its first commit. */
export async function gitRepository(
  files: Record<string, string> = { "README.md": "hello\n" },
): Promise<GitRepository> {
  const folder = await tempFolder("repo-");
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: folder.path, maxBuffer: 1 << 26 })).stdout.replace(/\n$/u, "");
  const write = async (name: string, content: string) => {
    const file = path.join(folder.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  await cp(TEMPLATE, path.join(folder.path, ".git"), { recursive: true });
  for (const name of ["objects", "refs"]) await mkdir(path.join(folder.path, ".git", name));
  await write(".git/HEAD", "ref: refs/heads/main\n");
  await write(".git/config", SETTINGS);
  for (const [name, content] of Object.entries(files)) await write(name, content);
  await shellIn(folder.path, "git add -A; git commit -q --allow-empty -m start");
  return { ...folder, git, write };
}
