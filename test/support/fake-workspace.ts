import type { Change, Snapshot } from "../../src/core/state.ts";
import type { CommitRequest, Committed, Workspace } from "../../src/core/ports.ts";

/** Counts trees: each touch makes a new one, a commit is one more head. */
export function fakeWorkspace(git: boolean) {
  let tree = 0;
  let committedTree = 0;
  const commits: CommitRequest[] = [];
  return {
    commits,
    touch: () => {
      tree += 1;
    },
    async snapshot(): Promise<Snapshot | null> {
      const head = `commit-${commits.length}`;
      return git ? { id: `${head}/tree-${tree}`, tree: `tree-${tree}`, head } : null;
    },
    async compare(before: Snapshot, after: Snapshot): Promise<Change> {
      const files = Math.abs(Number(after.tree.slice(5)) - Number(before.tree.slice(5)));
      return { files, added: 2 * files, removed: files, stat: `${files} trees`, only_tests: false };
    },
    async refusal(): Promise<null> {
      return null;
    },
    async keepPatch(): Promise<void> {},
    setAside: async () => null,
    pendingFiles: async () => 0,
    named: async (): ReturnType<Workspace["named"]> => null,
    changedOtherwise: async (): Promise<readonly string[]> => [],
    async holding(commits: readonly string[]): Promise<ReadonlySet<string>> {
      return new Set(commits);
    },
    async changedTexts(): Promise<null> {
      return null;
    },
    async testFiles(): Promise<null> {
      return null;
    },
    async commit(request: CommitRequest): Promise<Committed | undefined> {
      if (!git || committedTree === tree) return undefined;
      committedTree = tree;
      commits.push(request);
      const commit = `commit-${commits.length}`;
      return { commit, snapshot: { id: `${commit}/tree-${tree}`, tree: `tree-${tree}`, head: commit } };
    },
  };
}
