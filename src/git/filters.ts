import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type FileChange, fileBelow, isAbsent, nulFields, nulTerminated } from "./diff.ts";
import type { Git } from "./git.ts";
import type { PrivateGit } from "./private-git.ts";

/**
 * Which of `paths` (byte strings, relative to the work tree's top) a filter such as Git LFS or git-crypt turns into
 * something else when staged.
 *
 * @param index says which, in place of the work tree
 */
export async function filteredAmong(git: Git, paths: readonly string[], index?: string): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const args = ["check-attr", ...(index === undefined ? [] : ["--cached"]), "-z", "--stdin", "filter"];
  const fields = nulFields(
    await git.run(args, { input: nulTerminated(paths), inWorkTree: true, ...(index !== undefined && { index }) }),
  );
  const filtered = new Set<string>();
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [path = "", value = ""] = [fields[i], fields[i + 2]];
    if (value !== "unspecified" && value !== "unset") filtered.add(path);
  }
  return filtered;
}

/** A longer file is no pointer of Git LFS. */
const POINTER_BYTES = 1024;

/**
 * Whether a file that git reports as changed is the one that its committed Git LFS pointer names. Git reports it
 * whenever it reads the file, because we do not run filters.
 */
export async function isUnchangedLargeFile(git: PrivateGit, { path, before }: FileChange): Promise<boolean> {
  if (isAbsent(before)) return false;
  const pointer = (await git.trueObjects([before.object], {}, POINTER_BYTES)).get(before.object);
  const digest = /^oid sha256:([0-9a-f]{64})$/mu.exec(pointer?.content ?? "")?.[1];
  if (digest === undefined) return false;
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(fileBelow(git.repository.top, path)), hash);
  } catch {
    return false;
  }
  return hash.digest("hex") === digest;
}
