import { done, failed } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import type { GithubContext } from "../github/context.ts";
import { dispatchWorkflow } from "../github/dispatch.ts";
import { type DispatchInput, INPUT, writeInput } from "../github/intent-input.ts";
import { whyNotBegun } from "../github/runs.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import type { Relayed } from "./acknowledge.ts";
import type { Intent } from "./intent.ts";

/** What a relay knows, and what it is set to. */
export interface RelayJob {
  readonly context: Pick<GithubContext, "eventName" | "event" | "repository" | "workflow" | "attempt">;
  readonly github: Github;
  readonly log: Pick<RunnerLog, "line" | "notice" | "warning">;
  /** the setting, as in `smithers/<loop-id>` */
  readonly branch: string;
  /** the file of the workflow that runs the loop; null: this very one */
  readonly relayTo: string | null;
  /** the file of the workflow that works on PRDs; null: the one that runs the loop */
  readonly relayPrdTo: string | null;
  /** logins */
  readonly allowedBots: readonly string[];
  /** the variable `SMITHERS_DISABLED` as the workflow passes it; null: nothing */
  readonly disabled: string | null;
}

/** Starts a workflow on the default branch, and looks whether its run begins (`actions: write`). */
export async function startWorkflow(
  { github, context }: RelayJob,
  { actor }: Intent,
  workflow: string,
  asked: DispatchInput,
): Promise<Relayed> {
  const { defaultBranch } = context.event;
  if (defaultBranch === null) return unable(NO_DEFAULT_BRANCH);
  const inputs = { [INPUT]: writeInput(asked) };
  const started = await dispatchWorkflow(github, { workflow, ref: defaultBranch, inputs });
  if (!started.ok) return unable(`${workflow} could not be started: ${started.trouble.because}.`);
  const { runId, runUrl } = started.value;
  const lost = runId === null ? null : await whyNotBegun(github, runId);
  if (lost !== null) return unable(`${workflow} was started, and its run ${lost}: ${runUrl}`);
  const { command, prd } = asked;
  const what = prd === null ? command : [command, prd.name, prd.verb, prd.story].filter(Boolean).join(" ");
  const run = runUrl === null ? "" : `: ${runUrl}`;
  return done(`${workflow} was started for ${actor.login} (${what})${run}`);
}

export const NO_DEFAULT_BRANCH = "The event does not say which branch is the default one.";

/** What somebody asked for cannot be had; both are whole sentences. */
export function unwilling(because: string, next: string): Relayed {
  return failed({ kind: "refused", because, next });
}

/** Workflow or GitHub are not as they should be; a whole sentence. */
export function unable(because: string): Relayed {
  return failed({ kind: "failed", because });
}
