import { type ChildProcess, spawn } from "node:child_process";
import { devNull } from "node:os";
import { PassThrough, type Readable } from "node:stream";
import { OperationalError } from "../core/errors.ts";
import type { GithubToken } from "../core/ports.ts";
import { lackToStart, troubleSaid } from "../os/machine-trouble.ts";
import { findInner, findOuter } from "../os/programs.ts";
import { oneLine } from "../views/plain-text.ts";
import { type FileChange, parseRawDiff, nulFields } from "./diff.ts";
import { Answers, differencesOf, type Pair, type ReadTrue, type TrueObjects } from "./true-trees.ts";

/**
 * The result of a git command. `stdout` is a byte string (latin1), one character a byte, because paths need not be
 * UTF-8; `stderr` is text.
 */
export interface GitResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface GitOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** a byte string (latin1) for stdin, which is empty without it; or what is written there as it comes */
  readonly input?: string | Readable;
  /** gets what stdout would */
  readonly onOutput?: (chunk: Buffer) => void;
  /** ends git and everything that it started; the exit code is null then */
  readonly signal?: AbortSignal;
}

/**
 * Settings that outrank every configuration file: no program that a repository names is started (threats T12).
 * Filter, diff and merge drivers cannot be switched off like this, their names being free; for these a git directory
 * of our own is needed.
 */
const HARDENED = ["core.fsmonitor=false", `core.hooksPath=${devNull}`, "core.pager=cat", "core.editor=false"];
const HARDENED_ARGS = ["--no-pager", ...HARDENED.flatMap((setting) => ["-c", setting])];

const INHERITED = ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "TZ", "DEVELOPER_DIR"];
/** Where the person keeps their configuration. */
const CONFIGURATION = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

/**
 * The environment of a git command that obeys only us: no `GIT_*` of the caller, no configuration of the person or the
 * machine, no prompt, no network, no replaced objects.
 */
export function hardenedGitEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return {
    ...personalGitEnvironment(env),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
}

/** The same, but with the person's and the machine's configuration; only for reading configuration. */
export function personalGitEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return {
    ...passed([...INHERITED, ...CONFIGURATION], env),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

function passed(names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** The one repository on the network that a git command may talk to, and what it shows there. */
export interface Remote {
  /** as git gets it: `http` or `https`, without user or password */
  readonly url: string;
  /** null: anonymous access */
  readonly token: GithubToken | null;
}

/** A remote with the token that it is shown now. */
export interface RemoteNow extends Remote {
  readonly token: string | null;
}

/** Proxies and certificates; and the mark by which a runner finds what a step has left behind. */
const NETWORK = [
  ...["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"],
  ...["GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "RUNNER_TRACKING_ID"],
];

/**
 * The hardened environment with a way to one repository (T12, T13). The token is sent only to that URL, as a header
 * that is in no argument or file; redirects are not followed, and git does not prompt for passwords.
 */
export function networkGitEnvironment(
  { url, token }: RemoteNow,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const basic = Buffer.from(`x-access-token:${token ?? ""}`).toString("base64");
  const settings = [
    ...(token === null ? [] : [[`http.${url}.extraheader`, `AUTHORIZATION: basic ${basic}`]]),
    ["http.followRedirects", "false"],
    ["credential.helper", ""],
    ["core.askPass", ""],
  ].flatMap(([key = "", value = ""], i): [string, string][] => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    ...hardenedGitEnvironment(env),
    ...passed(NETWORK, env),
    // A `.netrc` there would have a say.
    HOME: devNull,
    XDG_CONFIG_HOME: devNull,
    GIT_ALLOW_PROTOCOL: "http:https",
    GIT_CONFIG_COUNT: String(settings.length / 2),
    ...Object.fromEntries(settings),
  };
}

/**
 * Runs git, which is never the workspace's (T12), and waits until it has ended, well or not.
 *
 * Rejects only when git cannot be started (`ENOENT`: it is not installed, or `cwd` is gone).
 */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const { cwd, input, signal, onOutput } = options;
    const git = findOuter("git", options.env["PATH"]);
    if (git === undefined) throw notFound(options.env["PATH"]);
    // What git starts itself, it looks for on the same path.
    const env = { ...options.env, PATH: git.path };
    const stdin = input === undefined ? "ignore" : "pipe";
    const detached = signal !== undefined;
    const child = spawn(git.file, [...HARDENED_ARGS, ...args], { cwd, env, detached, stdio: [stdin, "pipe", "pipe"] });
    const letGo = signal && endOnAbort(child, signal);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on("data", onOutput ?? ((chunk: Buffer) => stdout.push(chunk)));
    child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
    // Git need not read its input: EPIPE is not an error here.
    child.stdin?.on("error", () => {});
    child.once("error", (error) => {
      letGo?.();
      reject(error);
    });
    child.once("close", (exitCode) => {
      letGo?.();
      const errors = Buffer.concat(stderr).toString("utf8").trim();
      resolve({ exitCode, stdout: Buffer.concat(stdout).toString("latin1"), stderr: errors });
    });
    if (typeof input !== "string" && child.stdin) input?.pipe(child.stdin);
    else child.stdin?.end(input, "latin1");
  });
}

