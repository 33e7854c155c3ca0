import type { Snapshot } from "../../core/state.ts";
import { changesIn, type Measuring } from "../commit.ts";
import { encoded, type FileChange, type Side } from "../diff.ts";

/**
 * Of what differs from HEAD, the paths that did not differ in just this way as a snapshot was taken: somebody has changed
 * them since, or HEAD no longer holds what it held of them. Commits that do not touch what differs change nothing.
 *
 * @returns byte strings relative to the top; undefined: what the snapshot held is lost
 */
export async function changedOtherwise(use: Measuring, since: Snapshot): Promise<readonly string[] | undefined> {
  const { git, staging } = use;
  const { prefix } = git.repository;
  const then = await git.differing(since.head === null ? null : `${since.head}:${prefix}`, since.tree);
  if (then === undefined) return undefined;
  const known = new Set(then.map((change) => said({ ...change, path: `${encoded(prefix)}${change.path}` })));
  const { changes } = await changesIn(use, await staging.stage());
  return changes.filter((change) => !known.has(said(change))).map((change) => change.path);
}

function said({ path, before, after }: FileChange): string {
  const side = ({ mode, object }: Side) => `${mode} ${object}`;
  return `${side(before)} ${side(after)} ${path}`;
}
