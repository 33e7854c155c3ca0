import path from "node:path";
import type { Config } from "../config/config.ts";
import { totalMs } from "../config/settle.ts";
import type { Flags } from "../config/read.ts";
import { hasSandbox } from "../config/settings/agent.ts";
import { UsageError } from "../core/errors.ts";
import { AGENT_STATE } from "../core/names.ts";
import { identityOf, taskDigest, type Task, type TaskIdentity } from "../core/task.ts";
import { chooseOpening, type Opening } from "../core/open-loop.ts";
import type { LoopState } from "../core/state.ts";
import { sha256 } from "../os/digest.ts";
import { readPrompt } from "../store/file-store.ts";
import { readState } from "../store/state-file.ts";
import { locate } from "./locate.ts";
import { newLoopId } from "./loop-id.ts";
import { placeOf, type LoopPlace, shownPath } from "../store/place.ts";
import { consentToTask, type ConsentMode, type StoredTask } from "./consent.ts";
import { saidNow } from "./identity.ts";
import { readSettings, type Settings } from "./read-settings.ts";
import type { Shell } from "./shell.ts";
import { findLoop, isOver, otherLoop } from "./stored-loop.ts";

export interface Plan {
  readonly place: LoopPlace;
  readonly settings: Settings;
  readonly stored: LoopState | undefined;
  readonly opening: Opening;
  readonly taskRequest: TaskRequest;
}

/** Who lets a loop run, and with which words; of the commands only `resume` speaks for a person (C25). */
export type TaskRequest = Pick<Task, "by" | "guidance" | "github">;

/** Plans `smithers "<prompt>"`: a new loop, or the one that `--loop-id` or `--state-file` names (C25). */
export async function planRun(flags: Flags, shell: Shell, mode: ConsentMode): Promise<Plan> {
  const location = await locate(flags, shell, mode);
  const inFile =
    location.stateFile === null ? undefined : await readState(path.resolve(location.root, location.stateFile));
  const loopId = location.loopId ?? inFile?.loop_id ?? (await newLoopId(location.root, new Date()));
  const place = placeOf(location.root, loopId, location.stateFile);
  const stored = inFile ?? (await readState(place.stateFile));
  if (stored !== undefined && stored.loop_id !== loopId) throw otherLoop(place.stateFile, stored, loopId);
  let settings = await readSettings(location, shell.program);
  if (stored !== undefined && taskDigest(settings.identity, sha256) === stored.task_digest) {
    // The same task has the same prompt: its file, which may be damaged, need not be read.
    const same = identityOf(stored, settings.identity.prompt);
    await consentToTask(storedTask(place, same), new Set([...CHECKS, ...saidNow(location.input)]), shell, mode);
    settings = await readSettings(location, shell.program, same);
  }
  return planFrom(place, settings, stored, { by: "trigger", guidance: null, github: null });
}

export function planFrom(place: LoopPlace, settings: Settings, stored: Plan["stored"], taskRequest: TaskRequest): Plan {
  return { place, settings, stored, opening: choose(stored, settings, taskRequest.by), taskRequest };
}

/**
 * Plans `smithers resume`.
 *
 * @param guidance what the person wants the agent to know; null: nothing
 * @throws UsageError when the loop is over, or when the flags describe another task
 */
export async function planResume(
  flags: Flags,
  guidance: string | null,
  shell: Shell,
  mode: ConsentMode,
): Promise<Plan> {
  const { program } = shell;
  const location = await locate(flags, shell, mode);
  const { place, state: stored } = await findLoop(location, "resumable");
  const { loop_id: id, status } = stored;
  if (isOver(stored)) {
    throw new UsageError({
      code: "LOOP_OVER",
      what: `Loop ${id} is ${status}; there is nothing to go on with.`,
      next: `Look at it with ${program} status --loop-id ${id}, or begin anew: ${program} run --loop-id ${id} "<prompt>"`,
    });
  }
  const identity = identityOf(stored, await readPrompt(place.folder, stored));
  const settings = withChanges(await readSettings(location, program, identity), stored);
  const plan = planFrom(place, settings, stored, { by: "person", guidance, github: null });
  if (plan.opening.do !== "renew") {
    await consentToTask(storedTask(place, identity), replaced(saidNow(location.input)), shell, mode);
    return plan;
  }
  throw new UsageError({
    code: "OTHER_TASK",
    what: `The flags describe another task than the one that loop ${id} works on.`,
    next: `Leave prompt and checks out to go on, or begin anew under this id: ${program} run --loop-id ${id} "<prompt>"`,
  });
}

/** What a person says now in place of what is stored: of two ways to say a check, either replaces both. */
function replaced(said: ReadonlySet<string>): ReadonlySet<string> {
  return said.has("success-cmd") || said.has("success-sh") ? new Set([...said, "success-cmd", "success-sh"]) : said;
}

/** The same task has the same checks as what was just said and agreed to. */
const CHECKS = ["success-cmd", "success-sh", "quality-commands"];

/** A task of this machine, as a person agrees to it. */
export function storedTask({ root, stateFile, loopId }: LoopPlace, identity: TaskIdentity): StoredTask {
  return { root, stateFile: shownPath(root, stateFile), loopId, identity };
}

export function generationOf({ opening, stored }: Pick<Plan, "opening" | "stored">): number {
  return "generation" in opening ? opening.generation : (stored?.generation ?? 1);
}

/** How the run begins; asked again under the loop's lock. @param publishes see `OpeningRequest` */
export function choose(
  stored: LoopState | undefined,
  { config, identity }: { readonly config: Config; readonly identity: TaskIdentity },
  by: Task["by"],
  publishes = false,
): Opening {
  const maxTotalMs = totalMs(config);
  return chooseOpening(stored, { ...config, taskDigest: taskDigest(identity, sha256), by, maxTotalMs, publishes });
}

/** Sandbox and provider come from the current settings (C25); when they differ from before, a person has to know. */
function withChanges(settings: Settings, stored: LoopState): Settings {
  const { config, sources } = settings;
  const { sandbox } = stored[AGENT_STATE];
  const change = (name: "provider" | "sandbox", was: string): string =>
    `The ${name} was ${was} so far and is ${config[name]} now (${sources[name].where}); --${name} ${was} goes on as before.`;
  const notices = [...settings.notices];
  if (config.provider !== stored.provider) notices.push(change("provider", stored.provider));
  else if (hasSandbox(config.provider) && config.sandbox !== sandbox) notices.push(change("sandbox", sandbox));
  return { ...settings, notices };
}
