import { outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import { githubAccess } from "../github/access.ts";
import { KILL_SWITCH } from "../github/kill-switch.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { createTeller, type Teller } from "../os/teller.ts";
import { carryNoteWriter, type Ground, type WriteCarryNote } from "../store/carry-note.ts";
import { asInputs } from "../views/run-view.ts";
import type { WorkingHours } from "../app/to-task.ts";
import { dangersOf } from "../views/danger.ts";
import { type LoopPlace, marksOf } from "../store/place.ts";
import type { Settings } from "../app/read-settings.ts";
import { maskSecrets } from "../store/redaction.ts";
import type { Plan } from "../app/start-or-resume.ts";
import { beginOn } from "./begin-on.ts";
import { createBranches, groundOf } from "../publish/branch-in-hand.ts";
import { restoreLoop, type RestoredLoop } from "../carry/restore.ts";
import { type Carriers, createCarriers } from "../carry/carriers.ts";
import { NOTHING_SAVED } from "../carry/save.ts";
import { checkedOut } from "../git/repository.ts";
import { type Checkpoints, checkpointsOf } from "../carry/checkpoints.ts";
import { type Deadline, findHours } from "./deadline.ts";
import { drive, type Driven } from "./drive.ts";
import { finish, type Finished } from "./finish.ts";
import { githubPreflight } from "./github-preflight.ts";
import { hearAsked, refuseForLoop } from "../requests/hear-asked.ts";
import { listenOnGithub } from "./listen-on-github.ts";
import { loopOnGithub } from "./loop-on-github.ts";
import { leaveNothingBehind, leaveOnSignal } from "./on-signal.ts";
import { provideAgent, withRepair } from "../agents/registry.ts";
import { publisherFor } from "../publish/publisher.ts";
import { applyRestored } from "../carry/apply.ts";
import { readJob } from "./read-job.ts";
import type { About, Host } from "./run-stage.ts";
import { createJobReport, type JobReport } from "./tell-job.ts";
import { howToResume } from "../app/view-for-job.ts";

const RESTORE_MS = 60_000;

/**
 * Brings the loop back, runs it inside the job's time, and publishes and carries away what it has come to.
 *
 * @param about as for `Stage`
 * @returns the exit code: 1 when the ending fails the job (`fail-on`), or when nothing holds what the run did
 */
export async function runWorker(host: Host, log: RunnerLog, about: About): Promise<number> {
  const { context, place, settings } = await readJob(host);
  const { config } = settings;
  about(place);
  const teller = createTeller(log);
  const { notice } = teller;
  tellSettings(place, settings, teller, log);
  leaveNothingBehind(place);
  const listening = leaveOnSignal(process, (signal) => leave(signal, log));
  const mark = marksOf(place).tools;
  const github = githubAccess(config.githubToken, context);

  let ground: Ground = { base: await checkedOut(place.root), branch: null };
  const carriers = await createCarriers({ host, context, place, config, github, base: () => ground.base }, notice);
  const asked = await hearAsked(context, github, config.allowedBots);
  const finding = findHours(host, context, settings, github);
  const [found, env] = await Promise.all([
    restoreLoop({ ...carriers, loopId: place.loopId, withinMs: RESTORE_MS, notice }),
    provideAgent(config, context, { env: host.env, mark, tell: teller.line }),
  ]);
  refuseForLoop(asked, found.copy?.record.state);
  const applyWork = await applyRestored(found, carriers, { stateKey: config.stateKey, teller });

  const branches = createBranches({ context, place, config, github, notice });
  const { plan, hand } = await beginOn({ context, place, settings, branches, github, notice }, asked);
  if (hand !== undefined) ground = groundOf(hand);
  const publishable = githubPreflight({ plan, asked, hand, context, github }, teller);
  const note = carryNoteWriter(place.carryNote, ground);
  const { follows, checkpoints } = await keepTrack(found, carriers, note, notice);
  await applyWork(plan.opening);

  const token = plan.asked.github === null ? null : config.githubToken;
  const requests = listenOnGithub({ context, place, token, tell: notice }, { follows, checkpoints, by: asked.by });
  const report = createJobReport({ context, place, config, told: teller.told, log });
  const driven = await drive({
    ...{ plan, env, checkpoints, requests, asked, listening, log, notice, conclude: report.writeSummary },
    hours: async () => {
      await publishable();
      return tellHours(await finding, teller);
    },
    mending: (provider) => withRepair(config, provider, notice, { ...host, mark }),
    onGithub: loopOnGithub(plan, { context, github, hand, checkpoints, teller, log, startedAt: host.startedAt }),
  });

  const { state, away, isLost } = await conclude(driven, plan, report, notice, async (stopped) => {
    const { reserveMs } = (await finding).hours;
    const disabled = host.env[KILL_SWITCH] ?? null;
    const publisher = publisherFor(stopped, { context, place, config, github, teller, hand, disabled, reserveMs });
    return finish(stopped, { carriers, checkpoints, note, github, teller, report, publisher, requests, reserveMs });
  });
  await report.handOver(state, away);
  return isLost || failsJob(state, config.failOn) ? 1 : 0;
}

function tellSettings(place: LoopPlace, { notices, config }: Settings, { notice }: Teller, log: RunnerLog): void {
  maskSecrets(config, log);
  log.line(`loop ${place.loopId}`);
  for (const text of notices) notice(asInputs(text));
  for (const text of dangersOf(config)) log.warning(asInputs(text));
}

function tellHours({ hours, remarks }: Deadline, teller: Teller): WorkingHours {
  for (const { level, text } of remarks) teller[level === "info" ? "line" : level](text);
  return hours;
}

/** Notes for post where the loop was found. Until the loop goes on there is nothing for post to carry. */
async function keepTrack(
  { ref, copy }: RestoredLoop,
  carriers: Carriers,
  note: WriteCarryNote,
  notice: Teller["notice"],
): Promise<{ readonly follows: string | null; readonly checkpoints: Checkpoints | undefined }> {
  const follows = ref.answer === "found" ? ref.commit : null;
  const seen = ref.answer !== "unreachable";
  await note({ follows, seen, sent: [], carried: copy?.record.revision ?? null });
  return { follows, checkpoints: checkpointsOf(carriers, { follows, seen, note, notice, withinMs: RESTORE_MS }) };
}

/** @param finishing publishes the ending and carries the loop away */
async function conclude(
  { state, left }: Driven,
  { opening }: Plan,
  report: JobReport,
  notice: Teller["notice"],
  finishing: (stopped: LoopState) => Promise<Finished>,
): Promise<Finished> {
  const nothing = { state, away: NOTHING_SAVED, isLost: false };
  if (left !== null) {
    // What others hold of the loop is as good as what is here, or better: nothing is carried.
    notice(left.replaceAll("<resume>", howToResume(state)));
    await report.summarize(state, NOTHING_SAVED);
    return nothing;
  }
  // The runner kills us within seconds of its signal: then post does all of it, where it would find anything new.
  return opening.do !== "publish" && wasSignalled(state) ? nothing : finishing(state);
}

/** What was not carried yet is left to post. */
function leave(signal: NodeJS.Signals, log: RunnerLog): never {
  log.line(`${signal}: this step is being cancelled while no turn runs; what is left to do is done after it`);
  process.exit(1);
}

function wasSignalled({ stop_reason: reason }: LoopState): boolean {
  return reason?.kind === "stopped" && reason.by.startsWith("SIG");
}

function failsJob({ stop_reason: reason }: LoopState, failOn: readonly string[]): boolean {
  return reason !== null && (failOn.includes(reason.kind) || failOn.includes(outcomeOf(reason).status));
}
