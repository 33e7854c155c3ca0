import type { Machine } from "../agents/agent.ts";
import { provideAgent, withRepair } from "../agents/registry.ts";
import { provideOthers } from "../agents/several.ts";
import { liftRestriction } from "../agents/with-sandbox-repair.ts";
import { agentsOf } from "../app/agents-of-prd.ts";
import { withReviewer } from "../app/review/reviewer.ts";
import { keepProgramsOutsideOf } from "../app/isolate.ts";
import { locate } from "../app/locate.ts";
import { readSettings } from "../app/read-settings.ts";
import type { Plan } from "../app/plan.ts";
import { howToResume } from "../app/view-of.ts";
import { restoreLoop, type RestoredLoop } from "../carry/restore.ts";
import { type Carriers, createCarriers } from "../carry/carriers.ts";
import { NOTHING_SAVED } from "../carry/save.ts";
import { type CheckpointOptions, checkpointsOf } from "../carry/checkpoints.ts";
import { applyRestored } from "../carry/apply.ts";
import type { Config } from "../config/config.ts";
import { momentOf } from "../core/choose-copy.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import { checkedOut } from "../git/repository.ts";
import { githubAccess } from "../github/access.ts";
import { firstToken, withAppToken } from "../github/app/app-token.ts";
import { readContext } from "../github/context.ts";
import { KILL_SWITCH } from "../github/kill-switch.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { createTeller, type Teller } from "../os/teller.ts";
import { createBranches, startingPointOf } from "../publish/publish-branch.ts";
import { type RunRequest, verifyRunRequest, refuseForLoop } from "../requests/run-request.ts";
import { tokensOfLoops } from "../requests/tokens-of-loops.ts";
import type { StartingPoint } from "../store/carry-note.ts";
import { HandOver } from "../store/hand-over.ts";
import { marksOf } from "../store/place.ts";
import { maskSecrets } from "../store/redaction.ts";
import { dangersOf } from "../views/danger.ts";
import { asInputs } from "../views/run-view.ts";
import { Base } from "./base.ts";
import { controlOfJob, leaveNothingBehind, leaveOnSignal, listenOnGithub, type TrackedRef } from "./control.ts";
import { tellBegun, tellEnded } from "./clean-up.ts";
import { withoutCredentials } from "./credentials.ts";
import { findHours, restoreTime } from "./deadline.ts";
import { dropSudo } from "./drop-sudo.ts";
import { finish, type Finished } from "./finish.ts";
import { githubPreflight } from "./github-preflight.ts";
import { handOverWork } from "./hand-over-work.ts";
import { instructionsOf, refuseStateOfHead } from "./instructions.ts";
import { placeOfJob } from "./job-place.ts";
import { ciGateOf, liveComment } from "./on-github.ts";
import { planJobRun } from "./plan-job-run.ts";
import { planRepair } from "./repair/repair-run.ts";
import { createJobReport, type JobReport } from "./report.ts";
import { type RanInJob, runInJob } from "./run-in-job.ts";
import type { About, Host } from "./run-stage.ts";
import { BEGINS_WITHOUT_ANSWER, tellUnanswered } from "./tell-error.ts";
import { isStoryJob, settingsInPlan } from "./waves/story-job.ts";

const CHECKPOINT_MS = 60_000;
/** Post could not tell main's words from an agent's. */
const NOTHING_HANDED_OVER =
  "Neither github-token nor api-key nor state-key is given. If this step is cancelled, post ends what is left of it, but neither saves the loop nor puts back what was out of the checkout: at most the workspace is saved, as an artifact for people. Give one of them, so that the next run can go on.";

/**
 * Main, where a loop runs: restores the loop, runs it inside the job's time, publishes its work and saves it.
 *
 * @param about as for `Stage`
 * @returns the exit code: 1 when the ending fails the job (`fail-on`), or when nothing holds what the run did
 */
