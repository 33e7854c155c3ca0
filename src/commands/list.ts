import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Command } from "../app/command.ts";
import { locate } from "../app/locate.ts";
import { loopsOfRepository, type LoopsOfWorkspace } from "../app/loops/loops-of-repository.ts";
import { note, printJson, printLines, type Shell } from "../app/shell.ts";
import type { FoundLoop } from "../app/loops/stored-loop.ts";
import { line, oneLine, plainText } from "../views/plain-text.ts";
import { type LoopRow, loopLines, newestFirst } from "../views/at-a-glance.ts";

/** `smithers list`: all loops of this repository, from any folder in it. */
export const list: Command = async ({ flags, json }, shell) => {
  const root = await realpath((await locate(flags, shell, "silent")).root);
  tellLoops(await loopsOfRepository(root), root, json, shell);
  return 0;
};

/** @param from the workspace that the others are seen from, absolute */
export function tellLoops(found: readonly LoopsOfWorkspace[], from: string, json: boolean, shell: Shell): void {
  const rows = newestFirst(
    found.flatMap(({ root, loops }) => loops.map((loop) => rowOf(loop, path.relative(from, root)))),
  );
  const broken = found.flatMap((each) => each.broken);
  if (json) {
    const unreadable = broken.map(({ id, stateFile, problem }) => ({ id, file: stateFile, why: problem.message }));
    printJson(shell, { schema: 1, loops: rows.map(asJson), unreadable });
    return;
  }
  printLines(shell, loopLines(rows, Date.now()));
  for (const { id, problem } of broken) note(shell, plainText(`${oneLine(id)} cannot be read: ${problem.message}`));
  if (rows.length + broken.length === 0)
    printLines(shell, [line(`There is no loop yet. Start one: ${shell.program} "<what the agent has to do>"`)]);
  else if (rows.length > 0)
    note(shell, `Look closer with ${shell.program} status, logs, diff or explain, and the beginning of an id.`);
}

/** @param where its workspace lies, seen from the person's; "": it is that one */
export function rowOf({ state, alive }: FoundLoop, where: string): LoopRow {
  return { state, where, status: state.status === "running" && !alive ? "crashed" : state.status };
}

function asJson({ state, status, where }: LoopRow): object {
  const { loop_id, iteration, max_iterations, created_at, updated_at, stories } = state;
  const reason = state.stop_reason?.kind ?? null;
  const prd = stories?.prd ?? null;
  return { loop_id, status, reason, iteration, max_iterations, created_at, updated_at, prd, workspace: where || "." };
}
