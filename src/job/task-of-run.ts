import { UsageError } from "../core/errors.ts";
import { identityOf, taskDigest } from "../core/task.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { Command } from "../core/policy/command.ts";
import type { LoopState } from "../core/state.ts";
import { sha256 } from "../os/digest.ts";
import { readPrompt } from "../store/file-store.ts";
import { cut } from "../views/github/markdown.ts";
import { firstLine } from "../views/plain-text.ts";
import type { LoopPlace } from "../store/place.ts";
import type { Settings } from "../app/read-settings.ts";
import type { RunRequest } from "../requests/run-request.ts";

/** These let the loop that there is go on, whatever the workflow's task has become meanwhile. */
const GOES_ON: ReadonlySet<Command | null> = new Set(["continue", "reset-circuit"]);

/** What a run is asked for. */
export type Wish = Pick<RunRequest, "command" | "loopId" | "guidance">;

/**
 * The settings of a run, with the task that it works on (C25): the one that a person starts it with; its own where the
 * loop is asked by its name to go on; else the workflow's. A loop that is only to be ended needs no room to go on.
 *
 * @throws UsageError where the loop is not as the command needs it
 * @throws OperationalError when the loop's own task is lost
 */
export async function settingsOfRun(
  settings: Settings,
  place: LoopPlace,
  stored: LoopState | undefined,
  { wish: { command, guidance, loopId }, notice }: { readonly wish: Wish; readonly notice: (text: string) => void },
): Promise<Settings> {
  if (command === "start" && guidance !== null) {
    if (stored !== undefined && !isOver(stored)) throw loopThere(stored);
    return { ...settings, identity: { ...settings.identity, prompt: guidance } };
  }
  if (command === "cancel" && (stored === undefined || isOver(stored))) throw nothingToCancel(place.loopId, stored);
  const isAboutIt = command === "cancel" || (loopId !== null && GOES_ON.has(command));
  if (stored === undefined || !isAboutIt) return settings;
  const roomy = command === "cancel" ? withRoomFor(stored, settings) : settings;
  if (taskDigest(settings.identity, sha256) === stored.task_digest) return roomy;
  if (command !== "cancel") notice(keepsItsTask(stored));
  return { ...roomy, identity: identityOf(stored, await readPrompt(place.folder, stored)) };
}

function keepsItsTask({ loop_id: loop, prompt }: LoopState): string {
  return `Loop ${loop} goes on with the task that it was begun with, “${cut(firstLine(prompt), 100)}”, not with what the workflow says now. To begin with that instead, comment /smithers start, or start the workflow by hand with its input \`smithers\` set to \`start\`.`;
}

/** Whatever limit it has reached, the loop can be entered to be ended. */
function withRoomFor({ iteration, error_resumes: resumes }: LoopState, settings: Settings): Settings {
  const { config } = settings;
  const maxIterations = Math.max(config.maxIterations, iteration + 1);
  const roomy = { maxIterations, maxTokens: null, maxTotalMinutes: null, maxErrorResumes: resumes + 1 };
  return { ...settings, config: { ...config, ...roomy } };
}

function isOver({ stop_reason: reason }: LoopState): boolean {
  return reason !== null && outcomeOf(reason).resumableBy === "nobody";
}

function loopThere({ loop_id: loop, status }: LoopState): UsageError {
  return new UsageError([
    {
      code: "LOOP_THERE",
      what: `There is a loop already: ${loop} is ${status}. Nothing was done.`,
      next: "Let it go on with /smithers continue, or end it with /smithers cancel first.",
    },
  ]);
}

function nothingToCancel(loop: string, stored: LoopState | undefined): UsageError {
  const what = stored === undefined ? `There is no loop ${loop}.` : `Loop ${loop} is over: it is ${stored.status}.`;
  return new UsageError([
    { code: "NOTHING_TO_CANCEL", what: `${what} Nothing was done.`, next: "There is nothing that could be ended." },
  ]);
}
