import path from "node:path";
import { CODEX_VERSION } from "../../config/settings/agent.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import { childEnvironment } from "../../os/environment.ts";
import { findCodex } from "../codex/binary.ts";
import { seconds } from "../../views/amounts.ts";
import { npmInstall } from "./npm-install.ts";
import { runTool } from "./run-tool.ts";
import { findTool, keepTool, type ToolPlace } from "./tool-cache.ts";

/** Which Codex is wanted, and where it may come from. Times are in milliseconds. */
export interface Wish {
  /** exact, as in `0.169.0` */
  readonly version: string;
  readonly install: "auto" | "never";
  /** of this process: `PATH`, and what npm is configured by */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `RUNNER_TOOL_CACHE`; null where the runner has none */
  readonly toolCache: string | null;
  /** `RUNNER_TEMP` */
  readonly temp: string;
  /** tells people what takes time */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
  /** @see ToolCall */
  readonly mark: string;
  /** how long npm may take; 300 000 */
  readonly timeoutMs?: number;
}

/** The agent that was asked for, and where it is. */
export interface InstalledAgent {
  /** to put in front of `PATH`; null: what is on `PATH` is what was asked for */
  readonly folder: string | null;
  readonly from: "path" | "tool-cache" | "npm";
  /** how long it took to find or install it */
  readonly tookMs: number;
}

const PACKAGE = "@openai/codex";
const EXACT = /^\d+\.\d+\.\d+(?:-[\dA-Za-z.-]+)?$/u;
const ANSWER_MS = 30_000;

/**
 * Finds exactly the Codex that is asked for: on `PATH`, else in the runner's tool cache, else from npm, which leaves it
 * there for the next job of the same machine. No script of a package is run.
 *
 * @throws UsageError when it is not there and may not be installed, or the version is not exact
 * @throws OperationalError when it cannot be installed
 */
export async function installCodex(wish: Wish): Promise<InstalledAgent> {
  const begin = performance.now();
  const { version, env } = wish;
  if (!EXACT.test(version)) throw inexact(version);
  const done = (from: InstalledAgent["from"], folder: string | null): InstalledAgent => ({
    folder,
    from,
    tookMs: Math.round(performance.now() - begin),
  });
  const found = await versionIn(env["PATH"] ?? "", wish);
  if (found === version) return done("path", null);
  const place = { toolCache: wish.toolCache, temp: wish.temp, tool: "smithers-codex", version, arch: process.arch };
  const kept = await cached(place);
  if (kept !== undefined) return done("tool-cache", kept);
  if (wish.install === "never") throw notThere(version, found);
  return done("npm", await fromNpm(wish, place, found));
}

async function cached(place: ToolPlace): Promise<string | undefined> {
  const folder = await findTool(place);
  return folder !== undefined && findCodex(undefined, binOf(folder)) !== undefined ? binOf(folder) : undefined;
}

async function fromNpm(wish: Wish, place: ToolPlace, found: string | undefined): Promise<string> {
  const { version, tell } = wish;
  const other = found === undefined ? "" : ` (the PATH has ${found})`;
  tell(`Installing Codex ${version} with npm${other}.`);
  const begin = performance.now();
  const folder = await keepTool(place, async (staging) => {
    await npmInstall({ ...wish, folder: staging, spec: `${PACKAGE}@${version}` });
    const installed = await versionIn(binOf(staging), wish);
    if (installed !== version) throw unusable(version, installed);
  });
  tell(`Codex ${version} was installed in ${seconds(performance.now() - begin)}.`);
  return binOf(folder);
}

function binOf(folder: string): string {
  return path.join(folder, "node_modules", ".bin");
}

/** What the Codex on a search path says that it is; undefined: there is none, or none that answers. */
async function versionIn(searchPath: string, { env, temp, signal, mark }: Wish): Promise<string | undefined> {
  const program = findCodex(undefined, searchPath);
  if (program === undefined) return undefined;
  const call = {
    program,
    args: ["--version"],
    cwd: temp,
    env: childEnvironment(env, []),
    timeoutMs: ANSWER_MS,
    signal,
    mark,
  };
  const { exitCode, stdout } = await runTool(call);
  return exitCode === 0 ? /^codex(?:-cli)? (\S+)\s*$/mu.exec(stdout)?.[1] : undefined;
}

function inexact(version: string): UsageError {
  return new UsageError([
    {
      code: "PROVIDER_VERSION_INEXACT",
      what: `provider-version is ${JSON.stringify(version)}, which is no exact version: another day it would be another agent.`,
      next: `Write all three numbers, as in provider-version: ${CODEX_VERSION}.`,
    },
  ]);
}

function notThere(version: string, found: string | undefined): UsageError {
  const what = found === undefined ? "there is none on the PATH" : `the one on the PATH is ${found}`;
  return new UsageError([
    {
      code: "AGENT_NOT_INSTALLED",
      what: `Codex ${version} is wanted and install is never, but ${what}. Nothing was done.`,
      next:
        found === undefined
          ? `Install it in an earlier step (npm install --global ${PACKAGE}@${version}), or set install: auto.`
          : `Set provider-version: ${found}, or install: auto.`,
    },
  ]);
}

function unusable(version: string, installed: string | undefined): OperationalError {
  const says = installed === undefined ? "does not answer to --version" : `says that it is ${installed}`;
  return new OperationalError({
    code: "AGENT_INSTALL_FAILED",
    what: `npm installed ${PACKAGE}@${version}, but it ${says}. The loop did not start and is unharmed.`,
    next: "Check that the registry's package fits this machine (optional dependencies must not be left out), or install Codex in an earlier step.",
  });
}
