import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../../core/errors.ts";
import type { GitResult } from "../git.ts";
import { locking } from "../locks/locks.ts";
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
  return refusalOf(
    locking(git.repository, [ref], () => git.tryTheirs(["update-ref", "--stdin"], { input }), "checked out"),
  );
}

/** Puts the local branch, and HEAD, on `tip`. @returns why not, where it cannot be done */
export async function putLocalOn(of: OfBranch, local: LocalTip, tip: string): Promise<string | undefined> {
  if (local.commit === tip) return putHead(of, local.isCheckedOut);
  const from = local.commit ?? "0".repeat(tip.length);
  const why = await change(of, ["update-ref", "-m", NOTE, of.ref, tip, from]);
  return why ?? putHead(of, local.isCheckedOut);
}

export async function putHead(of: OfBranch, isThere: boolean): Promise<string | undefined> {
  return isThere ? undefined : change(of, ["symbolic-ref", "-m", NOTE, "HEAD", of.ref]);
}

/** @returns why git has not done it */
async function change({ git, ref }: OfBranch, args: readonly string[]): Promise<string | undefined> {
  const use = { env: await git.committer() };
  return refusalOf(locking(git.repository, ["HEAD", ref], () => git.tryTheirs(args, use), "checked out"));
}

async function refusalOf(changing: Promise<GitResult>): Promise<string | undefined> {
  const { exitCode, stderr } = await changing.catch((error: unknown) => ({ exitCode: null, stderr: messageOf(error) }));
  return exitCode === 0 ? undefined : said(stderr);
}

/** In the person's reflog. */
const NOTE = "smithers: on the work branch";
