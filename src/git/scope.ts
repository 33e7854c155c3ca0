import path from "node:path";
import type { Repository } from "./repository.ts";

/**
 * What of the repository is the workspace: everything below its root except the excluded paths, as pathspecs that are
 * relative to the top.
 */
export interface Scope {
  /** the root without the excluded paths */
  readonly included: readonly string[];
  /** the excluded paths alone; empty when there are none */
  readonly excluded: readonly string[];
  /** whether a path, a byte string relative to the top, lies in it */
  holds(name: string): boolean;
}

/** @param excluded paths relative to the workspace's root; those outside the root are outside the scope anyway */
export function scopeOf(repository: Repository, excluded: readonly string[]): Scope {
  const inside = excluded
    .map((name) => path.posix.normalize(name).replace(/\/$/u, ""))
    .filter((name) => name !== "." && name !== ".." && !name.startsWith("../") && !path.posix.isAbsolute(name));
  // The exclude magic needs something to exclude from, hence "." for the whole.
  const root = repository.prefix === "" ? "." : `:(literal)${repository.prefix}`;
  const below = bytes(repository.prefix);
  const folders = inside.map((name) => bytes(`${repository.prefix}${name}`));
  return {
    holds: (name) =>
      name.startsWith(below) && !folders.some((folder) => name === folder || name.startsWith(`${folder}/`)),
    included: [root, ...inside.map((name) => `:(exclude,literal)${repository.prefix}${name}`)],
    excluded: inside.map((name) => `:(literal)${repository.prefix}${name}`),
  };
}

/** A path as the byte string that git speaks. */
function bytes(name: string): string {
  return Buffer.from(name).toString("latin1");
}
