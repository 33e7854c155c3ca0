import type { CommitRequest } from "../../core/ports.ts";
import { joined } from "../../core/text.ts";

const NAMED = 5;

/**
 * Other loops that work in the same work tree. Nobody can tell afterwards which of them has changed a file, and a commit
 * takes in all that has changed: so each is told when it is seen first, and a commit that may hold its work says so.
 */
export class Company {
  readonly #others: () => Promise<readonly string[]>;
  readonly #notice: (text: string) => void;
  readonly #told = new Set<string>();
  /** since the last commit */
  readonly #present = new Set<string>();

  /** @param others ids of those that are at work now @param notice hears a sentence for each that comes */
  constructor(
    others: () => Promise<readonly string[]> = async () => [],
    notice: (text: string) => void = () => undefined,
  ) {
    this.#others = others;
    this.#notice = notice;
  }

  async look(): Promise<void> {
    for (const loop of await this.#others()) {
      this.#present.add(loop);
      if (this.#told.has(loop)) continue;
      this.#told.add(loop);
      this.#notice(
        `Loop ${loop} is at work in this work tree as well: each sees what the other changes, and its commits take that in and say so. To keep them apart, end one (smithers stop --loop-id ${loop}) and let it work in another work tree (git worktree add, --cd)`,
      );
    }
  }

  /** Makes a commit whose message says whose work may be in it besides. A PRD's stories have the work tree for themselves. */
  async commit<T>(request: CommitRequest, make: (request: CommitRequest) => Promise<T>): Promise<T> {
    await this.look();
    const made = await make(
      request.story === undefined ? { ...request, message: this.#named(request.message) } : request,
    );
    // What comes now is in no commit yet.
    if (made !== undefined) this.#present.clear();
    return made;
  }

  #named(message: string): string {
    const loops = [...this.#present].slice(0, NAMED);
    if (loops.length === 0) return message;
    const more = this.#present.size - loops.length;
    const all = [...loops, ...(more > 0 ? [`${more} more`] : [])];
    return `${message}\n\nAt work in this work tree meanwhile: ${joined(", ", all)}. What ${all.length === 1 ? "that loop has" : "those loops have"} changed may be in here as well.`;
  }
}