function notFound(searchPath: string | undefined): Error {
  const inner = findInner("git", searchPath);
  const why = inner === undefined ? "there is none on the PATH" : `the only one is ${inner}, which the agent can write`;
  return Object.assign(new Error(why), { code: "ENOENT" });
}

/** How long git has to remove its lock files; then the whole group is killed. */
const GRACE_MS = 500;

/**
 * Ends the process group that `child` leads as soon as `signal` aborts: git's helpers for the network are in it.
 *
 * @returns what to call when the child has ended
 */
function endOnAbort(child: ChildProcess, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const send = (what: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, what);
    } catch {
      // It is gone.
    }
  };
  const end = () => {
    send("SIGTERM");
    timer = setTimeout(() => {
      send("SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, GRACE_MS);
  };
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  };
}

/** Also true before a loop has begun. */
const UNHARMED = "Nothing that the loop has kept is lost, and your files are unharmed.";

/** The same. @throws OperationalError `GIT_NOT_STARTED` when git is not installed, or the machine has no room for it */
export async function startGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  try {
    return await runGit(args, options);
  } catch (cause) {
    const lack = lackToStart(cause);
    throw new OperationalError(
      {
        code: "GIT_NOT_STARTED",
        what: `git could not be started in ${options.cwd}: ${lack === undefined ? String(cause) : `${lack.what}. ${UNHARMED}`}`,
        next:
          lack === undefined
            ? "Install git and make sure that it is on the PATH, then give the command again."
            : `${lack.next}, then resume the loop, or give the command again where none has begun.`,
      },
      { cause },
    );
  }
}

/** What a command works with, where that is not what its directory works with anyway. */
export interface GitUse extends Pick<GitOptions, "input" | "onOutput"> {
  /** the index file */
  readonly index?: string;
  /** whose objects new ones are: those of our directory, or of the person's repository */
  readonly objects?: "own" | "theirs";
  readonly env?: Readonly<Record<string, string>>;
  /** with a way to the remote, where the directory knows one; what a partial clone lacks is fetched then */
  readonly online?: boolean;
  /** in the person's work tree, where the directory is bare */
  readonly inWorkTree?: boolean;
  /** is not broken off when time is over: files are being written */
  readonly unbroken?: boolean;
}

/** An object of git. */
interface Found {
  readonly object: string;
  readonly bytes: number;
}

const RAW = ["--raw", "-z", "--no-renames", "--no-abbrev"];

/** A git directory of our own (threats T12): nothing that a repository or a person has configured is obeyed in it. */
export abstract class Git {
  /** Runs git on the directory and waits until it has ended, well or not. Rejects when it cannot be started. */
  abstract try(args: readonly string[], use?: GitUse): Promise<GitResult>;

  /** The same, for commands that have to succeed. @returns stdout as a byte string */
  async run(args: readonly string[], use: GitUse = {}): Promise<string> {
    return this.succeeded(args, await this.try(args, use));
  }

  /** The output of a command that succeeded. */
  succeeded(args: readonly string[], result: GitResult): string {
    if (result.exitCode === 0) return result.stdout;
    throw this.failure(args, result);
  }

  protected failure([command]: readonly string[], { exitCode, stderr }: GitResult): Error {
    const trouble = troubleSaid(stderr);
    return new OperationalError({
      code: "GIT_FAILED",
      what: `git ${command} failed: ${trouble?.what ?? (stderr || `exit code ${exitCode}`)}`,
      next: `Your files are unharmed. ${trouble?.next ?? "Put right what git complains about"}, then resume the loop.`,
    });
  }

  async has(object: string): Promise<boolean> {
    return (await this.try(["cat-file", "-e", object])).exitCode === 0;
  }

  /** The files that a command of the `diff` family prints; renames are two changes. */
  async changes([command = "", ...rest]: readonly string[], use: GitUse = {}): Promise<readonly FileChange[]> {
    return parseRawDiff(await this.run([command, ...RAW, ...rest], use));
  }

