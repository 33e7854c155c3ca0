import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolderIfThere, makeOwnFolder, ownFolder, readOwnFile } from "../os/own-file.ts";
import { decoded } from "./diff.ts";
import {
  Git,
  type GitResult,
  type GitUse,
  parseSettings,
  hardenedGitEnvironment,
  personalGitEnvironment,
  quotedForGit,
  startGit,
} from "./git.ts";
import { readHead, refuseNewPointer, type Repository } from "./repository.ts";

/**
 * A git directory of our own over the person's work tree (threats T12): own configuration, own index, own objects, and
 * the person's objects as alternates. Nothing that the repository's configuration names is ever run by it, and the
 * person's repository is only read.
 */
export class PrivateGit extends Git {
  readonly repository: Repository;
  #folder: string;
  #prepared = false;
  #settings: Promise<GitSettings> | undefined;

  /** @param folder where the git directory is kept; inside the loop's folder */
  constructor(repository: Repository, folder: string) {
    super();
    this.repository = repository;
    this.#folder = folder;
  }

  get folder(): string {
    return this.#folder;
  }

  /** our index, kept so that unchanged files need not be read again */
  get index(): string {
    return path.join(this.#folder, "index");
  }

  get theirIndex(): string {
    return path.join(this.repository.gitDir, "index");
  }

  /** The person's settings as they were when they were first asked for. */
  settings(): Promise<GitSettings> {
    this.#settings ??= readSettings(this.repository);
    return this.#settings;
  }

  /**
   * Goes on in another folder. Moves the prepared directory there if it has none yet; otherwise uses the existing one
   * with its objects, and our index starts over.
   */
  async moveTo(folder: string): Promise<void> {
    if (folder === this.#folder) return;
    const from = this.#folder;
    this.#folder = folder;
    // Another run may be at work in what we have not prepared.
    if (!this.#prepared) return;
    await mkdir(path.dirname(folder), { recursive: true });
    try {
      await rename(from, folder);
    } catch {
      // Made by an earlier run or a carrier; or it is on another disk.
      await rm(this.index, { force: true });
    }
  }

  /** Makes the directory, or repairs what somebody changed in it. Cheap: call it before every operation. */
  async prepare(): Promise<void> {
    const { config } = await this.settings();
    this.#prepared = true;
    const file = (name: string) => path.join(this.folder, name);
    const objects = path.join(this.repository.commonDir, "objects");
    await refuseNewPointer(this.repository);
    // An agent may have put links in their place, through which we would write (T14).
    const own = await ownFolder(this.repository.top, this.folder);
    await makeOwnFolder(own);
    const inside = ["objects", "objects/info", "refs", "info"].map((name) => path.join(own.path, name));
    for (const name of inside) await makeOwnFolder({ root: own.root, path: name });
    await Promise.all([
      writeIfOther(file("HEAD"), "ref: refs/heads/none\n"),
      writeIfOther(file("config"), config),
      writeIfOther(file("objects/info/alternates"), `${quotedForGit(objects)}\n`),
      ...["info/exclude", "info/attributes"].map(async (name) => {
        // Not a link: one that dangles makes programs fail that walk the work tree, where the loop's folder may lie
        // (`node --test` of Node 20 is one).
        const theirs = await readInfo(this.repository.commonDir, path.basename(name));
        await writeIfOther(file(name), theirs);
      }),
    ]);
  }

  /** Runs git in the top folder, on our own git directory; paths are relative to the top. */
  override async try(args: readonly string[], use: GitUse = {}): Promise<GitResult> {
    const { index, objects, env: more, input, onOutput } = use;
    const env: Record<string, string> = {
      ...hardenedGitEnvironment(),
      GIT_DIR: this.#folder,
      // A planted `commondir` file would bring its own configuration.
      GIT_COMMON_DIR: this.#folder,
      GIT_WORK_TREE: this.repository.top,
      GIT_INDEX_FILE: index ?? this.index,
      ...more,
    };
    if (objects === "theirs") env["GIT_OBJECT_DIRECTORY"] = path.join(this.repository.commonDir, "objects");
    const streams = { ...(input !== undefined && { input }), ...(onOutput && { onOutput }) };
    return startGit(args, { cwd: this.repository.top, env, ...streams });
  }

  /** Runs git on the person's own git directory, for its references only. */
  async tryTheirs(args: readonly string[], { env, input }: Pick<GitUse, "env" | "input"> = {}): Promise<GitResult> {
    const own = { ...hardenedGitEnvironment(), GIT_DIR: this.repository.gitDir, ...env };
    return startGit(args, { cwd: this.repository.top, env: own, ...(input !== undefined && { input }) });
  }

  /** As whom git notes in the person's reflog what was done to a reference. */
  async committer(): Promise<Record<string, string>> {
    const { name, email } = (await this.settings()).committer;
    return { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  }

  /** The commit that the person's HEAD names; null before the first. */
  async head(): Promise<string | null> {
    const read = await readHead(this.repository);
    if (read !== undefined) return read;
    const { exitCode, stdout } = await this.tryTheirs(["rev-parse", "--verify", "--quiet", "HEAD"]);
    return exitCode === 0 ? stdout.trim() : null;
  }
}

const INFO_BYTES = 4 << 20;

/**
 * A file of `info`, "" without one. A turn can put a link there, to what it may not read itself (T3).
 *
 * @throws OperationalError `LINK_REFUSED`; Error when it is longer than four mebibytes
 */
async function readInfo(commonDir: string, name: string): Promise<string> {
  const folder = { root: commonDir, path: path.join(commonDir, "info") };
  const read = inOwnFolderIfThere(folder, async (at) => unlessMissing(readOwnFile(path.join(at, name), INFO_BYTES)));
  return (await read) ?? "";
}

async function writeIfOther(file: string, content: string | Buffer): Promise<void> {
  const present = await readFile(file).catch(() => undefined);
  if (present?.equals(Buffer.from(content)) === true) return;
  await rm(file, { recursive: true, force: true });
  await writeFile(file, content);
}

/** The author of our commits. */
export interface Author {
  readonly name: string;
  readonly email: string;
  /** `git`: the person's environment and configuration; `fallback`: these do not say it */
  readonly source: "git" | "fallback";
}

/** What of the person's configuration our own git directory takes over: plain data, nothing that names a program. */
interface GitSettings {
  /** the text of a git configuration file */
  readonly config: string;
  readonly objectFormat: "sha1" | "sha256";
  readonly author: Author;
  readonly committer: Author;
}

const WORD = /^[a-z0-9]{1,12}$/u;
/** What decides how a file's bytes and mode become an object. */
const WORDS = ["autocrlf", "eol", "filemode", "ignorecase", "precomposeunicode", "sharedrepository", "symlinks"];
/** Files that only list patterns. */
const FILES = ["excludesfile", "attributesfile"];

const FALLBACK: Author = { name: "smithers", email: "smithers@localhost", source: "fallback" };

/** Ours; the private directory has no remote, filter or hook, and is never packed. */
const OWN = {
  bare: "false",
  logallrefupdates: "false",
  untrackedcache: "false",
  splitindex: "false",
  loosecompression: "1",
  // Files of the person's repository that could misstate commits.
  commitgraph: "false",
  // A file name that is dangerous elsewhere must not keep us from measuring here.
  protectntfs: "false",
  protecthfs: "false",
};

/** Reads the person's effective git configuration for `repository`; of their environment only who they are. */
export async function readSettings(repository: Repository, env: NodeJS.ProcessEnv = process.env): Promise<GitSettings> {
  const ours = { ...personalGitEnvironment(env), GIT_DIR: repository.gitDir };
  const listed = await startGit(["config", "--null", "--list"], { cwd: repository.top, env: ours });
  const values = new Map<string, string>();
  for (const { key, value } of parseSettings(decoded(listed.stdout))) values.set(key, value ?? "true");
  const objectFormat = values.get("extensions.objectformat") === "sha256" ? "sha256" : "sha1";
  return {
    config: configText(values, objectFormat, repository.top),
    objectFormat,
    author: identityOf("author", values, env),
    committer: identityOf("committer", values, env),
  };
}

function configText(values: ReadonlyMap<string, string>, objectFormat: string, top: string): string {
  const core: Record<string, string> = { repositoryformatversion: objectFormat === "sha1" ? "0" : "1", ...OWN };
  for (const name of WORDS) {
    const value = values.get(`core.${name}`)?.toLowerCase();
    if (value !== undefined && WORD.test(value)) core[name] = value;
  }
  for (const name of FILES) {
    const value = values.get(`core.${name}`);
    if (value)
      core[name] = path.resolve(
        top,
        value.replace(/^~(?=\/)/u, () => process.env["HOME"] ?? "~"),
      );
  }
  const lines = Object.entries(core).map(([name, value]) => `\t${name} = ${quotedForGit(value)}\n`);
  const extensions = objectFormat === "sha1" ? "" : `[extensions]\n\tobjectformat = ${objectFormat}\n`;
  return `[core]\n${lines.join("")}[index]\n\tsparse = false\n[gc]\n\tauto = 0\n${extensions}`;
}

/** The environment outranks what is said for the role, and that what is said for the person, as in git. */
function identityOf(role: "author" | "committer", values: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Author {
  const said = (what: "name" | "email"): string | undefined =>
    [env[`GIT_${role}_${what}`.toUpperCase()], values.get(`${role}.${what}`), values.get(`user.${what}`)]
      .map((text) => text?.trim())
      .find((text) => text !== undefined && text !== "");
  const [name, email] = [said("name"), said("email")];
  return name === undefined || email === undefined ? FALLBACK : { name, email, source: "git" };
}
