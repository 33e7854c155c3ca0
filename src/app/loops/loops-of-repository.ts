import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import type { Flags } from "../../config/read.ts";
import { locateConfigFile } from "../../config/resolve.ts";
import { HOME_FOLDER } from "../../core/names.ts";
import { findRepository, type Repository } from "../../git/repository.ts";
import { eachLoop, type ListedLoop, type LoopsWanted, stateFilesIn } from "../../store/loop-files.ts";
import { LOOPS_FOLDER } from "../../store/place.ts";
import type { ConsentMode } from "../consent.ts";
import { locate, type Location } from "../locate.ts";
import type { Shell } from "../shell.ts";
import { type FoundLoop, readableOf } from "./stored-loop.ts";

/** The loops of one workspace. */
export interface LoopsOfWorkspace {
  /** absolute */
  readonly root: string;
  readonly loops: readonly FoundLoop[];
  /** what cannot be read */
  readonly broken: readonly BrokenLoop[];
}

type BrokenLoop = Extract<ListedLoop, { problem: unknown }>;

/**
 * As `locate`, for a command about a loop that is there. Without --cd and --state-file its workspace is found: the one
 * that has the loop that is named, else the nearest one around the current folder that has loops, else the only one.
 */
export async function locateLoop(flags: Flags, shell: Shell, mode: ConsentMode = "locate"): Promise<Location> {
  const { cwd, env, inputs } = shell;
  if (inputs !== undefined || flags["state-file"] !== undefined || locateConfigFile(flags, env, inputs).cd !== null)
    return locate(flags, shell, mode);
  const here = await realpath(cwd).catch(() => cwd);
  const root = await workspaceOf(flags["loop-id"]?.at(-1), here);
  return locate(flags, root === undefined || root === here ? shell : { ...shell, cwd: root }, mode);
}

/** @param prefix what the id of the loop that is meant begins with; undefined: any is */
async function workspaceOf(prefix: string | undefined, here: string): Promise<string | undefined> {
  const roots = await workspacesAround(here);
  // One is enough: of thousands, the others are not read.
  const has = async (root: string): Promise<boolean> => (await eachLoopOf(root, { prefix }).next()).done !== true;
  const found = await Promise.all(roots.map(async (root) => has(root).catch(() => false)));
  const having = roots.filter((_, at) => found[at]);
  const around = having.filter((root) => here === root || here.startsWith(root + path.sep));
  const nearest = around.toSorted((a, b) => b.length - a.length)[0];
  return nearest ?? (having.length === 1 ? having[0] : undefined);
}

/** More than anybody has: the files that name them are open to the agent. */
const MOST = 200;

/** All loops of the repository around a folder, by the workspaces that they are in. @param folder absolute, links resolved */
export async function loopsOfRepository(folder: string): Promise<readonly LoopsOfWorkspace[]> {
  const roots = await workspacesAround(folder);
  const found = await Promise.all(roots.map(loopsOfWorkspace));
  return found.filter(({ loops, broken }) => loops.length + broken.length > 0);
}

/** How many files it has that loops may be in: none is read. @param folder absolute, links resolved */
export async function loopFilesOfRepository(folder: string): Promise<number> {
  const roots = await workspacesAround(folder);
  const files = await Promise.all(roots.map(async (root) => stateFilesIn(path.join(root, LOOPS_FOLDER))));
  return files.flat().length;
}

/** @param root absolute */
export async function loopsOfWorkspace(root: string): Promise<LoopsOfWorkspace> {
  const loops: FoundLoop[] = [];
  const broken: BrokenLoop[] = [];
  for await (const loop of eachLoopOf(root)) {
    if ("problem" in loop) broken.push(loop);
    else loops.push(loop);
  }
  return { root, loops, broken };
}

/** The loops of one workspace one by one: there may be thousands. @param root absolute */
export async function* eachLoopOf(root: string, wanted?: LoopsWanted): AsyncGenerator<FoundLoop | BrokenLoop> {
  for await (const listed of eachLoop(path.join(root, LOOPS_FOLDER), wanted)) {
    if ("problem" in listed) yield listed;
    else yield* await readableOf(root, [listed]);
  }
}

/**
 * Where the repository around a folder may have loops: its top, folders below it that were workspaces, the same in its
 * other work trees, and the folder itself; outside of repositories it alone. Absolute.
 *
 * @param folder absolute, links resolved
 */
export async function workspacesAround(folder: string): Promise<readonly string[]> {
  const repository = await findRepository(folder).catch(() => undefined);
  const roots = repository === undefined ? [] : await workspacesOf(repository);
  return [...new Set([folder, ...roots])];
}

/** Where loops have been: git was told once to leave their files out, for each workspace. */
async function workspacesOf({ top, commonDir }: Repository): Promise<readonly string[]> {
  const excluded = await readFile(path.join(commonDir, "info/exclude"), "utf8").catch(() => "");
  const home = `/${HOME_FOLDER.split(path.sep).join("/")}`;
  const below = excluded
    .split("\n")
    .filter((line) => line.startsWith("/") && line.endsWith(home) && !line.split("/").includes(".."))
    .map((line) => line.slice(1, -home.length));
  const tops = [top, ...(await otherWorkTrees(commonDir))];
  return tops.flatMap((each) => ["", ...below.slice(0, MOST)].map((folder) => path.join(each, folder)));
}

/** The tops of the repository's work trees, as git has written them down. */
async function otherWorkTrees(commonDir: string): Promise<readonly string[]> {
  const folder = path.join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => []);
  const pointers = await Promise.all(
    names.slice(0, MOST).map(async (name) => readFile(path.join(folder, name, "gitdir"), "utf8").catch(() => "")),
  );
  const main = path.basename(commonDir) === ".git" ? [path.dirname(commonDir)] : [];
  return [
    ...main,
    ...pointers
      .map((text) => text.trim())
      .filter((file) => path.isAbsolute(file))
      .map((file) => path.dirname(file)),
  ];
}
