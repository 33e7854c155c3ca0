import { chmod, lstat, open, readdir, readFile, realpath, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { looksRandom, meant } from "../core/policy/secret-variables.ts";
import { isInside, openToAppend, openToRead, readAtMost, readOwnFile } from "../os/own-file.ts";
import { SecretValues } from "../os/secrets.ts";
import { tokensIn } from "../os/token-formats.ts";
import { decoded } from "./diff.ts";
import { hardenedGitEnvironment, parseSettings, quotedForGit, startGit } from "./git.ts";
import { findRepository } from "./repository.ts";

/** What is taken out of repositories, by which others log in (T13), with all that it takes to put it back. */
export const keptCredentials = z.object({
  /** keys of configuration files: all their values, and those that stay while the others are out */
  keys: z.array(
    z.object({ file: z.string(), key: z.string(), values: z.array(z.string()), left: z.array(z.string()) }),
  ),
  /** whole files: keys, and the stores of credential helpers; contents in base64 */
  files: z.array(z.object({ file: z.string(), mode: z.number(), content: z.string() })),
});
type KeptCredentials = z.infer<typeof keptCredentials>;
type KeptKey = KeptCredentials["keys"][number];

interface Found extends KeptCredentials {
  /** files that hold some and are not ours to change: they stay */
  others: string[];
  /** what of all that nobody may read, `others` included, as it is written and as it is meant */
  secrets: string[];
  /** configuration in reach of the agent that is too long to be looked at */
  tooLong: string[];
  /** what else was not looked at: pointers to git directories that nothing proves, configuration that git cannot read */
  unseen: string[];
  /** not all folders were looked at */
  isCut: boolean;
}

/** Where to look. All paths are absolute. */
interface Search {
  /** whose repository it is */
  readonly root: string;
  /** a job's workspace, in which all repositories are looked at, and whose files are the job's; null: no job */
  readonly job: { readonly workspace: string; readonly temp: string } | null;
  /** whose git configuration every repository of the machine has; null: it is not looked at */
  readonly home?: string | null;
}

/** How many folders are looked at, those nearest to the top first. */
const FOLDERS = 10_000;
/** In bytes; of what is longer nothing is known. */
const FILE_LIMIT = 16 << 20;

/**
 * Finds what repositories keep to log in with: headers, credential helpers, passwords and tokens, user data in any URL,
 * keys for SSH and TLS; in their own configuration and what it includes, on whatever condition; those of submodules and
 * work trees too; in a job those of every repository in the workspace, bare ones included. Git's parser reads the files,
 * and nothing that they say is run.
 *
 * @throws OperationalError `GIT_FOLDER_UNTRUSTED` for the repository of `root`; `GIT_NOT_STARTED`
 */
export async function findCredentials({ root, job, home = null }: Search): Promise<Found> {
  const { folders, foreign, unseen, isCut } = await gitFolders(root, job === null ? [] : [job.workspace, root]);
  const owned = [...folders.filter((name) => !foreign.includes(name)), ...(job === null ? [] : [job.temp])];
  const own = await Promise.all(owned.map((name) => realpath(name)));
  const found: Found = { keys: [], files: [], others: [], secrets: [], tooLong: [], unseen: [...unseen], isCut };
  const seen = new Set<string>();
  const usual = home === null ? [] : [".gitconfig", ".config/git/config"].map((name) => path.join(home, name));
  const isOurs = (file: string): boolean => own.some((folder) => file.startsWith(`${folder}${path.sep}`));
  const look = async (file: string): Promise<void> => {
    const real = await regular(file);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    const text = await textOf(real);
    if (text === undefined) return void found[isOurs(real) ? "tooLong" : "unseen"].push(real);
    const holdsToken = tokensIn(text).length > 0;
    if (!holdsToken && !MAYBE.test(text)) return;
    const settings = await settingsIn(real);
    if (settings === undefined) return void found.unseen.push(real);
    for (const included of settings.flatMap(({ key, value }) => (INCLUDE.test(key) ? [value] : []))) {
      await look(resolved(included, path.dirname(real)));
    }
    const keys = secretsAmong(real, settings);
    found.secrets.push(...keys.flatMap(secretsOfKey));
    if (keys.length > 0 && isOurs(real)) found.keys.push(...keys);
    else if (holdsToken || keys.some((one) => isTelling(one) || !usual.includes(file))) found.others.push(real);
    for (const name of await filesNamedBy(keys, real)) await take(name);
  };
  const take = async (file: string): Promise<void> => {
    const real = await regular(file);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    const { mode } = await lstat(real);
    // A program of the system that asks for a password holds none.
    if (!isOurs(real) && (mode & 0o111) !== 0) return;
    const text = await textOf(real);
    found.secrets.push(...secretWords(decoded(text ?? "")));
    if (!isOurs(real) || text === undefined) return void found.others.push(real);
    found.files.push({ file: real, mode: mode & 0o777, content: Buffer.from(text, "latin1").toString("base64") });
  };
  for (const folder of folders) for (const name of await configFiles(folder)) await look(name);
  for (const name of usual) await look(name);
  return found;
}

/** What to tell a person whose own repository keeps credentials: nothing is taken out there. Null: it keeps none. */
export async function whatLogsIn(root: string): Promise<string | null> {
  const { keys, files, others, tooLong } = await findCredentials({ root, job: null });
  const telling = keys.filter(isTelling);
  const where = [...new Set([...[...telling, ...files].map(({ file }) => file), ...others, ...tooLong])];
  if (where.length === 0) return null;
  return `danger: this repository keeps credentials where the agent can read them (${where.join(", ")}). They stay as they are, and nothing of the loop needs them. Keep them in a credential helper of your system instead, and remove them from there with git config --unset.`;
}

/** A helper that reads a plain file, or is a command of its own: others ask the system. */
const SAYS = /^(?:store\b|!)/u;

function isTelling({ key, values }: KeptKey): boolean {
  return key !== "core.askpass" && (!key.startsWith("credential.") || values.some((one) => SAYS.test(one)));
}

/**
 * Takes it out of the files.
 *
 * @returns those in which some of it is still written, such as in a comment
 * @throws Error when git cannot change a file, and those of the file system
 */
export async function takeOut({ keys, files, secrets }: Found): Promise<readonly string[]> {
  for (const { file, key, left } of keys) {
    await unset(file, key);
    for (const value of left) await appendKey(file, key, value);
  }
  for (const { file } of files) await rm(file, { force: true });
  const values = new SecretValues(secrets);
  const changed = [...new Set(keys.map(({ file }) => file))];
  const still = await Promise.all(changed.map(async (file) => values.areIn((await textOf(file)) ?? "")));
  return changed.filter((_, nth) => still[nth]);
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
  const now = ((await settingsIn(file)) ?? []).filter((one) => one.key === key).map(({ value }) => value);
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

/**
 * The git directories around `root` and of the repositories in `tops`, with those of their submodules. Links are not
 * followed, and dependencies are passed over.
 *
 * @returns `foreign`: those of `folders` that are files of somebody's work tree, which a commit would take along
 */
async function gitFolders(root: string, tops: readonly string[]) {
  const [found, bare, trees, unseen] = [new Set<string>(), new Set<string>(), [] as string[], [] as string[]];
  const around = await findRepository(root);
  const known = new Set(around === undefined ? [] : [around.commonDir, around.gitDir]);
  const seen = new Set<string>();
  let wave = [...known, ...(await Promise.all(tops.map((top) => realpath(top))))];
  let left = FOLDERS;
  while (wave.length > 0 && left > 0) {
    const next = [...new Set(wave)].filter((folder) => !seen.has(folder));
    const looked = next.slice(0, left);
    left -= next.length;
    const inside = await Promise.all(looked.map((at) => readdir(at, { withFileTypes: true }).catch(() => [])));
    wave = [];
    for (const [nth, folder] of looked.entries()) {
      seen.add(folder);
      const entries = inside[nth] ?? [];
      const names = new Set(entries.map(({ name }) => name));
      const isNamed = path.basename(folder) === ".git";
      if (isNamed || (names.has("HEAD") && (names.has("commondir") || (names.has("config") && names.has("objects"))))) {
        found.add(folder);
        if (!isNamed && !known.has(folder)) bare.add(folder);
        if (names.has("modules")) wave.push(path.join(folder, "modules"));
        continue;
      }
      if (names.has(".git")) trees.push(folder);
      const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules");
      wave.push(...folders.map(({ name }) => path.join(folder, name)));
      if (!names.has(".git") || folders.some(({ name }) => name === ".git")) continue;
      const pointed = await findRepository(folder).catch(() => void unseen.push(path.join(folder, ".git")));
      for (const one of pointed === undefined ? [] : [pointed.commonDir, pointed.gitDir]) {
        known.add(one);
        wave.push(one);
      }
    }
    // So that many folders do not hide them.
    wave.sort((one, other) => Number(other.endsWith("/.git")) - Number(one.endsWith("/.git")));
  }
  const isFile = (one: string) =>
    trees.some((top) => isInside(top, one) && !path.relative(top, one).split(path.sep).includes(".git"));
  return { folders: [...found], foreign: [...bare].filter(isFile), unseen, isCut: left < 0 || wave.length > 0 };
}

async function configFiles(folder: string): Promise<readonly string[]> {
  const trees = await readdir(path.join(folder, "worktrees")).catch(() => []);
  const named = ["config", "config.worktree", ...trees.map((name) => path.join("worktrees", name, "config.worktree"))];
  return named.map((name) => path.join(folder, name));
}

/** The real path of a regular file; undefined: it is not there, or is something else. */
async function regular(file: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined);
  const found = real === undefined ? undefined : await lstat(real).catch(() => undefined);
  return found?.isFile() === true ? real : undefined;
}

/** A byte string, empty for what this user cannot read; undefined: it is too long. */
async function textOf(file: string): Promise<string | undefined> {
  const handle = await openToRead(file).catch(() => undefined);
  if (handle === undefined) return "";
  try {
    return (await readAtMost(handle, FILE_LIMIT))?.toString("latin1");
  } finally {
    await handle.close();
  }
}

function resolved(name: string, folder: string): string {
  return path.resolve(folder, name.replace(/^~(?=\/)/u, homedir()));
}

/** Without one of these words no file holds or includes any, unless it holds a token of a known form. */
const MAYBE = /extraheader|credential|include|sshcommand|cookie|ssl|pass|token|secret|@/iu;
const INCLUDE = /^include(?:if\..+)?\.path$/su;
/** All their values are secret, or lead to what is. */
const WHOLE =
  /^(?:http\.(?:.+\.)?extraheader|credential\..+|(?:.+[.-])?[a-z]*(?:pass|password|passwd|token|secret))$/su;
/** Their values are files that hold secrets. */
const FILES = /^http\.(?:.+\.)?(?:cookiefile|(?:proxy)?ssl(?:key|cert))$/su;
/** user and password, or a token alone, up to the last sign, as servers are found; `git@` and users of SSH say nothing */
const USER_INFO = /([a-z][a-z0-9+.-]*:\/\/)(?!git@|(?<=ssh:\/\/)[^\s/?#:"']*@)([^\s/?#"']+)@/giu;

function secretsAmong(file: string, settings: readonly Setting[]): readonly KeptKey[] {
  return [...new Set(settings.map(({ key }) => key))].flatMap((key) => {
    const values = settings.filter((one) => one.key === key).map(({ value }) => value);
    const isWhole = WHOLE.test(key) || FILES.test(key) || key.search(USER_INFO) !== -1;
    const isOfSsh = key === "core.sshcommand" && filesOfSsh(values).length > 0;
    const holdsToken = values.some((value) => tokensIn(value).length > 0 && value.search(USER_INFO) === -1);
    if (isWhole || isOfSsh || holdsToken) return [{ file, key, values, left: [] }];
    const left = values.map((value) => value.replaceAll(USER_INFO, "$1"));
    return same(values, left) ? [] : [{ file, key, values, left }];
  });
}

/** What nobody may read of a setting. */
function secretsOfKey({ key, values }: KeptKey): readonly string[] {
  const isSaid = WHOLE.test(key) && !key.startsWith("credential.") && key !== "core.askpass";
  // The last word of a header; all of a password.
  const whole = isSaid ? values.flatMap((value) => [value, value.split(" ").at(-1) ?? ""]) : [];
  return [...whole, ...[...values, key].flatMap(secretWords)];
}

/** Passwords in URLs, what is in base64 as users log in, and words that look made by chance. */
function secretWords(text: string): readonly string[] {
  const inside = [...text.matchAll(USER_INFO)].flatMap(([, , info = ""]) => ofUser(info));
  const words = text.split(/[\s"'`=;,<>()|&]+/u);
  const logins = words.flatMap((word) => {
    const login = /^[\w+/-]{12,}$/u.test(word) ? Buffer.from(word, "base64").toString("latin1") : "";
    return LOGIN.test(login) ? [word, login, ...ofUser(login)] : [];
  });
  return [...inside, ...logins, ...words.filter(looksRandom)];
}

/** `user:password` in plain letters. */
const LOGIN = /^[\u0021-\u0039\u003B-\u007E]+:[\u0021-\u007E]+$/u;

/** The password as written and as meant; of a user alone, or one whose password says nothing, only what is a token. */
function ofUser(info: string): readonly string[] {
  const [user = "", ...rest] = info.split(":");
  const password = rest.join(":");
  const said = /^(?:|x-oauth-basic)$/u.test(password) ? [] : [password];
  const all = [...said, ...[user].filter((one) => looksRandom(one) || tokensIn(one).length > 0)];
  return all.flatMap((one) => [one, meant(one)]);
}

/** Files that hold what the settings only name. */
async function filesNamedBy(keys: readonly KeptKey[], config: string): Promise<readonly string[]> {
  const files = keys.flatMap(({ key, values }) => {
    if (key === "core.sshcommand") return filesOfSsh(values);
    if (FILES.test(key) || key === "core.askpass") return values;
    if (!/^credential\.(?:.+\.)?helper$/su.test(key)) return [];
    return values.flatMap((value) => {
      const [, quoted, plain] = /^store\b.*--file[= ](?:"([^"]+)"|'?([^\s"']+))/su.exec(value) ?? [];
      return [quoted ?? plain].filter((name) => name !== undefined);
    });
  });
  const named = files.map((name) => resolved(name, path.dirname(config)));
  const ofSsh = keys.some(({ key }) => key === "core.sshcommand") ? named : [];
  const texts = await Promise.all(ofSsh.map(async (file) => (await regular(file)) && (await textOf(file))));
  const inside = texts.flatMap((text) => [...(text ?? "").matchAll(IDENTITY)].map(([, name = ""]) => name.trim()));
  return [...named, ...inside.map((name) => resolved(name, path.dirname(config)))];
}

const IDENTITY = /^[ \t]*IdentityFile[ \t=]+"?([^"\r\n]+)/gimu;

/** Keys of SSH and its configuration, named by `-i`, `-F` and `-o IdentityFile`. */
function filesOfSsh(commands: readonly string[]): readonly string[] {
  const named = /(?:^|\s)(?:-i\s*|-F\s*|["']?-o\s*["']?IdentityFile[\s=]+)(?:"([^"]+)"|'([^']+)'|([^\s"']+))/giu;
  return commands.flatMap((command) =>
    [...command.matchAll(named)].map(([, double, single, plain]) => double ?? single ?? plain ?? ""),
  );
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

/** In the order of the file, without what it includes; undefined: git cannot read it. */
async function settingsIn(file: string): Promise<readonly Setting[] | undefined> {
  const listed = await configure(file, ["--list", "--null"]);
  if (listed.exitCode !== 0) return undefined;
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
