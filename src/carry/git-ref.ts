import type { CarriedRecord, LoopRef, Moment, RefWritten, TreeRestored, RefAnswer } from "../core/carry.ts";
import { isNewer } from "../core/choose-copy.ts";
import { OperationalError } from "../core/errors.ts";
import { done, failed, type Trouble } from "../core/result.ts";
import { createOperations, withNext } from "../git/bounded.ts";
import { decoded } from "../git/diff.ts";
import type { RemoteRefusal } from "../git/refusal.ts";
import { rootsOf, sidesAt } from "../git/true-trees.ts";
import { RefGit, type RefPlace } from "../git/work-tree/ref-git.ts";
import { type Keeping, type Kept, workOf, WorkTreeKeeper } from "../git/work-tree/work-keeping.ts";
import { restoreWork } from "../git/work-tree/work-restoring.ts";
import { parseRecord, recordText } from "../store/carried-record.ts";

/** The largest record in a ref, in bytes of JSON: it is written after every turn. */
const REF_RECORD_LIMIT = 64 << 10;

const RECORD = "record.json";
/** What a work tree is called, by its form. */
const NAMES = { tree: "tree", sealed: "tree.sealed", packed: "tree.packed" } as const;
const FORMS = ["tree", "sealed", "packed"] as const;

/** What the ref is to hold; `since`: see `LoopRef.write`. */
interface Write {
  readonly record: CarriedRecord;
  readonly tree: string | null;
  readonly since: Moment | null | undefined;
}

/** Where the ref is, and the work tree that it holds; null: none, or not known. */
interface Tip {
  readonly commit: string;
  readonly kept: Kept | null;
}

export interface GitRefOptions extends RefPlace {
  /** seals work trees; null: they travel as they are */
  readonly sealKey: string | null;
  /** values that no file that travels may hold; those of less than six characters are not looked for */
  readonly secrets: readonly string[];
}

/**
 * The loop's ref in a git repository that is reached over HTTP: a chain of commits with `record.json` and, as C13
 * allows, the work tree as `tree/`, `tree.sealed`, or `tree.packed` where the server objects to its files (C82). It is moved by compare-and-swap, through a git directory of our own
 * that obeys nothing in the checkout (T12).
 *
 * Operations run in the order in which they are asked for. Only `read` throws, and only `STATE_NEWER`: what a later
 * version wrote is never written over.
 */
export function createGitRef(options: GitRefOptions): LoopRef {
  const ref = new GitRef(options);
  const bounded = createOperations(withNext);
  const name = options.ref;
  return {
    read: (within) =>
      bounded<RefAnswer>(
        within,
        (signal) => ref.read(signal),
        (why) => ({ answer: "unreachable", why: unread(name, why) }),
      ),
    write: (record, tree, within, since) =>
      bounded<RefWritten>(
        within,
        (signal) => ref.write({ record, tree, since }, signal),
        (why) => failed({ kind: "unreachable", because: unwritten(name, { kind: "unreachable", because: why }) }),
      ).catch((error: unknown) => failed({ kind: "refused", because: withNext(error) })),
    restoreTree: (within) =>
      bounded<TreeRestored>(
        within,
        (signal) => ref.restoreTree(signal),
        (why) => ({ restored: "failed", why: unrestored(name, why) }),
      ).catch((error: unknown) => ({ restored: "failed", why: withNext(error) })),
  };
}

class GitRef {
  readonly #options: GitRefOptions;
  readonly #keeper: WorkTreeKeeper;
  /** null: the ref did not exist; undefined: it could not be read yet */
  #tip: Tip | null | undefined;
  /** commits that were sent without an answer: the ref may be at one of them */
  readonly #sent = new Set<string>();
  readonly #told = new Set<string>();
  /** why another run has the loop, once it has: that is for good */
  #lost: RefTrouble | undefined;
  /** whether the server has objected to workflow files: then nothing of the work is shown to it */
  #hides = false;
  /** whether the remote is known to have the history of what is sent */
  #inStep = false;

