import { rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { done, failed, type Result } from "../../core/result.ts";
import { supervise } from "../supervise.ts";
import { hiddenOn } from "./hidden.ts";
import { bubblewrapArguments, type IsolationProfile, isWithin, type Overlay } from "./profile.ts";

/** A way to run commands that see little of the machine and leave nothing on it. */
export interface Isolation {
  /** bubblewrap and its arguments, by what exists now; `supervise` appends the command */
  readonly launcher: () => Promise<readonly string[]>;
  /** what a command finds less of than the profile would give it, for people; "" when it has everything */
  readonly lacks: string;
}

export interface IsolationOptions {
  /** absolute, outside of what the command can write; undefined: there is none */
  readonly bubblewrap: string | undefined;
  /** the whole environment of the commands */
  readonly env: Readonly<Record<string, string>>;
  /** marks the probe's processes */
  readonly mark: string;
  /** where commands start; absolute */
  readonly cwd: string;
  /** what commands may write besides: the repository around `cwd`, its git folders */
  readonly writable: readonly string[];
  /** what they may not change of it, as far as it exists */
  readonly readOnly: readonly string[];
  /** folders and files that they cannot see, besides what this machine's profile hides */
  readonly hidden: readonly string[];
  /** folders of tools that look writable, where they exist */
  readonly toolCaches: readonly string[];
  /** `PATH`, `PATH:rw` or `docker` (`check-access`) */
  readonly access: readonly string[];
  /** an existing folder on a disk, for what commands write to HOME, `/tmp` and tool caches; removed when the process ends */
  readonly scratch?: string | undefined;
}

/** What is removed when this process ends. */
const scratches = new Set<string>();

const PROBE_MS = 30_000;
const DOCKER = ["/run/docker.sock", "/var/run/docker.sock"];

/** Prepares the isolation that fits this machine, and tries it with the profile that commands will have. */
export async function prepareIsolation(options: IsolationOptions): Promise<Result<Isolation>> {
  const { bubblewrap } = options;
  if (process.platform !== "linux") return failed({ because: `there is no bubblewrap for ${process.platform}` });
  if (bubblewrap === undefined)
    return failed({ because: "bubblewrap was not found: neither the agent's nor the system's" });
  const scratch = await mkdtemp(path.join(options.scratch ?? (await diskFolder()), "smithers-isolation-"));
  if (scratches.size === 0) process.once("exit", () => scratches.forEach(removeNow));
  scratches.add(scratch);
  const launcher = async (overlaid: boolean) => [
    bubblewrap,
    ...bubblewrapArguments(await profileFor(options, scratch, overlaid)),
  ];
  const refused = await probe(await launcher(true), options);
  if (refused === undefined) return done({ launcher: () => launcher(true), lacks: "" });
  const why = await probe(await launcher(false), options);
  if (why !== undefined) return failed({ because: why });
  const lacks = `HOME is empty and tool caches are read-only in checks, because folders cannot be overlaid here (${refused})`;
  return done({ launcher: () => launcher(false), lacks });
}

/** The environment that goes with it: a folder for temporary files that was named is not there. */
export function isolatedEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const { TMPDIR: _named, XDG_RUNTIME_DIR: _runtime, ...rest } = env;
  return rest;
}

/** Why the profile does not work; undefined: it does. */
async function probe(isolation: readonly string[], { env, mark, cwd }: IsolationOptions): Promise<string | undefined> {
  const { signal } = new AbortController();
  const run = supervise({
    command: "/bin/sh",
    args: ["-c", ":"],
    cwd,
    env,
    mark,
    isolation,
    signal,
    timeoutMs: PROBE_MS,
  });
  let said = "";
  run.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(0, 2000)));
  run.stdout.resume();
  const { ended, exitCode, error } = await run.exit;
  if (ended === "exited" && exitCode === 0) return undefined;
  const line = said.split("\n").find((text) => text.startsWith("bwrap:")) ?? "";
  return line.replace(/^bwrap: /u, "").trim() || error?.message || `it ended with ${exitCode ?? ended}`;
}

