import { isUtf8 } from "node:buffer";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import type { CommitToMake, EntryChange } from "../git/branch-history.ts";
import { refusalOfKind, refusalSaying, type RemoteRefusal } from "../git/refusal.ts";
import { oneLine } from "../views/plain-text.ts";
import type { Github } from "./client.ts";
import { isPassing, refusalOf, saidIn, saysThat, statusOf } from "./refusal.ts";

/** A commit to make on GitHub, with the same tree. */
type WantedCommit = Omit<CommitToMake, "id">;

/** Commits for a branch. */
export interface SignedWork {
  readonly branch: string;
  /** where the branch has to be now; null: it must not exist yet */
  readonly tip: string | null;
  /** a commit that GitHub has, on which the first one is built: the tip, if there is one; and its tree */
  readonly base: { readonly commit: string; readonly tree: string };
  /** oldest first */
  readonly commits: readonly WantedCommit[];
  readonly contents: Contents;
}

/** The commits are on GitHub. */
interface Made {
  readonly head: string;
  /** why GitHub shows a commit as not verified, in a word of its own; null: all are */
  readonly unverified: string | null;
}

/** Somebody moved the branch. */
interface Moved extends Trouble {
  readonly kind: "moved";
  /** where it is; null: it was deleted */
  readonly now: string | null;
}

/** Why commits were not made. */
interface SignedRefusal extends Trouble {
  readonly kind: Exclude<RemoteRefusal["kind"], "stale">;
}

export type SignedPush = Result<Made, Moved | SignedRefusal>;

const WORKFLOWS = ".github/workflows/";

/**
 * Makes commits by GitHub's API (`contents: write`) and moves the branch forward to the last of them, or not at all.
 * GitHub signs commits without an author when the token is a bot's. Never throws.
 */
export async function pushSigned(github: Github, work: SignedWork): Promise<SignedPush> {
  const changes = work.commits.flatMap((commit) => commit.changes);
  const impossible = whyImpossible(changes);
  if (impossible !== undefined) return impossible;
  try {
    const made = await makeCommits(github, work);
    return made.ok ? await moveBranch(github, work, made.value) : made;
  } catch (error) {
    const touchesWorkflows = changes.some(({ path }) => path.startsWith(WORKFLOWS));
    return failed(signedRefusalOf(error, touchesWorkflows));
  }
}

/** What GitHub's API cannot take, before anything is sent. */
function whyImpossible(changes: WantedCommit["changes"]): Result<never, SignedRefusal> | undefined {
  for (const { path, entry } of changes) {
    const name = oneLine(nameOf(path));
    if (!isUtf8(Buffer.from(path, "latin1"))) {
      return declined(`the name ${name} is not UTF-8, and GitHub's API takes no other`, `Rename it, ${OFF}`);
    }
    const size = entry?.size ?? 0;
    if (size > LARGEST_BLOB) {
      const why = `${name} has ${mebibytes(size)}, and GitHub's API takes ${mebibytes(LARGEST_BLOB)} at most`;
      return declined(why, `Keep it out of the commits, ${OFF}`);
    }
  }
  return undefined;
}

const OFF = "or switch sign-commits off.";

function declined(because: string, next: string): Result<never, SignedRefusal> {
  return failed({ kind: "declined", because, next });
}

function mebibytes(size: number): string {
  return `${(size / 1024 / 1024).toFixed(1)} MiB`;
}

async function makeCommits(
  github: Github,
  { base, commits, contents }: SignedWork,
): Promise<Result<Made, SignedRefusal>> {
  const maker = new TreeMaker(github, contents);
  let [head, tree] = [base.commit, base.tree];
  let unverified: string | null = null;
  for (const { tree: wanted, message, changes } of commits) {
    tree = await maker.make(tree, changes);
    if (tree !== wanted) {
      const why = `GitHub has made other files of it than git has: ${tree.slice(0, 12)}, not ${wanted.slice(0, 12)}`;
      return declined(why, "Switch sign-commits off: the work is pushed as it is then.");
    }
    // Without author and committer, or GitHub does not sign it.
    const { data } = await github.rest.git.createCommit({ message, tree, parents: [head] });
    head = data.sha;
    if (!data.verification.verified) unverified ??= data.verification.reason;
  }
  return done({ head, unverified });
}

