import {
  type CarriedRecord,
  isNewer,
  type RefAnswer,
  type LoopRef,
  type RefWritten,
  type TreeRestored,
} from "../core/carry.ts";
import { OperationalError } from "../core/errors.ts";
import { type Kept, readCommit, REF_RECORD_LIMIT, type Tip, writeCommit } from "./git-ref-commit.ts";
import { type Keeping, WorkTreeKeeper } from "../git/work-tree/work-keeping.ts";
import { OwnRepository, type RefPlace } from "../git/work-tree/own-repository.ts";
import { restoreWork } from "../git/work-tree/work-restoring.ts";
import { unsealTree } from "../git/work-tree/sealed-tree.ts";
import {
  conflicting,
  type KeptPlace,
  sentence,
  unread,
  unrestored,
  unwritten,
} from "../git/work-tree/work-sentences.ts";
import { createOperations, messageOf } from "../git/work-tree/bounded-operations.ts";
import { recordText } from "./record-schema.ts";
import { isAbsentRef, superseded, type Trouble, troubleOf, unreachable } from "../git/work-tree/remote-trouble.ts";
import { failed, done } from "../core/result.ts";

export interface GitRefOptions extends RefPlace {
  /** seals work trees; null: they travel as they are */
  readonly sealKey: string | null;
  /** values that no file that travels may hold; those of less than six characters are not looked for */
  readonly secrets: readonly string[];
  /** @throws OperationalError `STATE_NEWER` for what a later version wrote, any Error for what is no record */
  readonly parseRecord: (json: unknown) => CarriedRecord;
}

/**
 * The loop's ref in a git repository that is reached over HTTP: a chain of commits with `record.json` and, as C13
 * allows, the work tree as `tree/` or `tree.sealed`. It is moved by compare-and-swap, through a git directory of our own
 * that obeys nothing in the checkout (T12).
 *
 * Operations run in the order in which they are asked for. Only `read` throws, and only `STATE_NEWER`: what a later
 * version wrote is never written over.
 */
export function createGitRef(options: GitRefOptions): LoopRef {
  const ref = new GitRef(options);
  const bounded = createOperations();
  const name = options.ref;
  return {
    read: (within) =>
      bounded<RefAnswer>(
        within,
        (signal) => ref.read(signal),
        (why) => ({ answer: "unreachable", why: unread(name, why) }),
      ),
    write: (record, tree, within) =>
      bounded<RefWritten>(
        within,
        (signal) => ref.write(record, tree, signal),
        (why) => failed({ kind: "unreachable", because: unwritten(name, unreachable(why)) }),
      ).catch((error: unknown) => failed({ kind: "refused", because: messageOf(error) })),
    restoreTree: (within) =>
      bounded<TreeRestored>(
        within,
        (signal) => ref.restoreTree(signal),
        (why) => failed({ kind: "failed", because: unrestored(name, why) }),
      ).catch((error: unknown) => failed({ kind: "failed", because: messageOf(error) })),
  };
}

class GitRef {
  readonly #options: GitRefOptions;
  readonly #git: OwnRepository;
  readonly #keeper: WorkTreeKeeper;
  /** null: there was no ref; undefined: it could not be read yet */
  #tip: Tip | null | undefined;
  /** commits that were sent without an answer: the ref may stand at one of them */
  readonly #sent = new Set<string>();
  readonly #told = new Set<string>();
  /** why another run has the loop, once it has: that is for good */
  #lost: Trouble | undefined;
  /** whether the remote is known to have the history of what is sent */
  #inStep = false;

  constructor(options: GitRefOptions) {
    this.#options = options;
    this.#git = new OwnRepository(options);
    this.#keeper = new WorkTreeKeeper(this.#git, options.sealKey, options.secrets);
  }

