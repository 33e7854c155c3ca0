import type { Committed, Workspace } from "../core/ports.ts";

/**
 * A workspace whose commit of an iteration may have been made early, for CI to judge: asked for it once more, when there is
 * nothing more to commit, it tells of that one.
 */
export function committingEarly(workspace: Workspace): Workspace {
  let early: { readonly iteration: number; readonly committed: Committed } | undefined;
  return {
    snapshot: () => workspace.snapshot(),
    compare: (before, after) => workspace.compare(before, after),
    testFiles: (snapshot, query) => workspace.testFiles(snapshot, query),
    async commit(request) {
      const { iteration } = request;
      const committed = await workspace.commit(request);
      if (committed !== undefined) early = { iteration, committed };
      return early?.iteration === iteration ? early.committed : undefined;
    },
  };
}