  constructor(options: GitRefOptions) {
    this.#options = options;
    this.#keeper = new WorkTreeKeeper(options.sealKey, options.secrets);
  }

  async #open(signal: AbortSignal): Promise<RefGit> {
    const git = new RefGit(this.#options, signal);
    await git.prepare();
    return git;
  }

  async read(signal: AbortSignal): Promise<RefAnswer> {
    const looked = await this.#look(await this.#open(signal));
    return "answer" in looked ? looked : { answer: "unreachable", why: unread(this.#options.ref, sentence(looked)) };
  }

  async #look(git: RefGit): Promise<Exclude<RefAnswer, { answer: "unreachable" }> | RefTrouble> {
    const { ref } = this.#options;
    const fetched = await git.fetch(`+${ref}:${ref}`, 1);
    if (!fetched.ok) {
      const { kind, ...refusal } = fetched.trouble;
      if (kind !== "absent") return troubleOf({ kind, ...refusal });
      this.#tip = null;
      return { answer: "absent" };
    }
    const [tip] = await git.find([ref]);
    if (tip === undefined) throw new Error(`${ref} was fetched and is not here`);
    const commit = tip.object;
    try {
      const { record, kept } = await readHeld(git, commit);
      this.#tip = { commit, kept };
      return { answer: "found", commit, record };
    } catch (error) {
      git.signal.throwIfAborted();
      if (error instanceof OperationalError && error.code === "STATE_NEWER") throw error;
      // The next write follows it: it stays in the chain, for people to look at.
      this.#tip = { commit, kept: null };
      return { kind: "unreachable", because: `what it holds is no record of a loop: ${withNext(error)}` };
    }
  }

  async write({ record, tree, since }: Write, signal: AbortSignal): Promise<RefWritten> {
    const bytes = Buffer.byteLength(recordText(record));
    if (bytes > REF_RECORD_LIMIT) {
      const because = `its record takes ${bytes} bytes, more than the ${REF_RECORD_LIMIT} that a ref may hold`;
      return this.#refused({ kind: "refused", because });
    }
    if (this.#lost !== undefined) return this.#refused(this.#lost);
    const git = await this.#open(signal);
    const trouble = await this.#lookFirst(git, record, since);
    if (trouble !== undefined) return this.#refused(trouble);
    if (tree === null || this.#options.workTree === null) return this.#put(git, record, { kept: null, notices: [] });
    return this.#put(git, record, await this.#keeper.keep(git, record.base, tree, this.#tip?.kept ?? null));
  }

  async restoreTree(signal: AbortSignal): Promise<TreeRestored> {
    const read = this.#tip === undefined ? await this.read(signal) : undefined;
    if (read?.answer === "unreachable") return { restored: "failed", why: read.why };
    const { workTree } = this.#options;
    const kept = this.#tip?.kept ?? null;
    if (workTree === null || kept === null) return { restored: "absent" };
    const git = await this.#open(signal);
    const restored = await restoreWork(git, workTree, await workOf(git, kept, this.#options.sealKey));
    if (restored.ok) return { restored: restored.value };
    const { kind, because } = restored.trouble;
    const why = kind === "conflict" ? this.#notFitting(kept, because) : unrestored(this.#options.ref, because);
    return { restored: kind, why };
  }

  /**
   * The ref could not be read when the loop began: it may not be moved from a record that is later than what this run went
   * on from, however many turns it has taken since.
   */
  async #lookFirst(git: RefGit, record: CarriedRecord, since: Write["since"]): Promise<RefTrouble | undefined> {
    if (this.#tip !== undefined) return undefined;
    const looked = await this.#look(git);
    // It was read but is not a record, and the next write may follow it.
    if ("because" in looked) return this.#tip === undefined ? { ...looked, kind: "unreachable" } : undefined;
    if (looked.answer === "absent" || this.#sent.has(looked.commit)) return undefined;
    const isLater =
      since === undefined ? !isNewer(record, looked.record) : since === null || isNewer(looked.record, since);
    return isLater
      ? superseded(`: its ref is at ${looked.commit.slice(0, 12)}, which this run has not seen`)
      : undefined;
  }

  async #put(git: RefGit, record: CarriedRecord, keeping: Keeping): Promise<RefWritten> {
    const { kept, notices } = keeping;
    const expected = this.#tip?.commit ?? null;
    const commit = await writeCommit(git, record, kept, { previous: expected, hides: this.#hides });
    this.#sent.add(commit);
    // Whether to ask first what the remote has of our history, so that none of it is sent again.
    const asking = !this.#inStep && kept !== null;
    const update = { ref: this.#options.ref, to: commit, expected };
    const pushed = await git.push([update], ["-c", `push.negotiate=${asking}`]);
    if (pushed.ok) {
      this.#tip = { commit, kept };
      this.#inStep = kept !== null;
      this.#sent.clear();
      return done({ commit, notices: this.#untold(notices) });
    }
    const trouble = troubleOf(pushed.trouble);
    if (trouble.kind === "superseded") {
      const lost = await this.#hasLost(git);
      return lost === undefined ? this.#put(git, record, keeping) : this.#refused(lost);
    }
    if (kept === null || trouble.inTree !== true) return this.#refused(trouble);
    if (pushed.trouble.kind === "workflow_files" && !this.#hides) {
      this.#hides = true;
      return this.#put(git, record, { notices, kept: await this.#keeper.pack(git, kept) });
    }
    const alone = `Only the loop's record is kept under ${this.#options.ref}, not the work: ${sentence(trouble)}.`;
    return this.#put(git, record, { kept: null, notices: [...notices, alone] });
  }

  /** Why a write failed: somebody else moved the ref, or the server; undefined: our own write had moved it. */
  async #hasLost(git: RefGit): Promise<RefTrouble | undefined> {
    const listed = await git.list(this.#options.ref);
    const now = listed.ok ? (listed.value.get(this.#options.ref) ?? null) : undefined;
    const expected = this.#tip?.commit ?? null;
    if (now === undefined || now === expected)
      return { kind: "unreachable", because: "the server could not move the ref" };
    if (now !== null && this.#sent.delete(now)) {
      this.#tip = { commit: now, kept: null };
      return undefined;
    }
    const stands = now === null ? "it is gone" : `it is at ${now.slice(0, 12)}`;
    return superseded(`: ${this.#options.ref} was left at ${expected?.slice(0, 12) ?? "nothing"}, and ${stands}`);
  }

  #refused(trouble: RefTrouble): RefWritten {
    if (trouble.kind === "superseded") this.#lost = trouble;
    return failed({ kind: trouble.kind, because: unwritten(this.#options.ref, trouble) });
  }

  /** Says where the work is that does not fit, and how to look at it. */
  #notFitting({ form }: Kept, where: string): string {
    const { ref, workTree } = this.#options;
    const commit = this.#tip?.commit ?? ref;
    const head = workTree?.prefix ? `HEAD:${workTree.prefix}` : "HEAD";
    const look = form !== "tree" ? "" : ` \`git fetch origin ${ref} && git diff ${head} ${commit}:tree\` shows it.`;
    const kept = `the work is kept under ${ref}, in commit ${commit}.`;
    return `The work of the last run does not fit what is checked out: ${where}. The workspace is as it was; ${kept}${look}`;
  }

  #untold(notices: readonly string[]): readonly string[] {
    const untold = notices.filter((notice) => !this.#told.has(notice));
    for (const notice of untold) this.#told.add(notice);
    return untold;
  }
}

/** Why the remote did not do what it was asked. */
interface RefTrouble extends Trouble {
  readonly kind: "superseded" | "unreachable" | "refused";
  /** whether the files may be the cause, so that the record alone may still get through */
  readonly inTree?: boolean;
}

/** What a person does who wants a ref of ours, where that is not what one does for a branch. */
const NEXT: { readonly [Kind in RemoteRefusal["kind"]]?: string } = {
  hidden_ref: "Leave the git ref out of the carriers.",
  workflow_files:
    "Give a token with the permission `workflows`, or leave the work tree out with `checkpoint-tree: off`.",
  ruleset: "Leave `refs/smithers-loops/**` out of the ruleset, or give the token of an app that may bypass it.",
  secret: "Take the secret out of the work, or leave the work tree out with `checkpoint-tree: off`.",
};

/** What may be refused for what is in the files. */
const IN_TREE = new Set<RemoteRefusal["kind"]>(["workflow_files", "ruleset", "secret", "declined", "incomplete"]);

/** Another run has the loop. @param how goes on after that */
function superseded(how = ""): RefTrouble {
  return { kind: "superseded", because: `another run has gone on with this loop${how}` };
}

function troubleOf({ kind, because, next }: RemoteRefusal): RefTrouble {
  if (kind === "stale") return superseded();
  if (kind === "unreachable") return { kind, because };
  return { kind: "refused", because, next: NEXT[kind] ?? next, inTree: IN_TREE.has(kind) };
}

/** A trouble as part of a sentence that goes on with a full stop. */
function sentence({ because, next = "" }: Trouble): string {
  return next === "" ? because : `${because}. ${next.replace(/\.$/u, "")}`;
}

function unread(ref: string, why: string): string {
  return `${ref} could not be read, so other copies of the loop have to do: ${why}.`;
}

function unwritten(ref: string, trouble: RefTrouble): string {
  if (trouble.kind === "superseded") return trouble.because;
  return `The loop is not kept under ${ref}, so what it does is lost if this machine vanishes: ${sentence(trouble)}.`;
}

function unrestored(ref: string, why: string): string {
  return `The work that ${ref} holds could not be brought back: ${why}. It is still kept there.`;
}

/** Writes a commit with a record and, if there is one, a work tree. No index, hook or work tree has a part in it. */
async function writeCommit(
  git: RefGit,
  record: CarriedRecord,
  kept: Kept | null,
  { previous, hides }: { readonly previous: string | null; readonly hides: boolean },
): Promise<string> {
  const blob = await git.write("blob", Buffer.from(recordText(record)));
  const tree = await git.write("tree", entries(blob, kept));
  // The commit that the work began with is a parent, so that it can always be fetched beside it; not where the server
  // holds its files against ours.
  const parents = [previous, hides ? null : (kept?.base ?? null)].filter((parent) => parent !== null);
  return git.writeCommit(tree, parents, `smithers: ${record.loop_id}, revision ${record.revision}`);
}

/**
 * Reads a commit of the ref, checked against its id: objects of the workspace are seen as well, which the agent can write.
 *
 * @throws OperationalError `STATE_NEWER` for what a later version wrote; any Error when it is not a record, or too
 * large
 */
async function readHeld(git: RefGit, commit: string): Promise<{ record: CarriedRecord; kept: Kept | null }> {
  const { text, held } = await git.reading(async (read) => {
    const root = (await rootsOf(read, [commit])).get(commit);
    const held = root === undefined ? undefined : await sidesAt(read, root, [RECORD, ...Object.values(NAMES)]);
    const id = held?.get(RECORD)?.object;
    const blob = id === undefined ? undefined : (await read([id], REF_RECORD_LIMIT)).get(id);
    if (blob === undefined) throw new Error(`its commit holds no ${RECORD}`);
    if (blob.content === undefined) throw new Error(`its ${RECORD} is larger than ${REF_RECORD_LIMIT >> 10} KB`);
    return { text: decoded(blob.content), held };
  });
  const record = parseRecord(JSON.parse(text), "the loop's ref");
  for (const form of FORMS) {
    const entry = held?.get(NAMES[form]);
    if (entry !== undefined) return { record, kept: { base: record.base, object: entry.object, form } };
  }
  return { record, kept: null };
}

/** The content of the commit's tree, in git's order: by name. */
function entries(record: string, kept: Kept | null): Buffer {
  const entry = (mode: string, name: string, id: string) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")];
  const work = kept === null ? [] : entry(kept.form === "tree" ? "40000" : "100644", NAMES[kept.form], kept.object);
  return Buffer.concat([...entry("100644", RECORD, record), ...work]);
}