  async read(signal: AbortSignal): Promise<RefAnswer> {
    const looked = await this.#look(signal);
    if ("answer" in looked) return looked;
    return { answer: "unreachable", why: unread(this.#options.ref, sentence(looked)) };
  }

  async #look(signal: AbortSignal): Promise<Exclude<RefAnswer, { answer: "unreachable" }> | Trouble> {
    await this.#git.prepare(signal);
    const { ref, parseRecord } = this.#options;
    const fetched = await this.#git.fetch(`+${ref}:${ref}`, signal);
    if (fetched.exitCode !== 0) {
      if (!isAbsentRef(fetched)) return troubleOf(fetched);
      this.#tip = null;
      return { answer: "absent" };
    }
    const commit = (await this.#git.run(["rev-parse", "--verify", ref], { signal })).trim();
    try {
      const { record, kept } = await readCommit(this.#git, commit, parseRecord, signal);
      this.#tip = { commit, record, kept };
      if (record !== null) return { answer: "found", commit, record };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OperationalError && error.code === "STATE_NEWER") throw error;
      // The next write goes on from it: it stays in the chain for whoever wants to look.
      this.#tip = { commit, record: null, kept: null };
      return unreachable(`what it holds is no record of a loop: ${messageOf(error)}`);
    }
    return { answer: "absent" };
  }

  async write(record: CarriedRecord, tree: string | null, signal: AbortSignal): Promise<RefWritten> {
    const bytes = Buffer.byteLength(recordText(record));
    if (bytes > REF_RECORD_LIMIT) {
      const what = `its record takes ${bytes} bytes, more than the ${REF_RECORD_LIMIT} that a ref may hold`;
      return this.#refused({ because: "refused", what, next: "", inTree: false });
    }
    if (this.#lost !== undefined) return this.#refused(this.#lost);
    await this.#git.prepare(signal);
    if (this.#tip === undefined) {
      const trouble = await this.#lookFirst(record, signal);
      if (trouble !== undefined) return this.#refused(trouble);
    }
    const former = this.#tip?.kept ?? null;
    const isKept = tree !== null && this.#options.workTree !== null;
    const keeping = isKept ? await this.#keeper.keep(record.base, tree, former, signal) : NOTHING;
    return this.#put(record, keeping, signal);
  }

  async restoreTree(signal: AbortSignal): Promise<TreeRestored> {
    if (this.#tip === undefined) {
      const answer = await this.read(signal);
      if (answer.answer === "unreachable") return failed({ kind: "failed", because: answer.why });
    }
    const { workTree } = this.#options;
    const kept = this.#tip?.kept ?? null;
    if (workTree === null || kept === null) return done("absent");
    await this.#git.prepare(signal);
    const laid = await restoreWork(this.#git, workTree, await this.#workOf(kept, signal), signal);
    if (laid.laid === "conflict")
      return failed({ kind: "conflict", because: conflicting(this.#place(kept), laid.where) });
    if (laid.laid === "failed") return failed({ kind: "failed", because: unrestored(this.#options.ref, laid.why) });
    return done(laid.laid);
  }

  /** The ref could not be read when the loop began: it may not be moved from a record that is later than ours. */
  async #lookFirst(record: CarriedRecord, signal: AbortSignal): Promise<Trouble | undefined> {
    const looked = await this.#look(signal);
    // What is no record was read, and may be gone on from.
    if ("because" in looked) return this.#tip === undefined ? { ...looked, because: "unreachable" } : undefined;
    return looked.answer === "found" && !isNewer(record, looked.record) ? superseded() : undefined;
  }

  async #put(record: CarriedRecord, keeping: Keeping, signal: AbortSignal): Promise<RefWritten> {
    const { kept, notices } = keeping;
    const expected = this.#tip?.commit ?? null;
    const commit = await writeCommit(this.#git, record, kept, expected, signal);
    this.#sent.add(commit);
    const pushed = await this.#git.push(commit, expected, !this.#inStep && kept !== null, signal);
    if (pushed.exitCode === 0) {
      this.#tip = { commit, record, kept };
      this.#inStep = kept !== null;
      this.#sent.clear();
      return done({ commit, notices: this.#untold(notices) });
    }
    const trouble = troubleOf(pushed);
    if (trouble.because === "superseded") {
      const lost = await this.#hasLost(signal);
      return lost === undefined ? this.#put(record, keeping, signal) : this.#refused(lost);
    }
    if (kept === null || !trouble.inTree) return this.#refused(trouble);
    const alone = `Only the loop's record is kept under ${this.#options.ref}, not the work: ${sentence(trouble)}.`;
    return this.#put(record, { kept: null, notices: [...notices, alone] }, signal);
  }

  /** Whether the ref has been moved by somebody else; undefined when it stands where we moved it without knowing. */
  async #hasLost(signal: AbortSignal): Promise<Trouble | undefined> {
    const now = await this.#git.ask(signal);
    const expected = this.#tip?.commit ?? null;
    if (now === undefined || now === expected) return unreachable("the server could not move the ref");
    if (now !== null && this.#sent.delete(now)) {
      this.#tip = { commit: now, record: null, kept: null };
      return undefined;
    }
    const stands = now === null ? "it is gone" : `it is at ${now.slice(0, 12)}`;
    return superseded(`: ${this.#options.ref} was left at ${expected?.slice(0, 12) ?? "nothing"}, and ${stands}`);
  }

  async #workOf(kept: Kept, signal: AbortSignal) {
    const { sealKey } = this.#options;
    if (kept.base !== null) await this.#git.bring(kept.base, signal);
    const base = await this.#git.rootOf(kept.base, signal);
    if (!kept.sealed) return { base, tree: kept.object };
    if (sealKey === null) throw new Error("it is sealed, and no `state-key` is given");
    return { base, tree: await unsealTree(this.#git, sealKey, kept.object, signal) };
  }

  #refused(trouble: Trouble): RefWritten {
    if (trouble.because === "superseded") this.#lost = trouble;
    return failed({ kind: trouble.because, because: unwritten(this.#options.ref, trouble) });
  }

  #place({ sealed }: Kept): KeptPlace {
    const { ref, workTree } = this.#options;
    return { ref, commit: this.#tip?.commit ?? ref, prefix: workTree?.prefix ?? "", sealed };
  }

  #untold(notices: readonly string[]): readonly string[] {
    const untold = notices.filter((notice) => !this.#told.has(notice));
    for (const notice of untold) this.#told.add(notice);
    return untold;
  }
}

const NOTHING: Keeping = { kept: null, notices: [] };
