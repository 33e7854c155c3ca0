import { userInfo } from "node:os";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { besidesTask } from "../config/kept.ts";
import { totalMs } from "../config/settle.ts";
import type { Flags } from "../config/read.ts";
import { hasSandbox } from "../config/settings/agent.ts";
import { UsageError } from "../core/errors.ts";
import { AGENT_STATE } from "../core/names.ts";
import { identityOf, taskDigest, type Task, type TaskIdentity } from "../core/task.ts";
import { chooseOpening, type Opening } from "../core/open-loop.ts";
import type { LoopState } from "../core/state.ts";
import { readSettings as gitSettings } from "../git/private-git.ts";
import { findRepository } from "../git/repository.ts";
import { sha256 } from "../os/digest.ts";
import { readPrompt } from "../store/file-store.ts";
import { readState } from "../store/state-file.ts";
import { oneLine } from "../views/plain-text.ts";
import { wasCutOff } from "./checkout/in-work-tree.ts";
import type { Worktree } from "./checkout/worktree.ts";
import { withAgents } from "./agents-of-prd.ts";
import { type Location, locate } from "./locate.ts";
import { locateLoop } from "./loops/loops-of-repository.ts";
import { newLoopId, prdLoopId } from "./loops/loop-id.ts";
import { withIterations } from "./prd/prd-task.ts";
import { type PrdInUse, prdInUse } from "./prd/read-prd.ts";
import { placeOf, type LoopPlace, shownPath } from "../store/place.ts";
import { keptSettings } from "./resume/kept.ts";
import { consentToTask, type ConsentMode, type StoredTask } from "./consent.ts";
import { saidNow } from "./identity.ts";
import { readSettings, type Settings } from "./read-settings.ts";
import { note, type Shell } from "./shell.ts";
import { findLoop, isOver, otherLoop } from "./loops/stored-loop.ts";

export interface Plan {
  readonly place: LoopPlace;
  readonly settings: Settings;
  /** null: there is none to work through */
  readonly prd: PrdInUse | null;
  readonly stored: LoopState | undefined;
  readonly opening: Opening;
  /** where a PRD's stories are worked on in place of the person's workspace; absent: there */
  readonly worktree?: WorktreeInUse | undefined;
  readonly taskRequest: TaskRequest;
}

/** A work tree of ours, and whose it is. */
interface WorktreeInUse extends Pick<Worktree, "folder" | "branch"> {
  /** of the person's workspace, absolute: the loop's state is there */
  readonly home: string;
}

/** Who lets a loop run, and with which words; of the commands only `resume` speaks for a person (C25). */
export type TaskRequest = Pick<Task, "by" | "guidance" | "acceptsProof" | "github" | "repair">;

/** Plans `smithers "<prompt>"`: a new loop, or the one that `--loop-id` or `--state-file` names (C25). */
export async function planRun(flags: Flags, shell: Shell, mode: ConsentMode): Promise<Plan> {
  const location = await locate(flags, shell, mode);
  const inFile =
    location.stateFile === null ? undefined : await readState(path.resolve(location.root, location.stateFile));
  const loopId =
    location.loopId ??
    inFile?.loop_id ??
    (location.prd !== null ? prdLoopId(location.prd) : await newLoopId(location.root, new Date()));
  const home = placeOf(location.root, loopId, location.stateFile);
  const stored = inFile ?? (await readState(home.stateFile));
  if (stored !== undefined && stored.loop_id !== loopId) throw otherLoop(home.stateFile, stored, loopId);
  const remembering = stored === undefined ? location : await withMemory(location, home, shell);
  let settings = await readRun({ location, remembering, stored }, shell);
  const { work, worktree } = await workOf(settings, location, shell);
  const place = { ...home, root: work };
  const prd = await prdInUse(settings, { root: location.root, work, loop: { place, stored } }, shell, mode);
  if (stored !== undefined && taskDigest(settings.identity, sha256) === stored.task_digest) {
    // The same task has the same prompt: its file, which may be damaged, need not be read.
    const same = identityOf(stored, settings.identity.prompt);
    await consentToTask(storedTask(home, same), new Set([...CHECKS, ...saidNow(location.input)]), shell, mode);
    settings = await readSettings(remembering, shell.program, same);
    if (remembering === location) settings = withoutMemory(settings, stored);
  }
  // A PRD has one loop, which every run of it goes on with.
  const by = prd === null ? "trigger" : "person";
  return planFrom({ place, settings, stored, prd, worktree }, { by, guidance: null, github: null });
}

