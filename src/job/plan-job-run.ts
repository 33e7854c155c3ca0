import { choose, planFrom, type Plan, type TaskRequest } from "../app/plan.ts";
import { prdOfJob } from "../app/prd/prd-of-job.ts";
import type { Settings } from "../app/read-settings.ts";
import type { CommittedFiles } from "../app/shell.ts";
import { UsageError } from "../core/errors.ts";
import { identityOf, taskDigest, type GithubTask } from "../core/task.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { FailedRun } from "../core/repair/repair.ts";
import type { Command } from "../core/policy/command.ts";
import type { LoopState } from "../core/state.ts";
import { sha256 } from "../os/digest.ts";
import { resumePublication } from "../publish/pending-publication.ts";
import type { Branches, BranchOptions, PublishBranch } from "../publish/publish-branch.ts";
import type { RunRequest } from "../requests/run-request.ts";
import { moved } from "../requests/verify.ts";
import { readPrompt } from "../store/file-store.ts";
import type { JobPlace } from "../store/place.ts";
import { firstSnapshot } from "../store/read-events.ts";
import { readState } from "../store/state-file.ts";
import { cut, firstLine } from "../views/plain-text.ts";
import { handedToStory } from "./waves/story-job.ts";
import { refuseBaseOf, renamedTarget, type TargetBranch, targetBranchOf } from "./target-branch.ts";

const BRING_MS = 20_000;

/** What a job's run is planned from; `settings`: of the workflow. */
interface PlanSources extends Omit<BranchOptions, "config"> {
  readonly settings: Settings;
  readonly branches: Branches;
  /** the failed run that is to be repaired; undefined: none */
  readonly failed?: FailedRun | undefined;
  /** the repository's files as of the commit that may tell the job anything */
  readonly committed: CommittedFiles;
}

/** How a job's run begins. */
interface JobRun {
  readonly plan: Plan;
  /** undefined: nothing is published from here */
  readonly branch: PublishBranch | undefined;
}

/**
 * Fetches what the loop began with, by which it is judged whether tests and what they run were bent (C40): a checkout of
 * depth 1 is without it as soon as the default branch has moved. Where it is not to be had, the report says so.
 */
async function bringBeginning(branch: PublishBranch | undefined, place: JobPlace): Promise<void> {
  const began = await firstSnapshot(place).catch(() => null);
  if (branch !== undefined && began?.head) await branch.workBranch.bring([began.head], BRING_MS);
}

/**
 * Plans the run and puts the workspace on the branch that its work goes to.
 *
 * @throws UsageError when the request makes no sense for the loop, or is for another commit
 * @throws OperationalError when the loop's own task is lost, and as `targetBranchOf`
 */
export async function planJobRun(sources: PlanSources, runRequest: RunRequest): Promise<JobRun> {
  const { context, place, branches } = sources;
  const { by, command, head } = runRequest;
  const stored = await readState(place.stateFile);
  const settings = lookingLater(await settingsOfRun(sources, stored, runRequest), runRequest);
  const { config } = settings;
  // For `start` the guidance is the task itself.
  const accepting = command === "accept" && by === "person" ? { acceptsProof: runRequest.asker ?? "a person" } : {};
  const guidance = command === "start" ? null : runRequest.guidance;
  const repairing = sources.failed === undefined ? {} : { repair: sources.failed };
  const who: TaskRequest = { by, guidance, ...accepting, ...repairing, github: null };
  // First publish what an earlier ending left unpublished, unless a person explicitly starts again.
  const first = choose(stored, settings, who, command !== "start");
  const handed = await handedToStory({ context, place, config });
  const prdHere = () => prdOfJob(config, { root: place.root, committed: sources.committed }, handed);
  const usual = { ...sources, config };
  if (first.do === "publish") {
    await refuseBaseOf(usual, stored);
    const branch = await resumePublication(sources, stored);
    if (branch !== undefined)
      return { plan: { place, settings, stored, prd: null, opening: first, taskRequest: who }, branch };
  }
  const opening = choose(stored, settings, who);
  if (config.githubToken === null || opening.do === "leave") {
    const prd = opening.do === "leave" ? null : await prdHere();
    return { plan: planFrom({ place, settings, stored, prd }, who), branch: undefined };
  }
  const mayName = handed === null && mayNameBranch(settings);
  const branchName = mayName ? ((await prdHere())?.document.prd.branchName ?? null) : null;
  if (branchName !== null && config.job === "run") throw elsewhere(branchName);
  const targets = branchName === null ? usual : { ...sources, config: { ...config, branch: branchName } };
  const number = runRequest.pullRequest ?? context.event.pullRequest?.number ?? null;
  let target = await targetBranchOf(targets, { opening, stored, pullNumber: number });
  const isOurs = targets.config.branch.includes("<loop-id>") && target.branch.includes(place.loopId);
  const mayBeEmpty = isOurs && isUnpushed(target, stored);
  let branch = await branches.checkOut(target.branch, mayBeEmpty);
  const renamed = branch?.tip === null ? await renamedTarget(targets, stored, target.branch) : undefined;
  if (renamed !== undefined) {
    target = renamed;
    branch = await branches.checkOut(target.branch);
  }
  if (branch !== undefined && branch.name === runRequest.headBranch && head !== null && branch.tip !== head) {
    throw moved(head, branch.tip ?? "no commit");
  }
  if (stored !== undefined) await bringBeginning(branch, place);
  const task: GithubTask = {
    ...target,
    ...issueOf(runRequest, stored),
    ...(runRequest.review === undefined ? {} : { review: runRequest.review }),
    askedBy: runRequest.asker,
    resetsCircuit: command === "reset-circuit",
    request: runRequest.request,
    continuations: continuationsOf(runRequest, stored),
  };
  return { plan: planFrom({ place, settings, stored, prd: await prdHere() }, { ...who, github: task }), branch };
}

