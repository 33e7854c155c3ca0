import type { Github } from "../github/client.ts";
import { branchOfRun, type GithubContext } from "../github/context.ts";
import { dispatchWorkflow } from "../github/dispatch.ts";
import { INPUT, writeInput } from "../github/intent-input.ts";
import type { Teller } from "../os/teller.ts";

/**
 * Starts the loop's next run. Where that cannot be done the loop waits for another trigger, and a person is told.
 *
 * @returns why it was not started, as part of a sentence; null: it was
 */
export async function startNextRun(
  loop: string,
  context: GithubContext,
  access: Github,
  teller: Teller,
): Promise<string | null> {
  const input = writeInput({ command: "continue", loop, pr: null, head: null, request: null, self: true });
  const workflow = context.workflow.file;
  const started = await dispatchWorkflow(access, { workflow, ref: branchOfRun(context), inputs: { [INPUT]: input } });
  if (started.ok) {
    const { runUrl } = started.value;
    teller.line(`the next run of this loop was started${runUrl === null ? "" : `: ${runUrl}`}`);
    return null;
  }
  teller.notice(
    `The loop's next run could not be started: ${started.trouble.because}. Nothing is lost: the loop goes on with the next run of this workflow, whoever starts it.`,
  );
  return started.trouble.because;
}
