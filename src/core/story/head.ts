import { z } from "zod";
import type { Stored } from "../schema.ts";

/** What HEAD names in a repository. */
export const headAt = z.looseObject({
  /** the commit; null before the first */
  head: z.string().nullable(),
  /** the branch that it is on, without `refs/heads/`; null: none; absent in older files */
  branch: z.string().nullable().exactOptional(),
});
export type HeadAt = Stored<typeof headAt>;

/** HEAD is not where the loop has left it: somebody has committed, or checked out something else. */
export const headMoved = z.looseObject({ kind: z.literal("head_moved"), from: headAt, to: headAt });

/** What HEAD names, without the rest of a snapshot. */
export function headOf({ head, branch }: HeadAt): HeadAt {
  return branch === undefined ? { head } : { head, branch };
}

/** Whether a commit made on the one would be built on the other. */
export function isSameHead(one: HeadAt, other: HeadAt): boolean {
  const isOtherBranch = one.branch !== undefined && other.branch !== undefined && one.branch !== other.branch;
  return one.head === other.head && !isOtherBranch;
}
