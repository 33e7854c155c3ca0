import { createHash } from "node:crypto";
import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { readOwnBytes } from "../../os/own-file.ts";
import { decoded, fileBelow, nulFields } from "../diff.ts";
import type { PrivateGit } from "../private-git.ts";

const REPOSITORIES = 20;
const DEPTH = 3;
const FILES = 20_000;
/** A longer file is told by its size and time. */
const FILE_BYTES = 1 << 20;
const ALL_BYTES = 64 << 20;

/**
 * Tells what submodules and nested repositories hold, which git measures by their commits or not at all: work in them is
 * work. Only git of our own looks, so that nothing of their configuration is obeyed (T12); what they ignore does not
 * count. Bounded: at most 20 repositories and 20,000 files.
 */
export class NestedWork {
  readonly #git: PrivateGit;
  /** digests of contents by path, with what the file looked like then */
  readonly #known = new Map<string, { readonly sign: string; readonly digest: string }>();

  constructor(git: PrivateGit) {
    this.#git = git;
  }

  /**
   * @param names byte strings, relative to the top; what is no folder is left out
   * @returns hex digest; undefined: there are none
   */
  async digest(names: readonly string[]): Promise<string | undefined> {
    const files = await this.#filesIn(names, DEPTH);
    if (files.length === 0) return undefined;
    const hash = createHash("sha256");
    let left = ALL_BYTES;
    for (const name of files.toSorted().slice(0, FILES)) {
      const { digest, bytes } = await this.#contentOf(name, left);
      left -= bytes;
      hash.update(`${name}\0${digest}\0`, "latin1");
    }
    return hash.digest("hex");
  }

  async #filesIn(names: readonly string[], depth: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (const name of names.slice(0, REPOSITORIES)) {
      const folder = name.replace(/\/$/u, "");
      const listed = await this.#list(folder);
      const below = listed.map((one) => `${folder}/${one}`);
      const inner = below.filter((one) => one.endsWith("/"));
      found.push(...below.filter((one) => !one.endsWith("/")));
      if (depth > 1 && inner.length > 0) found.push(...(await this.#filesIn(inner, depth - 1)));
    }
    return found;
  }

  /** The files of a nested work tree that it does not ignore; repositories in it end with a slash. */
  async #list(folder: string): Promise<readonly string[]> {
    const place = path.join(this.#git.repository.top, decoded(folder));
    // A link would lead git to anywhere.
    if ((await realpath(place).catch(() => "")) !== place) return [];
    const use = { index: path.join(this.#git.folder, "no-index"), env: { GIT_WORK_TREE: place } };
    const { exitCode, stdout } = await this.#git.try(["ls-files", "--others", "--exclude-standard", "-z"], use);
    return exitCode === 0 ? nulFields(stdout) : [];
  }

  /** @param left bytes that may be read, of all files together; which ones are is the same each time */
  async #contentOf(name: string, left: number): Promise<{ readonly digest: string; readonly bytes: number }> {
    const file = fileBelow(this.#git.repository.top, name);
    const info = await lstat(file, { bigint: true }).catch(() => undefined);
    if (info === undefined) return { digest: "gone", bytes: 0 };
    if (info.isSymbolicLink()) return { digest: `link ${await readlink(file).catch(() => "")}`, bytes: 0 };
    const bytes = Number(info.size);
    const outside = `${bytes} ${info.mtimeNs}`;
    if (!info.isFile() || bytes > Math.min(FILE_BYTES, left)) return { digest: outside, bytes: 0 };
    const sign = [info.mode, bytes, info.mtimeNs, info.ctimeNs, info.ino].join(" ");
    const known = this.#known.get(name);
    if (known?.sign === sign) return { digest: known.digest, bytes };
    const content = await readOwnBytes(path.join(this.#git.repository.top, decoded(name)), FILE_BYTES).catch(
      () => outside,
    );
    const digest = `${info.mode} ${createHash("sha256").update(content).digest("hex")}`;
    this.#known.set(name, { sign, digest });
    return { digest, bytes };
  }
}
