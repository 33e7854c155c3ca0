import type { PlanOutputs } from "../../config/action.ts";
import type { Config } from "../../config/config.ts";
import { UsageError } from "../../core/errors.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import { setOutputs, writeJobSummary } from "../../reporters/job-files.ts";
import { candidatesSummary, priceOf } from "../../views/github/candidates.ts";
import type { Base } from "../base.ts";
import type { WholeLoop } from "./whole-loop.ts";

/**
 * The part of job plan for a whole task that several loops try (decision 0036): names their loops, and says what they may
 * cost before one begins. It writes nothing to GitHub, so it can be repeated.
 *
 * @returns the exit code
 * @throws UsageError `NO_COMMIT`
 */
export async function planLoop(
  { loops, base: branch }: WholeLoop,
  { config, base, log }: { readonly config: Config; readonly base: Base; readonly log: RunnerLog },
): Promise<number> {
  const commit = (await base.files())?.commit;
  if (commit === undefined) throw NO_COMMIT;
  const told = { loops, branch, commit, maxTokens: config.maxTokens };
  log.notice(priceOf(told));
  writeJobSummary(candidatesSummary(told));
  const matrix = JSON.stringify({ include: loops.map((loop) => ({ loop })) });
  const none = { prd: "", "prd-branch": "", wave: "" };
  await setOutputs({ ...none, matrix, stories: String(loops.length), commit } satisfies PlanOutputs);
  return 0;
}

export const NO_COMMIT = new UsageError({
  code: "NO_COMMIT",
  what: "There is no commit that the work could be built on. Nothing was begun.",
  next: "Let actions/checkout run before this step.",
});
