import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { PrivateGit } from "../private-git.ts";
import { said } from "../work-tree/apply-tree.ts";

/** A branch of the person's repository. */
interface OfBranch {
  readonly git: PrivateGit;
  /** its full name */
  readonly ref: string;
}

/** The local branch as it is. */
export interface LocalTip {
  /** null: none yet */
  readonly commit: string | null;
  /** whether HEAD is on it */
  readonly isCheckedOut: boolean;
}

export async function localTip({ git, ref }: OfBranch): Promise<LocalTip> {
  const on = await git.tryTheirs(["symbolic-ref", "--quiet", "HEAD"]);
  const isCheckedOut = on.stdout.trim() === ref;
  const found = await git.tryTheirs(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  return { commit: found.exitCode === 0 ? found.stdout.trim() : null, isCheckedOut };
}

/** The other work tree that has the branch checked out. */
export async function elsewhere({ git, ref }: OfBranch): Promise<string | undefined> {
  const { gitDir, commonDir } = git.repository;
  const linked = await readdir(path.join(commonDir, "worktrees")).catch(() => []);
  for (const other of [commonDir, ...linked.map((name) => path.join(commonDir, "worktrees", name))]) {
    if (path.resolve(other) === path.resolve(gitDir)) continue;
    const head = await readFile(path.join(other, "HEAD"), "utf8").catch(() => "");
    if (head.trim() === `ref: ${ref}`)
      return other === commonDir ? "the main work tree" : `another work tree (${path.basename(other)})`;
  }
  return undefined;
}

/** Why git would not put the local branch on `tip`, before any file is touched: another branch's name is in the way. */
export async function obstacleTo({ git, ref }: OfBranch, local: LocalTip, tip: string): Promise<string | undefined> {
  if (local.commit === tip) return undefined;
  const update = `update ${ref} ${tip} ${local.commit ?? "0".repeat(tip.length)}`;
  const input = ["start", update, "prepare", "abort", ""].join("\n");
  const tried = await git.tryTheirs(["update-ref", "--stdin"], { input });
  return tried.exitCode === 0 ? undefined : said(tried.stderr);
}

/** Puts the local branch, and HEAD, on `tip`. @returns why not, where it cannot be done */
export async function putLocalOn(of: OfBranch, local: LocalTip, tip: string): Promise<string | undefined> {
  if (local.commit === tip) return putHead(of, local.isCheckedOut);
  const { git, ref } = of;
  const from = local.commit ?? "0".repeat(tip.length);
  const moved = await git.tryTheirs(["update-ref", "-m", NOTE, ref, tip, from], { env: await git.committer() });
  return moved.exitCode === 0 ? putHead(of, local.isCheckedOut) : said(moved.stderr);
}

export async function putHead({ git, ref }: OfBranch, isThere: boolean): Promise<string | undefined> {
  if (isThere) return undefined;
  const put = await git.tryTheirs(["symbolic-ref", "-m", NOTE, "HEAD", ref], { env: await git.committer() });
  return put.exitCode === 0 ? undefined : said(put.stderr);
}

/** In the person's reflog. */
const NOTE = "smithers: on the work branch";