export async function runMain(host: Host, log: RunnerLog, about: About): Promise<number> {
  const job = await readJob(host, log);
  const { context, place, settings } = job;
  about(place);
  const teller = createTeller(log);
  tellSettings(job, teller, log);
  if (typeof host.exposed === "string") log.line(exposedTo(host.exposed));
  await refuseStateOfHead(job.base, place);
  const handOver = await beginHandOver(job, host.env);
  leaveNothingBehind(place, handOver.job);
  const { HOME: home } = host.env;
  const taking = { context, root: place.root, home, mark: marksOf(place).all, handOver, notice: teller.notice };
  return withoutCredentials(taking, async (secrets) => {
    const environmentSecrets = [...settings.config.environmentSecrets, ...secrets];
    const config = { ...settings.config, environmentSecrets };
    maskSecrets(config, log);
    return runLoopOf({ ...job, settings: { ...settings, config }, handOver }, host, log, teller);
  });
}

/**
 * Begins what main hands over: once it is known what the agent can write, so that post takes no program from there (T12),
 * and before anything is provided that could.
 *
 * @throws as `HandOver.begin`
 */
export async function beginHandOver(
  {
    context,
    place,
    settings: { config },
  }: Pick<Job, "context" | "place"> & { readonly settings: Pick<Job["settings"], "config"> },
  env: Host["env"],
): Promise<HandOver> {
  await keepProgramsOutsideOf({ place, config, env });
  return HandOver.begin(env, context, place, config);
}

/** @returns as `runMain` */
async function runLoopOf(
  { context, place, settings, base, handOver }: Job & { readonly handOver: HandOver },
  host: Host,
  log: RunnerLog,
  teller: Teller,
): Promise<number> {
  const [{ config }, { notice, line: tell }, mark] = [settings, teller, marksOf(place).tools];
  const listening = leaveOnSignal((signal) => leave(signal, log));
  const github = githubAccess(config.githubToken, context);
  let from: StartingPoint = { base: await checkedOut(place.root), branch: null };
  const carriers = await createCarriers({ host, context, place, config, github, base: () => from.base }, notice);
  const runRequest = await verifyRunRequest(context, github, config.allowedBots, isStoryJob(config, place.loopId));
  const finding = findHours(host, context, settings, github);
  const [found, ownEnv] = await Promise.all([
    restoreInTime({ ...carriers, loopId: place.loopId, notice }, finding),
    provideAgent(config, context, { env: host.env, mark, tell }),
  ]);
  if (found.unanswered.length > 0 && !config.beginWithoutAnswer) return endUnanswered(found.unanswered, config, log);
  if (found.unanswered.length > 0) notice(BEGINS_WITHOUT_ANSWER);
  refuseForLoop(runRequest, found.copy?.record.state);
  const applyWork = await applyRestored(found, carriers, { stateKey: config.stateKey, teller });

  const planning = { context, place, settings, github, notice, committed: base };
  const branches = createBranches({ ...planning, config });
  const { plan, branch } = await planTold({ ...planning, branches }, runRequest, teller);
  const agents = withReviewer(agentsOf(plan.prd, config), config);
  const env = await provideOthers(config, agents, context, { env: ownEnv, mark, tell });
  if (branch !== undefined) from = startingPointOf(branch);
  const publishable = githubPreflight({ plan, runRequest, branch, context, github }, teller);
  const since = plan.stored === undefined ? null : momentOf(plan.stored);
  const noting = { note: handOver.noteFrom(from, since), since };
  const tracked = await keepTrack(found, carriers, handOver, noting, teller);
  const { checkpoints, follows } = tracked;
  await applyWork(plan.opening);
  const steered = await instructionsOf(base, { handOver, config, place }, notice);

  const token = plan.taskRequest.github === null ? null : config.githubToken;
  const requests = token === null ? undefined : listenOnGithub(context, place, token, runRequest, tracked, notice);
  const report = createJobReport(context, place, config, teller.told, log);
  const ran = await runInJob(plan, {
    repairMachine: repairOf({ ...host, mark }, notice),
    ...{ env, log, notice, release: () => checkpoints?.release(), conclude: report.writeSummary },
    hours: async (isUnisolated) => begin({ publishable, finding, config, isUnisolated }, host, mark, teller),
    adapt: (ports) => ({
      ...ports,
      provider: steered(withRepair(agents, ports.provider, notice, { ...host, mark })),
      store: checkpoints?.over(handOver.over(ports.store)) ?? handOver.over(ports.store),
      control: listening(controlOfJob(ports.control, checkpoints, requests, runRequest)),
      tokensOfOthers: tokensOfLoops({ loopId: place.loopId, github, notice }),
    }),
    comment: (deadline) =>
      liveComment(plan, { context, github, checkpoints, log, startedAt: host.startedAt }, deadline),
    published: branch && (async () => branch.published()),
    ci: ciGateOf(plan, { context, github, branch, teller }),
  });

  const publishing = { context, place, config, github, teller, branch, ...toldIn(report, host, handOver) };
  const finishing = { carriers, checkpoints, note: noting.note, report, publishing, requests, follows };
  const finished = await conclude(ran, plan, report, notice, async (stopped) =>
    (config.job === "run" ? handOverWork : finish)(stopped, finishing, (await finding).hours.reserveMs),
  );
  return leaveToPost(finished, report, config);
}

