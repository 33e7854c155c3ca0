import type { LoopState } from "./state.ts";
import type { TaskIdentity } from "./task.ts";

/** Names a task: two tasks with the same prompt and the same checks are the same task (C25). */
export function taskDigest(identity: TaskIdentity, digest: (text: string) => string): string {
  const { prompt, checks } = identity;
  const { successCommand, successShell, quality, ci } = checks;
  // A task without CI keeps the name that it had before there was such a check.
  return digest(JSON.stringify([digest(prompt), successCommand, successShell, quality, ...(ci === null ? [] : [ci])]));
}

/**
 * The task of a stored loop.
 *
 * @param prompt the whole prompt, which the state holds only the head of when it is long
 */
export function identityOf(state: LoopState, prompt: string): TaskIdentity {
  return {
    prompt,
    promise: { text: state.completion_promise, mode: state.promise_mode, guard: state.promise_guard },
    doneToken: state.solo.done_token,
    checks: {
      successCommand: state.checks.success_cmd,
      successShell: state.checks.success_sh,
      quality: state.checks.quality_commands,
      ci: state.checks.ci_workflow,
    },
    todo:
      state.todo === null
        ? null
        : {
            path: state.todo.path,
            token: state.todo.hard_stop_token,
            mode: state.todo.hard_stop_mode,
            when: state.todo.hard_stop_when,
          },
    plan: state.plan === null ? null : { path: state.plan.path, agentFile: state.plan.agent_file },
  };
}
