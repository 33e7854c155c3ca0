import path from "node:path";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import type { Environment } from "../../config/read.ts";
import { lastMessageName } from "../../core/names.ts";

/** How Codex is called; the same for every turn of a run. */
export interface CodexOptions {
  /** a path, or a name on `PATH`; `codex` when it is not given */
  readonly binary?: string;
  readonly workspaceRoot: string;
  /** the loop's folder */
  readonly folder: string;
  /** marks the processes of a turn, see `supervise` */
  readonly mark: string;
  /** Codex's whole environment */
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: "read-only" | "workspace-write" | "danger-full-access";
  readonly model: string | null;
  readonly profile: string | null;
  /** only what Codex knows is sent (C15, C19) */
  readonly approval: string | null;
  /** opens the agent's sandbox to the network (C26) */
  readonly network: boolean;
  readonly skipGitRepoCheck: boolean;
  /** further options of `codex exec`; they win over ours */
  readonly extraArgs: readonly string[];
}

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
    path.resolve(options.folder, lastMessageName(turn.iteration)),
    ...(turn.sessionId === null ? [] : ["resume", turn.sessionId]),
    "-",
  ];
}

/** The arguments that run a command, program first, inside the sandbox of the turns. */
export function sandboxArguments(options: CodexOptions, command: readonly string[]): string[] {
  return ["sandbox", ...setting("sandbox_mode", options.sandbox), ...sandboxSettings(options), "--", ...command];
}

/** One `-c KEY=VALUE`; the value is TOML, which has JSON's strings and booleans. */
function setting(key: string, value: string | boolean | number): string[] {
  return ["-c", `${key}=${JSON.stringify(value)}`];
}

/** Said both ways, so that `network: off` holds whatever Codex's own configuration says (C26). */
function sandboxSettings(options: CodexOptions): string[] {
  return options.sandbox === "workspace-write"
    ? setting("sandbox_workspace_write.network_access", options.network)
    : [];
}

/** The folder where Codex has its configuration and its sessions, by the environment that it is started with. */
export function codexHome(env: Environment): string {
  return env["CODEX_HOME"] ?? path.join(env["HOME"] ?? homedir(), ".codex");
}

/**
 * Codex repeats requests by itself, up to 30 times within a turn. The loop retries turns, so that the two would
 * multiply: here Codex's own part is turned down.
 *
 * A provider that the user has defined takes settings for it. The built-in ones refuse them ("Built-in providers
 * cannot be overridden"): their reconnects are counted in the stream instead, see `ReconnectLimit`.
 */
const TURNED_DOWN = { request_max_retries: 0, stream_max_retries: 1 } as const;

const SELECTED = /^\s*model_provider\s*=\s*["']([\w-]+)["']/mu;
const SELECTED_ARGUMENT = /^model_provider=["']?([\w-]+)["']?$/u;
const HEADING = /^\s*\[/mu;

/**
 * Settings that turn down the retries of the user's own provider. A provider that is not found in Codex's
 * configuration gets none, because Codex refuses to start with half a definition; what the user has set stays.
 */
export function retryArguments(options: Pick<CodexOptions, "env" | "profile" | "extraArgs">): string[] {
  const home = codexHome(options.env);
  const profile = options.profile === null ? "" : readText(path.join(home, `${options.profile}.config.toml`));
  const config = readText(path.join(home, "config.toml"));
  const argument = options.extraArgs.map((arg) => SELECTED_ARGUMENT.exec(arg)?.[1]).findLast((id) => id !== undefined);
  const id = argument ?? selectedIn(profile) ?? selectedIn(config);
  if (id === undefined) return [];
  const definitions = [profile, config].map((text) => definition(text, id)).filter((text) => text !== undefined);
  if (definitions.length === 0) return [];
  const own = definitions.join("\n");
  return Object.entries(TURNED_DOWN)
    .filter(([key]) => !own.includes(key))
    .flatMap(([key, value]) => setting(`model_providers.${id}.${key}`, value));
}

function selectedIn(toml: string): string | undefined {
  const heading = toml.search(HEADING);
  return SELECTED.exec(heading === -1 ? toml : toml.slice(0, heading))?.[1];
}

/** What stands below `[model_providers.<id>]`. */
function definition(toml: string, id: string): string | undefined {
  const heading = new RegExp(`^\\s*\\[\\s*model_providers\\s*\\.\\s*["']?${id}["']?\\s*\\]`, "mu").exec(toml);
  if (heading === null) return undefined;
  const body = toml.slice(heading.index + heading[0].length);
  const end = body.search(HEADING);
  return end === -1 ? body : body.slice(0, end);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
