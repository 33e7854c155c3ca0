import { writeFile } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../../core/errors.ts";
import { childEnvironment } from "../../os/environment.ts";
import { findProgram } from "../../os/environment.ts";
import { seconds } from "../../views/amounts.ts";
import { runTool, type ToolResult } from "./run-tool.ts";

/** What npm has to install, and where. */
export interface NpmInstallation {
  /** as in `@openai/codex@0.169.0` */
  readonly spec: string;
  /** an empty folder of our own: neither the checkout's `.npmrc` nor its workspaces have a say there */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** @see ToolCall */
  readonly mark: string;
  /** milliseconds; 300 000 */
  readonly timeoutMs?: number;
}

/** What configures npm besides its files: registry, proxy and the token that setup-node's `.npmrc` refers to. */
const PASSED = ["npm_config_*", "NPM_CONFIG_*", "NODE_AUTH_TOKEN", "NPM_TOKEN"];
const TIMEOUT_MS = 300_000;
const LINES_SHOWN = 3;

/** Installs a package that needs no scripts into `<folder>/node_modules`. @throws OperationalError */
export async function npmInstall(installation: NpmInstallation): Promise<void> {
  const { spec, folder, env, signal, mark, timeoutMs = TIMEOUT_MS } = installation;
  const program = findProgram("npm", env["PATH"] ?? "");
  if (program === undefined)
    throw failed(spec, "there is no npm on the PATH", "Add actions/setup-node before this step");
  // Else npm looks for one in the folders above, and installs there.
  await writeFile(path.join(folder, "package.json"), '{ "private": true }\n');
  const result = await runTool({
    program,
    args: [
      ...["install", "--prefix", folder, "--global=false", "--workspaces=false", "--ignore-scripts"],
      ...["--no-audit", "--no-fund", "--omit=dev", "--include=optional", "--no-package-lock", "--no-update-notifier"],
      ...["--progress=false", "--loglevel=error", "--", spec],
    ],
    cwd: folder,
    env: childEnvironment(env, PASSED),
    timeoutMs,
    signal,
    mark,
  });
  if (result.ended === "exited" && result.exitCode === 0) return;
  throw failed(
    spec,
    reason(result, timeoutMs),
    "Check that the package exists and that the runner reaches the npm registry",
  );
}

function reason({ ended, exitCode, stderr }: ToolResult, timeoutMs: number): string {
  if (ended === "aborted") return "the run was cancelled";
  if (ended === "timed_out") return `it took longer than ${seconds(timeoutMs)}`;
  const lines = stderr
    .split("\n")
    .map((line) => line.replace(/^npm (?:error|ERR!) ?/u, "").trim())
    .filter((line) => line !== "" && !line.startsWith("npm warn") && !/complete log of this run/u.test(line));
  return lines.slice(0, LINES_SHOWN).join("; ") || `npm ended with ${exitCode ?? "an error"}`;
}

function failed(spec: string, why: string, cure: string): OperationalError {
  return new OperationalError({
    code: "AGENT_INSTALL_FAILED",
    what: `npm could not install ${spec}: ${why}. The loop did not start and is unharmed.`,
    next: `${cure}, or install the agent in an earlier step and set install: never.`,
  });
}
