import { nulFields } from "./git.ts";
import { remoteRefusalOf } from "./remote-git-refusal.ts";
import { printable } from "./change.ts";
import type { ChangedPath, ChangedPaths } from "./work-branch-answers.ts";
import { checkedCommit, type Reach } from "./work-branch-reach.ts";
import { fetchHere } from "./work-branch-fetch.ts";

const CHANGES: Readonly<Record<string, ChangedPath["change"]>> = { A: "added", D: "deleted" };

/** What differs between two commits, as files; renames are two changes. */
export async function pathsBetween(reach: Reach, base: string, head: string, limit: number): Promise<ChangedPaths> {
  const { remote, signal } = reach;
  for (const commit of [base, head].map(checkedCommit)) {
    if ((await remote.try(["cat-file", "-e", `${commit}^{tree}`], { signal })).exitCode === 0) continue;
    const fetched = await fetchHere(reach, commit, 1);
    if (fetched.exitCode !== 0)
      return { known: false, why: `${commit.slice(0, 12)} is not here: ${remoteRefusalOf(fetched).why}` };
  }
  const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", base, head];
  const { exitCode, stdout, stderr } = await remote.try(args, { signal, online: true });
  if (exitCode !== 0) return { known: false, why: `git cannot compare them: ${printable(stderr)}` };
  const fields = nulFields(stdout);
  const told: ChangedPath[] = [];
  for (let i = 0; i + 1 < fields.length && told.length < limit; i += 2) {
    told.push({ path: readable(fields[i + 1] ?? ""), change: CHANGES[fields[i] ?? ""] ?? "modified" });
  }
  return { known: true, paths: told, more: fields.length / 2 - told.length };
}

function readable(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