  /** The object under each of `names`, which have no line breaks, in their order; undefined: not found. */
  async find(names: readonly string[], use: GitUse = {}): Promise<readonly (Found | undefined)[]> {
    if (names.length === 0) return [];
    const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
    const listed = await this.run(args, { ...use, input: lines(names) });
    return listed
      .trimEnd()
      .split("\n")
      .map((line) => {
        // `missing` replaces a size.
        const [, object, bytes] = /^(\S+) (\d+)$/u.exec(line) ?? [];
        return object === undefined ? undefined : { object, bytes: Number(bytes) };
      });
  }

  /** The sizes in bytes of those objects that are there. */
  async sizes(ids: readonly string[], use: GitUse = {}): Promise<ReadonlyMap<string, number>> {
    const found = (await this.find(ids, use)).filter((one) => one !== undefined);
    return new Map(found.map(({ object, bytes }) => [object, bytes]));
  }

  /**
   * Lets `work` read objects that are checked against their ids, all of them by one git process.
   *
   * @throws OperationalError `GIT_OBJECT_FORGED`; what `work` throws
   */
  async reading<T>(work: (read: ReadTrue) => Promise<T>, use: GitUse = {}): Promise<T> {
    const [input, answers] = [new PassThrough(), new Answers()];
    let ended: Promise<void> | undefined;
    const read: ReadTrue = (ids, keep = Infinity) => {
      if (ids.length === 0) return Promise.resolve(new Map());
      ended ??= this.run(["cat-file", "--batch"], { ...use, input, onOutput: (chunk) => answers.take(chunk) }).then(
        () => answers.fail(new Error("git said less than it was asked for")),
        (error: unknown) => answers.fail(error instanceof Error ? error : new Error(String(error))),
      );
      const answer = answers.next(ids.length, keep);
      input.write(lines(ids), "latin1");
      return answer;
    };
    try {
      return await work(read);
    } finally {
      input.end();
      await ended;
    }
  }

  /**
   * Those of these objects that are there, each of them checked against its id: what is kept is in memory at once.
   *
   * @param keep see `ReadTrue`
   * @throws OperationalError `GIT_OBJECT_FORGED`
   */
  async trueObjects(ids: readonly string[], use: GitUse = {}, keep?: number): Promise<TrueObjects> {
    return this.reading((read) => read(ids, keep), use);
  }

  /** The sizes of those that are there, in bytes, each checked likewise: all of them are read, nothing is kept. */
  async trueSizes(ids: readonly string[], use: GitUse = {}): Promise<ReadonlyMap<string, number>> {
    const found = await this.trueObjects(ids, use, -1);
    return new Map([...found].map(([id, { bytes }]) => [id, bytes]));
  }

  /**
   * What differs between two trees, see `differencesOf`: for what decides, where the agent can write what git reads.
   *
   * @returns undefined: one of them is not here
   * @throws OperationalError `GIT_OBJECT_FORGED`, `GIT_TREE_MALFORMED`
   */
  async differing(from: string | null, to: string, use: GitUse = {}): Promise<readonly FileChange[] | undefined> {
    return (await this.differingAll([[from, to]], use))[0];
  }

  /** The same for many pairs at once. */
  async differingAll(
    pairs: readonly Pair[],
    use: GitUse = {},
  ): Promise<readonly (readonly FileChange[] | undefined)[]> {
    return this.reading((read) => differencesOf(read, pairs), use);
  }

  async emptyTree(): Promise<string> {
    return (await this.run(["mktree"])).trim();
  }
}

/** One to a line, as git reads what it is asked for. */
export function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join("");
}

/** Reads what `git config --null --list` says; null: a key without a value, which stands for true. */
export function parseSettings(text: string): readonly { readonly key: string; readonly value: string | null }[] {
  return nulFields(text).map((field) => {
    const end = field.indexOf("\n");
    return end === -1 ? { key: field, value: null } : { key: field.slice(0, end), value: field.slice(end + 1) };
  });
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u;

export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** Checks an id that came from elsewhere, before git gets it. @throws Error when it is not an id */
export function checkedId(id: string): string {
  if (isObjectId(id)) return id;
  throw new Error(`${JSON.stringify(oneLine(id).slice(0, 80))} is not the id of a git object`);
}

/** A text in double quotes, as git reads it in a file of its configuration and in a list of paths. */
export function quotedForGit(text: string): string {
  return `"${text.replaceAll(/[\\"]/gu, String.raw`\$&`).replaceAll("\n", String.raw`\n`)}"`;
}
