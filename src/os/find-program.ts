import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/**
 * The program that a name stands for.
 *
 * @param searchPath as in `PATH`
 * @returns an absolute path; undefined when there is no such program
 */
export function findProgram(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => path.resolve(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
