import path from "node:path";
import { readdir, readFile, stat } from "node:fs/promises";
import { createGitWorkspace, type GitWorkspace } from "../../src/git/workspace.ts";
import type { Snapshot } from "../../src/core/state.ts";

export const LOOPS = ".codex/waylon-smithers";

/** The workspace of a loop whose folder lies where it lies by default. */
export function workspaceOf(
  root: string,
  loop = "loop",
  more: { readonly notice?: (text: string) => void } = {},
): Promise<GitWorkspace> {
  return createGitWorkspace({
    ...more,
    root,
    folder: path.join(root, LOOPS, "loops", loop),
    excluded: [LOOPS],
  });
}

/** A snapshot of a workspace that is measured. */
export async function snapshotOf(workspace: GitWorkspace): Promise<Snapshot> {
  const snapshot = await workspace.snapshot();
  if (snapshot === null) throw new Error("a git workspace has a snapshot");
  return snapshot;
}

/** Every byte below a git directory, by path: what nobody may touch. */
export async function bytesOf(folder: string): Promise<Record<string, string>> {
  const bytes: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    const file = path.join(folder, name);
    if ((await stat(file)).isFile()) bytes[name] = await readFile(file, "base64");
  }
  return bytes;
}
