import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { hardenedGitEnvironment } from "./git.ts";
import { oneLine } from "../views/plain-text.ts";
import { startGit } from "./start-git.ts";
import { isAncestor, type Reach } from "./work-branch-reach.ts";

/** How the local branch of that name stands to a commit. */
export type LocalBranch =
  | {
      /** `ahead`: it holds the commit and more; `behind`: the commit holds it and more */
      readonly stands: "absent" | "same" | "behind" | "ahead" | "diverged";
      /** null: there is none yet */
      readonly commit: string | null;
      /** whether HEAD is on it */
      readonly isCheckedOut: boolean;
    }
  /** another work tree of the person has it checked out */
  | { readonly stands: "elsewhere"; readonly where: string };

type Here = Exclude<LocalBranch, { stands: "elsewhere" }>;

/** @param commit null: nothing is checked out yet */
export async function localBranch(reach: Reach, commit: string | null): Promise<LocalBranch> {
  const { git, ref } = reach;
  const where = await elsewhere(reach);
  if (where !== undefined) return { stands: "elsewhere", where };
  const on = await git.tryTheirs(["symbolic-ref", "--quiet", "HEAD"]);
  const isCheckedOut = on.stdout.trim() === ref;
  const found = await git.tryTheirs(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (found.exitCode !== 0) return { stands: "absent", commit: null, isCheckedOut };
  const local = found.stdout.trim();
  return { stands: await standing(reach, local, commit), commit: local, isCheckedOut };
}

async function standing(reach: Reach, local: string, commit: string | null) {
  if (local === commit) return "same";
  if (commit === null) return "diverged";
  if (await isAncestor(reach, local, commit)) return "behind";
  return (await isAncestor(reach, commit, local)) ? "ahead" : "diverged";
}

/** The other work tree that has the branch checked out. */
async function elsewhere({ git, ref }: Reach): Promise<string | undefined> {
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
export async function obstacleTo(reach: Reach, local: Here, tip: string): Promise<string | undefined> {
  if (local.stands === "same") return undefined;
  const { gitDir, top } = reach.git.repository;
  const env = { ...hardenedGitEnvironment(), GIT_DIR: gitDir };
  const update = `update ${reach.ref} ${tip} ${local.commit ?? "0".repeat(tip.length)}`;
  const input = ["start", update, "prepare", "abort", ""].join("\n");
  const tried = await startGit(["update-ref", "--stdin"], { cwd: top, env, input });
  return tried.exitCode === 0 ? undefined : oneLine(tried.stderr).slice(0, 300);
}

/** Puts the local branch, and HEAD, on `tip`. @returns why not, where it cannot be done */
export async function landOn(reach: Reach, local: Here, tip: string): Promise<string | undefined> {
  return local.stands === "same" ? putHead(reach, local.isCheckedOut) : movedTo(reach, local, tip);
}

/** The same where the remote has no such branch; `head` is null before the first commit. */
export async function beginHere(reach: Reach, local: Here, head: string | null): Promise<string | undefined> {
  return head === null ? putHead(reach, local.isCheckedOut) : landOn(reach, local, head);
}

async function movedTo(reach: Reach, { commit, isCheckedOut }: Here, to: string): Promise<string | undefined> {
  const { git, ref } = reach;
  const from = commit ?? "0".repeat(to.length);
  const moved = await git.tryTheirs(
    ["update-ref", "-m", "smithers: on the work branch", ref, to, from],
    await who(reach),
  );
  return moved.exitCode === 0 ? putHead(reach, isCheckedOut) : oneLine(moved.stderr).slice(0, 300);
}

async function putHead(reach: Reach, isThere: boolean): Promise<string | undefined> {
  if (isThere) return undefined;
  const args = ["symbolic-ref", "-m", "smithers: on the work branch", "HEAD", reach.ref];
  const put = await reach.git.tryTheirs(args, await who(reach));
  return put.exitCode === 0 ? undefined : oneLine(put.stderr).slice(0, 300);
}

/** Git wants to know for its reflog. */
export async function who({ git }: Reach): Promise<Record<string, string>> {
  const { committer } = await git.settings();
  return { GIT_COMMITTER_NAME: committer.name, GIT_COMMITTER_EMAIL: committer.email };
}
