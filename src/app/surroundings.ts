import path from "node:path";
import { contextInput } from "../config/action.ts";
import { readContext, type GithubContext } from "../github/context.ts";
import { type DispatchInput, INPUT, readInput } from "../requests/intent-input.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { locate } from "./locate.ts";
import { placeOf, type LoopPlace } from "./place.ts";
import { readSettings, type Settings } from "./read-settings.ts";
import type { Shell, TextStream } from "./shell.ts";
import { loopIdOf } from "./action-loop-id.ts";

/** The process that a stage of the Action is. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly platform: NodeJS.Platform;
  /** the script that runs, absolute; the other programs of the Action lie beside its folder */
  readonly script: string;
  /** when it began; milliseconds since the epoch */
  readonly startedAt: number;
}

/** What main and post of the Action know of the job and its loop. */
export interface Surroundings {
  readonly host: Host;
  readonly log: RunnerLog;
  readonly context: GithubContext;
  readonly shell: Shell;
  readonly place: LoopPlace;
  readonly settings: Settings;
  /** what post has to know of main */
  readonly carryNote: string;
  /** an absolute path of the loop, outside of the checkout wherever its state is: the token goes through what is there */
  readonly gitFolder: (purpose: string) => string;
  /** tells a person, in the log and in the summary; every text once */
  readonly notice: (text: string) => void;
  /** the same, louder */
  readonly warning: (text: string) => void;
  /** for what makes the job fail */
  readonly error: (text: string) => void;
  /** what was told in these ways */
  readonly notices: readonly string[];
  /** what the workflow was started with; nothing in it is believed before `hearAsked` has looked; null: nothing */
  readonly dispatched: DispatchInput | null;
}

/**
 * Reads everything that a job says about its loop. The same in main and post, for they have the same inputs.
 *
 * @throws UsageError with every problem there is
 */
export async function readSurroundings(host: Host, log: RunnerLog): Promise<Surroundings> {
  const { env, stdout, stderr } = host;
  const context = readContext(env);
  const shell: Shell = { program: "smithers", cwd: context.workspace, env, inputs: env, stdout, stderr };
  const location = await locate({}, shell);
  const dispatched = dispatchedWith(context);
  const loopId =
    dispatched?.loop ?? location.loopId ?? loopIdFor(context, contextInput(env, "matrix"), dispatched?.pr ?? null);
  const own = path.join(ownFolder(context), "loops", loopId);
  const stateFile = location.stateFile ?? `${own}.json`;
  const settings = await readSettings({}, location, shell);
  const place = placeOf(location.root, loopId, stateFile);
  const notices: string[] = [];
  const tellOnce = (level: "notice" | "warning" | "error", text: string): void => {
    if (notices.includes(text)) return;
    notices.push(text);
    log[level](text);
  };
  return {
    host,
    log,
    context,
    shell,
    place,
    settings,
    carryNote: `${own}.carry`,
    gitFolder: (purpose) => `${own}.${purpose}`,
    notice: (text) => tellOnce("notice", text),
    warning: (text) => tellOnce("warning", text),
    error: (text) => tellOnce("error", text),
    notices,
    dispatched,
  };
}

/** Where the Action keeps what it needs during a job; outside of the checkout, so that no agent can write there (C11). */
export function ownFolder({ temp }: GithubContext): string {
  return path.join(temp, "smithers");
}

/** @param asked the pull request that the run was started for */
function loopIdFor(context: GithubContext, matrix: string, asked: number | null): string {
  const { repository, workflow, job, step, event, ref } = context;
  return loopIdOf({
    repository: `${repository.owner}/${repository.name}`,
    workflowPath: workflow.path,
    job,
    step,
    matrix,
    pullRequest: asked ?? event.pullRequest?.number ?? null,
    ref,
  });
}

/** A word or text that is none of ours is refused when it is looked at. */
function dispatchedWith({ eventName, event }: GithubContext): DispatchInput | null {
  const text = event.inputs[INPUT]?.trim() ?? "";
  const read = eventName === "workflow_dispatch" && text !== "" ? readInput(text) : undefined;
  return read?.ok === true ? read.input : null;
}
