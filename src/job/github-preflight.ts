import { UsageError } from "../core/errors.ts";
import type { GithubAccess } from "../github/access.ts";
import type { Github } from "../github/client.ts";
import type { GithubContext } from "../github/context.ts";
import type { Teller } from "../os/teller.ts";
import { gapsIn, githubFindings, githubGapTable, type GithubRights, type Right } from "../views/gaps.ts";
import type { Plan } from "../app/plan.ts";
import type { RunRequest } from "../requests/run-request.ts";
import type { BranchInHand } from "../publish/branch-in-hand.ts";
import { ciRights } from "../checks/ci/ci-preflight.ts";

/** What a run needs of GitHub depends on these. */
export interface GithubPreflight {
  readonly plan: Plan;
  readonly asked: Pick<RunRequest, "command">;
  /** undefined: nothing is published from here, so nothing is needed */
  readonly hand: BranchInHand | undefined;
  readonly context: GithubContext;
  readonly github: GithubAccess | undefined;
}

/** How long GitHub is waited for; the agent's own preflight takes about as long as GitHub usually does. */
const WITHIN_MS = 5_000;

/** A push is refused in these ways for other reasons than the lack of a right, or for none that is known. */
const NO_GAP: ReadonlySet<string> = new Set(["stale", "unreachable", "incomplete", "secret", "workflow_files"]);

/**
 * Looks, without writing anything, whether what the run comes to can be published; two requests and a rehearsed push at
 * most, and two more where CI is asked. It begins at once.
 *
 * @returns waits for it and tells what is missing. Throws UsageError `PREFLIGHT` when publishing is impossible, unless
 * `preflight` is `warn`; what cannot be known is never held against anybody
 */
export function githubPreflight(preflight: GithubPreflight, teller: Teller): () => Promise<void> {
  const { plan, hand, asked } = preflight;
  const takesTurns = plan.opening.do !== "leave" && plan.opening.do !== "publish" && asked.command !== "cancel";
  if (!takesTurns || hand === undefined) return async () => {};
  const looking = look(preflight, hand);
  // The run may end before anybody waits for it.
  looking.catch(() => undefined);
  return async () => tell(await looking, plan.settings.config.preflight === "warn", teller);
}

async function look(
  { context, github, plan }: GithubPreflight,
  { name, branch, tip }: BranchInHand,
): Promise<GithubRights> {
  const { place, settings } = plan;
  const { carriers, selfContinue } = settings.config;
  const refs = carriers.includes("ref") ? [`refs/smithers/${place.loopId}`] : [];
  const rehearsing = branch.dryRun(refs, WITHIN_MS);
  const { probePullRequests, probeWorkflow } = await import("../github/probes.ts");
  const asking = async <T>(question: (access: Github) => Promise<T>): Promise<T | null> =>
    github === undefined ? null : question(await github.within(WITHIN_MS));
  const { file } = context.workflow;
  const { ci } = settings.identity.checks;
  const [rehearsed, pulls, workflow, judging] = await Promise.all([
    rehearsing,
    asking((access) => probePullRequests(access)),
    selfContinue === "auto" ? asking((access) => probeWorkflow(access, file)) : null,
    ci === null ? null : ciRights(context, { workflow: ci, tip }, asking),
  ]);
  return {
    push: { refs: [name, ...refs], right: pushRight(rehearsed) },
    pullRequests: pulls?.right ?? null,
    creation: hasPullRequest(plan) ? null : CREATION,
    dispatch: workflow === null ? null : { workflow: file, right: workflow.right },
    ci: judging,
    aheadMs: pulls?.aheadMs ?? workflow?.aheadMs ?? null,
  };
}

/** Only administrators may read that setting, and it binds nobody's tokens but the jobs' own. */
const CREATION: Right = {
  right: "unknown",
  because: "untold",
  why: "a job is not told; where the repository's settings do not allow it, the branch is pushed and a link to open one is given",
};

function pushRight(rehearsed: BranchWritable): Right {
  if (rehearsed.writable) return { right: "there" };
  const { kind, why, next } = rehearsed;
  if (NO_GAP.has(kind)) return { right: "unknown", because: kind === "unreachable" ? "unreachable" : "untold", why };
  return { right: "missing", why, next: kind === "permission" || kind === "not_found" ? "" : next };
}

function hasPullRequest({ asked, stored }: Plan): boolean {
  const { github } = asked;
  if (github === null || github.pullRequest !== null) return true;
  const ties = stored?.github ?? null;
  return ties?.branch === github.branch && ties.pull_request !== null;
}

function tell(rights: GithubRights, warnsOnly: boolean, { line, notice, warning }: Teller): void {
  const findings = githubFindings(rights);
  const gaps = gapsIn(findings);
  const unanswered = findings.find(({ right }) => right.right === "unknown" && right.because === "unreachable");
  if (unanswered?.right.right === "unknown") {
    notice(`Preflight: GitHub has not said whether this run may ${unanswered.subject}: ${unanswered.right.why}.`);
  }
  if (gaps.length === 0) {
    line("preflight: nothing is missing on GitHub, as far as it shows without writing");
    return;
  }
  const table = githubGapTable(findings);
  if (warnsOnly || !gaps.some(({ blocks }) => blocks)) {
    warning(`Preflight: not all that this run needs of GitHub is there.\n${table}`);
    return;
  }
  throw new UsageError([
    {
      code: "PREFLIGHT",
      what: `What this run does could not be published. No turn was taken and nothing was spent.\n${table}`,
      next: "Close the gaps, or set pull-request: never to publish nothing, or preflight: warn to run all the same.",
    },
  ]);
}
