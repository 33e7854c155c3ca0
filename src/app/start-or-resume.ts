import path from "node:path";
import { hasSandbox } from "../agents/registry.ts";
import type { Config } from "../config/config.ts";
import { totalMs } from "../config/settle.ts";
import type { Flags } from "../config/read.ts";
import { UsageError } from "../core/errors.ts";
import { AGENT_STATE } from "../core/files.ts";
import { identityOf, taskDigest } from "../core/identity.ts";
import { chooseOpening, type Opening } from "../core/opening.ts";
import type { LoopState } from "../core/state.ts";
import type { Task, TaskIdentity } from "../core/task.ts";
import { sha256 } from "../os/digest.ts";
import { readPrompt } from "../store/prompt-file.ts";
import { readState } from "../store/state-file.ts";
import { findLoop, isOver, otherLoop } from "./find-loop.ts";
import { locate, type Location } from "./locate.ts";
import { newLoopId } from "./loop-id.ts";
import { placeOf, type LoopPlace } from "../store/place.ts";
import { readSettings, type Settings } from "./read-settings.ts";
import type { Shell } from "./shell.ts";

/** What a run is going to do, before anything is written. */
export interface Plan {
  readonly place: LoopPlace;
  readonly settings: Settings;
  readonly stored: LoopState | undefined;
  readonly opening: Opening;
  readonly asked: Asked;
}

/** Who lets a loop run, and with which words; of the commands only `resume` speaks for a person (C25). */
export type Asked = Pick<Task, "by" | "guidance" | "github">;

const BY_TRIGGER: Asked = { by: "trigger", guidance: null, github: null };

/** Plans `smithers "<prompt>"`: a new loop, or the one that `--loop-id` or `--state-file` names (C25). */
export async function planRun(flags: Flags, shell: Shell): Promise<Plan> {
  const location = await locate(flags, shell);
  const inFile =
    location.stateFile === null ? undefined : await readState(path.resolve(location.root, location.stateFile));
  const loopId = location.loopId ?? inFile?.loop_id ?? (await newLoopId(location.root, new Date()));
  const place = placeOf(location.root, loopId, location.stateFile);
  const stored = inFile ?? (await readState(place.stateFile));
  if (stored !== undefined && stored.loop_id !== loopId) throw otherLoop(place.stateFile, stored, loopId);
  const settings = await readSettings(flags, location, shell);
  if (stored === undefined || taskDigest(settings.identity, sha256) !== stored.task_digest) {
    return planFrom(place, settings, stored, BY_TRIGGER);
  }
  // The same task has the same prompt: its file, which may be damaged, need not be read.
  const asStored = await readSettings(flags, location, shell, identityOf(stored, settings.identity.prompt));
  return planFrom(place, asStored, stored, BY_TRIGGER);
}

/** The plan that follows from settings and what is stored. */
export function planFrom(place: LoopPlace, settings: Settings, stored: LoopState | undefined, asked: Asked): Plan {
  return { place, settings, stored, opening: choose(stored, settings, asked.by), asked };
}

/**
 * Plans `smithers resume`.
 *
 * @param guidance what the person wants the agent to know; null: nothing
 * @throws UsageError when the loop is over, or when the flags describe another task
 */
export async function planResume(flags: Flags, guidance: string | null, shell: Shell): Promise<Plan> {
  const location = await locate(flags, shell);
  const { place, state: stored } = await findLoop(location, "resumable");
  if (isOver(stored)) throw loopOver(stored, shell);
  const settings = await storedSettings(flags, location, shell, place, stored);
  const opening = choose(stored, settings, "person");
  if (opening.do === "renew") throw otherTask(stored, shell);
  return {
    place,
    settings: withChanges(settings, stored),
    stored,
    opening,
    asked: { by: "person", guidance, github: null },
  };
}

/** The generation that the run works on. */
export function generationOf({ opening, stored }: Pick<Plan, "opening" | "stored">): number {
  return "generation" in opening ? opening.generation : (stored?.generation ?? 1);
}

/**
 * How the run begins; asked again under the loop's lock.
 *
 * @param publishes see `OpeningRequest`
 */
export function choose(
  stored: LoopState | undefined,
  { config, identity }: { readonly config: Config; readonly identity: TaskIdentity },
  by: Task["by"],
  publishes = false,
): Opening {
  const { maxIterations, maxTokens, maxErrorResumes } = config;
  return chooseOpening(stored, {
    taskDigest: taskDigest(identity, sha256),
    by,
    maxIterations,
    maxTokens,
    maxTotalMs: totalMs(config),
    maxErrorResumes,
    publishes,
  });
}

async function storedSettings(
  flags: Flags,
  location: Location,
  shell: Shell,
  place: LoopPlace,
  stored: LoopState,
): Promise<Settings> {
  return readSettings(flags, location, shell, identityOf(stored, await readPrompt(place.folder, stored)));
}

/** Sandbox and provider come from the current settings (C25); when they differ from before, a person has to know. */
function withChanges(settings: Settings, stored: LoopState): Settings {
  const { config, sources } = settings;
  const { sandbox: was } = stored[AGENT_STATE];
  const changes: string[] = [];
  if (config.provider !== stored.provider) {
    changes.push(
      `The provider was ${stored.provider} so far and is ${config.provider} now (${sources.provider.where}); --provider ${stored.provider} goes on as before.`,
    );
  } else if (hasSandbox(config.provider) && config.sandbox !== was) {
    changes.push(
      `The sandbox was ${was} so far and is ${config.sandbox} now (${sources.sandbox.where}); --sandbox ${was} goes on as before.`,
    );
  }
  return { ...settings, notices: [...settings.notices, ...changes] };
}

function loopOver({ loop_id: id, status }: LoopState, { program }: Shell): UsageError {
  return new UsageError([
    {
      code: "LOOP_OVER",
      what: `Loop ${id} is ${status}; there is nothing to go on with.`,
      next: `Look at it with ${program} status --loop-id ${id}, or begin anew: ${program} run --loop-id ${id} "<prompt>"`,
    },
  ]);
}

function otherTask({ loop_id: id }: LoopState, { program }: Shell): UsageError {
  return new UsageError([
    {
      code: "OTHER_TASK",
      what: `The flags describe another task than the one that loop ${id} works on.`,
      next: `Leave prompt and checks out to go on, or begin anew under this id: ${program} run --loop-id ${id} "<prompt>"`,
    },
  ]);
}