async function profileFor(options: IsolationOptions, scratch: string, overlaid: boolean): Promise<IsolationProfile> {
  const { env, access } = options;
  const uid = process.getuid?.() ?? 0;
  const isRoot = uid === 0;
  const cwd = await realpath(options.cwd);
  const home = await realFolder(env["HOME"]);
  const opened = access.flatMap((text) => openedBy(text));
  const writable = await existing([cwd, ...options.writable, ...opened.filter(({ rw }) => rw).map((one) => one.path)]);
  const seen = await existing(opened.map((one) => one.path));
  const hidden = await hiddenOn({ home, uid, env: process.env }, options.hidden);
  const isOpen = (file: string): boolean => seen.some((one) => isWithin(one, file) || isWithin(file, one));
  const looksWritable = await existing([
    ...(home === null ? [] : [home]),
    ...(isRoot ? ["/usr/local", "/opt"] : []),
    ...options.toolCaches,
  ]);
  const covered = outermost(looksWritable).filter((folder) => !writable.some((one) => isWithin(folder, one)));
  return {
    isRoot,
    overridesPermissions: isRoot && (await stat(cwd)).uid !== 0,
    overlays: overlaid ? await Promise.all(covered.map((folder, nth) => overlayOf(folder, scratch, nth))) : [],
    replaced: [
      ...(overlaid || home === null || !covered.includes(home)
        ? []
        : [{ folder: home, by: await own(scratch, "home", 0o700) }]),
      { folder: "/tmp", by: await ownTemp(scratch) },
      { folder: "/var/tmp", by: await own(scratch, "var-tmp", 0o1777) },
    ],
    emptied: hidden.folders.filter((folder) => !isOpen(folder)),
    closed: hidden.files.filter((file) => !isOpen(file)),
    seen: seen.filter((one) => !writable.includes(one)),
    writable,
    readOnly: await existing(options.readOnly),
    cwd,
  };
}

/** What a word of `check-access` opens. */
function openedBy(text: string): readonly { readonly path: string; readonly rw: boolean }[] {
  if (text === "docker") return DOCKER.map((socket) => ({ path: socket, rw: true }));
  const rw = text.endsWith(":rw");
  const named = rw ? text.slice(0, -3) : text;
  return [{ path: named.startsWith("~/") ? path.join(process.env["HOME"] ?? "/", named.slice(2)) : named, rw }];
}

/** The folders of a list that lie in no other one of it. */
function outermost(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => !folders.some((other) => other !== folder && isWithin(folder, other)));
}

async function overlayOf(folder: string, scratch: string, nth: number): Promise<Overlay> {
  return { folder, upper: await own(scratch, `upper-${nth}`, 0o700), work: await own(scratch, `work-${nth}`, 0o700) };
}

/** X servers and their like refuse a folder for temporary files that is not open to all. */
async function ownTemp(scratch: string): Promise<string> {
  const folder = await own(scratch, "tmp", 0o1777);
  await own(folder, ".X11-unix", 0o1777);
  return folder;
}

async function own(parent: string, name: string, mode: number): Promise<string> {
  const folder = path.join(parent, name);
  await mkdir(folder, { recursive: true });
  await chmod(folder, mode);
  return folder;
}

/** The real paths of those that exist, each once. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((one) => realpath(one).catch(() => undefined)));
  return [...new Set(real.filter((one) => one !== undefined))];
}

async function realFolder(folder: string | undefined): Promise<string | null> {
  const real = folder === undefined || folder === "" ? undefined : await realpath(folder).catch(() => undefined);
  return real === undefined || real === "/" ? null : real;
}

/** The system's folder for temporary files may be memory; what checks write may be large. */
async function diskFolder(): Promise<string> {
  const folder = "/var/tmp";
  return (await stat(folder).catch(() => undefined))?.isDirectory() === true ? folder : tmpdir();
}

/** overlayfs leaves a folder that its owner may not read; what a check wrote may forbid more. What resists stays. */
function removeNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is in a folder for temporary files.
  }
}
