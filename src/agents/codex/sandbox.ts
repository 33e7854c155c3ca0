import { lstat, rmdir } from "node:fs/promises";
import path from "node:path";
import type { AgentEvent, ProviderFailure } from "../../core/agent.ts";
import type { Isolation } from "../../os/isolation/isolation.ts";
import { failure } from "../agent.ts";
import type { ToolResult } from "../run-tool.ts";
import { type CodexOptions, sandboxArguments } from "./command-line.ts";
import { cancelled, excerpt, notInstalled, startFailure } from "./failures.ts";
import { ask } from "./program.ts";

const SANDBOX_CURE =
  "On Ubuntu 24.04: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0. In a container: allow user namespaces. Where the machine itself is a sandbox: --sandbox danger-full-access.";

/** Whether the program answers at all, for systems whose sandbox cannot be tested. */
export async function probeVersion(
  options: CodexOptions,
  command: string,
  signal: AbortSignal,
): Promise<ProviderFailure | undefined> {
  const answer = await ask(options, command, ["--version"], signal);
  if (answer.exitCode === 0) return undefined;
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
  isolation?: Isolation,
): Promise<ProviderFailure | undefined> {
  if (options.sandbox === "danger-full-access") return undefined;
  const answer = await ask(options, command, sandboxArguments(options, ["true"]), signal, isolation);
  if (answer.exitCode === 0) return undefined;
  if (signal.aborted) return cancelled();
  const refusedByCodex =
    /^error\b/imu.test(answer.stderr) && !/\b(?:bwrap|sandbox|landlock|seccomp)/iu.test(answer.stderr);
  if (refusedByCodex) return startFailure(answer.stderr);
  return failure("sandbox_broken", `The agent's sandbox cannot start: ${reason(answer)}`, { next: SANDBOX_CURE });
}

function reason({ stderr, ...exit }: ToolResult): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("WARNING:"));
  const line = excerpt(lines.find((line) => line.startsWith("bwrap:")) ?? lines.at(-1) ?? "");
  return line || exit.error?.message || `it ended with ${exit.signal ?? exit.exitCode ?? exit.ended}`;
}

/** How commands say that Codex's sandbox refused them a socket, a name or a route (C26). */
const NETWORK_DENIED =
  /\b(?:connect|socket|bind|listen|net|getaddrinfo|sendto)\b[^\n]{0,80}\bEPERM\b|\bEPERM\b[^\n]{0,80}\b(?:connect|socket|bind|listen|net)\b|(?:socket|connect|bind|ping|send|resolv|network)[^\n]{0,120}Operation not permitted|Operation not permitted[^\n]{0,120}(?:socket|connect|bind|network)|Could not resolve (?:host|proxy)|Temporary failure in name resolution|Name or service not known|\bEAI_AGAIN\b|\bENETUNREACH\b|Network is unreachable|dial (?:tcp|udp)[^\n]{0,160}(?:operation not permitted|no such host)|dns error|failed to lookup address/iu;

/** Whether the output of a command looks as if the closed network stopped it. */
export function looksLikeNetworkDenial(output: string): boolean {
  return NETWORK_DENIED.test(output);
}

export const NETWORK_CURE =
  "A command seems to need the network, which is closed in the agent's sandbox. If the task needs it, use --network on (with --sandbox workspace-write).";

/** The agent is told not to commit, and `.git` is closed to it on purpose. */
const READ_ONLY = /^(?![^\n]{0,500}\.git\/)[^\n]{0,500}(?:Read-only file system|\bEROFS\b)/imu;

/**
 * What the sandbox did not let a command do, by what the command says of it, and what would let it; undefined: nothing.
 * Codex itself says of such a command only that it failed.
 */
export function denialOf(
  event: AgentEvent | undefined,
  { sandbox, network }: Pick<CodexOptions, "sandbox" | "network">,
): Extract<AgentEvent, { type: "permission.denied" }> | undefined {
  if (event?.type !== "command.ended" || event.exitCode === 0 || sandbox === "danger-full-access") return undefined;
  const { command: what, output } = event;
  if (READ_ONLY.test(output)) {
    const allow = sandbox === "read-only" ? "--sandbox workspace-write" : "--sandbox danger-full-access";
    return { type: "permission.denied", what, allow: `${allow} lets it write there.` };
  }
  if ((network && sandbox === "workspace-write") || !looksLikeNetworkDenial(output)) return undefined;
  const allow = "--network on (with --sandbox workspace-write) opens the network to it.";
  return { type: "permission.denied", what, allow };
}

/** Folders that Codex's sandbox makes in the workspace, and leaves there when it is interrupted. */
const LITTER = [".codex", ".agents", ".aws"];

/**
 * Notes which of the folders are not there yet.
 *
 * @returns what removes them again, as far as they are empty
 */
export async function watchLitter(workspaceRoot: string): Promise<() => Promise<void>> {
  const absent: string[] = [];
  for (const folder of LITTER.map((name) => path.join(workspaceRoot, name))) {
    await lstat(folder).catch(() => absent.push(folder));
  }
  return async () => {
    for (const folder of absent) await rmdir(folder).catch(() => {});
  };
}
