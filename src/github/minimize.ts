import type { Access } from "./access.ts";
import { failureOf } from "./attempt.ts";
import type { Own } from "./graphql/pages.ts";
import { MINIMIZE } from "./graphql/queries.ts";

/**
 * Folds comments or reviews of ours as outdated (`pull-requests: write`); what is folded already is left alone. Never
 * throws.
 *
 * @returns why some are still open, as part of a sentence; null: none is
 */
export async function minimize({ octokit, signal }: Access, remarks: readonly Own[]): Promise<string | null> {
  try {
    for (const { id } of remarks.filter(({ isMinimized }) => !isMinimized)) {
      await octokit.graphql(MINIMIZE, { subjectId: id, request: { signal } });
    }
    return null;
  } catch (error) {
    return failureOf(error, "pull-requests: write").why;
  }
}
