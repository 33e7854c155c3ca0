import path from "node:path";
import type { Config } from "../../config/config.ts";
import type { AgentContext } from "../agent.ts";
import { messageName } from "../turn-files.ts";
import { modelSettings, type SettingsPlace } from "./settings.ts";

/** How Codex is called; the same for every turn of a run. */
export interface CodexOptions
  extends
    Pick<AgentContext, "workspaceRoot" | "folder" | "mark" | "env" | "isolation" | "reviews">,
    Pick<Config, "sandbox" | "model" | "profile" | "network" | "skipGitRepoCheck"> {
  /** a path, or a name on `PATH`; `codex` when it is not given */
  readonly binary?: string;
  /** the PATH of the commands that Codex runs in its sandbox, where it differs from its own */
  readonly commandPath?: string | undefined;
  /** whether a login shell of this machine forgets what was put on the PATH; see `resetsPath` */
  readonly pathResets?: boolean;
  /** only what Codex knows is sent (C15, C19) */
  readonly approval: string | null;
  /** further options of `codex exec`; they win over ours */
  readonly extraArgs: readonly string[];
  /** kept behind a proxy of ours, out of `env`; absent or null: there is a login, or a key that only Codex knows of */
  readonly key?: string | null;
}

/** The values of `approval_policy` that Codex 0.169 takes and that mean something (C15, C19). */
const APPROVALS: ReadonlySet<string> = new Set(["on-request", "never"]);

/**
 * The arguments of a turn's `codex` (C15): all options come before the word `resume`, after which Codex refuses most of
 * them; the sandbox is given every time, because a resumed session does not inherit it. The prompt comes on stdin.
 *
 * @param isolated whether the turn cannot write the loop's folder: its last message is taken from the stream alone
 * @param modelAt by which setting Codex finds its model where we want it to; nothing that a person gives wins over it
 */
export function codexArguments(
  options: CodexOptions,
  turn: { readonly iteration: number; readonly sessionId: string | null },
  modelAt?: { readonly setting: string; readonly url: string },
  isolated = false,
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
    // A goal that the model sets itself puts rules of its own for "done" before our prompt at every resume, and its tools
    // cost 3 KB a request.
    ...setting("features.goals", false),
    ...setting("shell_environment_policy.ignore_default_excludes", false),
    ...(options.pathResets === true ? setting("allow_login_shell", false) : []),
    ...(options.commandPath === undefined ? [] : setting("shell_environment_policy.set.PATH", options.commandPath)),
    ...sandboxSettings(options),
    ...(options.approval !== null && APPROVALS.has(options.approval)
      ? setting("approval_policy", options.approval)
      : []),
    ...retryArguments(options),
    ...options.extraArgs,
    ...(modelAt === undefined ? [] : setting(modelAt.setting, modelAt.url)),
    ...(isolated ? [] : ["-o", path.resolve(options.folder, messageName(options, turn.iteration))]),
    // The id comes from the state: one that would be read as a flag is no session, and a fresh one begins.
    ...(turn.sessionId === null || turn.sessionId.startsWith("-") ? [] : ["resume", turn.sessionId]),
    "-",
  ];
}

/**
 * Whether the settings of login shells put a PATH of their own in place of the one they were given, as Debian's do, and
 * macOS's by `path_helper`: Codex runs commands in a login shell, which then finds none of what `setup-*` steps, an image or a
 * person has put there (C97).
 *
 * @param profile the text of `/etc/profile`
 */
export function resetsPath(profile: string): boolean {
  return profile.split("\n").some((line) => {
    const [, value] = /^\s*(?:export\s+)?PATH=(.*)$/u.exec(line) ?? [];
    return (value !== undefined && !/\$\{?PATH\b/u.test(value)) || /^[^#]*\bpath_helper\b/u.test(line);
  });
}

/** The arguments that run a command, program first, inside the sandbox of the turns. */
export function sandboxArguments(options: CodexOptions, command: readonly string[]): string[] {
  return ["sandbox", ...setting("sandbox_mode", options.sandbox), ...sandboxSettings(options), "--", ...command];
}

/**
 * The options of a session that may change nothing. What else a person gives to Codex stays, as the model may need it, and
 * nothing of it opens the sandbox.
 */
export function onlyLooking(options: CodexOptions): CodexOptions {
  return { ...options, sandbox: "read-only", network: false, approval: "never", extraArgs: closed(options.extraArgs) };
}

const OPENS =
  /^(?:-s.*|--sandbox(?:=.*)?|--full-auto|--yolo|--dangerously-.*|--add-dir(?:=.*)?|-a.*|--ask-for-approval(?:=.*)?)$/u;
const HAS_VALUE = /^(?:-s|-a|--sandbox|--add-dir|--ask-for-approval)$/u;
const OPENING_SETTING = /^\s*"?(?:sandbox_|approval_|default_permissions|permissions|profiles)/u;

function closed(args: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [arg = "", value = ""] = args.slice(at, at + 2);
    if (OPENS.test(arg)) {
      if (HAS_VALUE.test(arg)) at += 1;
    } else if (arg === "-c" || arg === "--config") {
      if (!OPENING_SETTING.test(value)) kept.push(arg, value);
      at += 1;
    } else if (!OPENING_SETTING.test(arg.replace(/^(?:-c=?|--config=)/u, ""))) kept.push(arg);
  }
  return kept;
}

/** One `-c KEY=VALUE`; the value is TOML, which has JSON's strings and booleans. */
function setting(key: string, value: string | boolean | number): string[] {
  return ["-c", `${key}=${JSON.stringify(value)}`];
}

/** Set both ways, so that `network: off` holds whatever Codex's own configuration says (C26). */
function sandboxSettings(options: CodexOptions): string[] {
  return options.sandbox === "workspace-write"
    ? setting("sandbox_workspace_write.network_access", options.network)
    : [];
}

/**
 * Codex repeats requests by itself, up to 30 times within a turn. The loop retries turns, so that the two would
 * multiply: here Codex's own part is turned down.
 *
 * A provider that the user has defined takes settings for it. The built-in ones refuse them ("Built-in providers
 * cannot be overridden"): their reconnects are counted in the stream instead, see `ReconnectLimit`.
 */
const TURNED_DOWN = { request_max_retries: 0, stream_max_retries: 1 } as const;

/**
 * Settings that turn down the retries of the user's own provider. A provider that is not found in Codex's
 * configuration gets none, because Codex refuses to start with half a definition; what the user has set stays.
 */
export function retryArguments(options: SettingsPlace): string[] {
  const { providerId, provider } = modelSettings(options);
  if (provider === null) return [];
  return Object.entries(TURNED_DOWN)
    .filter(([key]) => !(key in provider))
    .flatMap(([key, value]) => setting(`model_providers.${providerId}.${key}`, value));
}
