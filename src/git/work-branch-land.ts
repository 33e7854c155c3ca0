import { remoteRefusalOf } from "./remote-git-refusal.ts";
import { oneLine } from "../views/plain-text.ts";
import { succeeded } from "./private-git.ts";
import type { BranchLanded } from "./work-branch-answers.ts";
import { fetchHere } from "./work-branch-fetch.ts";
import { who } from "./work-branch-local.ts";
import { checkedCommit, type Reach } from "./work-branch-reach.ts";

/** See `WorkBranch.land`. */
export async function landBranch(reach: Reach, from: string, to: string): Promise<BranchLanded> {
  const { git, ref, remote, signal, branch } = reach;
  const local = await git.tryTheirs(["rev-parse", "--verify", "--quiet", ref]);
  if (local.exitCode !== 0) return { landed: "absent" };
  if (local.stdout.trim() !== from) return not(`the local branch ${branch} is not where its work was`);
  const fetched = await fetchHere(reach, checkedCommit(to));
  if (fetched.exitCode !== 0) return not(`${to.slice(0, 12)} cannot be fetched: ${remoteRefusalOf(fetched).why}`);
  const args = ["rev-parse", `${checkedCommit(from)}^{tree}`, `${to}^{tree}`];
  const [here, there] = succeeded(args, await remote.try(args, { signal, online: true }))
    .trim()
    .split("\n");
  if (here !== there) return not(`${to.slice(0, 12)} does not hold the same files`);
  const moved = await git.tryTheirs(
    ["update-ref", "-m", "smithers: as GitHub has it", ref, to, from],
    await who(reach),
  );
  return moved.exitCode === 0 ? { landed: "moved" } : not(oneLine(moved.stderr).slice(0, 300));
}

function not(why: string): BranchLanded {
  return { landed: "not", why };
}
