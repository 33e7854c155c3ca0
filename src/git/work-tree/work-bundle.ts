import { open, rm } from "node:fs/promises";
import { constants } from "node:fs";
import type { TreeRestored, WorkFile } from "../../core/carry.ts";
import { WorkTreeKeeper } from "./work-keeping.ts";
import { createOperations } from "./bounded-operations.ts";
import { checkedId, OwnRepository, type RefPlace } from "./own-repository.ts";
import { restoreWork } from "./work-restoring.ts";
import { notFitting, notInFiles, unusable } from "./work-sentences.ts";
import { failed, done } from "../../core/result.ts";

export interface WorkBundleOptions extends RefPlace {
  /** values that no file that travels may hold; those of less than six characters are not looked for */
  readonly secrets: readonly string[];
}

/**
 * Unfinished work as a git bundle: one commit, under the name of the loop's ref, whose tree is the work as C13 lets it
 * travel and whose parent, the commit that the work began with, has to be had already. Whoever has that commit can look
 * at it with git alone.
 *
 * It is made and read in a git directory of our own that obeys nothing in the checkout (T12); what is restored comes in
 * as objects without names.
 */
export function createWorkBundle(options: WorkBundleOptions): WorkFile {
  const bundle = new WorkBundle(options);
  const bounded = createOperations();
  return {
    save: (file, work, within) =>
      bounded<readonly string[]>(
        within,
        (signal) => bundle.save(file, work, signal),
        (why) => [notInFiles(why)],
      ),
    restore: (file, savedBy, within) =>
      bounded<TreeRestored>(
        within,
        (signal) => bundle.restore(file, savedBy, signal),
        (why) => failed({ kind: "failed", because: unusable(savedBy, why) }),
      ),
  };
}

class WorkBundle {
  readonly #git: OwnRepository;
  readonly #keeper: WorkTreeKeeper;

  constructor(options: WorkBundleOptions) {
    this.#git = new OwnRepository(options);
    // The file is sealed with all others, if they are.
    this.#keeper = new WorkTreeKeeper(this.#git, null, options.secrets);
  }

  async save(
    file: string,
    work: { base: string | null; tree: string } | null,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    await Promise.all([file, `${file}.lock`].map((name) => rm(name, { force: true })));
    const { ref, workTree } = this.#git.place;
    if (workTree === null || work === null) return [];
    const { base, tree } = work;
    await this.#git.prepare(signal);
    if (base !== null) await this.#git.bring(base, signal);
    const { kept, notices } = await this.#keeper.keep(base, tree, null, signal);
    if (kept === null) return notices;
    const parent = base === null ? [] : ["-p", base];
    const made = ["commit-tree", kept.object, ...parent, "-m", "smithers: unfinished work"];
    const commit = (await this.#git.run(made, { signal })).trim();
    await this.#git.run(["update-ref", ref, commit], { signal });
    const without = base === null ? [] : [`^${base}`];
    await this.#git.run(["bundle", "create", "--quiet", file, ref, ...without], { signal });
    return notices;
  }

  async restore(file: string, savedBy: string, signal: AbortSignal): Promise<TreeRestored> {
    const { ref, workTree } = this.#git.place;
    if (workTree === null) return done("absent");
    await this.#git.prepare(signal);
    const base = baseIn(await beginningOf(file));
    if (base !== null) {
      await this.#git.bring(base, signal);
      // Git takes a bundle only where what it builds upon has a name.
      await this.#git.run(["update-ref", BASE, base], { signal });
    }
    const named = await this.#git.run(["bundle", "unbundle", file], { signal });
    const commit = checkedId(named.split(/[ \n]/u)[0] ?? "");
    const tree = (await this.#git.run(["rev-parse", "--verify", `${commit}^{tree}`], { signal })).trim();
    const work = { base: await this.#git.rootOf(base, signal), tree };
    const laid = await restoreWork(this.#git, workTree, work, signal);
    if (laid.laid === "conflict") {
      return failed({ kind: "conflict", because: notFitting({ ref, savedBy, prefix: workTree.prefix }, laid.where) });
    }
    return laid.laid === "failed" ? failed({ kind: "failed", because: unusable(savedBy, laid.why) }) : done(laid.laid);
  }
}

const BASE = "refs/have/base";

/** More than the header of our bundles takes, in bytes. */
const HEADER_LIMIT = 4096;

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_LIMIT), 0, HEADER_LIMIT, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The commit that a bundle builds upon, by its header (`gitformat-bundle`); null when there is none. */
function baseIn(beginning: string): string | null {
  const [header = ""] = beginning.split("\n\n");
  const bases = header.split("\n").filter((line) => line.startsWith("-"));
  if (!/^# v[23] git bundle\n/u.test(header) || bases.length > 1) throw new Error("the file is no bundle of one work");
  const [base] = bases;
  return base === undefined ? null : checkedId(base.slice(1).split(" ")[0] ?? "");
}
