import type { Command } from "../../app/command.ts";
import { note, type Shell } from "../../app/shell.ts";
import { uncommittedDocuments } from "../../app/prd-preflight.ts";
import { readPrd } from "../../prd/folder.ts";
import { run as runLoop } from "../run.ts";
import { standOf, workOn } from "./known-work.ts";
import { chosenPrd, workspaceOf } from "./place.ts";
import { uncommittedLines } from "./status.ts";

/** `smithers prd run`: a run of the loop that works through a PRD (D-13). */
export const run: Command = async (invocation, shell) => {
  const { flags } = invocation;
  const root = await workspaceOf(invocation, shell);
  const name = await chosenPrd(root, flags["prd"]?.at(-1) ?? "", "run", shell);
  if (!invocation.dryRun) await leaveMerged(root, name, shell);
  const code = await runLoop({ ...invocation, flags: { ...flags, prd: [name] } }, shell);
  if (!invocation.dryRun) await tellUncommitted(root, name, shell);
  return code;
};

/** What a story that had nothing to commit, or a person, has said in `prd.json` is nobody's commit yet. */
async function tellUncommitted(root: string, name: string, shell: Shell): Promise<void> {
  const work = await workOn(root, name, shell.env);
  const { document } = work.alive ? {} : await readPrd(work.root, name);
  if (document === undefined) return;
  const uncommitted = await uncommittedDocuments(work.root, name);
  const lines = uncommittedLines(standOf(document.prd, work), { work, uncommitted }, shell);
  for (const { text } of lines) note(shell, text);
}

/** The work tree of a PRD whose work is done and merged has served its purpose (D-27). */
async function leaveMerged(root: string, name: string, shell: Shell): Promise<void> {
  const { env } = shell;
  const { worktree, alive, state } = await workOn(root, name, env);
  if (worktree === null || alive || state?.stop_reason?.kind !== "stories_passed") return;
  const { removableWorktree, removeWorktree } = await import("../../app/checkout/worktree.ts");
  const found = await removableWorktree({ root, name, env });
  if (found === undefined || found.loses !== "" || !found.isMerged) return;
  await removeWorktree({ root, name, env }, { unmerged: false });
  note(shell, `The work tree ${found.folder} was removed: its branch ${found.branch} is merged, and stays.`);
}
