import { stat } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../core/errors.ts";

/**
 * The Loopr root (L-05, C20): the folder that is named, else the nearest ancestor that holds `.loopr/`, else the
 * repository's top, else the workspace.
 *
 * @param workspace absolute
 * @param named seen from the workspace; null: nobody says
 * @throws UsageError when the named folder is not there
 */
export async function looprRoot(workspace: string, named: string | null): Promise<string> {
  if (named !== null) {
    const root = path.resolve(workspace, named);
    if (await isFolder(root)) return root;
    throw new UsageError([
      {
        code: "LOOPR_ROOT_MISSING",
        what: `The Loopr root ${root} does not exist or is no folder.`,
        next: "Correct --loopr-root, which is seen from the workspace, or leave it out.",
      },
    ]);
  }
  const ancestors = upwards(workspace);
  return (await nearest(ancestors, ".loopr", isFolder)) ?? (await nearest(ancestors, ".git", exists)) ?? workspace;
}

/** A folder and all that it lies in. */
function upwards(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

async function nearest(
  folders: readonly string[],
  name: string,
  holds: (file: string) => Promise<boolean>,
): Promise<string | undefined> {
  const found = await Promise.all(folders.map(async (folder) => holds(path.join(folder, name))));
  return folders[found.indexOf(true)];
}

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isDirectory() === true;
}

/** In a worktree `.git` is a file. */
async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
