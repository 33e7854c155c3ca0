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
const DONE = `Neither the agent's sandbox nor the isolation of checks could start, because this machine restricts user namespaces. The restriction was lifted until the machine's next start: sudo ${LIFT.join(" ")}`;
const CURE = `Add a step before this one that runs: sudo ${LIFT.join(" ")}. In a container: allow user namespaces. Where the machine itself is a sandbox: sandbox: danger-full-access.`;

/**
 * A provider that repairs the machine when the agent's sandbox cannot start: if Ubuntu's restriction of user namespaces
 * is the cause and `sudo` needs no password, it lifts the restriction, says so, and tries again what failed. Nothing
 * was spent: providers find out before they begin. Otherwise the failure says what to do.
 */
export function withSandboxRepair(provider: Provider, notice: (text: string) => void, machine: Machine): Provider {
  const repaired = (failure: ProviderFailure, signal: AbortSignal): Promise<ProviderFailure | undefined> =>
    repair(failure, machine, signal, notice);
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
async function repair(failure: ProviderFailure, machine: Machine, signal: AbortSignal, notice: (text: string) => void) {
  if (failure.kind !== "sandbox_broken") return failure;
  const lifted = await liftRestriction(machine, signal, notice);
  if (lifted === "unrestricted") return failure;
  if (lifted === "lifted") return undefined;
  const message = `${failure.message} ${RESTRICTION} is 1, and could not be set to 0: ${lifted.because}.`;
  return { ...failure, message, next: CURE };
}

/** What became of the restriction of a machine, by its environment: agent and checks ask at the same time. */
const asked = new WeakMap<Machine["env"], ReturnType<typeof lift>>();

/** Lifts Ubuntu's restriction of user namespaces until the machine's next start, where sudo needs no password. */
export function liftRestriction(machine: Machine, signal: AbortSignal, notice: (text: string) => void) {
  const before = asked.get(machine.env);
  const lifting = before ?? lift(machine, signal, notice);
  asked.set(machine.env, lifting);
  return lifting;
}

async function lift(
  machine: Machine,
  signal: AbortSignal,
  notice: (text: string) => void,
): Promise<"lifted" | "unrestricted" | { readonly because: string }> {
  if (machine.platform !== "linux") return "unrestricted";
  const restricted = await call("sysctl", ["-n", RESTRICTION], machine, signal);
  if (restricted?.exitCode !== 0 || restricted.stdout.trim() !== "1") return "unrestricted";
  const lifted = await call("sudo", ["-n", ...LIFT], machine, signal);
  if (lifted?.exitCode === 0) {
    notice(DONE);
    return "lifted";
  }
  return {
    because: lifted === undefined ? "there is no sudo" : lifted.stderr.trim().split("\n", 1)[0] || "sudo failed",
  };
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
