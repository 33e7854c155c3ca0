import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { childEnvironment } from "../os/environment.ts";
import { exists } from "../os/file-errors.ts";
import { findInner, findOuter } from "../os/programs.ts";
import { seconds } from "../views/amounts.ts";
import type { InstallWish } from "./agent.ts";
import { runTool, type ToolResult } from "./run-tool.ts";

/** What npm has to install, and where. */
interface NpmInstallation extends Pick<InstallWish, "env" | "signal" | "mark" | "timeoutMs"> {
  /** as in `my-agent@1.2.3` */
  readonly spec: string;
  /** an empty folder of our own: neither the checkout's `.npmrc` nor its workspaces have a say there */
  readonly folder: string;
  /** npm's own cache, absolute; null: the user's, where an earlier job may have put something else */
  readonly cache: string | null;
}

/** What configures npm besides its files: registry, proxy and the token that setup-node's `.npmrc` refers to. */
const PASSED = ["npm_config_*", "NPM_CONFIG_*", "NODE_AUTH_TOKEN", "NPM_TOKEN"];
const TIMEOUT_MS = 300_000;
const LINES_SHOWN = 3;

/** Installs a package that needs no scripts into `<folder>/node_modules`. @throws OperationalError */
export async function npmInstall(installation: NpmInstallation): Promise<void> {
  const { spec, folder, cache, env, signal, mark, timeoutMs = TIMEOUT_MS } = installation;
  const npm = findOuter("npm", env["PATH"]);
  if (npm === undefined) {
    const inner = findInner("npm", env["PATH"]);
    const why = inner === undefined ? "on the PATH" : `but ${inner}, which the agent can write`;
    throw failed(spec, `there is no npm ${why}`, "Add actions/setup-node before this step");
  }
  // Without it npm looks for one in the folders above, and installs there.
  await writeFile(path.join(folder, "package.json"), '{ "private": true }\n');
  const result = await runTool({
    command: npm.file,
    args: [
      ...["install", "--prefix", folder, "--global=false", "--workspaces=false", "--ignore-scripts"],
      ...["--no-audit", "--no-fund", "--omit=dev", "--include=optional", "--no-package-lock", "--no-update-notifier"],
      ...(cache === null ? [] : ["--cache", cache]),
      ...["--progress=false", "--loglevel=error", "--", spec],
    ],
    cwd: folder,
    env: { ...childEnvironment(env, PASSED), PATH: npm.path },
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

function reason({ ended, exitCode, stderr, error }: ToolResult, timeoutMs: number): string {
  if (ended === "aborted") return "the run was cancelled";
  if (ended === "timed_out") return `it took longer than ${seconds(timeoutMs)}`;
  const lines = stderr
    .split("\n")
    .map((line) => line.replace(/^npm (?:error|ERR!) ?/u, "").trim())
    .filter((line) => line !== "" && !line.startsWith("npm warn") && !/complete log of this run/u.test(line));
  return lines.slice(0, LINES_SHOWN).join("; ") || `npm ended with ${exitCode ?? error?.message ?? "an error"}`;
}

function failed(spec: string, why: string, cure: string): OperationalError {
  return new OperationalError({
    code: "AGENT_INSTALL_FAILED",
    what: `npm could not install ${spec}: ${why}. The loop did not start and is unharmed.`,
    next: `${cure}, or install the agent in an earlier step and set install: never.`,
  });
}

/** A tool of one version. `temp` takes the place of a `toolCache` that is not there or cannot be written. */
export interface ToolPlace extends Pick<InstallWish, "toolCache" | "temp" | "version"> {
  readonly tool: string;
  readonly arch: string;
}

/** Where it may be, in the layout of GitHub's toolkit; what is in `temp` is gone after the job. */
function foldersOf({ toolCache, temp, tool, version, arch }: ToolPlace): readonly string[] {
  const own = path.join(temp, "smithers", "tools");
  const bases = toolCache === null ? [own] : [toolCache, own];
  return bases.map((base) => path.join(base, tool, version, arch));
}

/** A folder whose writer was killed is gone after this. */
const ABANDONED_MS = 3_600_000;

/** Whether a folder holds the tool that was published. Earlier jobs may have written there (T21). */
export type IsGenuine = (folder: string) => Promise<boolean>;

/**
 * The folder of a tool that was stored completely; undefined: there is none that is genuine.
 *
 * @param refused hears of a folder that is not, in which nothing was started
 */
export async function findTool(
  place: ToolPlace,
  isGenuine: IsGenuine,
  refused: (folder: string) => void,
): Promise<string | undefined> {
  for (const folder of foldersOf(place)) {
    if (!(await exists(markerOf(folder)))) continue;
    if (await isGenuine(folder)) return folder;
    refused(folder);
  }
  return undefined;
}

/**
 * Fills a folder of its own with `fill`, and moves it into place in one step, so that half a tool is never found. Jobs
 * of one machine may do so at the same time: one of the folders is kept. One that is not genuine is replaced.
 *
 * @returns the tool's folder
 */
export async function keepTool(
  place: ToolPlace,
  isGenuine: IsGenuine,
  fill: (staging: string) => Promise<void>,
): Promise<string> {
  const { folder, staging } = await prepare(place);
  try {
    await fill(staging);
    await putInPlace(staging, folder, isGenuine);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  await writeFile(markerOf(folder), "");
  return folder;
}

async function prepare(place: ToolPlace): Promise<{ folder: string; staging: string }> {
  let failed: unknown;
  for (const folder of foldersOf(place)) {
    const staging = path.join(path.dirname(folder), `.${place.arch}-${randomUUID()}`);
    try {
      await mkdir(staging, { recursive: true });
      await removeAbandoned(path.dirname(folder), `.${place.arch}-`);
      return { folder, staging };
    } catch (error) {
      failed = error;
    }
  }
  throw failed;
}

async function putInPlace(staging: string, folder: string, isGenuine: IsGenuine): Promise<void> {
  try {
    await rename(staging, folder);
  } catch (error) {
    if (!(await exists(folder))) throw error;
    if ((await exists(markerOf(folder))) && (await isGenuine(folder))) return;
    // Another job's folder that is not marked: left over, or about to be marked; or one that is not what it claims to
    // be. It is moved aside in one step and still serves processes that have it open.
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

function markerOf(folder: string): string {
  return `${folder}.complete`;
}
