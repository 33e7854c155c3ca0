import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { tempFolder } from "../temp-folder.ts";
import { lookThrough, type Push, type RefMove } from "./receive-pack.ts";

const program = promisify(execFile);

/**
 * Which workflow files may be on a ref that a token without the right to write workflows moves. `documented`: what the
 * move brings, and each new commit, has at its path what the tip of some branch has there. `strict`, the worst of what
 * was seen: only the default branch counts, and all that the new tip holds, whatever was there before; a deletion is
 * one as well, and so is a workflow file below another folder.
 */
export type WorkflowRule = "documented" | "strict";

/** Blobs by their paths; null: deleted. */
type Files = ReadonlyMap<string, string | null>;

const FOLDER = ".github/workflows";
const ENTRY = /^\d+ blob ([\da-f]+)\t(.+)$/su;
const ANYWHERE = /(?:^|\/)\.github\/workflows\//u;

/** A bare repository that refuses workflow files as GitHub does. */
export class WorkflowGuard {
  rule: WorkflowRule = "documented";
  readonly #folder: string;
  readonly #format: "sha1" | "sha256";
  /** commits that are known to have no workflow file */
  readonly #without = new Set<string>();

  constructor(folder: string, format: "sha1" | "sha256" = "sha1") {
    this.#folder = folder;
    this.#format = format;
  }

