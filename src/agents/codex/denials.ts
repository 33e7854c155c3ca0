import type { AgentEvent } from "../../core/agent.ts";
import { looksLikeNetworkDenial } from "./network.ts";
import type { CodexOptions } from "./options.ts";

type Denied = Extract<AgentEvent, { type: "permission.denied" }>;

/** The agent is told not to commit, and `.git` is closed to it on purpose. */
const READ_ONLY = /^(?![^\n]{0,500}\.git\/)[^\n]{0,500}(?:Read-only file system|\bEROFS\b)/imu;

/**
 * What the sandbox did not let a command do, by what the command says of it, and what would let it; undefined: nothing.
 * Codex itself says of such a command only that it failed.
 */
export function denialOf(
  event: AgentEvent | undefined,
  { sandbox, network }: Pick<CodexOptions, "sandbox" | "network">,
): Denied | undefined {
  if (event?.type !== "command.ended" || event.exitCode === 0 || sandbox === "danger-full-access") return undefined;
  const { command: what, output } = event;
  if (READ_ONLY.test(output)) {
    const allow = sandbox === "read-only" ? "--sandbox workspace-write" : "--sandbox danger-full-access";
    return { type: "permission.denied", what, allow: `${allow} lets it write there.` };
  }
  if (network && sandbox === "workspace-write") return undefined;
  if (!looksLikeNetworkDenial(output)) return undefined;
  return {
    type: "permission.denied",
    what,
    allow: "--network on (with --sandbox workspace-write) opens the network to it.",
  };
}
