import { DONE, failed, type Result, type Trouble } from "../../core/result.ts";
import { oneLine } from "../../views/plain-text.ts";
import type { Git, GitResult } from "../git.ts";
import type { PrivateGit } from "../private-git.ts";

/** From which tree or commit to which a work tree is brought. */
interface TreeStep {
  readonly from: string;
  readonly to: string;
  /** the index in which it is tried, which knows the files as they are */
  readonly trial: string;
  /** the index that is brought there as well; may be the same */
  readonly index: string;
  /** options of git, before the command's name */
  readonly settings?: readonly string[];
  readonly signal: AbortSignal;
}

/** What git said; `refused`: nothing was changed; `torn`: it broke off midway, as when the disk is full. */
export interface ApplyTrouble extends Trouble {
  readonly kind: "refused" | "torn";
}

/** Names that are dangerous elsewhere are refused where files are written. */
export const CAREFUL = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true"];
const KEEPING = ["-c", "core.untrackedCache=keep"];

/**
 * Changes files and index from one tree to another: all of it or nothing, as far as git can tell before. Does not touch
 * files that are equal in both.
 */
export async function applyTree(git: Git, step: TreeStep): Promise<Result<undefined, ApplyTrouble>> {
  const { from, to, trial, index, settings = [], signal } = step;
  const careful = [...CAREFUL, ...settings];
  const bring = ["-m", "-u", from, to];
  const tried = await git.try([...careful, "read-tree", "-n", ...bring], { index: trial, inWorkTree: true });
  if (tried.exitCode !== 0) return failed({ kind: "refused", because: said(tried.stderr) });
  signal.throwIfAborted();
  if (trial !== index) await git.try([...KEEPING, "update-index", "-q", "--refresh"], { index });
  // Once files are being written, time does not break it off.
  const use = { index, inWorkTree: true, unbroken: true };
  const applied = await git.try([...careful, ...KEEPING, "read-tree", ...bring], use);
  return applied.exitCode === 0 ? DONE : failed({ kind: "torn", because: said(applied.stderr) });
}

/**
 * Brings files and the person's index to a tree, whatever they hold: for a checkout that is only there to be judged. Files
 * that git does not track stay.
 */
export function resetToTree(git: PrivateGit, tree: string): Promise<GitResult> {
  return git.try([...CAREFUL, "read-tree", "--reset", "-u", tree], { index: git.theirIndex });
}

/** What git has said, short and on one line. */
export function said(stderr: string): string {
  return oneLine(stderr).slice(0, 300);
}
