import { execFile } from "node:child_process";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { tempFolder, type TempFolder } from "./temp-folder.ts";

const run = promisify(execFile);

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
  await git("init", "-q", "-b", "main");
  await appendFile(path.join(folder.path, ".git", "config"), "[user]\n\tname = Test\n\temail = test@example.invalid\n");
  for (const [name, content] of Object.entries(files)) await write(name, content);
  await git("add", "-A");
  await git("commit", "-q", "--allow-empty", "-m", "start");
  return { ...folder, git, write };
}
