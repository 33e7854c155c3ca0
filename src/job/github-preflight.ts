import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Plan } from "../app/plan.ts";
import type { Config } from "../config/config.ts";
import { changeRules, keepsTree } from "../config/settle.ts";
import { isProtected } from "../core/boundary.ts";
import { jobNamesIn } from "../core/policy/mirror.ts";
import { UsageError } from "../core/errors.ts";
import { loopRefOf } from "../core/names.ts";
import { isDispatchable } from "../core/repair/workflow-command.ts";
import type { Result } from "../core/result.ts";
import { refusalSaying, type RemoteRefusal } from "../git/refusal.ts";
import type { GithubAccess } from "../github/access.ts";
import { rightsOfApp } from "../github/app/app-token.ts";
import { isPersonal, tokenKind } from "../github/accounts.ts";
import type { Github } from "../github/client.ts";
import { branchOfRun, type GithubContext } from "../github/context.ts";
import {
  type Probed,
  probeLabels,
  probePeople,
  probePullRequests,
  probeStatuses,
  probeWorkflow,
} from "../github/probes.ts";
import { probeRules } from "../github/statuses.ts";
import type { Teller } from "../os/teller.ts";
import type { PublishBranch } from "../publish/publish-branch.ts";
import type { PublisherOptions } from "../publish/publisher.ts";
import { baseOfWork, type WorkPlace } from "../publish/trusted-ci.ts";
import type { RunRequest } from "../requests/run-request.ts";
import {
  APP_MAY,
  type Finding,
  findingLines,
  gapsIn,
  githubFindings,
  githubGapTable,
  type GithubRights,
  LABELS_THERE,
  RULES_MET,
  type Right,
} from "../views/gaps.ts";
import { workPlaceOf } from "./on-github.ts";

/** What a run needs of GitHub depends on these; without a branch it needs nothing. */
interface GithubPreflight extends Pick<PublisherOptions, "context" | "github" | "branch"> {
  readonly plan: Plan;
  readonly runRequest: Pick<RunRequest, "command">;
}

/** How long to wait for GitHub; the agent's own preflight takes about as long as GitHub usually does. */
const WITHIN_MS = 5_000;

/** A push is refused in these ways for other reasons than the lack of a right, or for none that is known. */
const NO_GAP: ReadonlySet<string> = new Set(["stale", "unreachable", "incomplete", "secret", "workflow_files"]);

/** What is off in a job that only runs its loop, in one line of the log. */
const RUNS_ONLY =
  "job run: the token only has to read. Nothing is written to GitHub while the loop runs: no git ref, no push, no pull request, no status, comment or label, no cache, and the loop does not start its next run. The job publish does all of that, with what this one hands over in its artifact.";

/**
 * Checks, without writing anything, whether the run's result can be published: at most four requests and a dry-run push,
 * two more with CI, one more for a pull request's base, and one for each person who is named. Begins at once.
 *
 * @returns waits for it, reports what is missing, and makes the work's branch. Throws UsageError `PREFLIGHT` when publishing is impossible,
 * unless `preflight` is `warn`; what cannot be known never counts as missing
 */
export function githubPreflight(preflight: GithubPreflight, teller: Teller): () => Promise<void> {
  const { plan, branch, runRequest } = preflight;
  if (plan.settings.config.job === "run") {
    return async () => {
      teller.line(RUNS_ONLY);
      await tellOwnWorkflow(preflight.context, teller);
    };
  }
  const takesTurns = plan.opening.do !== "leave" && plan.opening.do !== "publish" && runRequest.command !== "cancel";
  if (!takesTurns || branch === undefined) return async () => {};
  const looking = look(preflight, branch);
  // The run may end before anybody waits for it.
  looking.catch(() => undefined);
  const warnsOnly = plan.settings.config.preflight === "warn";
  return async () => {
    const { rights, workflow } = await looking;
    tellRights(rights, warnsOnly, teller);
    const told = new Set(gapsIn(githubFindings(rights)).map(({ permission }) => permission));
    tellWorkflow(
      workflow.filter(({ permission }) => permission === null || !told.has(permission)),
      teller,
    );
    await beginBranch(branch, rights, warnsOnly, teller);
  };
}

