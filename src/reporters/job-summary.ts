import { summary } from "@actions/core";

/**
 * Makes `markdown` the summary of this step, instead of what the step has written before.
 *
 * @throws Error where there is no summary to write to, or when the file system refuses
 */
export async function writeJobSummary(markdown: string): Promise<void> {
  await summary.emptyBuffer().addRaw(markdown).write({ overwrite: true });
}