/** What is published beside the work. */
function toldIn({ view }: ReturnType<typeof createJobReport>, { env }: Host, { announce }: HandOver) {
  return { view, disabled: env[KILL_SWITCH] ?? null, announce };
}

async function restoreInTime(
  sources: Omit<Parameters<typeof restoreLoop>[0], "withinMs">,
  finding: ReturnType<typeof findHours>,
): Promise<RestoredLoop> {
  return restoreLoop({ ...sources, withinMs: restoreTime((await finding).hours, Date.now()) });
}

/** Ends a run that has no loop yet. @returns as `runMain`; a job that only runs fails, so that the other finds out */
async function endUnanswered(unanswered: RestoredLoop["unanswered"], config: Config, log: RunnerLog): Promise<number> {
  const reason = await tellUnanswered(unanswered, log);
  return config.job === "run" || failsJob({ stop_reason: reason }, config) ? 1 : 0;
}

/** Ends main's part. @returns as `runMain` */
async function leaveToPost({ state, saved, isLost }: Finished, report: JobReport, config: Config): Promise<number> {
  await report.handOver(state, saved);
  return isLost || failsJob(state, config) ? 1 : 0;
}

/** Lets programs isolate themselves on this machine; whether that has changed something. */
function repairOf(machine: Machine, notice: (text: string) => void): () => Promise<boolean> {
  return async () => (await liftRestriction(machine, new AbortController().signal, notice)) === "lifted";
}

/**
 * What a job says about its loop.
 *
 * @throws UsageError with every problem there is
 */
export async function readJob({ env, stdout, stderr }: Host, log: Pick<RunnerLog, "mask">) {
  const context = readContext(env);
  const base = Base.ofJob(env, context, log);
  const committed = (root: string) => base.at(root);
  const shell = { program: "smithers", cwd: context.workspace, env, inputs: env, stdout, stderr, committed };
  const location = await locate({}, shell);
  const read = await readSettings(location, shell.program);
  const settings = { ...read, config: withAppToken(read.config, context, log) };
  await firstToken(settings.config.githubToken);
  const place = placeOfJob(context, location, env, settings.config);
  return { context, place, settings: settingsInPlan(settings, place.loopId, context), base };
}

type Job = Awaited<ReturnType<typeof readJob>>;

function tellSettings(
  { context, place, settings: { notices, config }, base }: Job,
  { notice }: Teller,
  log: RunnerLog,
): void {
  maskSecrets(config, log);
  log.line(`loop ${place.loopId}`);
  for (const text of context.unsaid) notice(text);
  for (const text of base.remarks) notice(text);
  for (const text of notices) notice(asInputs(text));
  for (const text of dangersOf(config)) log.warning(asInputs(text));
}

/**
 * `planJobRun`, with what a failed run asks for; what it brings up besides is told: how long the stories may take, and who
 * works on them.
 */
async function planTold(
  sources: Parameters<typeof planJobRun>[0],
  runRequest: RunRequest,
  teller: Teller,
): ReturnType<typeof planJobRun> {
  const repair = await planRepair({ ...sources, root: sources.place.root, runRequest, teller });
  const settings = repair?.settings ?? sources.settings;
  const planned = await planJobRun({ ...sources, settings, failed: repair?.failed }, runRequest);
  const told = new Set(settings.notices);
  for (const text of planned.plan.settings.notices) if (!told.has(text)) teller.notice(asInputs(text));
  return planned;
}

