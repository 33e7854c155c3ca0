import path from "node:path";
import { lastMessageName } from "../../core/names.ts";
import { type CodexOptions, setting } from "./options.ts";
import { retryArguments } from "./retries.ts";

/** The values of `approval_policy` that Codex 0.169 takes and that mean something (C15, C19). */
const APPROVALS: ReadonlySet<string> = new Set(["on-request", "never"]);

/**
 * The arguments of a turn's `codex` (C15): everything stands before the word `resume`, after which Codex refuses most
 * of it, and the sandbox is said every time, because a resumed session does not inherit it. The prompt comes on stdin.
 */
export function codexArguments(
  options: CodexOptions,
  turn: { readonly iteration: number; readonly sessionId: string | null },
): string[] {
  return [
    "exec",
    "--json",
    "-C",
    options.workspaceRoot,
    "-s",
    options.sandbox,
    ...(options.model === null ? [] : ["-m", options.model]),
    ...(options.profile === null ? [] : ["-p", options.profile]),
    ...(options.skipGitRepoCheck ? ["--skip-git-repo-check"] : []),
    ...setting("features.unbounded_connection_retries", false),
    ...setting("shell_environment_policy.ignore_default_excludes", false),
    ...sandboxSettings(options),
    ...(options.approval !== null && APPROVALS.has(options.approval)
      ? setting("approval_policy", options.approval)
      : []),
    ...retryArguments(options),
    ...options.extraArgs,
    "-o",
    lastMessagePath(options, turn.iteration),
    ...(turn.sessionId === null ? [] : ["resume", turn.sessionId]),
    "-",
  ];
}

/** The arguments that run a command, program first, inside the sandbox of the turns. */
export function sandboxArguments(options: CodexOptions, command: readonly string[]): string[] {
  return ["sandbox", ...setting("sandbox_mode", options.sandbox), ...sandboxSettings(options), "--", ...command];
}

/** The arguments that ask whether the sandbox can start at all: they run `true` in it. */
export function sandboxProbeArguments(options: CodexOptions): string[] {
  return sandboxArguments(options, ["true"]);
}

export function lastMessagePath(options: CodexOptions, iteration: number): string {
  return path.resolve(options.folder, lastMessageName(iteration));
}

/** Said both ways, so that `network: off` holds whatever Codex's own configuration says (C26). */
function sandboxSettings(options: CodexOptions): string[] {
  return options.sandbox === "workspace-write"
    ? setting("sandbox_workspace_write.network_access", options.network)
    : [];
}
