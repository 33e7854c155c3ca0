import { readFile, rm } from "node:fs/promises";
import { z } from "zod";
import { writeFileDurably } from "../os/atomic-file.ts";

const worktreeRecord = z.object({
  schema: z.literal(1),
  /** the top of the repository that it belongs to, absolute */
  repository: z.string(),
  branch: z.string(),
  /** the branch that was checked out when it was made; null: none */
  from: z.string().nullable(),
  /** of the command that has set it up; null: none has yet */
  setup: z.string().nullable(),
});

/** What is known of a work tree that we have made, besides what git knows. */
export type WorktreeRecord = Omit<z.infer<typeof worktreeRecord>, "schema">;

/** It lies beside the work tree, where what works in that does not look. */
function fileOf(folder: string): string {
  return `${folder}.json`;
}

/** @param folder of the work tree, absolute; undefined: nothing is known, or it cannot be understood */
export async function readWorktreeRecord(folder: string): Promise<WorktreeRecord | undefined> {
  const text = await readFile(fileOf(folder), "utf8").catch(() => "");
  try {
    return worktreeRecord.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Replaces what was known. @throws the file system's error */
export async function keepWorktreeRecord(folder: string, record: WorktreeRecord): Promise<void> {
  await writeFileDurably(fileOf(folder), `${JSON.stringify({ schema: 1, ...record }, null, 2)}\n`);
}

export async function forgetWorktreeRecord(folder: string): Promise<void> {
  await rm(fileOf(folder), { force: true });
}
