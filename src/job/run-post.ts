import { rm } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../core/errors.ts";
import { revokeAppTokens, withAppToken } from "../github/app/app-token.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { sweepTempFolders, tempParents } from "../os/temp-folder.ts";
import { HandOver } from "../store/hand-over.ts";
import { replaceState } from "../store/loop-files.ts";
import { scratchFolders, UNPROVED_FOLDER } from "../store/place.ts";
import { begunIn, cleanUp, NOT_BACK, secretsOfStep } from "./clean-up.ts";
import type { About, Host } from "./run-stage.ts";

/**
 * Post: does what main could not, because it was cancelled or killed. Where main has done all of it, or where no loop
 * ran, nothing happens. Post knows only what main has handed over and proved: nothing in the workspace says which loop it
 * is, what its settings are, or how it ended (decision 0021).
 *
 * @returns the exit code: 1 when nothing holds what the run did, or when what was handed over cannot be believed; then
 * nothing is published, and the work is saved for people alone
 */
export async function runPost(host: Host, log: RunnerLog, about: About): Promise<number> {
  try {
    return await endLoop(host, log, about);
  } finally {
    await revokeAppTokens();
    // Last, because it may be much, and the loop has to be saved within the minute.
    await removeLitter(host.env, log);
  }
}

/** @returns as `runPost` */
async function endLoop(host: Host, log: RunnerLog, about: About): Promise<number> {
  const secrets = secretsOfStep(host.env);
  const [found, begun] = [await HandOver.read(host.env), begunIn(host.env)];
  const handOver = typeof found === "string" ? undefined : found;
  const place = handOver?.place;
  if (place !== undefined) about(place);
  // What the process itself was started with cannot be undone.
  const foreign = await cleanUp(host.env, handOver, begun, log);
  const loaded = foreign.filter((name) => LOADS_CODE.test(name));
  if (handOver === undefined || place === undefined) {
    if (found === "absent" && begun === undefined) return 0;
    const isLost = found === "unproved" || HandOver.isPossible(host.env);
    if (isLost) log.error(UNPROVED);
    else log.warning(NOTHING_TO_PROVE);
    log.warning(NOT_BACK);
    if (loaded.length > 0) log.warning(perhapsLoaded(loaded));
    else await (await import("./save-unproved.ts")).saveUnproved(host, secrets, log);
    return isLost ? 1 : 0;
  }
  if (loaded.length > 0) {
    log.error(codeLoaded(loaded));
    return 1;
  }
  const [left, last] = [handOver.note, await handOver.lastState()];
  if (left === null || last === undefined || left.carried === last.state.revision) return 0;
  const settings = handOver.configWith(host.env);
  if (settings === undefined) {
    log.error(UNPROVED);
    await (await import("./save-unproved.ts")).saveUnproved(host, secrets, log);
    return 1;
  }
  const { context } = handOver;
  const config = { ...withAppToken(settings, context, log), selfContinue: "never" } as const;
  const job = { context, place: last.isOurs ? place : handOver.placeOfOurs, left, state: last.state };
  if (!last.isOurs) log.warning(NOT_OUR_STATE);
  if (!last.isOurs) await replaceState(job.place, last.state);
  if (foreign.length > 0) log.line(`passed over, because main did not have it: ${foreign.toSorted().join(", ")}`);
  // Somebody who ended main early does not want the loop to start its next run by itself.
  const { carryAway } = await import("./carry-away.ts");
  const isLost = await carryAway({ ...job, config }, handOver, host, log);
  return isLost ? 1 : 0;
}

const KEPT = "What was kept while the loop ran is unharmed, and the next run goes on from there.";

const UNPROVED = `What the main step handed over cannot be proved to be its own: it was removed or changed, or this step's github-token, api-key and state-key are not what they were. So nothing of it is believed, and nothing was published after the main step. ${KEPT} Look at what the agent and its checks can write on this machine, and run the workflow again.`;

const NOTHING_TO_PROVE = `The main step was ended before its loop had stopped, and it was given neither github-token nor api-key nor state-key nor app-private-key, so it could hand nothing over that this step may believe: nothing was published after it. ${KEPT} Give one of them, and run the workflow again.`;

const NOT_OUR_STATE = `The loop's state file is not the one that the loop wrote: something else has changed or removed it. What the main step handed over counts instead, and nothing of the changed file was believed. Look at what the agent and its checks can write on this machine.`;

/** By these a process loads code, or trusts whom it should not, before its first line: taking them out comes too late. */
const LOADS_CODE = /^(?:NODE_(?!(?:ENV|VERSION)$)|LD_|DYLD_|OPENSSL_|SSL_CERT_)/u;

function codeLoaded(names: readonly string[]): string {
  return `Since the main step, something has set ${names.join(", ")} for the steps after it. Code of it may have run in this one, with this job's secrets, before it could look. Nothing was published or saved after the main step. ${KEPT} If no step of yours sets it, the agent or a check did: Replace the secrets that this job has, then run the workflow again.`;
}

/** Nothing proves what main had. */
function perhapsLoaded(names: readonly string[]): string {
  return `${names.join(", ")}: this is set here, and nothing proves that the main step had it too. If no step or setting of yours sets it, the agent or a check did, and code of it may have run in this step, with this job's secrets: then replace the secrets that this job has. What is in the workspace was not saved, because that takes them. It is still on this machine, for later steps of this job.`;
}

/**
 * Removes what nobody needs once a job's steps are over: what processes that were killed have left, whatever they were,
 * and what main and post have moved loops by. Not every runner empties its folder for temporary files. What cannot be
 * removed is told.
 */
async function removeLitter({ RUNNER_TEMP: temp }: NodeJS.ProcessEnv, log: RunnerLog): Promise<void> {
  const inTemp = temp ? [temp, path.join(temp, UNPROVED_FOLDER)] : [];
  const left = [...(await sweepTempFolders([...new Set([...(await tempParents()), ...inTemp])]))];
  for (const folder of temp ? scratchFolders(temp) : []) {
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      left.push(`${folder} (${messageOf(error)})`),
    );
  }
  if (left.length > 0) log.warning(stillThere(left));
}

const SHOWN = 5;

function stillThere(left: readonly string[]): string {
  const more = left.length > SHOWN ? ` and ${left.length - SHOWN} more` : "";
  return `What runs of the loop needed for a moment is still there: ${left.slice(0, SHOWN).join(", ")}${more}. The work is unharmed. Remove it, or the next run of this user does.`;
}
