import type { CiMeans } from "../app/compose.ts";
import type { Plan } from "../app/plan.ts";
import type { Checkpoints } from "../carry/checkpoints.ts";
import { jobsOf as ciJobsOf } from "../checks/ci/ci-verdict.ts";
import { createCiGate } from "../checks/ci/ci-gate.ts";
import { totalMs } from "../config/settle.ts";
import type { Gate, Reporter } from "../core/ports.ts";
import { failed } from "../core/result.ts";
import { doneSubject } from "../core/settle.ts";
import type { LoopState } from "../core/state.ts";
import { asInBase, baseOfWork, type WorkPlace } from "../publish/trusted-ci.ts";
import type { GithubAccess } from "../github/access.ts";
import { branchOfRun, type GithubContext } from "../github/context.ts";
import type { WrittenComment } from "../github/sticky-comment.ts";
import { systemClock } from "../os/clock.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { githubPlaceOf } from "../publish/publication-facts.ts";
import type { PublisherOptions } from "../publish/publisher.ts";
import { pushForCi } from "../publish/push-work.ts";
import type { Doing } from "../reporters/status-comment.ts";
import { textWithoutSecrets, withoutSecrets, withoutSecretsIn } from "../store/redaction.ts";
import { markerOf } from "../views/github/markers.ts";
import { asInputs } from "../views/run-view.ts";

/** What the comment of a running loop is kept up to date with. */
interface LiveComment {
  readonly context: GithubContext;
  readonly github: GithubAccess | undefined;
  /** undefined: it is not known whether another run has the loop */
  readonly checkpoints: Pick<Checkpoints, "isOurs"> | undefined;
  readonly log: Pick<RunnerLog, "foreign">;
  /** when the Action began; milliseconds since the epoch */
  readonly startedAt: number;
}

/** How long the comment waits for the base of its pull request; milliseconds. */
const BASE_MS = 5_000;

/** What tells which branch a run's work is for. */
export function workPlaceOf(
  { taskRequest, stored, settings: { config } }: Pick<Plan, "taskRequest" | "stored" | "settings">,
  context: GithubContext,
): WorkPlace {
  const branch = taskRequest.github?.branch ?? "";
  // A generation that begins on another branch has none yet.
  const own = stored?.github?.branch === branch ? stored.github.pull_request : null;
  const others = [config.base, branchOfRun(context), context.event.defaultBranch];
  return { pullRequest: taskRequest.github?.pullRequest ?? own, branch, others };
}

const OTHERS: WrittenComment = failed({ kind: "refused", because: "another run goes on with this loop" });

/**
 * Keeps the one comment of a loop on its pull request, or on its issue until it has one, up to date while it runs, and
 * while no other run has the loop: what that one wrote stays. Undefined: the loop has neither, or wants no comment.
 *
 * @param deadline when the run's time is up, in milliseconds since the epoch; null: no limit, or not known yet
 */
export async function liveComment(
  plan: Pick<Plan, "place" | "settings" | "taskRequest" | "stored" | "prd">,
  { context, github, checkpoints, log, startedAt }: LiveComment,
  deadline: () => number | null,
): Promise<Reporter | undefined> {
  const { taskRequest, stored } = plan;
  const { config } = plan.settings;
  const isOff = !config.statusComment || config.job === "run";
  if (taskRequest.github === null || isOff || github === undefined) return undefined;
  const { branch } = taskRequest.github;
  const work = workPlaceOf(plan, context);
  const { pullRequest } = work;
  const issue = taskRequest.github.issue ?? stored?.github?.issue;
  const number = pullRequest?.number ?? issue;
  if (number === undefined) return undefined;
  const on = pullRequest === null ? "issues" : "pull-requests";
  const { sandbox, providerArgs, maxTokens } = config;
  const { loopId, stateFile, folder } = plan.place;
  const [base, { stickyComment }, { statusCommentReporter }, { statusComment }] = await Promise.all([
    baseOfWork(await github.within(BASE_MS), work),
    import("../github/sticky-comment.ts"),
    import("../reporters/status-comment.ts"),
    import("../views/github/status-comment.ts"),
  ]);
  const place = githubPlaceOf(context, config, branch);
  const at = { ...place, base: base.ok ? base.value : place.base };
  const access = await github.until(new AbortController().signal);
  const comment = stickyComment(access, { number, on, marker: markerOf({ ...at, loopId }) });
  const prd = withoutSecretsIn(plan.prd?.document.prd ?? null, config);
  const protection = { sandbox, providerArgs };
  const known = { alive: true, change: null, protection, stateFile, folder, resume: "", prd, branch, ruling: null };
  const limits = { startedAt, maxTokens, maxTotalMs: totalMs(config) };
  const render = (state: LoopState, doing: Doing): string =>
    textWithoutSecrets(
      statusComment(
        { ...known, state: withoutSecrets(state, config), word: asInputs },
        { ...at, ...limits, ...doing, deadline: deadline(), now: Date.now() },
      ),
      config,
    );
  return statusCommentReporter({
    comment: { put: async (body) => ((await checkpoints?.isOurs()) === false ? OTHERS : comment.put(body)) },
    render,
    clock: systemClock,
    log: (line) => log.foreign(line),
  });
}

/** Makes what asks CI, where the task wants it. */
export function ciGateOf(
  plan: Pick<Plan, "place" | "settings" | "taskRequest" | "stored"> & { readonly opening: Pick<Plan["opening"], "do"> },
  { context, github, branch, teller }: Pick<PublisherOptions, "context" | "github" | "branch" | "teller">,
): (means: CiMeans) => Gate {
  const { root, loopId } = plan.place;
  const message = doneSubject(plan.settings.identity.prompt);
  const stored = plan.opening.do === "resume" ? plan.stored?.repair : null;
  const repair = plan.taskRequest.repair ?? stored ?? null;
  const work = workPlaceOf(plan, context);
  const jobsOf = (file: string) => (repair?.run.file === file ? { jobs: ciJobsOf(repair) } : {});
  return ({ file, workspace, observe }) => {
    const route = { branch, workspace, root, file, line: teller.line };
    return createCiGate({
      trusts: async (access, sha) => {
        const found = await baseOfWork(access, work);
        if (!found.ok) return failed({ kind: "unread", because: found.trouble.because });
        const base = found.value;
        return asInBase(access, { workflow: file, sha, base, as: "branch" });
      },
      ...{ file, ownFile: context.workflow.file, github, teller, clock: systemClock, observe },
      ...jobsOf(file),
      bring: async (iteration, withinMs) => pushForCi(route, { message, loopId, iteration }, withinMs),
    });
  };
}
