import { spawn } from "node:child_process";
import { devNull } from "node:os";

/**
 * What a git command said. `stdout` is a byte string (latin1), one character a byte, because paths need not be UTF-8;
 * `stderr` is text.
 */
export interface GitResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** a byte string (latin1) for stdin */
  readonly input?: string;
}

/**
 * Settings that outrank every configuration file: no program that a repository names is started (threats T12).
 * Filter, diff and merge drivers cannot be switched off like this, their names being free; for these a git directory
 * of our own is needed.
 */
const HARDENED = ["core.fsmonitor=false", `core.hooksPath=${devNull}`, "core.pager=cat", "core.editor=false"];
const HARDENED_ARGS = ["--no-pager", ...HARDENED.flatMap((setting) => ["-c", setting])];

const INHERITED = ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "TZ", "DEVELOPER_DIR"];

/**
 * The environment of a git command that obeys nobody but us: no `GIT_*` of the caller, no configuration of the person
 * or the machine, no prompt, no network, no replaced objects.
 */
export function hardenedGitEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return {
    ...personalGitEnvironment(env),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
}

/** The same, but with the person's and the machine's configuration; only for reading configuration. */
export function personalGitEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const inherited = INHERITED.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(inherited), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" };
}

/**
 * Runs git and waits for its end, whatever that is.
 *
 * Rejects only when git cannot be started (`ENOENT`: it is not installed, or `cwd` is gone).
 */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...HARDENED_ARGS, ...args], { cwd: options.cwd, env: options.env });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    // Git need not read its input: EPIPE is no error of ours.
    child.stdin.on("error", () => {});
    child.once("error", reject);
    child.once("close", (exitCode) => {
      const errors = Buffer.concat(stderr).toString("utf8").trim();
      resolve({ exitCode, stdout: Buffer.concat(stdout).toString("latin1"), stderr: errors });
    });
    child.stdin.end(options.input ?? "", "latin1");
  });
}

/** The NUL-terminated fields of a byte string. */
export function nulFields(bytes: string): string[] {
  const fields = bytes.split("\0");
  fields.pop();
  return fields;
}

/** The other way round: what git reads with `-z`. */
export function nulTerminated(fields: readonly string[]): string {
  return fields.map((field) => `${field}\0`).join("");
}
