import path from "node:path";
import { exists } from "../os/file-errors.ts";
import { placeOf } from "../store/place.ts";

const NAME_LENGTH = 60;

/**
 * The id of a new loop: the workspace's name and the local time, as in `repo-2026-01-06T21-10-00` (W-17). Counts on where
 * a loop of that name exists already.
 */
export async function newLoopId(root: string, now: Date): Promise<string> {
  const base = `${nameOf(root)}-${localTime(now)}`;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    const { stateFile, folder } = placeOf(root, id, null);
    if (!(await exists(stateFile)) && !(await exists(folder))) return id;
  }
}

/** A folder's name in the characters that an id may have (C9). */
function nameOf(root: string): string {
  const name = path
    .basename(root)
    .replaceAll(/[^A-Za-z0-9._-]+/gu, "-")
    .replaceAll(/\.{2,}/gu, ".")
    .replace(/^[^A-Za-z0-9]+/u, "")
    .slice(0, NAME_LENGTH);
  return name === "" ? "loop" : name;
}

function localTime(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join("-");
  return `${date}T${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join("-")}`;
}