/** What shows of a right to push only when a branch is made. */
const FORBIDDEN: ReadonlySet<string> = new Set(["ruleset", "archived", "name_in_use"]);

/**
 * Makes the work's branch, now that nothing is known to be in the way (C81).
 *
 * @throws UsageError `PREFLIGHT` when a rule forbids it, so that the work could not be pushed either, unless that only warns
 */
async function beginBranch(
  branch: PublishBranch,
  rights: GithubRights,
  warnsOnly: boolean,
  teller: Teller,
): Promise<void> {
  const begun = await branch.begin(WITHIN_MS);
  if (begun.ok) return;
  const { kind, because } = begun.trouble;
  const known = kind === "refused" ? refusalSaying(because) : undefined;
  if (known === undefined || !FORBIDDEN.has(known.kind)) {
    teller.notice(
      `The branch ${branch.name} could not be made before the first turn: ${because}. It is made by the first push instead; where the default branch's workflow files move until then, these go on top of the work.`,
    );
    return;
  }
  const { because: why, next } = known;
  tellRights({ ...rights, push: { refs: [branch.name], right: { right: "missing", why, next } } }, warnsOnly, teller);
}

/** Says what the job, and those that depend on it, lack by the workflow's file in the workspace (C111). Never throws. */
export async function tellOwnWorkflow(context: GithubContext, teller: Teller): Promise<void> {
  tellWorkflow(await ofWorkflow(context), teller);
}

/** What the job lacks by its own workflow's file, as `smithers doctor` says it (C111). Never throws. */
async function ofWorkflow({ workspace, workflow: { file }, job }: GithubContext): Promise<readonly Finding[]> {
  const { workflowFindings } = await import("../app/workflows/findings.ts");
  return workflowFindings(workspace, { file, job });
}

/** What only costs a feature, with the line that gives it. */
function tellWorkflow(findings: readonly Finding[], { line, warning }: Teller): void {
  for (const text of findingLines(findings.filter(({ right }) => right.right === "unknown")))
    line(`preflight: ${text}`);
  const gaps = findingLines(gapsIn(findings)).map((text) => `  ${text}`);
  if (gaps.length === 0) return;
  warning(`Preflight: this job's workflow lacks something. The run goes on without it.\n${gaps.join("\n")}`);
}

async function look(
  { context, github, plan }: GithubPreflight,
  { name, workBranch, tip }: PublishBranch,
): Promise<{ readonly rights: GithubRights; readonly workflow: readonly Finding[] }> {
  const { place, settings } = plan;
  const { carriers, selfContinue } = settings.config;
  const refs = carriers.includes("ref") ? [loopRefOf(place.loopId)] : [];
  const asking: Asking = async (question) => (github === undefined ? null : question(await github.within(WITHIN_MS)));
  const { file } = context.workflow;
  const { ci } = settings.identity.checks;
  const mayStop = settings.config.todoFile !== null && github !== undefined;
  const [rehearsed, pulls, workflow, judging, labels, rules, workflowFiles, ofFile, people] = await Promise.all([
    workBranch.dryRun(refs, WITHIN_MS),
    asking(probePullRequests),
    selfContinue === "auto" ? asking((access) => probeWorkflow(access, file)) : null,
    ci === null ? null : ciRights(context, { workflow: ci, tip }, asking),
    mayStop ? probeLabels(await github.within(WITHIN_MS), madeLater) : null,
    github === undefined
      ? null
      : rulesRight(await github.within(WITHIN_MS), settings.config, context, workPlaceOf(plan, context)),
    workflowRight(settings.config, place.root, github),
    ofWorkflow(context),
    github === undefined ? null : probePeople(await github.within(WITHIN_MS), named(settings.config)),
  ]);
  const rights: GithubRights = {
    push: { refs: [name, ...refs], right: pushRight(rehearsed) },
    pullRequests: pulls?.right ?? null,
    creation: plan.taskRequest.github === null || workPlaceOf(plan, context).pullRequest !== null ? null : CREATION,
    dispatch: workflow === null ? null : { workflow: file, right: workflow.right },
    ci: judging,
    labels,
    rules,
    workflowFiles,
    refusedWork: keepingRight(settings.config, context.event.visibility === "private"),
    people,
    app: rightsOfApp(settings.config.githubToken),
    aheadMs: pulls?.aheadMs ?? workflow?.aheadMs ?? null,
  };
  return { rights, workflow: ofFile };
}

