import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Environment } from "../config/read.ts";
import { OperationalError } from "../core/errors.ts";
import { childEnvironment, findProgram } from "../os/environment.ts";
import { exists } from "../os/file-errors.ts";
import { seconds } from "../views/amounts.ts";
import { runTool, type ToolCall, type ToolResult } from "./run-tool.ts";

/** What npm has to install, and where. */
export interface NpmInstallation extends Pick<ToolCall, "signal" | "mark"> {
  /** as in `my-agent@1.2.3` */
  readonly spec: string;
  /** an empty folder of our own: neither the checkout's `.npmrc` nor its workspaces have a say there */
  readonly folder: string;
  readonly env: Environment;
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

/** Where a tool of one version lies, laid out as GitHub's toolkit does: `<cache>/<tool>/<version>/<arch>`. */
export interface ToolPlace {
  /** `RUNNER_TOOL_CACHE`; null: there is none */
  readonly toolCache: string | null;
  /** takes its place when it is not there or cannot be written; emptied after the job */
  readonly temp: string;
  readonly tool: string;
  readonly version: string;
  readonly arch: string;
}

/** A folder of which its writer was killed is gone after this. */
const ABANDONED_MS = 3_600_000;

/** The folder of a tool that was kept completely; undefined: there is none. */
export async function findTool(place: ToolPlace): Promise<string | undefined> {
  for (const base of basesOf(place)) {
    const folder = folderIn(base, place);
    if (await exists(markerOf(folder))) return folder;
  }
  return undefined;
}

/**
 * Fills a folder of its own with `fill`, and puts it in place in one step, so that nobody ever finds half a tool. Jobs of
 * one machine may do so at the same time: one of the folders is kept.
 *
 * @returns the tool's folder
 */
export async function keepTool(place: ToolPlace, fill: (staging: string) => Promise<void>): Promise<string> {
  const { folder, staging } = await prepare(place);
  try {
    await fill(staging);
    await putInPlace(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  await writeFile(markerOf(folder), "");
  return folder;
}

async function prepare(place: ToolPlace): Promise<{ folder: string; staging: string }> {
  const bases = basesOf(place);
  for (const [index, base] of bases.entries()) {
    const folder = folderIn(base, place);
    const staging = path.join(path.dirname(folder), `.${place.arch}-${randomUUID()}`);
    try {
      await mkdir(staging, { recursive: true });
      await removeAbandoned(path.dirname(folder), `.${place.arch}-`);
      return { folder, staging };
    } catch (error) {
      if (index === bases.length - 1) throw error;
    }
  }
  throw new Error("there is always a temp folder");
}

async function putInPlace(staging: string, folder: string): Promise<void> {
  try {
    await rename(staging, folder);
  } catch (error) {
    if (await exists(markerOf(folder))) return;
    if (!(await exists(folder))) throw error;
    // Somebody else's that is not marked: the remains of something, or about to be marked. Moved aside in one step, it
    // goes on serving whoever has it open.
    await rename(folder, `${staging}-old`);
    await rename(staging, folder);
    await rm(`${staging}-old`, { recursive: true, force: true });
  }
}

async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = path.join(parent, name);
    if (!name.startsWith(prefix)) continue;
    const age = Date.now() - ((await stat(folder).catch(() => undefined))?.mtimeMs ?? Infinity);
    if (age > ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}

function basesOf({ toolCache, temp }: ToolPlace): readonly string[] {
  const own = path.join(temp, "smithers", "tools");
  return toolCache === null ? [own] : [toolCache, own];
}

function folderIn(base: string, { tool, version, arch }: ToolPlace): string {
  return path.join(base, tool, version, arch);
}

function markerOf(folder: string): string {
  return `${folder}.complete`;
}
