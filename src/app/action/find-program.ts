import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";

/**
 * The program that a name stands for.
 *
 * @param searchPath as in `PATH`
 * @returns an absolute path; undefined when there is no such program
 */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter)) {
    const file = path.resolve(folder, name);
    if (folder !== "" && (await isProgram(file))) return file;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