function named({ reviewers, notify }: Config): readonly string[] {
  return [...reviewers, ...notify];
}

/**
 * What the rules of the branch that the work is for ask of the pull request; null: nothing that this job does not do, or that
 * branch is not known. What a status of ours blocks is told always; what stays open only where pushes start no CI, and no
 * job of `ci-workflow` has its name.
 */
async function rulesRight(
  github: Github,
  { ciWorkflow, githubToken }: Config,
  context: GithubContext,
  work: WorkPlace,
): Promise<Right | null> {
  const [base, text] = await Promise.all([
    baseOfWork(github, work),
    ciWorkflow === null ? null : textOf(context, ciWorkflow),
  ]);
  const names = text === null ? null : jobNamesIn(await parsed(text));
  const ci = ciWorkflow === null ? null : { file: ciWorkflow, names };
  const right = base.ok ? await probeRules(github, base.value, ci) : null;
  const startsCi = typeof githubToken !== "string" || isPersonal(githubToken);
  return right?.right === "unknown" && startsCi ? null : right;
}

/** A workflow's file in the checkout; null: it cannot be read there. */
async function textOf({ workspace }: GithubContext, workflow: string): Promise<string | null> {
  return readFile(path.join(workspace, ".github", "workflows", workflow), "utf8").catch(() => null);
}

/** Whether workflow files can be pushed; null: the work may not change any. */
async function workflowRight(config: Config, root: string, github: GithubAccess | undefined): Promise<Right | null> {
  if (github === undefined || isProtected(changeRules(config, root).protectedPaths, ".github/workflows/any.yml"))
    return null;
  const kind = await tokenKind(await github.within(WITHIN_MS), config.githubToken ?? "");
  if (kind !== "github-token") return { right: "unknown", because: "untold", why: "it shows when they are pushed" };
  return { right: "missing", ...NO_WORKFLOWS };
}

const NO_WORKFLOWS = {
  why: "the job's own token may never write them, and no line under permissions: changes that",
  next: "Add github-token: with a token of a GitHub App, or a fine-grained personal one, that has “Workflows: read and write”; or leave these files to people, without that line of protected-paths.",
};

/** Whether anything would keep work that GitHub does not take; null: yes, or nothing is to be kept. */
function keepingRight(config: Config, isPrivate: boolean): Right | null {
  const { carriers } = config;
  if (carriers.length === 0 || carriers.includes("artifact") || keepsTree(config, isPrivate)) return null;
  const why = "others can read this repository, and without a state-key no carrier here takes it";
  const next = "Add artifact to carriers:, which takes it as a patch, or state-key: ${{ secrets.SMITHERS_STATE_KEY }}.";
  return { right: "missing", why, next };
}

/** Whether a job may make labels does not show without making one. */
function madeLater(names: string): Right {
  const how = "the first HARD STOP makes them if the job has permissions: issues: write, as smithers doctor --fix does";
  return {
    right: "unknown",
    because: "untold",
    why: `${names} are not there; ${how}; until then commands do the same`,
  };
}

/** Only administrators may read that setting, and it only binds the jobs' own tokens. */
const CREATION: Right = {
  right: "unknown",
  because: "untold",
  why: "a job is not told; where the repository's settings do not allow it, the branch is pushed and a link to open one is given",
};