  /** The workflow file for which a push is refused; undefined: it is not. */
  async refusedIn({ moves, pack }: Push): Promise<string | undefined> {
    const { mentions, parents } = lookThrough(pack, "workflows", this.#format);
    if (!mentions && !(await this.#hasAny(moves, parents))) {
      // Nothing that it could come from has one.
      for (const { to } of moves) if (to !== null) this.#without.add(to);
      return undefined;
    }
    await using folder = await tempFolder("pushed-");
    const env = { GIT_OBJECT_DIRECTORY: folder.path, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${this.#folder}/objects` };
    if (pack.length > 0) {
      const indexing = program("git", ["index-pack", "--stdin", "--fix-thin"], { cwd: this.#folder, env: inEnv(env) });
      indexing.child.stdin?.end(pack);
      // What git does not take is refused by git itself.
      if (!(await succeeds(indexing))) return undefined;
    }
    return await this.#refused(moves, env);
  }

  /** The same for objects that are there already, as an API moves refs. */
  async refusedAt(moves: readonly RefMove[]): Promise<string | undefined> {
    return (await this.#hasAny(moves)) ? this.#refused(moves, {}) : undefined;
  }

  /** Whether this blob is at this path of a branch that counts; null: nothing. */
  async has(file: string, blob: string | null): Promise<boolean> {
    return isOn(await this.#others({}), [file, blob]);
  }

  /** Whether a branch has any workflow file, or what the moves begin and end with, as far as that is here. */
  async #hasAny(moves: readonly RefMove[], parents: readonly string[] = []): Promise<boolean> {
    const ends = moves.flatMap(({ from, to }) => [from, to]).filter((id) => id !== null);
    const open = [...new Set([...(await this.#tips()), ...ends, ...parents])].filter((id) => !this.#without.has(id));
    if (open.length === 0) return false;
    const asking = program("git", ["cat-file", "--batch-check"], { cwd: this.#folder });
    asking.child.stdin?.end(open.map((id) => `${id}:.github\n${id}\n`).join(""));
    const answers = (await asking).stdout.trimEnd().split("\n");
    // Where a commit is not here either, the answer to the second line is the same.
    const isMissing = (line: number): boolean => answers[line]?.endsWith(" missing") === true;
    const known = open.filter((_, at) => isMissing(2 * at) && !isMissing(2 * at + 1));
    for (const id of known) this.#without.add(id);
    return open.some((_, at) => !isMissing(2 * at));
  }

  /** The tips of all branches: of a repository that nobody packs. */
  async #tips(): Promise<readonly string[]> {
    const folder = path.join(this.#folder, "refs/heads");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"));
    const read = files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), "utf8").catch(() => ""));
    return (await Promise.all(read)).map((text) => text.trim()).filter((id) => id !== "");
  }

  async #refused(moves: readonly RefMove[], env: Record<string, string>): Promise<string | undefined> {
    let others: readonly Files[] | undefined;
    for (const { from, to } of moves) {
      if (to === null) continue;
      for (const file of await this.#brought(from, to, env)) {
        others ??= await this.#others(env);
        if (!isOn(others, file)) return file[0];
      }
    }
    return undefined;
  }

  /** What moving a ref brings: its tip's files, and the changes of each commit that is new. */
  async #brought(from: string | null, to: string, env: Record<string, string>) {
    const isStrict = this.rule === "strict";
    const [tip, before] = await Promise.all([
      this.#filesOf(to, env),
      from === null || isStrict ? new Map<string, string>() : this.#filesOf(from, env),
    ]);
    const differing = [...tip].filter(([file, blob]) => before.get(file) !== blob);
    const merges = isStrict ? "separate" : "first-parent";
    const args = ["log", "--full-history", `--diff-merges=${merges}`, "--raw", "--no-abbrev", "--no-renames"];
    const where = isStrict ? [] : ["--", FOLDER];
    const told = await this.#git(env, ...args, "--format=", to, "--not", "--all", ...where);
    const changed = told.split("\n").flatMap((row): readonly (readonly [string, string | null])[] => {
      const [, blob = "", status = "", file = ""] = /^:\d+ \d+ [\da-f]+ ([\da-f]+) (\w)\t(.+)$/u.exec(row) ?? [];
      if (!(isStrict ? ANYWHERE : /^/u).test(file) || file === "") return [];
      if (status !== "D") return [[file, blob]];
      return isStrict ? [[file, null]] : [];
    });
    return [...differing, ...changed];
  }

  /** The workflow files of the branches that count. */
  async #others(env: Record<string, string>): Promise<readonly Files[]> {
    const pattern = this.rule === "strict" ? "refs/heads/main" : "refs/heads";
    const tips = await this.#git(env, "for-each-ref", "--format=%(objectname)", pattern);
    return Promise.all([...new Set(tips.split("\n"))].filter(Boolean).map((tip) => this.#filesOf(tip, env)));
  }

  async #filesOf(commit: string, env: Record<string, string>): Promise<Files> {
    const where = this.rule === "strict" ? [] : ["--", FOLDER];
    const listed = await this.#git(env, "ls-tree", "-r", "-z", "--full-tree", commit, ...where).catch(() => "");
    const files = listed.split("\0").map((row) => ENTRY.exec(row) ?? []);
    return new Map(files.flatMap(([, blob = "", file = ""]) => (ANYWHERE.test(file) ? [[file, blob] as const] : [])));
  }

  async #git(env: Record<string, string>, ...args: readonly string[]): Promise<string> {
    const how = { cwd: this.#folder, env: inEnv(env), maxBuffer: 1 << 26 };
    return (await program("git", args, how)).stdout;
  }
}

/** GitHub's words; it says so of the job's own token as well, and of a personal one in words of its own. */
export function workflowRefusal(file: string, isPersonal = false): string {
  const who = isPersonal ? "a Personal Access Token" : "a GitHub App";
  const lacks = isPersonal ? "`workflow` scope" : "`workflows` permission";
  return `refusing to allow ${who} to create or update workflow \`${file}\` without ${lacks}`;
}

function isOn(others: readonly Files[], [file, blob]: readonly [string, string | null]): boolean {
  return others.some((files) => (files.get(file) ?? null) === blob);
}

function inEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...env };
}

async function succeeds(doing: Promise<unknown>): Promise<boolean> {
  return doing.then(
    () => true,
    () => false,
  );
}
