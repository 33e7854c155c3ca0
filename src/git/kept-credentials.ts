import { chmod, lstat, open, readdir, readFile, realpath, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { openToAppend, readOwnFile } from "../os/own-file.ts";
import { decoded } from "./diff.ts";
import { hardenedGitEnvironment, parseSettings, quotedForGit, startGit } from "./git.ts";
import { findRepository } from "./repository.ts";

/** What repositories keep to log in with (T13), with all that it takes to put it back. */
const keptCredentials = z.object({
  /** keys of configuration files: all their values, and those that stay while the others are out */
  keys: z.array(
    z.object({ file: z.string(), key: z.string(), values: z.array(z.string()), left: z.array(z.string()) }),
  ),
  /** whole files: keys, and the stores of credential helpers; contents in base64 */
  files: z.array(z.object({ file: z.string(), mode: z.number(), content: z.string() })),
  /** files that hold some and are somebody else's: they stay */
  others: z.array(z.string()),
});
type KeptCredentials = z.infer<typeof keptCredentials>;

/** What is written down of it while it is out, and by which mark to find all processes that were started meanwhile. */
export const takenOut = z.object({ mark: z.string(), kept: keptCredentials });
type KeptKey = KeptCredentials["keys"][number];

/** How many folders are looked at for others' git directories, and how deep; names of submodules may be paths. */
const FOLDERS = 2_000;
const DEPTH = { checkouts: 3, submodules: 8 };
const FILE_LIMIT = 1 << 20;

/**
 * Finds what the repositories in a workspace keep to log in with: headers, credential helpers, user data in URLs, keys
 * for SSH; in their own configuration and what it includes, on whatever condition; those of submodules and work trees too; in a job, also of other checkouts below the
 * workspace.
 * Git's parser reads the files, and nothing that they say is run.
 *
 * @param root the workspace, absolute
 * @param temp whose files are the job's, such as those that `actions/checkout` makes; null: no job
 * @param home whose git configuration every repository of the machine has; null: it is not looked at
 */
export async function findCredentials(
  root: string,
  temp: string | null,
  home: string | null = null,
): Promise<KeptCredentials> {
  const folders = await gitFolders(root, temp !== null);
  const own = await Promise.all([...folders, ...(temp === null ? [] : [temp])].map((name) => realpath(name)));
  const found: KeptCredentials = { keys: [], files: [], others: [] };
  const seen = new Set<string>();
  const usual = home === null ? [] : [".gitconfig", ".config/git/config"].map((name) => path.join(home, name));
  const isOurs = (file: string): boolean => own.some((folder) => file.startsWith(`${folder}${path.sep}`));
  const look = async (file: string): Promise<void> => {
    const real = await regular(file);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    if (!MAYBE.test(await readFile(real, "latin1"))) return;
    const settings = await settingsIn(real);
    for (const included of settings.flatMap(({ key, value }) => (INCLUDE.test(key) ? [value] : []))) {
      await look(resolved(included, path.dirname(real)));
    }
    const keys = secretsAmong(real, settings);
    if (keys.length === 0) return;
    if (isOurs(real)) found.keys.push(...keys);
    else if (!usual.includes(file) || keys.some(isTelling)) found.others.push(real);
    for (const name of filesNamedBy(keys)) await take(resolved(name, path.dirname(real)));
  };
  const take = async (file: string): Promise<void> => {
    const real = await regular(file);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    if (!isOurs(real)) return void found.others.push(real);
    const { mode } = await lstat(real);
    found.files.push({ file: real, mode: mode & 0o777, content: (await readFile(real)).toString("base64") });
  };
  for (const folder of folders) for (const name of await configFiles(folder)) await look(name);
  for (const name of usual) await look(name);
  return found;
}

/** What to tell a person whose own repository keeps credentials: nothing is taken out there. Null: it keeps none. */
export async function whatLogsIn(root: string): Promise<string | null> {
  const { keys, files, others } = await findCredentials(root, null);
  const telling = keys.filter(isTelling);
  const where = [...new Set([...[...telling, ...files].map(({ file }) => file), ...others])];
  if (where.length === 0) return null;
  return `danger: this repository keeps credentials where the agent can read them (${where.join(", ")}). They stay as they are, and nothing of the loop needs them. Keep them in a credential helper of your system instead, and remove them from there with git config --unset.`;
}

/** A helper that reads a plain file, or is a command of its own: others ask the system. */
const SAYS = /^(?:store\b|!)/u;

function isTelling({ key, values }: KeptKey): boolean {
  return !key.startsWith("credential.") || values.some((one) => SAYS.test(one));
}

/** Whether there is anything of that. */
export function isNone({ keys, files, others }: KeptCredentials): boolean {
  return keys.length + files.length + others.length === 0;
}

/** Takes it out of the files. @throws OperationalError when git cannot change a file; Error of the file system */
export async function takeOut({ keys, files }: KeptCredentials): Promise<void> {
  for (const { file, key, left } of keys) {
    await unset(file, key);
    for (const value of left) await appendKey(file, key, value);
  }
  for (const { file } of files) await rm(file, { force: true });
}

/**
 * Puts it back, where nobody has written there since. Idempotent.
 *
 * @returns the files to which it could not be put back
 */
export async function putBack({ keys, files }: KeptCredentials): Promise<readonly string[]> {
  const failed = new Set<string>();
  for (const kept of keys) if (!(await putKeyBack(kept).catch(() => false))) failed.add(kept.file);
  for (const { file, mode, content } of files) {
    if (!(await putFileBack(file, mode, Buffer.from(content, "base64")).catch(() => false))) failed.add(file);
  }
  return [...failed];
}

async function putKeyBack({ file, key, values, left }: KeptKey): Promise<boolean> {
  // The agent may have put a link there: what is written then is somebody else's to read (T14).
  if ((await regular(file)) !== file) return false;
  const now = (await settingsIn(file)).filter((one) => one.key === key).map(({ value }) => value);
  if (same(now, values)) return true;
  if (!same(now, left)) return false;
  if (left.length > 0) await unset(file, key);
  for (const value of values) await appendKey(file, key, value);
  return true;
}

async function putFileBack(file: string, mode: number, content: Buffer): Promise<boolean> {
  if ((await realpath(path.dirname(file))) !== path.dirname(file)) return false;
  if ((await lstat(file).catch(() => undefined)) !== undefined) return content.equals(await readFile(file));
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
  await chmod(file, mode);
  return true;
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

/** The git directories of a workspace: around it, in it, and those of their submodules. */
async function gitFolders(root: string, withCheckouts: boolean): Promise<readonly string[]> {
  const found = new Set<string>();
  const add = async (top: string): Promise<void> => {
    const repository = await findRepository(top);
    if (repository === undefined) return;
    for (const folder of [repository.commonDir, repository.gitDir]) found.add(folder);
    for (const folder of await below(path.join(repository.commonDir, "modules"), "HEAD", DEPTH.submodules))
      found.add(folder);
  };
  await add(root);
  if (withCheckouts) for (const top of await below(root, ".git", DEPTH.checkouts)) await add(top);
  return [...found];
}

/**
 * The folders in a folder, itself included, that hold something of a name; links are not followed.
 *
 * @param depth how many folders deep
 */
async function below(folder: string, name: string, depth: number): Promise<readonly string[]> {
  const found: string[] = [];
  let wave = [folder];
  for (let left = FOLDERS, level = 0; wave.length > 0 && left > 0 && level <= depth; level += 1) {
    const looked = wave.slice(0, left);
    left -= looked.length;
    const inside = await Promise.all(looked.map((at) => readdir(at, { withFileTypes: true }).catch(() => [])));
    found.push(...looked.filter((_, nth) => inside[nth]?.some((entry) => entry.name === name)));
    wave = inside.flat().flatMap((entry) => {
      const isNext = entry.isDirectory() && !SKIPPED.has(entry.name);
      return isNext ? [path.join(entry.parentPath, entry.name)] : [];
    });
  }
  return found;
}

const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules", "objects"]);

async function configFiles(folder: string): Promise<readonly string[]> {
  const trees = await readdir(path.join(folder, "worktrees")).catch(() => []);
  const named = ["config", "config.worktree", ...trees.map((name) => path.join("worktrees", name, "config.worktree"))];
  return named.map((name) => path.join(folder, name));
}

/** The real path of a regular file that is not too long; undefined: it is not there, or is something else. */
async function regular(file: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined);
  const found = real === undefined ? undefined : await lstat(real).catch(() => undefined);
  return found?.isFile() === true && found.size <= FILE_LIMIT ? real : undefined;
}

function resolved(name: string, folder: string): string {
  return path.resolve(folder, name.replace(/^~(?=\/)/u, homedir()));
}

/** Without one of these words no file holds or includes any. */
const MAYBE = /extraheader|credential|include|sshcommand|@/iu;
const INCLUDE = /^include(?:if\..+)?\.path$/su;
const HEADER = /^(?:http\.(?:.+\.)?(?:extraheader|cookiefile)|credential\..+|core\.sshcommand)$/su;
const URL_VALUE = /^(?:remote\..+\.(?:url|pushurl)|submodule\..+\.url|http\.(?:.+\.)?proxy|remote\..+\.proxy)$/su;
/** user and password, or a token alone; `git@` says nothing */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)(?!git@)[^/?#@]+@/iu;
const URL_KEY = /^url\.[a-z][a-z0-9+.-]*:\/\/(?!git@)[^/?#@]+@.*\.(?:insteadof|pushinsteadof)$/isu;

function secretsAmong(file: string, settings: readonly Setting[]): readonly KeptKey[] {
  return [...new Set(settings.map(({ key }) => key))].flatMap((key) => {
    const values = settings.filter((one) => one.key === key).map(({ value }) => value);
    if (HEADER.test(key) || URL_KEY.test(key)) {
      const isSecret = key !== "core.sshcommand" || keyFilesIn(values).length > 0;
      return isSecret ? [{ file, key, values, left: [] }] : [];
    }
    if (!URL_VALUE.test(key) || !values.some((value) => USER_INFO.test(value))) return [];
    return [{ file, key, values, left: values.map((value) => value.replace(USER_INFO, "$1")) }];
  });
}

/** Files that hold what the settings only name. */
function filesNamedBy(keys: readonly KeptKey[]): readonly string[] {
  return keys.flatMap(({ key, values }) => {
    if (key === "core.sshcommand") return keyFilesIn(values);
    if (key.endsWith(".cookiefile")) return values;
    if (!/^credential\.(?:.+\.)?helper$/su.test(key)) return [];
    return values.flatMap((value) => {
      const [, quoted, plain] = /^store\b.*--file[= ](?:"([^"]+)"|'?([^\s"']+))/su.exec(value) ?? [];
      return [quoted ?? plain].filter((name) => name !== undefined);
    });
  });
}

function keyFilesIn(commands: readonly string[]): readonly string[] {
  return commands.flatMap((command) =>
    [...command.matchAll(/(?:^|\s)-i\s*(?:"([^"]+)"|'([^']+)'|([^\s"']+))/gu)].map(
      ([, double, single, plain]) => double ?? single ?? plain ?? "",
    ),
  );
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

/** In the order of the file, without what it includes. */
async function settingsIn(file: string): Promise<readonly Setting[]> {
  const listed = await configure(file, ["--list", "--null"]);
  return parseSettings(decoded(listed.stdout)).map(({ key, value }) => ({ key, value: value ?? "" }));
}

async function unset(file: string, key: string): Promise<void> {
  const { exitCode, stderr } = await configure(file, ["--unset-all", key]);
  // 5: there is none
  if (exitCode !== 0 && exitCode !== 5) throw new Error(`${file} could not be changed: ${stderr.replaceAll(key, "…")}`);
}

/** Not by git, in whose arguments everybody could read it. */
async function appendKey(file: string, key: string, value: string): Promise<void> {
  const [, section = "", , subsection, name = ""] = /^([^.]+)(\.(.*))?\.([^.]+)$/su.exec(key) ?? [];
  const header = subsection === undefined ? section : `${section} ${quotedForGit(subsection)}`;
  const before = (await readOwnFile(file)).endsWith("\n") ? "" : "\n";
  const handle = await openToAppend(file);
  try {
    await handle.appendFile(`${before}[${header}]\n\t${name} = ${quotedForGit(value)}\n`);
  } finally {
    await handle.close();
  }
}

function configure(file: string, args: readonly string[]) {
  return startGit(["config", "--file", file, "--no-includes", ...args], {
    cwd: path.parse(file).root,
    env: hardenedGitEnvironment(),
  });
}