/** What a rehearsed push shows of a right. */
export function pushRight(rehearsed: Result<undefined, RemoteRefusal>): Right {
  if (rehearsed.ok) return { right: "there" };
  const { kind, because: why, next } = rehearsed.trouble;
  if (NO_GAP.has(kind)) return { right: "unknown", because: kind === "unreachable" ? "unreachable" : "untold", why };
  return { right: "missing", why, next: kind === "permission" || kind === "not_found" ? "" : next };
}

/** What is worth a line though nobody can tell whether it is missing: what GitHub says has a cure. */
const TOLD_UNKNOWN: ReadonlySet<string> = new Set([APP_MAY, LABELS_THERE, RULES_MET]);

/**
 * Tells what is missing.
 *
 * @throws UsageError `PREFLIGHT` when publishing is impossible, unless that only warns
 */
export function tellRights(rights: GithubRights, warnsOnly: boolean, { line, notice, warning }: Teller): void {
  const findings = githubFindings(rights);
  const gaps = gapsIn(findings);
  const unanswered = findings.find(({ right }) => right.right === "unknown" && right.because === "unreachable");
  if (unanswered?.right.right === "unknown") {
    notice(`Preflight: GitHub has not said whether this run may ${unanswered.subject}: ${unanswered.right.why}.`);
  }
  for (const { subject, right } of findings)
    if (TOLD_UNKNOWN.has(subject) && right.right === "unknown") line(`preflight: ${subject}: ${right.why}`);
  if (gaps.length === 0) {
    line("preflight: nothing is missing on GitHub, as far as it shows without writing");
    return;
  }
  const table = githubGapTable(findings);
  if (warnsOnly || !gaps.some(({ blocks }) => blocks)) {
    warning(`Preflight: not all that this run needs of GitHub is there.\n${table}`);
    return;
  }
  const what = `What this run does could not be published. No turn was taken and nothing was spent.\n${table}`;
  const next = "Close the gaps, or set pull-request: never to publish nothing, or preflight: warn to run all the same.";
  throw new UsageError([{ code: "PREFLIGHT", what, next }]);
}

/** Asks GitHub something; null: no token. */
export type Asking = (question: (access: Github) => Promise<Probed>) => Promise<Probed | null>;

/** Whether CI can be asked: two requests, and a look into the workflow's file in the checkout. */
export async function ciRights(
  context: GithubContext,
  { workflow, tip }: { readonly workflow: string; readonly tip: string | null },
  asking: Asking,
): Promise<NonNullable<GithubRights["ci"]>> {
  const absent: Right = { right: "missing", why: `GitHub knows no ${workflow} on the default branch`, next: ADD_IT };
  const [run, status, file] = await Promise.all([
    asking((access) => probeWorkflow(access, workflow, absent)),
    asking((access) => probeStatuses(access, tip ?? branchOfRun(context))),
    textOf(context, workflow),
  ]);
  return {
    workflow,
    run: (await refusedByFile(workflow, context.workflow.file, file)) ?? run?.right ?? NO_TOKEN,
    status: status?.right ?? NO_TOKEN,
  };
}

const ADD_IT = "Add it there: GitHub starts no workflow that the default branch does not have.";
const NO_TOKEN: Right = { right: "unknown", because: "untold", why: "there is no token to ask with" };

/** Undefined: the file allows it, as far as it can be read. */
async function refusedByFile(workflow: string, own: string, file: string | null): Promise<Right | undefined> {
  if (workflow === own) {
    const next = "Name the workflow that tests the work.";
    return { right: "missing", why: `${workflow} is the workflow that this loop runs in`, next };
  }
  const written = file === null ? undefined : await parsed(file);
  if (typeof written !== "object" || written === null) return undefined;
  if (isDispatchable({ on: "on" in written ? written.on : null, jobs: {} })) return undefined;
  const next = "Add workflow_dispatch: to its on:, here and on the default branch.";
  const why = `${workflow} cannot be started: its on: has no workflow_dispatch that needs no inputs`;
  return { right: "missing", why, next };
}

/** Undefined: no YAML. */
async function parsed(text: string): Promise<unknown> {
  const { parse } = await import("yaml");
  try {
    return parse(text, { logLevel: "error" });
  } catch {
    return undefined;
  }
}
