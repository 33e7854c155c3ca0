import type { Workspace } from "../core/ports.ts";
import { parseNumstat } from "./change.ts";

/** A workspace outside git (`skip-git-repo-check`, W-25): nothing is measured and nothing is committed. */
export function createPlainWorkspace(): Workspace {
  return {
    async snapshot() {
      return null;
    },
    async compare() {
      return parseNumstat("");
    },
    async testFiles() {
      return null;
    },
    async commit() {
      return undefined;
    },
  };
}
