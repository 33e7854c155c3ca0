import { outcomeOf } from "../../core/outcome.ts";
import type { LoopState } from "../../core/state.ts";
import type { RunnerLog } from "../../platform/runner-log.ts";
import { readState } from "../../stores/state-file.ts";
import { planFrom } from "../start-or-resume.ts";
import type { WorkingHours } from "../to-task.ts";
import { asInputs } from "../../views/as-inputs.ts";
import { dangersOf } from "../../views/danger.ts";
import { bringBack } from "./bring-back.ts";
import { createCarriage } from "./carriage.ts";
import { NOTHING_CARRIED } from "./carry-away.ts";
import { writeCarryNote } from "../../stores/carry-note.ts";
import { checkedOut } from "./checked-out.ts";
import { checkpointsOf } from "./checkpoints-of.ts";
import { drive } from "./drive.ts";
import { findHours } from "./find-hours.ts";
import { finish, type Finish, type Finished } from "./finish.ts";
import { leaveNothingBehind } from "./leave-nothing-behind.ts";
import { leaveOnSignal } from "./leave-on-signal.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { provideAgent } from "./provide-agent.ts";
import { putInPlace } from "./put-in-place.ts";
import { refusePlatform } from "./refuse-platform.ts";
import type { Remark } from "./remark.ts";
import { readSurroundings, type Host, type Surroundings } from "./surroundings.ts";
import { handOver, summarize } from "./tell-job.ts";
import { howToResume } from "./view-for-job.ts";

const RESTORE_MS = 60_000;

/**
 * The main stage of the Action: brings the loop back, runs it inside the job's time and carries it away.
 *
 * @returns the exit code: 1 when the ending fails the job (`fail-on`)
 */
export async function runAction(host: Host, log: RunnerLog): Promise<number> {
  refusePlatform(host.platform);
  const job = await readSurroundings(host, log);
  const { place, settings, asked, notice } = job;
  maskSecrets(settings.config, log);
  log.line(`loop ${place.loopId}`);
  for (const text of settings.notices) notice(asInputs(text));
  for (const text of dangersOf(settings.config)) log.warning(asInputs(text));

  leaveNothingBehind(place);
  const listening = leaveOnSignal(process, (signal) => leave(signal, job));
  const base = await checkedOut(place.root);
  const carriage = await createCarriage(job, base);
  const asking = findHours(job, carriage.octokit);
  const [found, env] = await Promise.all([
    bringBack({ ...carriage, loopId: place.loopId, withinMs: RESTORE_MS, notice }),
    provideAgent(job),
  ]);
  const follows = found.ref.answer === "found" ? found.ref.commit : null;
  const seen = found.ref.answer !== "unreachable";
  // Until the loop goes on there is nothing for post to carry.
  await writeCarryNote(job.carryNote, {
    follows,
    seen,
    sent: [],
    base,
    carried: found.brought?.copy.record.revision ?? null,
  });
  await putInPlace(job, carriage, found);

  const checkpoints = checkpointsOf({ job, carriage, follows, seen, base, withinMs: RESTORE_MS });
  const plan = planFrom(place, settings, await readState(place.stateFile), asked);
  const hours = async (): Promise<WorkingHours> => {
    const found = await asking;
    for (const remark of found.remarks) tellRemark(remark, job);
    return found.hours;
  };
  const { state: stopped, left } = await drive({ job, plan, hours, env, checkpoints, listening });
  const { state, away } =
    left === null
      ? await carry(stopped, { job, carriage, checkpoints, base, reserveMs: (await asking).hours.reserveMs })
      : await leaveAlone(stopped, left, job);
  await handOver(state, job, away);
  return failsJob(state, settings.config.failOn) ? 1 : 0;
}

/** The runner kills us within seconds of its signal: then post does all of it. */
async function carry(stopped: LoopState, finishing: Finish): Promise<Finished> {
  return wasSignalled(stopped) ? { state: stopped, away: NOTHING_CARRIED } : finish(stopped, finishing);
}

/** What others hold of the loop is as good as what is here, or better: nothing is carried. */
async function leaveAlone(state: LoopState, why: string, job: Surroundings): Promise<Finished> {
  job.notice(why.replaceAll("<resume>", howToResume(state)));
  await summarize(state, job, NOTHING_CARRIED);
  return { state, away: NOTHING_CARRIED };
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