/** Moves the branch, if it is at the expected commit. */
async function moveBranch(github: Github, { branch, tip }: SignedWork, made: Made): Promise<SignedPush> {
  const before = tip === null ? null : await whereIs(github, branch);
  if (before !== tip) return movedTo(branch, tip, before);
  try {
    await (tip === null
      ? github.rest.git.createRef({ ref: `refs/heads/${branch}`, sha: made.head })
      : github.rest.git.updateRef({ ref: `heads/${branch}`, sha: made.head, force: false }));
  } catch (error) {
    const isMoved = statusOf(error) === 422 && saysThat(error, MOVED);
    if (!isMoved && !isPassing(error)) throw error;
    const now = await whereIs(github, branch);
    // The answer may have been lost on its way.
    if (now !== made.head) {
      if (isMoved) return movedTo(branch, tip, now);
      throw error;
    }
  }
  return done(made);
}

const MOVED = /not a fast.forward|reference already exists|reference does not exist/iu;

/** Where the branch is; null: nowhere. @throws what Octokit throws */
async function whereIs(github: Github, branch: string): Promise<string | null> {
  try {
    return (await github.rest.git.getRef({ ref: `heads/${branch}` })).data.object.sha;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

function movedTo(branch: string, tip: string | null, now: string | null): SignedPush {
  const was = tip === null ? `there was no branch ${branch}` : `${branch} was at ${tip.slice(0, 12)}`;
  const is = now === null ? "it is gone" : `it is at ${now.slice(0, 12)}`;
  return failed({ kind: "moved", now, because: `${was}, and now ${is}` });
}

const UNKNOWN_BASE = /base_tree|parent sha does not exist|tree sha does not exist|object does not exist/iu;

/**
 * What a refused request for an object or a ref means.
 *
 * @param touchesWorkflows whether a workflow file is among the changes: a token that may not write these only learns
 * that it may not do this
 */
function signedRefusalOf(error: unknown, touchesWorkflows: boolean): SignedRefusal {
  const because = refusalOf(error, "contents: write");
  if (isPassing(error)) return { kind: "unreachable", because };
  const status = statusOf(error);
  const said = saidIn(error);
  const is = (kind: SignedRefusal["kind"]): SignedRefusal => ({ ...refusalOfKind(kind, said), kind });
  if (touchesWorkflows && (status === 403 || status === 404)) return is("workflow_files");
  const known = refusalSaying(said);
  if (known !== undefined && known.kind !== "stale") return { ...known, kind: known.kind };
  if (status === 409 && saysThat(error, /repository is empty/iu)) {
    const next = "Push a first commit before the loop begins, or leave sign-commits off.";
    return { kind: "incomplete", because: "the repository has no commit that could be built on", next };
  }
  if (status === 422 && UNKNOWN_BASE.test(said)) return is("incomplete");
  if (status === 401) return is("token");
  if (status === 403) return { kind: "permission", because };
  if (status === 404) return { kind: "not_found", because };
  return { kind: status === 422 ? "declined" : "unreachable", because };
}

type There = NonNullable<EntryChange["entry"]> & { readonly path: string };

/** The contents of blobs by their ids. */
type Contents = (blobs: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;

/** What GitHub takes of one blob, in bytes. */
const LARGEST_BLOB = 40 * 1024 * 1024;

/** A text of at most this many bytes travels with the tree. */
const LARGEST_INLINE = 1_000_000;
/** At most this much text, and this many entries, are in one request for a tree. */
const REQUEST = { bytes: 3_000_000, items: 1_000 };
/** At most this much is in memory at once, or one file. */
const GROUP = { bytes: 16_000_000, items: Number.POSITIVE_INFINITY };

interface Entry {
  readonly path: string;
  readonly mode: "100644" | "100755" | "160000" | "120000";
  readonly type: "blob" | "commit";
  readonly sha?: string | null;
  readonly content?: string;
}

/**
 * Makes trees on GitHub (`contents: write`). Every request is a write, and these go out one in a second: what can
 * travel together does, and what GitHub has already is named only.
 */
class TreeMaker {
  readonly #github: Github;
  readonly #contents: Contents;
  /** blobs that GitHub has */
  readonly #known = new Set<string>();

  constructor(github: Github, contents: Contents) {
    this.#github = github;
    this.#contents = contents;
  }

  /**
   * @param base the tree to change
   * @returns the new tree's id, as GitHub tells it
   * @throws what Octokit throws
   */
  async make(base: string, changes: readonly EntryChange[]): Promise<string> {
    for (const { replaced } of changes) if (replaced !== null) this.#known.add(replaced);
    // First what goes: where a file becomes a folder, the same name would both go and come.
    const gone = changes.filter(({ entry }) => entry === null).map(({ path }) => removalOf(path));
    const there = changes.flatMap(({ path, entry }) => (entry === null ? [] : [{ path: nameOf(path), ...entry }]));
    const entries: Entry[] = [];
    for (const group of inParts(there, ({ size }) => size ?? 0, GROUP)) entries.push(...(await this.#entriesOf(group)));
    let tree = base;
    for (const part of [gone, entries].flatMap((all) => inParts(all, textIn, REQUEST))) {
      tree = (await this.#github.rest.git.createTree({ base_tree: tree, tree: part })).data.sha;
    }
    for (const { object } of there) this.#known.add(object);
    return tree;
  }

  async #entriesOf(files: readonly There[]): Promise<readonly Entry[]> {
    const lacking = files.filter(({ object, size }) => size !== null && !this.#known.has(object));
    const contents = await this.#contents([...new Set(lacking.map(({ object }) => object))]);
    const entries: Entry[] = [];
    for (const { path, mode, object, size } of files) {
      const bytes = contents.get(object);
      const blob = { path, mode: modeOf(mode), type: "blob" } as const;
      if (size === null) entries.push({ path, mode: "160000", type: "commit", sha: object });
      else if (bytes === undefined) entries.push({ ...blob, sha: object });
      else if (travelsAsText(bytes)) entries.push({ ...blob, content: bytes.toString("utf8") });
      else entries.push({ ...blob, sha: await this.#blob(object, bytes) });
    }
    return entries;
  }

  async #blob(object: string, bytes: Buffer): Promise<string> {
    if (this.#known.has(object)) return object;
    const content = { content: bytes.toString("base64"), encoding: "base64" };
    const made = await this.#github.rest.git.createBlob(content);
    this.#known.add(object);
    return made.data.sha;
  }
}

function textIn({ content = "" }: Entry): number {
  return Buffer.byteLength(content);
}

function inParts<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  most: { readonly bytes: number; readonly items: number },
): T[][] {
  const parts: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const last = parts.at(-1);
    bytes += sizeOf(item);
    if (last !== undefined && last.length < most.items && bytes <= most.bytes) last.push(item);
    else {
      parts.push([item]);
      bytes = sizeOf(item);
    }
  }
  return parts;
}

/** A path as text; requires UTF-8. */
function nameOf(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

function removalOf(path: string): Entry {
  return { path: nameOf(path), mode: "100644", type: "blob", sha: null };
}

/** Git has written others in its youth. */
function modeOf(mode: string): Entry["mode"] {
  return mode === "100755" || mode === "120000" ? mode : "100644";
}

/** Whether JSON keeps it byte by byte; GitHub could take an empty text for a missing one. */
function travelsAsText(bytes: Buffer): boolean {
  if (bytes.length === 0 || bytes.length > LARGEST_INLINE) return false;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return !hasMark && !bytes.includes(0) && isUtf8(bytes);
}
