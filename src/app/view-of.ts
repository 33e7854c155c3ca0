import type { Config } from "../config/config.ts";
import type { KeptSettings } from "../config/kept.ts";
import type { Flags } from "../config/read.ts";
import { AGENT_STATE } from "../core/names.ts";
import { OperationalError } from "../core/errors.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { Change, LoopState } from "../core/state.ts";
import { asInputs, rulingByComment, type RunView } from "../views/run-view.ts";
import { oneLine } from "../views/plain-text.ts";
import type { Prd } from "../core/story/story.ts";
import { checkedOutBranch } from "../git/repository.ts";
import { createGitWorkspace } from "../git/workspace.ts";
import { type LoopPlace, shownPath } from "../store/place.ts";
import { readPrompt } from "../store/file-store.ts";
import { firstSnapshot } from "../store/read-events.ts";
import { withoutSecrets, withoutSecretsIn } from "../store/redaction.ts";
import { placeWords, resumeCommand, saidAnew } from "./resume/command.ts";
import type { Shell } from "./shell.ts";
import type { FoundLoop } from "./loops/stored-loop.ts";

export interface Onlooker {
  /** its root is where the work is */
  readonly place: LoopPlace;
  /** of the person's workspace, absolute; absent: the work is there */
  readonly home?: string | undefined;
  readonly alive: boolean;
  readonly program: string;
  /** of the command that was given; what of them is not kept is repeated in the command that resumes */
  readonly flags: Flags;
  /** what the loop was given; absent: nothing is kept of it */
  readonly kept?: KeptSettings | undefined;
  /** today's settings, for a command that was not given the run's flags; null: they cannot be read. Absent: it was */
  readonly settings?: Config | null;
  readonly providerArgs: readonly string[];
}

export async function viewOf(state: LoopState, onlooker: Onlooker): Promise<RunView> {
  const { place, program, settings, kept, home = place.root } = onlooker;
  const { stories } = state;
  const prd = await prdOf(place, state);
  const said = settings === undefined || stories === null ? {} : saidAnew(state, settings, prd);
  const flags = { ...said, ...onlooker.flags };
  return {
    state,
    alive: onlooker.alive,
    change: await changeSinceBeginning(place, state),
    prd,
    branch: state.github?.branch ?? (await checkedOutBranch(place.root).catch(() => null)),
    protection: { sandbox: state[AGENT_STATE].sandbox, providerArgs: onlooker.providerArgs },
    stateFile: shownPath(home, place.stateFile),
    folder: shownPath(home, place.folder),
    word: (advice) => advice,
    resume: resumeCommand(program, { flags, kept }, state),
    ruling: stories && ((verb, story) => [program, "prd", verb, stories.prd, story, ...placeWords(flags)].join(" ")),
  };
}

/**
 * The same for a loop that was found in the person's workspace; its work is in the work tree of its PRD when its last run
 * worked there (D-27).
 */
export async function viewOfFound(
  { place, state, alive }: FoundLoop,
  env: Shell["env"],
  onlooker: Omit<Onlooker, "place" | "home" | "alive">,
): Promise<RunView> {
  const { root } = place;
  const found = state.stories && (await worktreeOf(root, state.stories.prd, env));
  // What the state says alone is no path to look at.
  const work = found?.root === state.workspace_root ? found.root : root;
  const view = await viewOf(state, { ...onlooker, alive, place: { ...place, root: work }, home: root });
  return { ...view, lost: await lostOf(place.folder, state) };
}

/** What `resume` would say and do nothing: it needs the whole prompt, and a long one is in the loop's folder. */
async function lostOf(folder: string, state: LoopState): Promise<string | undefined> {
  try {
    await readPrompt(folder, state);
    return undefined;
  } catch (error) {
    return error instanceof OperationalError ? oneLine(`${error.message} ${error.next}`) : undefined;
  }
}

/** The same of a loop that nothing on this machine could go on with. */
export function seenFromAfar(view: RunView): RunView {
  return { ...view, resume: howToResume(view.state), lost: undefined };
}

async function worktreeOf(root: string, name: string, env: Shell["env"]) {
  const { knownWorktree } = await import("./checkout/worktree.ts");
  return knownWorktree({ root, name, env }).catch(() => undefined);
}

/** A loop as a job shows it to others: without secrets; a run of the workflow resumes it, not a command. */
export async function viewForJob(state: LoopState, place: LoopPlace, config: Config): Promise<RunView> {
  const onlooker = { place, alive: false, program: "smithers", flags: {}, providerArgs: config.providerArgs };
  const view = await viewOf(withoutSecrets(state, config), onlooker);
  const [change, prd] = [withoutSecretsIn(view.change, config), withoutSecretsIn(view.prd, config)];
  return { ...view, change, prd, word: asInputs, resume: howToResume(state), ruling: rulingByComment(state) };
}

/** The document as it lies there; null where it cannot be read: then the state alone says how the stories are. */
async function prdOf({ root }: LoopPlace, { stories }: LoopState): Promise<Prd | null> {
  if (stories === null) return null;
  const { readPrd } = await import("../prd/folder.ts");
  const found = await readPrd(root, stories.prd).catch(() => undefined);
  return found?.document?.prd ?? null;
}

/** What lets the loop go on, as part of a sentence. */
export function howToResume({ stop_reason: reason }: LoopState): string {
  return reason !== null && outcomeOf(reason).resumableBy === "person"
    ? "a run of this workflow started by hand, with its input `smithers` set to `continue`"
    : "the next run of this workflow";
}

/** Null where it cannot be measured any more: no git, or the loop's files are cleaned up. */
async function changeSinceBeginning(place: LoopPlace, state: LoopState): Promise<Change | null> {
  try {
    const before = await firstSnapshot(place);
    if (before === null || state.snapshot === null) return null;
    const workspace = await createGitWorkspace({ root: place.root, folder: place.folder, excluded: [] });
    return await workspace.compare(before, state.snapshot);
  } catch {
    return null;
  }
}
