export type SandboxMode = "read-only" | "workspace-write" | "danger-full-access";

/** How Codex is called; the same for every turn of a run. */
export interface CodexOptions {
  /** a path, or a name on `PATH`; `codex` when it is not given */
  readonly binary?: string;
  readonly workspaceRoot: string;
  /** the loop's folder */
  readonly folder: string;
  /** marks the processes of a turn, see `supervise` */
  readonly mark: string;
  /** Codex's whole environment, apart from the key */
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: SandboxMode;
  readonly model: string | null;
  readonly profile: string | null;
  /** only what Codex knows is sent (C15, C19) */
  readonly approval: string | null;
  /** opens the agent's sandbox to the network (C26) */
  readonly network: boolean;
  readonly skipGitRepoCheck: boolean;
  /** further options of `codex exec`; they win over ours */
  readonly extraArgs: readonly string[];
  /** becomes `CODEX_API_KEY`; null when Codex is logged in or its provider has a variable of its own */
  readonly apiKey: string | null;
}

/** One `-c KEY=VALUE`; the value is TOML, which has JSON's strings and booleans. */
export function setting(key: string, value: string | boolean | number): string[] {
  return ["-c", `${key}=${JSON.stringify(value)}`];
}
