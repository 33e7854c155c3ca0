import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Repository } from "./repository.ts";

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
const BRANCH = /^ref: (refs\/heads\/[^\s.~^:?*[\\][^\s~^:?*[\\]*)$/u;

/**
 * Reads the commit that HEAD names from the repository's files, which is far cheaper than starting git.
 *
 * @returns undefined when the files do not say it plainly: no commit yet, references kept in some other way, a
 * reference to a reference; then git has to be asked
 */
export async function readHead(repository: Repository): Promise<string | undefined> {
  const head = await readLine(path.join(repository.gitDir, "HEAD"));
  if (COMMIT.test(head)) return head;
  const branch = BRANCH.exec(head)?.[1];
  if (branch === undefined || branch.includes("..")) return undefined;
  const loose = await readLine(path.join(repository.commonDir, branch));
  if (loose !== "") return COMMIT.test(loose) ? loose : undefined;
  return packed(await readText(path.join(repository.commonDir, "packed-refs")), branch);
}

function packed(references: string, branch: string): string | undefined {
  const line = references.split("\n").find((line) => line.endsWith(` ${branch}`));
  const commit = line?.slice(0, -branch.length - 1) ?? "";
  return COMMIT.test(commit) ? commit : undefined;
}

async function readLine(file: string): Promise<string> {
  return (await readText(file)).trim();
}

async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
