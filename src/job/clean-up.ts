import { readdir } from "node:fs/promises";
import path from "node:path";
import { INPUT_PREFIX } from "../config/action.ts";
import { messageOf } from "../core/errors.ts";
import { isLoopId } from "../core/names.ts";
import { secretVariables } from "../core/policy/secret-variables.ts";
import { jobProcesses, type JobProcesses } from "../os/process-tree.ts";
import { keepProgramsOutside } from "../os/programs.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { sweep } from "../os/supervise.ts";
import { type HandOver, isOfTheRunner } from "../store/hand-over.ts";
import { jobPlaceOf, marksOf } from "../store/place.ts";
import { leaveNothingBehind } from "./control.ts";
import { putCredentialsBack } from "./credentials.ts";
import { putInstructionsBack } from "./instructions.ts";

/** What post knows of main without a hand-over: that a loop began, how its processes are marked, and since when. */
interface Begun {
  /** null: what it says is not main's */
  readonly mark: string | null;
  readonly job: JobProcesses | undefined;
}

/** Where none but root can write. */
const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/** Says to post that a loop goes on in this step: a second sign, beside the hand-over. */
export async function tellBegun({ place, job }: Pick<HandOver, "place" | "job">): Promise<void> {
  const { tellPost } = await import("../reporters/job-files.ts");
  tellPost(`${marksOf(place).all} ${job?.since ?? 0}`);
}

/** Says to post that nothing is left to do. */
export async function tellEnded(): Promise<void> {
  const { tellPost } = await import("../reporters/job-files.ts");
  tellPost(null);
}

/** What `tellBegun` has said; undefined: no loop began, or main has done all. */
export function begunIn(env: NodeJS.ProcessEnv): Begun | undefined {
  const said = env["STATE_begun"];
  if (said === undefined) return undefined;
  const [, mark, since] = /^([\da-f]{16}) (\d{1,15})$/u.exec(said) ?? [];
  return { mark: mark ?? null, job: jobProcesses(env, Number(since ?? 0)) };
}

/** Values that must not leave the machine. Has to be asked before the environment is cleaned. */
export function secretsOfStep(env: NodeJS.ProcessEnv): readonly string[] {
  const passed = inputOf(env, "PASS-ENV").split(/[\s,]+/u);
  const given = ["STATE-KEY", "GITHUB-TOKEN", "API-KEY", "APP-PRIVATE-KEY"].map((name) => inputOf(env, name));
  return [...secretVariables(env, passed), ...given].filter((one) => one !== "");
}

/** An input of the Action; "" when it is not set. */
export function inputOf(env: NodeJS.ProcessEnv, name: string): string {
  return env[`${INPUT_PREFIX}${name}`]?.trim() ?? "";
}

/**
 * What every ending of post begins with: the environment is made main's, or, where nothing says what main had, the
 * runner's alone; then what is left of the run is ended, and what it had replaced or taken out is put back as the hand-over
 * proves it was; without a proof no file is written. Nothing is started before. What cannot be done is told, and the rest
 * is done.
 *
 * @param handOver undefined: there is none that is proved
 * @param begun what main has said besides, which has to be read before
 * @returns the names of variables that were not main's
 */
export async function cleanUp(
  env: NodeJS.ProcessEnv,
  handOver: HandOver | undefined,
  begun: Begun | undefined,
  log: RunnerLog,
): Promise<readonly string[]> {
  const { RUNNER_TEMP: temp, GITHUB_WORKSPACE: workspace } = env;
  const foreign = handOver === undefined ? leaveTheRunners(env, workspace) : handOver.restore(env);
  if (handOver !== undefined) leaveNothingBehind(handOver.place, handOver.job);
  const notice = (text: string): void => log.notice(text);
  if (handOver !== undefined && handOver.displaced === undefined) log.warning(NOT_BACK);
  const work: readonly (readonly [what: string, tidy: () => Promise<unknown>])[] =
    handOver === undefined
      ? [[STILL_RUNNING, async () => sweepLoopsIn(temp, begun)]]
      : [
          [STILL_RUNNING, async () => sweep(marksOf(handOver.place).all, handOver.job)],
          ["What was replaced for a turn may still be so", async () => putInstructionsBack(handOver, notice)],
          ["Credentials of the checkout may still be out", async () => putCredentialsBack(handOver, notice)],
        ];
  for (const [what, tidy] of work) {
    try {
      await tidy();
    } catch (error) {
      log.warning(`${what}: ${messageOf(error)}. The work is unharmed. Later steps should check out again.`);
    }
  }
  return foreign;
}

const STILL_RUNNING = "What the run left running may still run";
/** What of the checkout was not put back, where nothing proves what it was. */
export const NOT_BACK =
  "Instructions that were replaced for a turn, and credentials of the checkout, were not put back if they were out: nothing proves what they were. Run actions/checkout again before a step that needs them.";

/** @returns the names of what was taken out and said anything */
function leaveTheRunners(env: NodeJS.ProcessEnv, workspace: string | undefined): readonly string[] {
  keepProgramsOutside(workspace === undefined ? [] : [workspace]);
  const others = Object.keys(env).filter((name) => !isOfTheRunner(name));
  const said = others.filter((name) => env[name] !== "");
  for (const name of others) delete env[name];
  env["PATH"] = SYSTEM_PATH;
  return said;
}

/** Ends what loops of this runner have left, whichever they were: names of files only say what to look for. */
async function sweepLoopsIn(temp: string | undefined, begun: Begun | undefined): Promise<void> {
  const marks = temp === undefined ? [] : await marksIn(temp);
  await sweep([...(begun?.mark ? [begun.mark] : []), ...marks], begun?.job);
}

async function marksIn(temp: string): Promise<readonly string[]> {
  const names = await readdir(path.join(temp, "smithers", "loops")).catch(() => []);
  const loops = new Set(names.map((name) => name.replace(/\.json$/u, "")).filter(isLoopId));
  return [...loops].map((loop) => marksOf(jobPlaceOf(temp, temp, loop, null)).all);
}
