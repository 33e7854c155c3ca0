import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";

export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly path: string;
  /** bytes; null for what is not a file */
  readonly size: number | null;
}

export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** A file to put into a tree; without `sha` it is taken out. */
export interface Change {
  readonly path: string;
  readonly mode: string;
  readonly sha: string | null;
}

const BOT = { name: "GitHub", email: "noreply@github.com" };

/** The objects of a real, bare repository. */
export class GitStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What kind of object it is; undefined: it does not exist. */
  async typeOf(sha: string): Promise<string | undefined> {
    return this.#git(["cat-file", "-t", sha]).then(
      (type) => type.toString().trim(),
      () => undefined,
    );
  }

  async blob(sha: string): Promise<Buffer> {
    return this.#git(["cat-file", "blob", sha]);
  }

  async tree(sha: string, recursive: boolean): Promise<readonly TreeEntry[]> {
    const listed = await this.#git(["ls-tree", "-z", "-l", ...(recursive ? ["-r", "-t"] : []), sha]);
    return listed
      .toString()
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => {
        const [head = "", path = ""] = line.split("\t");
        const [mode = "", type = "", object = "", size = ""] = head.split(/ +/u);
        return { mode, type, sha: object, path, size: size === "-" ? null : Number(size) };
      });
  }

  async commit(sha: string): Promise<Commit> {
    const format = ["%T", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B"].join("%x00");
    const shown = await this.#git(["log", "-1", `--format=${format}`, sha]);
    const [tree = "", parents = "", an = "", ae = "", ad = "", cn = "", ce = "", cd = "", message = ""] = shown
      .toString()
      .split("\0");
    return {
      ...{ sha, tree, parents: parents === "" ? [] : parents.split(" "), message: message.trimEnd() },
      ...{ author: { name: an, email: ae, date: ad }, committer: { name: cn, email: ce, date: cd } },
    };
  }

  /** The object at a path of a commit or a tree; undefined: it does not exist. */
  async at(commit: string, path: string): Promise<string | undefined> {
    return this.#git(["rev-parse", "--verify", "-q", `${commit}:${path}`]).then(
      (sha) => sha.toString().trim(),
      () => undefined,
    );
  }

  async writeBlob(bytes: Buffer): Promise<string> {
    return this.#sha(["hash-object", "-w", "--stdin"], {}, bytes);
  }

  /** @param base what is changed; null: an empty tree */
  async writeTree(base: string | null, changes: readonly Change[]): Promise<string> {
    const env = { GIT_INDEX_FILE: `${this.#folder}/stand-in-${process.pid}-${++this.#indexes}.index` };
    await this.#git(base === null ? ["read-tree", "--empty"] : ["read-tree", base], env);
    const lines = changes.map(
      ({ path, mode, sha }) => `${sha === null ? "0" : mode} ${sha ?? "0".repeat(40)}\t${path}\0`,
    );
    await this.#git(["update-index", "--add", "-z", "--index-info"], env, Buffer.from(lines.join("")));
    return this.#sha(["write-tree"], env);
  }

  async writeCommit(tree: string, parents: readonly string[], message: string, author?: Partial<Signature>) {
    const { name, email, date = "" } = { ...BOT, ...author };
    const dates = date === "" ? {} : { GIT_AUTHOR_DATE: date };
    const env = {
      ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, ...dates },
      ...{ GIT_COMMITTER_NAME: BOT.name, GIT_COMMITTER_EMAIL: BOT.email },
    };
    const flags = parents.flatMap((parent) => ["-p", parent]);
    return this.#sha(["commit-tree", tree, ...flags, "-F", "-"], env, Buffer.from(message));
  }

  #indexes = 0;

  async #sha(args: readonly string[], env: Record<string, string> = {}, input?: Buffer): Promise<string> {
    return (await this.#git(args, env, input)).toString().trim();
  }

  async #git(args: readonly string[], env: Record<string, string> = {}, input?: Buffer): Promise<Buffer> {
    const child = spawn("git", args, { cwd: this.#folder, env: { ...process.env, ...env } });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [out, complaint, [code]] = await Promise.all([
      buffer(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    if (code !== 0) throw new Error(`git ${args.join(" ")}: ${complaint}`);
    return out;
  }
}
