import { lstat, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Writes a file of the workspace, with its folders.
 *
 * @returns whether the file was there before; undefined when its path leads out of the workspace, and nothing is done
 */
export async function writeInside(root: string, name: string, content: string): Promise<"add" | "update" | undefined> {
  const there = await exists(root, name);
  if (there === "outside") return undefined;
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return there ? "update" : "add";
}

/**
 * Deletes a file or folder of the workspace.
 *
 * @returns whether it was there; undefined when its path leads out of the workspace, and nothing is done
 */
export async function deleteInside(root: string, name: string): Promise<boolean | undefined> {
  const there = await exists(root, name);
  if (there === "outside") return undefined;
  await rm(path.join(root, name), { recursive: true, force: true });
  return there;
}

/** Whether `name` exists below `root`; outside is also the root itself, and what a symbolic link leads out to. */
async function exists(root: string, name: string): Promise<boolean | "outside"> {
  const realRoot = await realpath(root);
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (path.isAbsolute(name) || parts.length === 0 || parts.includes("..")) return "outside";
  let file = realRoot;
  for (const part of parts) {
    file = path.join(file, part);
    const stat = await lstat(file).catch(() => undefined);
    if (stat === undefined) return false;
    if (stat.isSymbolicLink()) {
      const target = await realpath(file).catch(() => undefined);
      if (target === undefined || !`${target}/`.startsWith(`${realRoot}/`)) return "outside";
      file = target;
    }
  }
  return true;
}
