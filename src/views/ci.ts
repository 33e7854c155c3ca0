import type { CommitStatus } from "./commit-status.ts";

/** The context of the commit status that tells what CI has said; a branch rule can require it. */
export const CI_CONTEXT = "smithers/ci";

/** What a run of CI has said of a commit; null: it has not ended. */
export type CiSaid = "passed" | "failed" | "nothing" | null;

/** What the commit status tells of CI. */
export function ciStatus(
  workflow: string,
  said: CiSaid,
): { readonly state: CommitStatus["state"] | "error"; readonly description: string } {
  switch (said) {
    case null:
      return { state: "pending", description: `${workflow} runs on this commit.` };
    case "passed":
      return { state: "success", description: `${workflow} passed on this commit.` };
    case "failed":
      return { state: "failure", description: `${workflow} failed on this commit.` };
    case "nothing":
      return { state: "error", description: `${workflow} ended on this commit without a verdict.` };
  }
}
