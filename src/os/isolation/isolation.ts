import { realpathSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../../core/errors.ts";
import { done, failed, type Result } from "../../core/result.ts";
import { type Launcher, supervise, type SuperviseOptions } from "../supervise.ts";
import { hiddenOn } from "./hidden.ts";
import { findMounter, forgetSettings, identityAgain, LayerPool, type Layers, layersOf, mounting } from "./overlays.ts";
import { bubblewrapArguments, isTooWide, isWithin } from "./profile.ts";
import { type Refusal, refusalIn } from "./refusal.ts";
import { diskFolder, makeTempFolder } from "../temp-folder.ts";
import { own } from "./scratch.ts";

/** A way to run commands that see little of the machine and leave nothing on it. */
export interface Isolation {
  /**
   * What starts one command inside, by what exists now: for `supervise`, and for one call of it. What the commands of one
   * isolation write to HOME, tool caches and `/tmp` is there for those after them; side by side they share `/tmp` only.
   */
  readonly launcher: () => Promise<Launcher>;
  /** what isolation refused to a command that failed, by its output; undefined: it is not to blame */
  readonly refusal: (output: string) => Promise<Refusal | undefined>;
  /** what a command finds less of than the profile would give it, for people; "" when it has everything */
  readonly lacks: string;
  /** whether HOME and tool caches look writable, and hold what they hold on this machine */
  readonly overlays: boolean;
  /** whether HOME lies in what commands can change */
  readonly changesHome: boolean;
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
  /** `PATH`, `PATH:rw` or `docker` (`check-access`, `agent-access`) */
  readonly access: readonly string[];
  /** whether each command finds the settings of HOME as the machine has them, whatever those before it wrote */
  readonly freshSettings?: boolean | undefined;
  /** an existing folder on a disk, for what commands write to HOME, `/tmp` and tool caches; removed when the process ends */
  readonly scratch?: string | undefined;
  /** where `unshare` and `mount` are looked for, outside of what the command can write; this process's `PATH` */
  readonly searchPath?: string | undefined;
}

const PROBE_MS = 30_000;
const DOCKER = ["/run/docker.sock", "/var/run/docker.sock"];

/**
 * Prepares the isolation that fits this machine, and tries it with the profile that commands will have.
 *
 * @throws UsageError `ACCESS_TOO_WIDE` when nothing would be left of it
 */
export async function prepareIsolation(options: IsolationOptions): Promise<Result<Isolation>> {
  const { bubblewrap } = options;
  if (process.platform !== "linux") return failed({ because: `there is no bubblewrap for ${process.platform}` });
  if (bubblewrap === undefined)
    return failed({ because: "bubblewrap was not found: neither the agent's nor the system's" });
  const names = await namesIn(options);
  if (names.writable.includes("/")) return failed({ because: "the workspace is the whole file system" });
  const scratch = await makeTempFolder(options.scratch ?? (await diskFolder()));
  const stage = { options, names, bubblewrap, scratch, pool: new LayerPool(scratch) };
  const refused: string[] = [];
  for (const way of WAYS) {
    const why = await probe(() => launcherFor(stage, way), options);
    if (why === undefined) {
      const refusal = async (output: string) => {
        const layers = await stage.pool.take();
        const profile = await profileFor(stage, way === "not at all" ? undefined : layers);
        return refusalIn(output, profile).finally(layers.free);
      };
      const overlays = way !== "not at all";
      const home = await realFolder(options.env["HOME"]);
      const changesHome = home !== null && names.own.includes(home);
      const launcher = () => launcherFor(stage, way);
      return done({ launcher, refusal, lacks: lacksOf(way, refused), overlays, changesHome });
    }
    refused.push(why);
  }
  return failed({ because: refused.at(-1) ?? "" });
}

function tooWide(name: string): UsageError {
  return new UsageError({
    code: "ACCESS_TOO_WIDE",
    what: `check-access or agent-access opens ${name}: that is your home or more, the whole machine, its devices or its processes, and nothing would be isolated. Nothing was started.`,
    next: "Name the folder or the file that is needed.",
  });
}

/** How folders look writable, the best first. */
const WAYS = ["mounted", "by bubblewrap", "not at all"] as const;
type Way = (typeof WAYS)[number];

function lacksOf(way: Way, refused: readonly string[]): string {
  if (way === "mounted") return "";
  if (way === "by bubblewrap")
    return `a check can end late while the disk is busy, because only bubblewrap can overlay folders here (${refused[0]})`;
  return `HOME is empty and tool caches are read-only in checks, because folders cannot be overlaid here (${refused.join("; ")})`;
}

interface Stage {
  readonly options: IsolationOptions;
  readonly names: Names;
  readonly bubblewrap: string;
  readonly scratch: string;
  readonly pool: LayerPool;
}

async function launcherFor(stage: Stage, way: Way): Promise<Launcher> {
  const { options, bubblewrap, pool } = stage;
  const mounter = way === "mounted" ? findMounter(options.searchPath ?? process.env["PATH"]) : undefined;
  if (way === "mounted" && mounter === undefined) throw new Error("unshare and mount of util-linux were not found");
  const layers = await pool.take();
  try {
    const profile = await profileFor(stage, way === "not at all" ? undefined : layers);
    const { isRoot, overlays } = profile;
    if (mounter === undefined) return { argv: [bubblewrap, ...bubblewrapArguments(profile)], over: layers.free };
    const seen = overlays.map(({ folder, at }) => ({ folder, by: at }));
    const bound = bubblewrapArguments({ ...profile, overlays: [], replaced: [...profile.replaced, ...seen] });
    return {
      argv: [...mounting(mounter, overlays, isRoot), bubblewrap, ...identityAgain(isRoot), ...bound],
      over: layers.free,
    };
  } catch (error) {
    layers.free();
    throw error;
  }
}

/** The environment that goes with it: a folder for temporary files that was named is not there. */
export function isolatedEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const { TMPDIR: _named, XDG_RUNTIME_DIR: _runtime, ...rest } = env;
  return rest;
}

