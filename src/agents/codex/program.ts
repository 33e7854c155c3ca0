import { randomUUID } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { CODEX_VERSION } from "../../config/settings/agent.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import { childEnvironment, isProgram } from "../../os/environment.ts";
import { isInside } from "../../os/own-file.ts";
import { type Isolation, surroundingsIn } from "../../os/isolation/isolation.ts";
import { findInner, findOuter, isOutside, outerPath } from "../../os/programs.ts";
import { seconds } from "../../views/amounts.ts";
import type { InstalledAgent, InstallWish } from "../agent.ts";
import { findTool, type IsGenuine, keepTool, npmInstall, type ToolPlace } from "../npm-tool.ts";
import { askProgram, type ToolResult } from "../run-tool.ts";
import type { CodexOptions } from "./command-line.ts";
import { isPublished, PINS, type Pins, pinsFor } from "./published.ts";

const TRIPLES: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/**
 * The program to start: `given` (a path, or a name on `searchPath`), else `codex` on `searchPath`; never one that the
 * agent can write (T12), unless `given` is its path.
 *
 * What npm installs under that name is a launcher. A SIGKILL would end the launcher and leave Codex running, so we find
 * and use its native program instead.
 *
 * @param searchPath as in `PATH`
 * @returns an absolute path; undefined when the program does not exist
 */
export function findCodex(given: string | undefined, searchPath: string): string | undefined {
  const name = given ?? "codex";
  const found = name.includes(path.sep) ? fileAt(path.resolve(name)) : findOuter(name, searchPath)?.file;
  const program = found === undefined ? undefined : nativeProgram(found);
  return program !== undefined && (isOutside(program) || !isOutside(found ?? "")) ? program : undefined;
}

/** Where the only Codex of a `PATH` is, when the agent can write it; undefined: there is none at all. */
export function refusedCodex(searchPath: string): string | undefined {
  return findCodex(undefined, searchPath) === undefined ? findInner("codex", searchPath) : undefined;
}

function fileAt(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}

function nativeProgram(found: string): string | undefined {
  const launcher = realpathSync(found);
  if (!launcher.endsWith(path.join("@openai", "codex", "bin", "codex.js"))) return found;
  const platform = `${process.platform}-${process.arch}`;
  const triple = TRIPLES[platform];
  if (triple === undefined) return found;
  const inside = path.join("vendor", triple, "bin", "codex");
  return [platformPackage(launcher, platform), path.join(launcher, "../..")]
    .filter((root) => root !== undefined)
    .map((root) => path.join(root, inside))
    .find((file) => existsSync(file));
}

function platformPackage(launcher: string, platform: string): string | undefined {
  try {
    return path.dirname(createRequire(launcher).resolve(`@openai/codex-${platform}/package.json`));
  } catch {
    return undefined;
  }
}

/** The bubblewrap that lies beside Codex's native program on Linux; undefined: there is none. */
export function bundledBubblewrap(searchPath: string): string | undefined {
  const codex = findCodex(undefined, searchPath);
  const file = codex && path.join(realpathSync(codex), "../../codex-resources/bwrap");
  return file !== undefined && isProgram(file) ? file : undefined;
}

const ANSWER_MS = 30_000;

/** Runs a call of Codex that spends nothing, in isolation where there is one. */
export async function ask(
  { workspaceRoot: cwd, env, mark }: Pick<CodexOptions, "workspaceRoot" | "env" | "mark">,
  command: string,
  args: readonly string[],
  signal: AbortSignal,
  isolation?: Isolation,
): Promise<ToolResult> {
  const surroundings = await surroundingsIn(isolation, env);
  return askProgram({ command, args, cwd, mark, signal, timeoutMs: ANSWER_MS, ...surroundings });
}

const PACKAGE = "@openai/codex";
const EXACT = /^\d+\.\d+\.\d+(?:-[\dA-Za-z.-]+)?$/u;

/**
 * Finds exactly the Codex that is asked for: on `PATH`, else in the runner's tool cache, else from npm, which leaves it
 * there for the next job of the same machine. What is on `PATH` is the machine's own. What lies in the tool cache was
 * put there by earlier jobs: it is taken when it is what was published, of a version that we know by its digests. Any
 * other version is installed again, from the registry itself (T21).
 *
 * @see InstallWish
 */
export async function installCodex(
  wish: InstallWish,
  known: Pins = PINS,
  host: HostKind = { platform: process.platform, arch: process.arch },
): Promise<InstalledAgent> {
  const { version, env, tell } = wish;
  if (!EXACT.test(version)) throw inexact(version);
  if (findOuter("bash", env["PATH"]) === undefined) tell(NO_BASH);
  const found = await versionIn(env["PATH"] ?? "", wish);
  if (found === version) return { from: "path", folder: null };
  const pins = pinsFor(version, known);
  const isGenuine = async (folder: string): Promise<boolean> => pins !== undefined && isPublished(folder, pins);
  const toolCache = pins === undefined ? null : wish.toolCache;
  const place = { toolCache, temp: wish.temp, tool: "smithers-codex", version, arch: process.arch };
  const kept = pins && (await findTool(place, isGenuine, (folder) => tell(notGenuine(version, folder))));
  if (kept !== undefined && findCodex(undefined, binOf(kept)) !== undefined)
    return { from: "tool-cache", folder: binOf(kept) };
  if (wish.install === "never") throw notThere(version, found);
  const impossible = whyNoCodex(host);
  if (impossible !== null) throw unavailable(version, host, impossible);
  return { from: "npm", folder: await fromNpm(wish, place, found, pins && isGenuine) };
}

