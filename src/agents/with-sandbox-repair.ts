import type { ProviderFailure } from "../core/agent.ts";
import type { Provider } from "../core/ports.ts";
import { childEnvironment } from "../os/environment.ts";
import { findOuter } from "../os/programs.ts";
import type { Machine } from "./agent.ts";
import { runTool, type ToolResult } from "./run-tool.ts";

/** Ubuntu's hosted images set it, and then no program may make a sandbox of its own. */
const RESTRICTION = "kernel.apparmor_restrict_unprivileged_userns";
const LIFT = ["sysctl", "-w", `${RESTRICTION}=0`];
const ANSWER_MS = 10_000;
const DONE = `The agent's sandbox could not start, because this machine restricts user namespaces. The restriction was lifted until the machine's next start: sudo ${LIFT.join(" ")}`;
const CURE = `Add a step before this one that runs: sudo ${LIFT.join(" ")}. In a container: allow user namespaces. Where the machine itself is a sandbox: sandbox: danger-full-access.`;

/**
 * A provider that repairs the machine when the agent's sandbox cannot start: if Ubuntu's restriction of user namespaces
 * is the cause and `sudo` needs no password, it lifts the restriction, says so, and tries again what failed. Nothing
 * was spent: providers find out before they begin. Otherwise the failure says what to do.
 */
export function withSandboxRepair(provider: Provider, notice: (text: string) => void, machine: Machine): Provider {
  const repaired = async (failure: ProviderFailure, signal: AbortSignal): Promise<ProviderFailure | undefined> => {
    const left = await repair(failure, machine, signal);
    if (left === undefined) notice(DONE);
    return left;
  };
  return {
    name: provider.name,
    async preflight(signal) {
      const failure = await provider.preflight(signal);
      if (failure === undefined) return undefined;
      return (await repaired(failure, signal)) ?? (await provider.preflight(signal));
    },
    async *runTurn(request, signal) {
      let begun = false;
      for await (const event of provider.runTurn(request, signal)) {
        if (event.type === "session.started") begun = true;
        if (event.type !== "turn.failed" || begun) {
          yield event;
          continue;
        }
        const left = await repaired(event.failure, signal);
        if (left === undefined) return yield* provider.runTurn(request, signal);
        yield { ...event, failure: left };
      }
    },
  };
}

/** @returns the failure, with what was found out about it; undefined: its cause is gone */
async function repair(failure: ProviderFailure, machine: Machine, signal: AbortSignal) {
  if (failure.kind !== "sandbox_broken" || machine.platform !== "linux") return failure;
  const restricted = await call("sysctl", ["-n", RESTRICTION], machine, signal);
  if (restricted?.exitCode !== 0 || restricted.stdout.trim() !== "1") return failure;
  const lifted = await call("sudo", ["-n", ...LIFT], machine, signal);
  if (lifted?.exitCode === 0) return undefined;
  const why = lifted === undefined ? "there is no sudo" : lifted.stderr.trim().split("\n", 1)[0] || "sudo failed";
  const message = `${failure.message} ${RESTRICTION} is 1, and could not be set to 0: ${why}.`;
  return { ...failure, message, next: CURE };
}

async function call(
  name: string,
  args: readonly string[],
  { env, mark }: Machine,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  const tool = findOuter(name, env["PATH"]);
  if (tool === undefined) return undefined;
  const own = { ...childEnvironment(env, []), PATH: tool.path };
  return await runTool({ command: tool.file, args, cwd: "/", env: own, timeoutMs: ANSWER_MS, signal, mark });
}