/**
 * Whether nothing was ever pushed to the branch, though an earlier run may have begun it. That of a pull request is a
 * person's, whatever it is called, and all of it is in what is checked out where that is the merge of the two.
 */
function isUnpushed({ pullRequest }: TargetBranch, stored: LoopState | undefined): boolean {
  const { head = null, pull_request: known = null } = stored?.github ?? {};
  return pullRequest === null && head === null && known === null;
}

/** What is green already says nothing of what a reviewer asks for: the agent has its turn first. */
function lookingLater(settings: Settings, { review }: RunRequest): Settings {
  return review === undefined ? settings : { ...settings, config: { ...settings.config, checkFirst: false } };
}

/** What a loop has begun for stays its issue, unless a person gives it another task. */
function issueOf({ issue, command }: RunRequest, stored: LoopState | undefined): Pick<GithubTask, "issue"> {
  const number = issue ?? (command === "start" ? undefined : stored?.github?.issue);
  return number === undefined ? {} : { issue: number };
}

/** Whether a PRD may say which branch its stories go to: nobody has named one. */
function mayNameBranch({ config, sources }: Settings): boolean {
  return config.backlog === "prd" && sources.branch.from === "default";
}

/** Job publish checks nothing out, so it cannot know what the PRD says: it would look for the work elsewhere. */
function elsewhere(branchName: string): UsageError {
  return new UsageError({
    code: "SPLIT_BRANCH_NAME",
    what: `The PRD names the branch ${branchName}, which job publish cannot know. Nothing was done.`,
    next: `Give both jobs the input branch: ${branchName}.`,
  });
}

/** A person resets the count; a failed check adds to it, over all generations. */
export function continuationsOf(
  { by, request }: Pick<RunRequest, "by" | "request">,
  stored: LoopState | undefined,
): number {
  if (by === "person") return 0;
  return (stored?.github?.continuations ?? 0) + (request?.startsWith("run:") === true ? 1 : 0);
}

/** These let a loop go on with its own task, even if the workflow has another one by now. */
const GOES_ON: ReadonlySet<Command | null> = new Set(["continue", "fix", "reset-circuit", "accept"]);

/**
 * The settings of a run, with its task (C25): the one that a person starts it with; the loop's own if a request names
 * the loop and lets it go on; else the workflow's. A loop that is only canceled needs no free limits.
 *
 * @throws UsageError when the loop's state does not fit the command
 * @throws OperationalError when the loop's own task is lost
 */
async function settingsOfRun(
  { settings, place, notice, failed }: PlanSources,
  stored: LoopState | undefined,
  { command, guidance, loopId }: RunRequest,
): Promise<Settings> {
  if (command === "start" && guidance !== null) {
    if (stored !== undefined && !isOver(stored)) throw loopThere(stored);
    return { ...settings, identity: { ...settings.identity, prompt: guidance } };
  }
  if (command === "cancel" && (stored === undefined || isOver(stored))) throw nothingToCancel(place.loopId, stored);
  const isAboutIt = command === "cancel" || (loopId !== null && GOES_ON.has(command));
  if (stored === undefined || !isAboutIt || beginsAnew(stored, failed)) return settings;
  const roomy = command === "cancel" ? withRoomFor(stored, settings) : settings;
  if (taskDigest(settings.identity, sha256) === stored.task_digest) return roomy;
  if (command !== "cancel") notice(keepsItsTask(stored));
  return { ...roomy, identity: identityOf(stored, await readPrompt(place.folder, stored)) };
}

/** Whether a failed run is another task than the one that could not be shown before. */
function beginsAnew({ stop_reason: reason, repair }: LoopState, failed: FailedRun | undefined): boolean {
  const isUnshown = reason?.kind === "not_reproduced" || reason?.kind === "flaky";
  return failed !== undefined && isUnshown && failed.run.id !== repair?.run.id;
}

function keepsItsTask({ loop_id: loop, prompt }: LoopState): string {
  return `Loop ${loop} goes on with the task that it was begun with, “${cut(firstLine(prompt), 100)}”, not with what the workflow says now. To begin with that instead, comment /smithers start, or start the workflow by hand with its input \`smithers\` set to \`start\`.`;
}

/** Whichever limit it has reached, the loop can be loaded to be canceled. */
function withRoomFor({ iteration, error_resumes: resumes }: LoopState, settings: Settings): Settings {
  const { config } = settings;
  const maxIterations = Math.max(config.maxIterations, iteration + 1);
  const roomy = { maxIterations, maxTokens: null, maxTotalMinutes: null, maxErrorResumes: resumes + 1 };
  return { ...settings, config: { ...config, ...roomy } };
}

function isOver({ stop_reason: reason }: LoopState): boolean {
  return reason !== null && outcomeOf(reason).resumableBy === "nobody";
}

function loopThere({ loop_id: loop, status }: LoopState): UsageError {
  const what = `There is a loop already: ${loop} is ${status}. Nothing was done.`;
  const next = "Let it go on with /smithers continue, or end it with /smithers cancel first.";
  return new UsageError([{ code: "LOOP_THERE", what, next }]);
}

function nothingToCancel(loop: string, stored: LoopState | undefined): UsageError {
  const what = stored === undefined ? `There is no loop ${loop}.` : `Loop ${loop} is over: it is ${stored.status}.`;
  const next = "There is nothing that could be ended.";
  return new UsageError([{ code: "NOTHING_TO_CANCEL", what: `${what} Nothing was done.`, next }]);
}