/** @param isGenuine undefined: nothing says what was published but the registry */
async function fromNpm(
  wish: InstallWish,
  place: ToolPlace,
  found: string | undefined,
  isGenuine: IsGenuine | undefined,
): Promise<string> {
  const { version, tell } = wish;
  const other = found === undefined ? "" : ` (the PATH has ${found})`;
  tell(`Installing Codex ${version} with npm${other}.`);
  const begin = performance.now();
  const folder = await withCache(isGenuine ? null : wish.temp, (cache) =>
    keepTool(place, isGenuine ?? NEVER, async (staging) => {
      await npmInstall({ ...wish, folder: staging, spec: `${PACKAGE}@${version}`, cache });
      if (!isOutside(staging)) throw notOutside(staging);
      const program = findCodex(undefined, binOf(staging)) ?? "";
      if (!isInside(realpathSync(staging), program)) throw unusable(version, undefined);
      if (isGenuine && !(await isGenuine(staging))) throw notPublished(version);
      const installed = await versionIn(binOf(staging), wish);
      if (installed !== version) throw unusable(version, installed);
    }),
  );
  tell(`Codex ${version} was installed in ${seconds(performance.now() - begin)}.`);
  return binOf(folder);
}

/** Lends `work` an empty cache for npm. @param temp null: none, the user's own is good enough */
async function withCache<T>(temp: string | null, work: (cache: string | null) => Promise<T>): Promise<T> {
  if (temp === null) return work(null);
  const cache = path.join(temp, "smithers", `npm-${randomUUID()}`);
  try {
    return await work(cache);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

const NEVER: IsGenuine = async () => false;

function binOf(folder: string): string {
  return path.join(folder, "node_modules", ".bin");
}

/** The version that the Codex on a search path reports; undefined: not found, or no answer. */
async function versionIn(searchPath: string, { env, temp, signal, mark }: InstallWish): Promise<string | undefined> {
  const program = findCodex(undefined, searchPath);
  if (program === undefined) return undefined;
  const context = { workspaceRoot: temp, env: { ...childEnvironment(env, []), PATH: outerPath(env["PATH"]) }, mark };
  const { exitCode, stdout } = await ask(context, program, ["--version"], signal);
  return exitCode === 0 ? /^codex(?:-cli)? (\S+)\s*$/mu.exec(stdout)?.[1] : undefined;
}

/** As in `process.platform` and `process.arch`. */
export interface HostKind {
  readonly platform: string;
  readonly arch: string;
}

/** By the names of npm's packages beside `@openai/codex`. The Linux ones are static: musl, as in Alpine, is as good as glibc. */
const SHIPPED: ReadonlySet<string> = new Set([...Object.keys(TRIPLES), "win32-x64", "win32-arm64"]);
const SYSTEMS: Readonly<Record<string, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };
const BITS_32: ReadonlySet<string> = new Set(["arm", "ia32"]);

/** Why npm has no Codex for a machine, and what to do; null: it has one. Asked before npm, which would install an empty shell. */
export function whyNoCodex({ platform, arch }: HostKind): { readonly why: string; readonly next: string } | null {
  if (SHIPPED.has(`${platform}-${arch}`)) return null;
  const system = SYSTEMS[platform];
  if (system === undefined) return { why: `it is not made for ${platform}`, next: "Run the loop on Linux or macOS." };
  const other = BITS_32.has(arch)
    ? ", and this Node.js has 32 bits; a machine of 64 bits may need one of 64 bits alone"
    : "";
  return {
    why: `on ${system} it is made for x64 and arm64, not for ${arch}${other}`,
    next: `Use a runner of ${system} x64 or arm64 (runs-on: ubuntu-24.04-arm).`,
  };
}

const NO_BASH =
  "There is no bash on the PATH: checks that are shell texts (success-sh, quality-commands) cannot run. In an image of Alpine: apk add --no-cache bash git tar.";

function unavailable(
  version: string,
  { platform, arch }: HostKind,
  { why, next }: { why: string; next: string },
): UsageError {
  return new UsageError([
    {
      code: "AGENT_UNAVAILABLE",
      what: `Codex ${version} cannot be installed on ${platform}-${arch}: ${why}. Nothing was downloaded, and the loop did not start.`,
      next: `${next} Or let another program take the turns: provider: command.`,
    },
  ]);
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

function notGenuine(version: string, folder: string): string {
  return `What the tool cache has as Codex ${version} (${folder}) is not what was published: nothing of it was started.`;
}

function notPublished(version: string): OperationalError {
  return new OperationalError({
    code: "AGENT_NOT_GENUINE",
    what: `What npm installed as ${PACKAGE}@${version} is not what was published: nothing of it was started. The loop did not start and is unharmed.`,
    next: "Empty npm's cache on this machine (npm cache clean --force), and look at what the registry serves that npm is configured for.",
  });
}

function notOutside(folder: string): OperationalError {
  return new OperationalError({
    code: "AGENT_INSTALL_FAILED",
    what: `Codex would be installed in ${folder}, which the agent can write. The loop did not start and is unharmed.`,
    next: "Give the runner a tool cache (RUNNER_TOOL_CACHE) outside of the workspace and of the system's temp folder.",
  });
}

function unusable(version: string, installed: string | undefined): OperationalError {
  const says = installed === undefined ? "does not answer to --version" : `says that it is ${installed}`;
  return new OperationalError({
    code: "AGENT_INSTALL_FAILED",
    what: `npm installed ${PACKAGE}@${version}, but it ${says}. The loop did not start and is unharmed.`,
    next: "Check that the registry's package fits this machine (optional dependencies must not be left out), or install Codex in an earlier step.",
  });
}