/**
 * What a run says, before it is known whether that is the stored task. Of a PRD's loop prompt and gates are kept, which
 * are part of its task; of another one, what is kept besides the task may be what makes today's flags allowed.
 */
async function readRun(
  { location, remembering, stored }: Record<"location" | "remembering", Location> & Pick<Plan, "stored">,
  { program }: Shell,
): Promise<Settings> {
  if (location.prd !== null) return readSettings(remembering, program);
  try {
    return await readSettings(location, program);
  } catch (error) {
    const { kept } = remembering.input;
    if (!(error instanceof UsageError) || kept === undefined) throw error;
    const input = { ...remembering.input, kept: besidesTask(kept) };
    const settings = await readSettings({ ...remembering, input }, program).catch(() => undefined);
    if (settings === undefined || taskDigest(settings.identity, sha256) !== stored?.task_digest) throw error;
    return settings;
  }
}

/** Where the work is: in the workspace, or in the work tree that was made for its PRD (D-27). */
async function workOf(
  { config, sources }: Settings,
  { root }: Pick<Location, "root">,
  { env }: Shell,
): Promise<{ readonly work: string; readonly worktree: WorktreeInUse | undefined }> {
  const { backlog, prd, worktree } = config;
  if (backlog !== "prd" || prd === null) return { work: root, worktree: undefined };
  const { knownWorktree, refuseOurWorktree } = await import("./checkout/worktree.ts");
  await refuseOurWorktree(root, env);
  if (sources.worktree.from === "flag" && worktree === "off") return { work: root, worktree: undefined };
  const found = await knownWorktree({ root, name: prd, env });
  return { work: found?.root ?? root, worktree: found && { ...found, home: root } };
}

/** @throws UsageError when an agent that the PRD has chosen cannot work with these settings */
export function planFrom(known: Omit<Plan, "opening" | "taskRequest">, taskRequest: TaskRequest): Plan {
  const { prd, settings: chosen } = withAgents(known);
  const settings = withIterations(chosen, prd, known.stored ?? { iteration: 0, stories: null });
  return { ...known, prd, settings, opening: choose(known.stored, settings, taskRequest), taskRequest };
}

/**
 * Plans `smithers resume`.
 *
 * @param says what the person wants the agent to know, and whether they accept its proof
 * @returns a plan that only finishes, where the run that ended the loop was killed before it was through
 * @throws UsageError when the loop is over, or when the flags describe another task
 */
export async function planResume(
  flags: Flags,
  says: { readonly guidance: string | null; readonly acceptsProof: boolean },
  shell: Shell,
  mode: ConsentMode,
): Promise<Plan> {
  const { program } = shell;
  const location = await locateLoop(flags, shell, mode);
  const { place: home, state: stored } = await findLoop(location, "resumable");
  const { loop_id: id, status } = stored;
  const isUnfinished = isOver(stored) && (await wasCutOff(home, stored.stories !== null));
  if (isOver(stored) && !isUnfinished) {
    throw new UsageError({
      code: "LOOP_OVER",
      what: `Loop ${id} is ${status}; there is nothing to go on with.`,
      next: `Look at it with ${program} status --loop-id ${id}, or ${anew(stored, program)}`,
    });
  }
  const identity = identityOf(stored, await readPrompt(home.folder, stored));
  const remembering = await withMemory(location, home, shell);
  const isForgotten = remembering === location;
  const read = await readSettings(remembering, program, identity).catch((error: unknown) => {
    // What is wrong may be nothing but that.
    if (isForgotten) note(shell, FORGOTTEN);
    throw error;
  });
  const settings = isForgotten ? withoutMemory(read, stored) : read;
  const { work, worktree } = await workOf(settings, location, shell);
  const place = { ...home, root: work };
  const prd = await prdInUse(settings, { root: location.root, work, loop: { place, stored } }, shell, mode);
  const accepting = says.acceptsProof ? { acceptsProof: await whoIs(place.root) } : {};
  const taskRequest = { by: "person", guidance: says.guidance, ...accepting, github: null } as const;
  const plan = planFrom({ place, settings, stored, prd, worktree }, taskRequest);
  if (isUnfinished && stored.stop_reason !== null) {
    const because =
      "The loop was over, but its run was killed before it could say so; what was missing is made up for.";
    return { ...plan, opening: { do: "leave", reason: stored.stop_reason, because } };
  }
  if (plan.opening.do !== "renew") {
    await consentToTask(storedTask(home, identity), replaced(saidNow(location.input)), shell, mode);
    return plan;
  }
  throw new UsageError({
    code: "OTHER_TASK",
    what: `The flags describe another task than the one that loop ${id} works on.`,
    next: `Leave prompt and checks out to go on, or start again under this id: ${program} run --loop-id ${id} "<prompt>"`,
  });
}

