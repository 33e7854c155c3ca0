import type { LoopState } from "../core/state.ts";
import type { Access } from "../github/client.ts";
import { branchOfRun } from "../github/context.ts";
import { dispatchWorkflow } from "../github/dispatch.ts";
import { writeInput } from "./intent-input.ts";
import type { Surroundings } from "../app/surroundings.ts";

/**
 * Starts the loop's next run. Where that cannot be done the loop waits for another trigger, and a person is told.
 *
 * @returns why it was not started, as part of a sentence; null: it was
 */
export async function startNextRun(
  { loop_id: loop }: LoopState,
  job: Surroundings,
  access: Access,
): Promise<string | null> {
  const { workflow } = job.context;
  const input = writeInput({ command: "continue", loop, pr: null, head: null, request: null, self: true });
  const started = await dispatchWorkflow(access, { workflow: workflow.file, ref: branchOfRun(job.context), input });
  if (started.dispatched) {
    job.log.line(`the next run of this loop was started${started.runUrl === null ? "" : `: ${started.runUrl}`}`);
    return null;
  }
  job.notice(
    `The loop's next run could not be started: ${started.why}. Nothing is lost: the loop goes on with the next run of this workflow, whoever starts it.`,
  );
  return started.why;
}
