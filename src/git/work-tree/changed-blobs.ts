import type { OwnRepository } from "./own-repository.ts";
import type { SecretValues } from "../../os/secrets.ts";

/** What is known of a file's content. */
export interface Blob {
  readonly bytes: number;
  readonly holdsSecret: boolean;
}

/** Larger files do not travel, and are not read (C13). */
export const FILE_LIMIT = 10 << 20;

/** So much is read at once. */
const BATCH_BYTES = 16 << 20;

/** Reads contents, each one once: what an iteration costs does not grow with what the loop has changed before. */
export class Blobs {
  readonly #git: OwnRepository;
  readonly #secrets: SecretValues;
  readonly #known = new Map<string, Blob>();

  constructor(git: OwnRepository, secrets: SecretValues) {
    this.#git = git;
    this.#secrets = secrets;
  }

  /** What is known of each of `objects` after this. */
  async look(objects: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Blob>> {
    const unknown = [...new Set(objects)].filter((object) => !this.#known.has(object));
    if (unknown.length > 0) await this.#read(await this.#sizes(unknown, signal), signal);
    return this.#known;
  }

  async #sizes(objects: readonly string[], signal: AbortSignal): Promise<readonly (readonly [string, number])[]> {
    const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
    const listed = await this.#git.run(args, { signal, input: lines(objects) });
    return listed
      .trim()
      .split("\n")
      .map((line) => {
        const [object = "", size = ""] = line.split(" ");
        if (!/^\d+$/u.test(size)) throw new Error(`the content of a changed file is missing: ${line}`);
        return [object, Number(size)];
      });
  }

  async #read(sized: readonly (readonly [string, number])[], signal: AbortSignal): Promise<void> {
    let batch: string[] = [];
    let bytes = 0;
    for (const [object, size] of sized) {
      if (size > FILE_LIMIT) {
        this.#known.set(object, { bytes: size, holdsSecret: false });
        continue;
      }
      batch.push(object);
      bytes += size;
      if (bytes < BATCH_BYTES) continue;
      await this.#scan(batch, signal);
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) await this.#scan(batch, signal);
  }

  async #scan(objects: readonly string[], signal: AbortSignal): Promise<void> {
    const contents = await this.#git.run(["cat-file", "--batch"], { signal, input: lines(objects) });
    for (let at = 0; at < contents.length;) {
      const end = contents.indexOf("\n", at);
      const [object = "", , size = ""] = contents.slice(at, end).split(" ");
      const bytes = Number(size);
      const content = contents.slice(end + 1, end + 1 + bytes);
      this.#known.set(object, { bytes, holdsSecret: this.#secrets.areIn(content) });
      at = end + 1 + bytes + 1;
    }
  }
}

function lines(objects: readonly string[]): string {
  return objects.map((object) => `${object}\n`).join("");
}
