import { NO_USAGE, type TurnRequest } from "../core/agent.ts";
import { runLoop } from "../core/loop.ts";
import type { StopReason } from "../core/outcome.ts";
import type { Ports, Provider, Store } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import type { Task } from "../core/task.ts";

/** What a run would do first: take this turn, or stop at once. */
export type Rehearsal =
  | { readonly first: "turn"; readonly request: TurnRequest }
  | { readonly first: "stop"; readonly reason: StopReason };

/**
 * Runs the real loop up to the first turn, with ports that neither write nor start anything, so that `--dry-run` shows
 * the very prompt that a run would send. The checks are not asked; they count as red.
 */
export async function rehearse(task: Task, ports: Ports, stored: LoopState | undefined): Promise<Rehearsal> {
  const curtain = new AbortController();
  const requests: TurnRequest[] = [];
  const provider: Provider = {
    name: ports.provider.name,
    preflight: async () => undefined,
    async *runTurn(request) {
      requests.push(request);
      curtain.abort();
      yield {
        type: "turn.failed",
        failure: { kind: "cancelled", message: "dry run", retryable: false },
        exitCode: null,
        lastMessage: "",
        usage: NO_USAGE,
        sessionUsage: null,
      };
    },
  };
  const reason = await runLoop(task, { ...ports, ...harmless(stored), provider }, curtain.signal);
  const [request] = requests;
  return request === undefined ? { first: "stop", reason } : { first: "turn", request };
}

function harmless(stored: LoopState | undefined): Pick<Ports, "store" | "gate" | "workspace" | "control" | "reporter"> {
  const store: Store = {
    load: async () => stored,
    async append() {},
  };
  return {
    store,
    gate: { judge: async () => ({ result: "failed", checks: [] }) },
    workspace: {
      snapshot: async () => null,
      compare: async () => ({ files: 0, added: 0, removed: 0, stat: "", only_tests: false }),
      testFiles: async () => null,
      commit: async () => undefined,
    },
    control: { async *watch() {} },
    reporter: { report() {}, observe() {}, async flush() {} },
  };
}
