import { z } from "zod";
import { joined } from "./text.ts";
import { count, type Stored } from "./schema.ts";

/** Work that changes what the agent may not change. Of many paths the first 20 are named; `count` is the whole number. */
export const protectedPaths = z.looseObject({
  kind: z.literal("protected_paths"),
  count,
  paths: z.array(z.string()),
});

/** Work of more files or bytes than it may have; null: no limit. */
export const tooLarge = z.looseObject({
  kind: z.literal("too_large"),
  files: count,
  bytes: count,
  max_files: count.nullable(),
  max_bytes: count.nullable(),
});

/** Why work goes nowhere: not into a commit, to a server or to CI, and it completes nothing (T17). */
export const refusal = z.discriminatedUnion("kind", [protectedPaths, tooLarge]);
export type Refusal = Stored<typeof refusal>;

/** What the work may change. */
export interface ChangeRules {
  /** globs, see `isProtected` */
  readonly protectedPaths: readonly string[];
  /** null: no limit */
  readonly maxFiles: number | null;
  /** of what the changed files hold then; null: no limit */
  readonly maxBytes: number | null;
}

export const NO_RULES: ChangeRules = { protectedPaths: [], maxFiles: null, maxBytes: null };

/**
 * Whether a path is protected: the last glob that matches decides, and `!` in front of one opens it. Globs are relative
 * to the top of the repository: `**` is any number of folders, `*` and `?` stay within a name, everything else is
 * itself, and `folder/**` is the folder's own name as well. Upper and lower case are the same, as on the disks of many
 * people.
 */
export function isProtected(globs: readonly string[], path: string): boolean {
  const parts = folded(path).split("/");
  return globs.findLast((glob) => matches(partsOf(glob), parts))?.startsWith("!") === false;
}

/** Whether a link, a file or another repository at `path` is in the place of a folder in which something is protected. */
export function hidesProtected(globs: readonly string[], path: string): boolean {
  const parts = folded(path).split("/");
  return globs.some((glob) => {
    if (glob.startsWith("!")) return false;
    const folders = partsOf(glob).slice(0, -1);
    const plain = folders.findIndex((name) => /[*?]/u.test(name));
    const above = plain < 0 ? folders : folders.slice(0, plain);
    return parts.length <= above.length && parts.every((part, i) => part === above[i]);
  });
}

function partsOf(glob: string): readonly string[] {
  return folded(glob.replace(/^!/u, "")).split("/");
}

/** What file systems take for the same name is the same; some pass over characters that nobody sees. */
function folded(path: string): string {
  return path
    .replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/gu, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase();
}

const matches = (glob: readonly string[], parts: readonly string[]): boolean =>
  wildcard(glob, parts, "**", (one, part) =>
    wildcard(Array.from(one), Array.from(part), "*", (a, b) => a === "?" || a === b),
  );

/** Goes back no further than to the last wildcard, so that no glob takes long. */
function wildcard<T>(glob: readonly T[], subject: readonly T[], any: T, equal: (one: T, other: T) => boolean): boolean {
  let [at, from, after, again] = [0, 0, -1, 0];
  for (let one = subject[at]; one !== undefined; one = subject[at]) {
    const wanted = glob[from];
    if (wanted === any) {
      from += 1;
      [after, again] = [from, at];
    } else if (wanted !== undefined && equal(wanted, one)) {
      from += 1;
      at += 1;
    } else if (after >= 0) {
      again += 1;
      [at, from] = [again, after];
    } else {
      return false;
    }
  }
  return glob.slice(from).every((rest) => rest === any);
}

/** What is wrong with the work, as part of a sentence. */
export function refusalWords(refused: Refusal): string {
  if (refused.kind === "protected_paths") {
    const more = refused.count - refused.paths.length;
    return `${refused.paths.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }
  const { files, bytes, max_files: maxFiles, max_bytes: maxBytes } = refused;
  return joined(", ", [
    maxFiles !== null && files > maxFiles ? `${files} files changed, ${maxFiles} allowed (max-changed-files)` : "",
    maxBytes !== null && bytes > maxBytes ? `${bytes} bytes changed, ${maxBytes} allowed (max-changed-bytes)` : "",
  ]);
}

/** Turns in a row that leave such a change, before the loop stops: the second has been told of it. */
export const REFUSALS_THAT_STOP = 2;
