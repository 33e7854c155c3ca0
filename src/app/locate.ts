import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { AUTOSTART, FALSY, type ForeignFile, LOOPR_FILE, SOLO_FILE, wantsSolo } from "../config/foreign.ts";
import { type ConfigFile, readConfigFile, type Reading, readSaid, type Flags, type Said } from "../config/read.ts";
import { locateConfigFile, resolveSettings, type SettingsInput } from "../config/resolve.ts";
import { messageOf, type Problem, UsageError } from "../core/errors.ts";
import { keepProgramsOutside } from "../os/programs.ts";
import { exists, hasCode } from "../os/file-errors.ts";
import { consentToFile, type ConsentMode } from "./consent.ts";
import { type CommittedFiles, note, type Shell } from "./shell.ts";

/** What every command has to know first: where the workspace is and which loop is meant. */
export interface Location {
  /** absolute */
  readonly root: string;
  /** everything that says something about settings, with the text of the configuration files that are in use */
  readonly input: SettingsInput;
  readonly loopId: string | null;
  /** seen from the workspace */
  readonly stateFile: string | null;
  /** name of the PRD that is meant; null: none, or the work is said to come from elsewhere */
  readonly prd: string | null;
  /** absent: the repository's files are read as they are */
  readonly committed?: CommittedFiles | undefined;
}

const LOCATING = ["cd", "loop-id", "state-file", "config-file"];

/** Reads a configuration file, absolute; `flag` names it otherwise. */
type Read = (file: string, flag: string) => Promise<{ readonly text: string | undefined }>;

interface Looking {
  readonly root: string;
  readonly given: Given;
  readonly said: ReadonlySet<string>;
  readonly read: Read;
}

type Given = (name: string) => string | null; // what is said so far for a setting, by its name; null: nothing

/** A file of another system that is in use; `named`: the person asks for it in this very run. */
type Found = { readonly file: ForeignFile; readonly named: boolean } | undefined;

/**
 * Finds the workspace and the loop that a command is about. Mistakes in other settings do not matter here, and a
 * command that only looks or ends something goes on without a file that is broken, so that a running loop can be
 * stopped whatever its settings look like now. From here on no program of ours is taken from the workspace, and none
 * was started before (T12).
 *
 * @param mode what becomes of settings of the repository's files that nobody has agreed to
 * @throws UsageError with every problem, when the workspace or a named config file does not exist, or when an id or
 * path is refused
 */
export async function locate(flags: Flags, shell: Shell, mode: ConsentMode = "locate"): Promise<Location> {
  const { cwd, env, inputs } = shell;
  const said: Said = { flags, env, ...(inputs === undefined ? {} : { inputs }) };
  const { cd, path: file, named } = locateConfigFile(flags, env, inputs);
  const root = path.resolve(cwd, cd ?? ".");
  const spoken = readSaid(said);
  const mistakes = spoken.flatMap((reading) => reading.problems);
  if (!(await isFolder(root))) {
    const what = `The workspace ${root} does not exist or is no folder.`;
    const next = "Name a folder with --cd, or leave it out to work in the current one.";
    throw new UsageError([{ code: "WORKSPACE_MISSING", what, next }, ...mistakes]);
  }
  keepProgramsOutside([root, await repositoryTop(root, env["HOME"])]);
  const committed = shell.committed?.(root);
  const read: Read = async (name, flag) => (await committed?.read(name)) ?? { text: await readOptional(name, flag) };
  const broken = brokenFiles(shell, mode);
  const { text } = await broken.spared(() => read(path.resolve(root, file), "--config-file"), { text: undefined });
  if (text === undefined && named && !broken.found)
    throw new UsageError([configMissing(file, root, committed), ...mistakes]);
  const spokenNames = new Set(spoken.flatMap((reading) => [...reading.given.keys()]));
  const agreed = <File extends ConfigFile>(found: File, isNamed: boolean): Promise<File> =>
    consentToFile(found, { root, named: isNamed, said: spokenNames }, shell, mode);
  const input: SettingsInput = text === undefined ? said : { ...said, file: await agreed({ path: file, text }, named) };
  const written = readConfigFile(input.file);
  const readings = [...spoken, written];
  // Always throws, with all mistakes at once.
  if (spoken.some(saysNoPlace) || (saysNoPlace(written) && !broken.areSpared)) resolveSettings(input);
  if (saysNoPlace(written)) broken.tell(written.problems);
  const given: Given = (name) => {
    const value = readings.map((reading) => reading.given.get(name)?.value).find((found) => found !== undefined);
    return typeof value === "string" ? value : null;
  };
  const foreign: ForeignFile[] = [];
  // One after the other: each may ask a person.
  const about = { root, given, said: spokenNames, read };
  for (const find of [() => locateSolo(about, env), () => locateLoopr(about)]) {
    const found = await broken.spared(find, undefined);
    if (found !== undefined) foreign.push(await agreed(found.file, found.named));
  }
  return {
    root,
    input: { ...input, foreign },
    loopId: given("loop-id"),
    stateFile: given("state-file"),
    prd: (given("backlog") ?? "prd") === "prd" ? given("prd") : null,
    committed,
  };
}

function saysNoPlace({ refused }: Reading): boolean {
  return LOCATING.some((name) => refused.has(name));
}