type Variables = Readonly<Record<string, string>>;

/**
 * How `supervise` starts a command with this environment: in isolation, or as it is where there is none.
 *
 * @param inside variables of the command alone, which the programs that isolate it do not get; no secrets, because who
 *   lists processes sees them
 */
export async function surroundingsIn(
  isolation: Isolation | undefined,
  env: Variables,
  inside: Variables = {},
): Promise<Pick<SuperviseOptions, "env" | "isolation">> {
  if (isolation === undefined) return { env: { ...env, ...inside } };
  const { argv, over } = await isolation.launcher();
  const set = Object.entries(inside).flatMap(([name, value]) => ["--setenv", name, value]);
  return { env: isolatedEnvironment(env), isolation: { argv: [...argv, ...set], over } };
}

/** Why the profile does not work; undefined: it does. */
async function probe(launcher: () => Promise<Launcher>, { env, mark, cwd }: IsolationOptions) {
  const { signal } = new AbortController();
  let isolation: Launcher;
  try {
    isolation = await launcher();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const run = supervise({
    ...{ command: "/bin/sh", args: ["-c", ":"], cwd, env, mark, isolation, signal, timeoutMs: PROBE_MS },
  });
  let said = "";
  run.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(0, 2000)));
  run.stdout.resume();
  const { ended, exitCode, error } = await run.exit;
  if (ended === "exited" && exitCode === 0) return undefined;
  return whyNotStarted(said) ?? error?.message ?? `it ended with ${exitCode ?? ended}`;
}

/** What bubblewrap, or what comes before it, said on stderr when it started no command. */
export function whyNotStarted(stderr: string): string | undefined {
  const said = stderr
    .split("\n")
    .findLast((line) => /^(?:bwrap|unshare|mount|sh|[\w/.-]*\/(?:unshare|mount|sh)): /u.test(line));
  return said?.replace(/^bwrap: /u, "").trim();
}

/** What is opened and kept, by real paths from before a command could change one. */
interface Names {
  readonly cwd: string;
  /** the workspace and the repository around it */
  readonly own: readonly string[];
  readonly writable: readonly string[];
  readonly seen: readonly string[];
  readonly readOnly: readonly string[];
}

/**
 * Links are followed as far as no command can make them: up to a writable folder, and not in it. What is kept from changes
 * lies in one; elsewhere nothing can be changed.
 */
async function namesIn({ cwd, writable, readOnly, access, env }: IsolationOptions): Promise<Names> {
  const opened = access.flatMap((text) => openedBy(text));
  const home = await realFolder(env["HOME"]);
  for (const one of opened) if (isTooWide(await realName(path.resolve(one.path)), home)) throw tooWide(one.path);
  const all = [cwd, ...writable, ...opened.filter(({ rw }) => rw).map((one) => one.path)].map((one) =>
    path.resolve(one),
  );
  const roots = await Promise.all(all.map(async (named) => ({ named, real: await realName(named) })));
  const around = [...roots, ...roots.map(({ real }) => ({ named: real, real }))];
  const outerFirst = around.toSorted((a, b) => a.named.length - b.named.length);
  const nameOf = async (given: string): Promise<string> => {
    const name = path.resolve(given);
    const root = outerFirst.find(({ named }) => isWithin(name, named));
    return root === undefined ? realName(name) : path.join(root.real, path.relative(root.named, name));
  };
  const namesOf = async (paths: readonly string[]) => [...new Set(await Promise.all(paths.map(nameOf)))];
  const folders = await namesOf(all);
  return {
    cwd: await nameOf(cwd),
    own: await namesOf([cwd, ...writable]),
    writable: folders,
    seen: await namesOf(opened.map((one) => one.path)),
    readOnly: (await namesOf(readOnly)).filter((one) => folders.some((folder) => isWithin(one, folder))),
  };
}

