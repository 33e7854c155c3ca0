import { outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import type { WorkingHours } from "../app/to-task.ts";
import { asInputs } from "../views/run-view.ts";
import { dangersOf } from "../views/danger.ts";
import { beginOn } from "../publish/begin-on.ts";
import { groundOf } from "../publish/branch-in-hand.ts";
import { bringBack } from "../carry/bring-back.ts";
import { createCarriage } from "../carry/carriage.ts";
import { NOTHING_CARRIED } from "../carry/carry-away.ts";
import { type Ground, writeCarryNote } from "../carry/carry-note.ts";
import { checkedOut } from "../git/checked-out.ts";
import { checkpointsOf } from "../carry/checkpoints-of.ts";
import { drive } from "./drive.ts";
import { findHours } from "./find-hours.ts";
import { finish, type Finish, type Finished } from "./finish.ts";
import { githubPreflight } from "../publish/github-preflight.ts";
import { hearAsked, refuseForLoop } from "../requests/hear-asked.ts";
import { leaveNothingBehind } from "./leave-nothing-behind.ts";
import { leaveOnSignal } from "./leave-on-signal.ts";
import { listenOnGithub } from "./listen-on-github.ts";
import { maskSecrets } from "../app/mask-secrets.ts";
import { provideAgent } from "../agents/install/provide-agent.ts";
import { publisherFor } from "../publish/publisher.ts";
import { putInPlace } from "../carry/put-in-place.ts";
import type { Remark } from "../app/remark.ts";
import type { About } from "./run-stage.ts";
import { readSurroundings, type Host, type Surroundings } from "../app/surroundings.ts";
import { handOver, summarize } from "./tell-job.ts";
import { howToResume } from "../app/view-for-job.ts";

const RESTORE_MS = 60_000;

/**
 * Brings the loop back, runs it inside the job's time, and publishes and carries away what it has come to.
 *
 * @param about as for `Stage`
 * @returns the exit code: 1 when the ending fails the job (`fail-on`), or when nothing holds what the run did
 */
export async function runWorker(host: Host, log: RunnerLog, about: About): Promise<number> {
  const job = await readSurroundings(host, log);
  const { place, settings, notice } = job;
  about(place);
  maskSecrets(settings.config, log);
  log.line(`loop ${place.loopId}`);
  for (const text of settings.notices) notice(asInputs(text));
  for (const text of dangersOf(settings.config)) log.warning(asInputs(text));

  leaveNothingBehind(place);
  const listening = leaveOnSignal(process, (signal) => leave(signal, job));
  let ground: Ground = { base: await checkedOut(place.root), branch: null };
  const carriage = await createCarriage(job, () => ground.base);
  const asked = await hearAsked(job, carriage.octokit);
  const asking = findHours(job, carriage.octokit);
  const [found, env] = await Promise.all([
    bringBack({ ...carriage, loopId: place.loopId, withinMs: RESTORE_MS, notice }),
    provideAgent(job),
  ]);
  refuseForLoop(asked, found.brought?.copy.record.state);
  const bringWorkBack = await putInPlace(job, carriage, found);
  const start = await beginOn(job, { asked, octokit: carriage.octokit });
  if (start.hand !== undefined) ground = groundOf(start.hand);
  const { hand, plan } = start;
  const { octokit } = carriage;
  const publishable = githubPreflight(job, { plan, asked, hand, octokit });
  const follows = found.ref.answer === "found" ? found.ref.commit : null;
  const seen = found.ref.answer !== "unreachable";
  // Until the loop goes on there is nothing for post to carry.
  const carried = found.brought?.copy.record.revision ?? null;
  await writeCarryNote(job.carryNote, { follows, seen, sent: [], ...ground, carried });
  await bringWorkBack(plan.opening);

  const checkpoints = checkpointsOf({ job, carriage, follows, seen, ground, withinMs: RESTORE_MS });
  const hours = async (): Promise<WorkingHours> => {
    const found = await asking;
    for (const remark of found.remarks) tellRemark(remark, job);
    return found.hours;
  };
  const standing = { follows, checkpoints, by: asked.by };
  const requests = plan.asked.github === null ? undefined : listenOnGithub(job, standing);
  const driving = { job, plan, hours, env, checkpoints, listening, asked, requests, octokit, hand, publishable };
  const { state: stopped, left } = await drive(driving);
  if (left !== null) return end(await leaveAlone(stopped, left, job), job);
  const { reserveMs } = (await asking).hours;
  const publisher = await publisherFor(stopped, { job, carriage, hand, reserveMs });
  const finishing = { job, carriage, checkpoints, ground, publisher, requests, reserveMs };
  // Post would find nothing new to publish.
  const isNews = plan.opening.do !== "publish";
  return end(await (isNews ? carry(stopped, finishing) : finish(stopped, finishing)), job);
}

/** Hands over to the later steps of the job. */
async function end({ state, away, isLost }: Finished, job: Surroundings): Promise<number> {
  await handOver(state, job, away);
  return isLost || failsJob(state, job.settings.config.failOn) ? 1 : 0;
}

/** The runner kills us within seconds of its signal: then post does all of it. */
async function carry(stopped: LoopState, finishing: Finish): Promise<Finished> {
  return wasSignalled(stopped) ? { state: stopped, away: NOTHING_CARRIED, isLost: false } : finish(stopped, finishing);
}

/** What others hold of the loop is as good as what is here, or better: nothing is carried. */
async function leaveAlone(state: LoopState, why: string, job: Surroundings): Promise<Finished> {
  job.notice(why.replaceAll("<resume>", howToResume(state)));
  await summarize(state, job, NOTHING_CARRIED);
  return { state, away: NOTHING_CARRIED, isLost: false };
}

/** What was not carried yet is left to post. */
function leave(signal: NodeJS.Signals, { log }: Surroundings): never {
  log.line(`${signal}: this step is being cancelled while no turn runs; what is left to do is done after it`);
  process.exit(1);
}

function tellRemark({ level, text }: Remark, { log, notice, warning }: Surroundings): void {
  if (level === "info") log.line(text);
  else if (level === "notice") notice(text);
  else warning(text);
}

function wasSignalled({ stop_reason: reason }: LoopState): boolean {
  return reason?.kind === "stopped" && reason.by.startsWith("SIG");
}

function failsJob({ stop_reason: reason }: LoopState, failOn: readonly string[]): boolean {
  return reason !== null && (failOn.includes(reason.kind) || failOn.includes(outcomeOf(reason).status));
}
