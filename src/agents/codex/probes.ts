import type { ProviderFailure } from "../../core/agent.ts";
import { failure } from "../failure.ts";
import { sandboxProbeArguments } from "./arguments.ts";
import { cancelled, excerpt, notInstalled, startFailure } from "./failures.ts";
import type { CodexOptions } from "./options.ts";
import { type Answer, ask } from "./process.ts";

const SANDBOX_CURE =
  "On Ubuntu 24.04: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0. In a container: allow user namespaces. Where the machine itself is a sandbox: --sandbox danger-full-access.";

/** Whether the program answers at all. */
export async function probeVersion(
  options: CodexOptions,
  command: string,
  signal: AbortSignal,
): Promise<ProviderFailure | undefined> {
  const answer = await ask(options, command, ["--version"], signal);
  if (answer.exit.exitCode === 0) return undefined;
  if (signal.aborted) return cancelled();
  return notInstalled(`${command} --version does not answer: ${reason(answer)}`);
}

/**
 * Whether Codex's sandbox can start. When it cannot, every command and patch of the agent fails while Codex itself
 * ends with success, so this is asked before a turn is spent.
 */
export async function probeSandbox(
  options: CodexOptions,
  command: string,
  signal: AbortSignal,
): Promise<ProviderFailure | undefined> {
  if (options.sandbox === "danger-full-access") return undefined;
  const answer = await ask(options, command, sandboxProbeArguments(options), signal);
  if (answer.exit.exitCode === 0) return undefined;
  if (signal.aborted) return cancelled();
  const refusedByCodex =
    /^error\b/imu.test(answer.stderr) && !/\b(?:bwrap|sandbox|landlock|seccomp)/iu.test(answer.stderr);
  if (refusedByCodex) return startFailure(answer.stderr);
  return failure("sandbox_broken", `The agent's sandbox cannot start: ${reason(answer)}`, { next: SANDBOX_CURE });
}

function reason({ exit, stderr }: Answer): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("WARNING:"));
  const line = excerpt(lines.find((line) => line.startsWith("bwrap:")) ?? lines.at(-1) ?? "");
  return line || exit.error?.message || `it ended with ${exit.signal ?? exit.exitCode ?? exit.ended}`;
}
