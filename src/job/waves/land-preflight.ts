import { ledgerRef } from "../../core/story/wave-names.ts";
import { probePullRequests, probeWorkflow } from "../../github/probes.ts";
import { pushRight, tellRights } from "../github-preflight.ts";
import { branchesOf, type Closing } from "./closing.ts";

const WITHIN_MS = 10_000;

/**
 * Asks, without writing anything, whether the closing job may do what it is for, before it proves anything: push the
 * PRD's branch and ledger, see to pull requests, and start the next wave.
 *
 * @throws UsageError `PREFLIGHT` when nothing could land, unless `preflight` is `warn`
 */
export async function landPreflight(closing: Closing): Promise<void> {
  const { context, config, github, prd, branch, teller } = closing;
  const refs = [branch, ledgerRef(prd.name)];
  const { file } = context.workflow;
  const access = await github.within(WITHIN_MS);
  const work = await branchesOf(closing).named(branch);
  const [rehearsed, pulls, workflow] = await Promise.all([
    work?.dryRun([ledgerRef(prd.name)], WITHIN_MS),
    probePullRequests(access),
    probeWorkflow(access, file),
  ]);
  const rights = {
    push: rehearsed === undefined ? null : { refs, right: pushRight(rehearsed) },
    pullRequests: pulls.right,
    ...{ creation: null, dispatch: { workflow: file, right: workflow.right }, ci: null },
    aheadMs: pulls.aheadMs,
  };
  tellRights(rights, config.preflight === "warn", teller);
}