/** A PRD's loop goes on with new stories by a run of that. */
function anew({ loop_id: id, stories }: LoopState, program: string): string {
  return stories === null
    ? `start again: ${program} run --loop-id ${id} "<prompt>"`
    : `go on with stories that are new in it: ${program} prd run ${stories.prd}`;
}

/** What a person says now in place of what is stored: of two ways to say a check, either replaces both. */
function replaced(said: ReadonlySet<string>): ReadonlySet<string> {
  return said.has("success-cmd") || said.has("success-sh") ? new Set([...said, "success-cmd", "success-sh"]) : said;
}

/** The same task has the same checks as what was just said and agreed to. */
const CHECKS = ["success-cmd", "success-sh", "quality-commands"];

/** Whether a plan will be worked on in a work tree that is not there yet. */
export function wantsNewWorktree({ settings, prd, worktree }: Plan): boolean {
  return prd !== null && settings.config.worktree === "on" && worktree === undefined;
}

/** Where a plan's loop is in the person's workspace. */
export function homeOf({ place, worktree }: Pick<Plan, "place" | "worktree">): LoopPlace {
  return { ...place, root: worktree?.home ?? place.root };
}

/** The task of a plan, as a person agrees to it. */
export function taskOf(plan: Plan): StoredTask {
  return storedTask(homeOf(plan), plan.settings.identity);
}

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
  { by, acceptsProof, repair }: Pick<TaskRequest, "by" | "acceptsProof" | "repair">,
  publishes = false,
): Opening {
  const repairs = repair === undefined ? {} : { repairs: repair.run.id };
  const asked = { by, acceptsProof: acceptsProof !== undefined, publishes, ...repairs };
  const maxTotalMs = totalMs(config);
  return chooseOpening(stored, { ...config, ...asked, taskDigest: taskDigest(identity, sha256), maxTotalMs });
}

/** The location, with what its loop was given; the same where nothing is kept of it. */
async function withMemory(location: Location, home: LoopPlace, shell: Shell): Promise<Location> {
  const kept = await keptSettings(home, shell);
  return kept === undefined ? location : { ...location, input: { ...location.input, kept } };
}

const FORGOTTEN =
  "This machine does not know what the loop was given; flags, variables and files of now hold, also for caps of tokens and time.";

const propertyOf = { provider: "provider", sandbox: "sandbox", "max-iterations": "maxIterations" } as const;

/** Nothing is kept of the loop, as of one that another machine has begun: today's settings hold, and that is told. */
function withoutMemory(settings: Settings, stored: LoopState): Settings {
  const { config, sources } = settings;
  const { sandbox } = stored[AGENT_STATE];
  const change = (name: "provider" | "sandbox" | "max-iterations", was: string | number): string =>
    `The ${name} was ${was} so far and is ${config[propertyOf[name]]} now (${sources[propertyOf[name]].where}); --${name} ${was} goes on as before.`;
  const notices = [...settings.notices, FORGOTTEN];
  if (stored.stories === null && config.maxIterations < stored.max_iterations)
    notices.push(change("max-iterations", stored.max_iterations));
  if (config.provider !== stored.provider) notices.push(change("provider", stored.provider));
  else if (hasSandbox(config.provider) && config.sandbox !== sandbox) notices.push(change("sandbox", sandbox));
  return { ...settings, notices };
}

/** The person at this machine as records name them: `Name <mail>` of git's settings, else the name of the account. */
async function whoIs(root: string): Promise<string> {
  const repository = await findRepository(root);
  const author = repository === undefined ? undefined : (await gitSettings(repository)).author;
  const known = author === undefined || author.source === "fallback" ? undefined : `${author.name} <${author.email}>`;
  return oneLine(known ?? userInfo().username);
}