/** What becomes of configuration files that cannot be read. Nothing is spent where one is left out. */
function brokenFiles(shell: Shell, mode: ConsentMode) {
  const areSpared = shell.inputs === undefined && (mode === "locate" || mode === "silent");
  const tell = (problems: readonly Problem[]): void => {
    files.found = true;
    if (mode !== "locate") return;
    for (const { what, next } of problems) note(shell, `${what} This command goes on without it. ${next}`);
  };
  const files = {
    areSpared,
    found: false,
    tell,
    spared: async <Found>(find: () => Promise<Found>, without: Found): Promise<Found> => {
      try {
        return await find();
      } catch (error) {
        if (!areSpared || !(error instanceof UsageError)) throw error;
        tell(error.problems);
        return without;
      }
    },
  };
  return files;
}

function configMissing(file: string, root: string, committed: CommittedFiles | undefined): Problem {
  const code = "CONFIG_FILE_MISSING";
  const next = "Correct the path, which is seen from the workspace, or leave --config-file out.";
  if (committed === undefined) return { code, what: `There is no config file ${file} in ${root}.`, next };
  const what = `There is no config file ${file} in the commit that the job's settings are read of: the one that a pull request is for, else the one that was checked out.`;
  return {
    code,
    what,
    next: "Commit it there, or have a step write it outside of the checkout, and correct config-file.",
  };
}

/** SOLO's file is used when somebody names it, or chooses the preset, or when SOLO starts by itself (S-05, S-06, S-16). */
async function locateSolo({ root, given, said, read }: Looking, env: Shell["env"]): Promise<Found> {
  const named = given("solo-config");
  const file = named ?? SOLO_FILE;
  const { text } = await read(path.resolve(root, file), "--solo-config");
  if (text === undefined) {
    if (named === null) return undefined;
    throw new UsageError({
      code: "SOLO_CONFIG_MISSING",
      what: `There is no SOLO configuration ${file} in ${root}.`,
      next: "Correct the path, which is seen from the workspace, in --solo-config or CODEX_SOLO_CONFIG.",
    });
  }
  const autostart = !FALSY.has((env[AUTOSTART] ?? "").trim().toLowerCase());
  const used = named !== null || autostart || given("preset") === "solo" || wantsSolo(text);
  return used ? { file: { system: "solo", path: file, text }, named: autostart || said.has("solo-config") } : undefined;
}

/** Loopr's file is used if it is in a Loopr root (L-06, L-13, C4). */
async function locateLoopr({ root, given, said, read }: Looking): Promise<Found> {
  const named = given("loopr-root");
  const file = path.join(await looprRoot(root, named), LOOPR_FILE);
  const { text } = await read(file, "--loopr-root");
  if (text === undefined) return undefined;
  const shown = path.relative(root, file);
  return {
    file: { system: "loopr", path: shown.startsWith("..") ? file : shown, text },
    named: said.has("loopr-root"),
  };
}

/**
 * The Loopr root (L-05, C20): the folder that is named, else the nearest ancestor that holds `.loopr/`, else the
 * repository's top, else the workspace.
 *
 * @param workspace absolute
 * @param named relative to the workspace; null: not given
 * @throws UsageError when the named folder does not exist
 */
export async function looprRoot(workspace: string, named: string | null): Promise<string> {
  if (named !== null) {
    const root = path.resolve(workspace, named);
    if (await isFolder(root)) return root;
    throw new UsageError({
      code: "LOOPR_ROOT_MISSING",
      what: `The Loopr root ${root} does not exist or is no folder.`,
      next: "Correct --loopr-root, which is seen from the workspace, or leave it out.",
    });
  }
  // In a worktree `.git` is a file.
  return (await nearest(workspace, ".loopr", isFolder)) ?? (await nearest(workspace, ".git", exists)) ?? workspace;
}

/**
 * The top of the repository around the workspace, found without git, which is not known yet; a person's home that is a
 * repository holds their programs, and the workspace is the workspace alone.
 */
async function repositoryTop(root: string, home: string | undefined): Promise<string> {
  const workspace = await realpath(root);
  const top = (await nearest(workspace, ".git", exists)) ?? workspace;
  const around = home !== undefined && home !== "" && !path.relative(top, path.resolve(home)).startsWith("..");
  return around ? workspace : top;
}

/** The folder itself, or the nearest around it, that holds something of that name. */
async function nearest(folder: string, name: string, is: typeof exists): Promise<string | undefined> {
  if (await is(path.join(folder, name))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : nearest(parent, name, is);
}

const PASSED_BY_SHELL = /^\/(?:dev|proc)\//u; // what a shell passes by `<(…)` is not a regular file either, and is allowed

/** The longest configuration file that is read, in bytes. */
const LONGEST = 1 << 20;

/**
 * The text of a configuration file; undefined: it is not there. A pipe or a device in its place would be read for ever.
 */
export async function readOptional(file: string, flag: string): Promise<string | undefined> {
  try {
    if (!PASSED_BY_SHELL.test(file)) {
      const found = await stat(file);
      if (!found.isFile()) throw new Error("it is no regular file");
      if (found.size > LONGEST) throw new Error(`it has ${found.size} bytes, and at most ${LONGEST} are read`);
    }
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw new UsageError({
      code: "CONFIG_FILE_UNREADABLE",
      what: `The config file ${file} cannot be read: ${messageOf(error)}.`,
      next: `Make it a readable file, or name another with ${flag}.`,
    });
  }
}

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isDirectory() === true;
}
