import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { type GitResult, hardenedGitEnvironment, quotedForGit } from "./git.ts";
import { readHead } from "./head.ts";
import type { Repository } from "./repository.ts";
import { type GitSettings, readSettings } from "./settings.ts";
import { startGit } from "./start-git.ts";

/** What a command of ours works on, where that is not our own. */
export interface GitUse {
  /** the index file; our own index without it */
  readonly index?: string;
  /** `theirs` writes new objects into the person's repository */
  readonly objects?: "theirs";
  readonly env?: Readonly<Record<string, string>>;
  /** a byte string for stdin */
  readonly input?: string;
}

/**
 * A git directory of our own over the person's work tree (threats T12): own configuration, own index, own objects, and
 * the person's objects as alternates. Nothing that the repository's configuration names is ever run by it, and the
 * person's repository is only read.
 */
export class PrivateGit {
  readonly repository: Repository;
  #folder: string;
  #prepared = false;
  #settings: Promise<GitSettings> | undefined;

  /** @param folder where the git directory is kept; inside the loop's folder */
  constructor(repository: Repository, folder: string) {
    this.repository = repository;
    this.#folder = folder;
  }

  get folder(): string {
    return this.#folder;
  }

  /** our index, which is kept so that unchanged files need not be read again */
  get index(): string {
    return path.join(this.#folder, "index");
  }

  /** The person's settings as they were when they were first asked for. */
  settings(): Promise<GitSettings> {
    this.#settings ??= readSettings(this.repository);
    return this.#settings;
  }

  /**
   * Goes on in another folder. The directory that was prepared comes along where there is none yet; else the one that is
   * there is used, with its objects, and our index begins anew.
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
      // Made by an earlier run or a carrier; or it lies on another disk.
      await rm(this.index, { force: true });
    }
  }

  /** Makes the directory, or puts right what somebody changed in it. Cheap: to be called before every operation. */
  async prepare(): Promise<void> {
    const { config } = await this.settings();
    this.#prepared = true;
    const file = (name: string) => path.join(this.folder, name);
    const objects = path.join(this.repository.commonDir, "objects");
    await Promise.all(["objects/info", "refs", "info"].map((name) => mkdir(file(name), { recursive: true })));
    await Promise.all([
      writeIfOther(file("HEAD"), "ref: refs/heads/none\n"),
      writeIfOther(file("config"), config),
      writeIfOther(file("objects/info/alternates"), `${quotedForGit(objects)}\n`),
      copyIfOther(file("info/exclude"), path.join(this.repository.commonDir, "info/exclude")),
      copyIfOther(file("info/attributes"), path.join(this.repository.commonDir, "info/attributes")),
    ]);
  }

  /** Runs git in the top folder, on our own git directory; paths are relative to the top. */
  async try(args: readonly string[], use: GitUse = {}): Promise<GitResult> {
    const env: Record<string, string> = {
      ...hardenedGitEnvironment(),
      GIT_DIR: this.#folder,
      // A planted `commondir` file would bring its own configuration.
      GIT_COMMON_DIR: this.#folder,
      GIT_WORK_TREE: this.repository.top,
      GIT_INDEX_FILE: use.index ?? this.index,
      ...use.env,
    };
    if (use.objects === "theirs") env["GIT_OBJECT_DIRECTORY"] = path.join(this.repository.commonDir, "objects");
    return startGit(args, { cwd: this.repository.top, env, ...(use.input === undefined ? {} : { input: use.input }) });
  }

  /**
   * The same, for commands that have to succeed.
   *
   * @returns stdout as a byte string
   * @throws OperationalError with what git said
   */
  async run(args: readonly string[], use: GitUse = {}): Promise<string> {
    return succeeded(args, await this.try(args, use));
  }

  /** Runs git on the person's own git directory, for its references only. */
  async tryTheirs(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<GitResult> {
    const own = { ...hardenedGitEnvironment(), GIT_DIR: this.repository.gitDir, ...env };
    return startGit(args, { cwd: this.repository.top, env: own });
  }

  /** The commit that the person's HEAD names; null before the first. */
  async head(): Promise<string | null> {
    const read = await readHead(this.repository);
    if (read !== undefined) return read;
    const { exitCode, stdout } = await this.tryTheirs(["rev-parse", "--verify", "--quiet", "HEAD"]);
    return exitCode === 0 ? stdout.trim() : null;
  }
}

/** The output of a command that succeeded. */
export function succeeded(args: readonly string[], result: GitResult): string {
  if (result.exitCode === 0) return result.stdout;
  throw new OperationalError({
    code: "GIT_FAILED",
    what: `git ${args[0]} failed: ${result.stderr || `exit code ${result.exitCode}`}`,
    next: "Your files are unharmed. Put right what git complains about, then resume the loop.",
  });
}

async function writeIfOther(file: string, text: string): Promise<void> {
  const present = await readFile(file, "utf8").catch(() => undefined);
  if (present === text) return;
  await rm(file, { recursive: true, force: true });
  await writeFile(file, text);
}

/**
 * Copies what may be missing. Not a link: one that dangles makes programs fail that walk the work tree, where the loop's
 * folder may lie (`node --test` of Node 20 is one).
 */
async function copyIfOther(copy: string, source: string): Promise<void> {
  const [present, wanted] = await Promise.all(
    [copy, source].map(async (file) => readFile(file).catch(() => undefined)),
  );
  const content = wanted ?? Buffer.alloc(0);
  if (present?.equals(content) === true) return;
  await rm(copy, { recursive: true, force: true });
  await writeFile(copy, content);
}