/** The real path, also of what does not exist yet. */
export async function realName(name: string): Promise<string> {
  const real = await realpath(name).catch(() => undefined);
  if (real !== undefined || name === path.dirname(name)) return real ?? name;
  return path.join(await realName(path.dirname(name)), path.basename(name));
}

/** Those that exist, and to which no link leads by now. */
function still(names: readonly string[]): readonly string[] {
  return names.filter((name) => realNow(name) === name);
}

/** At once: before each command there are dozens, and a call that waits costs many times as much. */
function realNow(name: string): string | undefined {
  try {
    return realpathSync.native(name);
  } catch {
    return undefined;
  }
}

async function profileFor({ options, names, scratch }: Stage, layers: Layers | undefined) {
  const { env } = options;
  const { cwd } = names;
  const uid = process.getuid?.() ?? 0;
  const isRoot = uid === 0;
  const home = await realFolder(env["HOME"]);
  const temp = await ownTemp(scratch);
  // A sandbox inside of this one protects what it finds in /tmp, and looks for it where /tmp comes from.
  const writable = [...existing([temp]), ...still(names.writable)];
  const seen = still(names.seen);
  const isTemporary = ["/tmp", "/var/tmp"].some((folder) => isWithin(scratch, folder));
  const hidden = hiddenOn({ home, uid, env: process.env, own: names.own }, [
    ...options.hidden,
    ...(isTemporary ? [] : [scratch]),
  ]);
  // What lies in a hidden folder is opened alone, and what is hidden in an opened one stays so.
  const isOpen = (file: string): boolean => seen.includes(file);
  const looksWritable = existing([
    ...(home === null ? [] : [home]),
    ...(isRoot ? ["/usr/local", "/opt"] : []),
    ...options.toolCaches,
  ]);
  const covered = outermost(looksWritable).filter((folder) => !writable.some((one) => isWithin(folder, one)));
  const overlays = layers ? await Promise.all(covered.map((folder, nth) => layersOf(folder, layers, nth))) : [];
  const emptyHome =
    layers || home === null || !covered.includes(home) ? [] : [{ folder: home, by: await own(scratch, "home", 0o700) }];
  if (options.freshSettings === true && home !== null) {
    for (const { folder, upper } of overlays)
      if (isWithin(home, folder)) forgetSettings(upper, path.relative(folder, home));
    for (const { by } of emptyHome) forgetSettings(by, "");
  }
  return {
    isRoot,
    home,
    ownSharedMemory: existing(["/dev/shm"]).includes("/dev/shm"),
    overridesPermissions: isRoot && (await stat(cwd)).uid !== 0,
    overlays,
    replaced: [
      { folder: "/tmp", by: temp },
      { folder: "/var/tmp", by: await own(scratch, "var-tmp", 0o1777) },
      ...emptyHome,
    ],
    emptied: hidden.folders.filter((folder) => !isOpen(folder)),
    closed: hidden.files.filter((file) => !isOpen(file)),
    seen: seen.filter((one) => !writable.includes(one)),
    writable,
    readOnly: still(names.readOnly),
    cwd,
  };
}

/** What such words open for changes, absolute. */
export function changeable(access: readonly string[]): readonly string[] {
  const opened = access.filter((word) => word !== "docker").flatMap(openedBy);
  return opened.filter(({ rw }) => rw).map((one) => path.resolve(one.path));
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

/** X servers and their like refuse a folder for temporary files that is not open to all. */
async function ownTemp(scratch: string): Promise<string> {
  const folder = await own(scratch, "tmp", 0o1777);
  await own(folder, ".X11-unix", 0o1777);
  return folder;
}

/** The real paths of those that exist, each once. */
function existing(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(realNow).filter((one) => one !== undefined))];
}

async function realFolder(folder: string | undefined): Promise<string | null> {
  const real = folder === undefined || folder === "" ? undefined : await realpath(folder).catch(() => undefined);
  return real === undefined || real === "/" ? null : real;
}