/** The last of what has to be in order before a token is spent. @returns the job's hours */
async function begin(
  {
    publishable,
    finding,
    config,
    isUnisolated,
  }: {
    readonly publishable: () => Promise<unknown>;
    readonly finding: ReturnType<typeof findHours>;
    readonly config: Config;
    readonly isUnisolated: boolean;
  },
  { env }: Host,
  mark: string,
  teller: Teller,
) {
  await publishable();
  await dropSudo({ ...config, isUnisolated }, { env, user: process.getuid?.(), mark }, teller);
  return tellHours(await finding, teller);
}

function tellHours({ hours, remarks }: Awaited<ReturnType<typeof findHours>>, teller: Teller) {
  for (const { level, text } of remarks) teller[level === "info" ? "line" : level](text);
  return hours;
}

function exposedTo(why: string): string {
  const cure = CLOSED_BY.find(([open]) => open.test(why))?.[1] ?? "Run the job on Linux with glibc";
  return `other processes of its user could read this job's secrets in the memory of this one, because ${why}. What is isolated cannot: see check-sandbox. ${cure}`;
}

/** What closes this process, by why it is open. */
const CLOSED_BY: readonly (readonly [RegExp, string])[] = [
  [/as root/u, "Run the job as another user than root"],
  [/temp folder|no place/u, "Give the runner's temp folder room, and let programs run from it (no noexec)"],
  [/suid_dumpable/u, "Set it to 0: sudo sysctl -w fs.suid_dumpable=0"],
  [/^Node/u, "Update the runner, which brings Node"],
];

/** Notes for post where the loop was found. Until the loop goes on there is nothing for post to carry. */
async function keepTrack(
  { ref, copy }: RestoredLoop,
  carriers: Carriers,
  handOver: HandOver,
  { note, since }: Pick<CheckpointOptions, "note" | "since">,
  { notice }: Teller,
): Promise<TrackedRef> {
  if (!handOver.isProvable) notice(NOTHING_HANDED_OVER);
  await tellBegun(handOver);
  await handOver.holds();
  const follows = ref.answer === "found" ? ref.commit : null;
  const seen = ref.answer !== "unreachable";
  await note({ follows, seen, sent: [], carried: copy?.record.revision ?? null });
  return {
    follows,
    checkpoints: checkpointsOf(carriers, { follows, seen, since, note, notice, withinMs: CHECKPOINT_MS }),
  };
}

/** @param finishing publishes the ending and saves the loop */
async function conclude(
  { state, left }: RanInJob,
  { opening }: Plan,
  report: JobReport,
  notice: Teller["notice"],
  finishing: (stopped: LoopState) => Promise<Finished>,
): Promise<Finished> {
  const nothing = { state, saved: NOTHING_SAVED, isLost: false };
  if (left !== null) {
    // Other copies of the loop are at least as good as the one here: nothing is saved.
    notice(left.replaceAll("<resume>", howToResume(state)));
    await report.summarize(state, NOTHING_SAVED);
    await tellEnded();
    return nothing;
  }
  // The runner kills us within seconds of its signal: then post does all of it, where it would find anything new.
  const { stop_reason: reason } = state;
  const isSignalled = reason?.kind === "stopped" && reason.by.startsWith("SIG");
  if (opening.do !== "publish" && isSignalled) return nothing;
  const finished = await finishing(state);
  await tellEnded();
  return finished;
}

/** What was not carried yet is left to post. */
function leave(signal: NodeJS.Signals, log: RunnerLog): never {
  log.line(`${signal}: this step is being cancelled while no turn runs; what is left to do is done after it`);
  process.exit(1);
}

/** Whether the ending is one that the workflow takes for a failure; a job that only runs leaves that to the other. */
export function failsJob(
  { stop_reason: reason }: Pick<LoopState, "stop_reason">,
  { job, failOn }: Pick<Config, "job" | "failOn">,
): boolean {
  return (
    job !== "run" && reason !== null && (failOn.includes(reason.kind) || failOn.includes(outcomeOf(reason).status))
  );
}
