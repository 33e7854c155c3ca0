import type { PrivateGit } from "../private-git.ts";

/** A difference as people read it. */
export interface ShownPatch {
  readonly text: string;
  /** how many bytes of it are left out; 0: none */
  readonly leftOut: number;
}

const PATCH = ["diff-tree", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv"];
const PREFIXES = ["--src-prefix=a/", "--dst-prefix=b/"];

/**
 * How two trees differ, in whole lines of at most `limit` bytes together; of files that are no text only that they do.
 * Paths are relative to the repository's top.
 *
 * @returns undefined when what the first tree held is lost
 */
export async function shownPatch(
  git: PrivateGit,
  before: string,
  after: string,
  limit: number,
): Promise<ShownPatch | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const onOutput = (chunk: Buffer): void => {
    if (bytes < limit) pieces.push(chunk.subarray(0, limit - bytes));
    bytes += chunk.length;
  };
  const { exitCode } = await git.try([...PATCH, ...PREFIXES, before, after], { onOutput });
  if (exitCode !== 0) return undefined;
  const kept = Buffer.concat(pieces);
  const whole = bytes > kept.length ? kept.subarray(0, kept.lastIndexOf("\n") + 1) : kept;
  return { text: whole.toString("utf8"), leftOut: bytes - whole.length };
}
