import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
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
  // One process less to start from here, where starting one costs the most.
  await run("sh", ["-c", "git add -A && git commit -q --allow-empty -m start"], { cwd: folder.path });
  return { ...folder, git, write };
}
