import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { changeRules } from "../config/settle.ts";
import { type ChangeRules, hidesProtected, isProtected, refusalWords } from "../core/boundary.ts";
import { messageOf } from "../core/errors.ts";
import { done, failed, type Result } from "../core/result.ts";
import type { WorkBranch } from "../git/branch.ts";
import type { ChangedPaths, CommitsSince, CommitsTrouble } from "../git/branch-history.ts";
import type { PushTrouble } from "../git/branch-push.ts";
import { findRepository } from "../git/repository.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { tipOf } from "../github/refs.ts";
import { SecretValues } from "../os/secrets.ts";
import type { StartingPoint } from "../store/carry-note.ts";
import { type JobPlace, marksOf } from "../store/place.ts";
import { secretsOf } from "../store/redaction.ts";
import { briefly } from "../views/plain-text.ts";

/** The branch that a run's work goes to. */
export interface PublishBranch {
  readonly name: string;
  readonly workBranch: WorkBranch;
  /** where it is on GitHub: as the run began, or as its latest push has left it; null: nowhere */
  readonly tip: string | null;
  /** the local commit for `tip`: a different one if GitHub signed it and it could not be fetched */
  readonly here: string | null;
  /** what was checked out when the run began; null before the first commit */
  readonly head: string | null;
  /**
   * Moves the branch on GitHub from `tip` to `commit`, or not at all; `tip` is the new one then. Never throws. Check
   * for secrets before.
   */
  push(commit: string, withinMs: number): Promise<Result<Pushed, PushTrouble>>;
  /**
   * Whether pushing `commit` would publish a secret of this job, which the agent may have found out and written down
   * (T2). What is pushed once, everybody who may read the repository can read for ever.
   *
   * @returns whole sentences; null: it would not
   */
  secretIn(commit: string, withinMs: number): Promise<string | null>;
  /**
   * What of `commit` the agent may not change (T17), beyond where the branch was, what was checked out, and the default
   * branch: protected files, or more than the settings allow. The last look before a push, whatever the loop has found:
   * the agent can commit as well.
   *
   * @returns whole sentences; null: none
   */
  protectedIn(commit: string, withinMs: number): Promise<string | null>;
  /** Commits of others that a person can see on GitHub: where the branch was, what was checked out, the default branch. */
  published(): Promise<readonly string[]>;
  /** A branch of its own for the same work, which is not on GitHub yet. */
  beside(name: string): Promise<PublishBranch | undefined>;
}

/** Where the branch is on GitHub now, which differs from what was pushed if GitHub signed it; `here` as above. */
interface Pushed {
  readonly head: string;
  readonly here: string;
}

/** The branches of the job's repository. Each is undefined where nothing is published from here. */
export interface Branches {
  /** Nothing is done to it. */
  named(name: string): Promise<WorkBranch | undefined>;
  /**
   * Puts the workspace on the branch. If that fails, a person is told; the loop can still work, because its work is
   * kept for the next run.
   */
  checkOut(name: string): Promise<PublishBranch | undefined>;
  /** The branch as main had it, without touching the workspace; undefined also when main had none. */
  reopen(note: StartingPoint["branch"]): Promise<PublishBranch | undefined>;
}

/** What branches are made from. */
export interface BranchOptions {
  readonly context: GithubContext;
  readonly place: JobPlace;
  readonly config: Config;
  readonly github: GithubAccess | undefined;
  /** tells a person */
  readonly notice: (text: string) => void;
}

const CHECK_OUT_MS = 60_000;

export function createBranches(options: BranchOptions): Branches {
  const { notice } = options;
  const named = async (name: string): Promise<WorkBranch | undefined> => branchNamed(options, name);
  const reopen: Branches["reopen"] = async (note) => {
    const workBranch = note === null ? undefined : await named(note.name);
    return workBranch === undefined || note === null ? undefined : publishBranch(options, workBranch, note, reopen);
  };
  return {
    named,
    reopen,
    async checkOut(name) {
      const workBranch = await named(name);
      if (workBranch === undefined) return undefined;
      const checkedOut = await workBranch.checkOut(CHECK_OUT_MS);
      if (!checkedOut.ok) {
        notice(`${checkedOut.trouble.because} What this run does is not published; it is kept for the next one.`);
        return undefined;
      }
      const { tip, head, notices } = checkedOut.value;
      for (const text of notices) notice(text);
      return publishBranch(options, workBranch, { name, tip, head }, reopen);
    },
  };
}

/** What a run starts from that publishes on a branch, for post as well: the tip is always the latest one. */
export function startingPointOf(branch: PublishBranch): StartingPoint {
  const { name, head } = branch;
  const latest = {
    name,
    head,
    get tip() {
      return branch.tip;
    },
  };
  return { base: head, branch: latest };
}

function publishBranch(
  { config, context, place, github, notice }: BranchOptions,
  workBranch: WorkBranch,
  { name, tip: first, head }: NonNullable<StartingPoint["branch"]>,
  reopen: Branches["reopen"],
): PublishBranch {
  let tip = first;
  let here = first;
  const push = async (commit: string, withinMs: number): ReturnType<PublishBranch["push"]> => {
    if (config.signCommits) {
      const known = { name, workBranch, tip, base: here ?? head, github, notice };
      return pushSigned(known, commit, withinMs);
    }
    const pushed = await workBranch.push(commit, tip, withinMs);
    return pushed.ok ? done({ head: commit, here: commit }) : pushed;
  };
  const known = (): readonly string[] => [...new Set([here, tip, head].filter((id) => id !== null))];
  return {
    name,
    workBranch,
    head,
    get tip() {
      return tip;
    },
    get here() {
      return here;
    },
    push: async (commit, withinMs) => {
      const leftMs = timer(withinMs);
      let pushed = await push(commit, withinMs);
      if (!pushed.ok && pushed.trouble.kind === "moved" && pushed.trouble.now !== null) {
        const { now } = pushed.trouble;
        if (await isOurs(workBranch, { from: tip ?? head, now, commit }, leftMs)) {
          tip = now;
          here = now;
          pushed = now === commit ? done({ head: now, here: now }) : await push(commit, leftMs());
        }
      }
      if (pushed.ok) ({ head: tip, here } = pushed.value);
      return pushed;
    },
    secretIn: async (commit, withinMs) => {
      const secrets = new SecretValues(secretsOf(config));
      const known = [here, head].filter((id) => id !== null);
      const others = async (): Promise<readonly string[]> => defaultTip(context, github);
      const found = await workBranch.placesAdding({ commit, known, others }, secrets, withinMs);
      if (!found.ok) return `whether it holds a secret of this job cannot be told: ${found.trouble.because}.`;
      const [place, ...more] = found.value;
      if (place === undefined) return null;
      const further = more.length === 0 ? "" : ` and ${more.length} more`;
      return `${place}${further} would show a secret to everybody who may read the repository: one of this job, or what looks like a token or a private key. Take it out of the loop's commits, also of the earlier ones, and tell the agent to write it down nowhere. A made-up one for a test is no hindrance once a person has committed it to the default branch.`;
    },
    protectedIn: async (commit, withinMs) => {
      const bases = [known, async () => defaultTip(context, github)];
      return forbiddenIn({ workBranch, rules: changeRules(config, place.root), bases }, commit, withinMs);
    },
    published: async () => [...known(), ...(await defaultTip(context, github))],
    // Commits can be made there (`sign-commits`) on the latest one that is both here and on GitHub.
    beside: async (other) => reopen({ name: other, tip: null, head: tip !== null && tip === here ? tip : head }),
  };
}

/** A branch that changes more than this is not looked through. */
const MOST_PATHS = 100_000;
const SHOWN_PATHS = 5;
const TIP_MS = 10_000;

/** What a commit is held against; a base is a commit of others, and later ones are only asked for when needed. */
interface Allowed {
  readonly workBranch: WorkBranch;
  readonly rules: ChangeRules;
  readonly bases: readonly (() => readonly string[] | Promise<readonly string[]>)[];
}

const UNTOLD = "whether it changes more than the agent may change cannot be told.";

/** See `PublishBranch.protectedIn`. */
async function forbiddenIn({ workBranch, rules, bases }: Allowed, commit: string, withinMs: number) {
  const leftMs = timer(withinMs);
  let left: ChangedPaths["paths"] | undefined;
  let found = UNTOLD;
  for (const some of bases) {
    for (const base of await some()) {
      const changed = await workBranch.changedPaths(base, commit, leftMs(), MOST_PATHS);
      // What is not here, such as a newer default branch, has not been merged either.
      if (!changed.ok || changed.value.more > 0) continue;
      const here = new Set(changed.value.paths.map(({ path }) => path));
      left = left?.filter(({ path }) => here.has(path)) ?? changed.value.paths;
      const bytes = await workBranch.changedBytes(
        base,
        commit,
        left.map(({ path }) => path),
        leftMs(),
      );
      const trouble = bytes.ok ? forbidden(rules, left, bytes.value) : UNTOLD;
      if (trouble === null) return null;
      found = trouble;
    }
  }
  return found;
}

function forbidden(rules: ChangeRules, changes: ChangedPaths["paths"], bytes: number): string | null {
  const { protectedPaths: globs, maxFiles, maxBytes } = rules;
  const paths = changes.filter(
    ({ path, change }) => isProtected(globs, path) || (change !== "deleted" && hidesProtected(globs, path)),
  );
  if (paths.length > 0) {
    const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : "";
    const shown = paths.slice(0, SHOWN_PATHS).map(({ path }) => briefly(path));
    return `${shown.join(", ")}${more} may not be changed by the agent. Undo that, or open a path with protected-paths: '!PATH' in the workflow.`;
  }
  const files = changes.length;
  if ((maxFiles === null || files <= maxFiles) && (maxBytes === null || bytes <= maxBytes)) return null;
  const size = { kind: "too_large", files, bytes, max_files: maxFiles, max_bytes: maxBytes } as const;
  return `the work has become too large: ${refusalWords(size)}. Undo what does not belong to the task, or raise the limit in the workflow.`;
}

/** Asked of the server: a ref in the checkout could be the agent's. */
async function defaultTip(
  { event: { defaultBranch } }: GithubContext,
  github: GithubAccess | undefined,
): Promise<readonly string[]> {
  if (defaultBranch === null || github === undefined) return [];
  const tip = await tipOf(await github.within(TIP_MS), `heads/${defaultBranch}`);
  return tip.ok ? [tip.value] : [];
}

function timer(withinMs: number): () => number {
  const until = performance.now() + withinMs;
  return () => Math.max(0, until - performance.now());
}

/**
 * Whether an unexpected tip is part of this work: main pushed it and was ended before it could note that for post. Then
 * nobody else has moved the branch.
 */
async function isOurs(
  workBranch: WorkBranch,
  // `from`: where the branch was expected, or what the work began with; null: nothing
  { from, now, commit }: { readonly from: string | null; readonly now: string; readonly commit: string },
  leftMs: () => number,
): Promise<boolean> {
  if (from === null || from === now) return false;
  const holds = async (later: string, base: string): Promise<boolean> =>
    (await workBranch.commitsSince({ base, commit: later, most: 1 }, leftMs())).ok;
  return (await holds(commit, now)) && (await holds(now, from));
}

async function branchNamed(
  { context, place, config, notice }: BranchOptions,
  branch: string,
): Promise<WorkBranch | undefined> {
  const { commit, pullRequest, githubToken: token } = config;
  const repository = await findRepository(place.root);
  if (commit === "never" || pullRequest === "never" || token === null || repository === undefined) return undefined;
  const { createWorkBranch } = await import("../git/branch.ts");
  const { owner, name } = context.repository;
  const url = `${context.serverUrl}/${owner}/${name}`;
  try {
    const mark = marksOf(place).tools;
    return createWorkBranch({ repository, folder: place.gitFolder("branch"), url, token, mark, branch });
  } catch (error) {
    notice(`Nothing is published: ${messageOf(error)}.`);
    return undefined;
  }
}

/** A branch whose commits GitHub makes, which signs them. */
interface SignedBranch extends Pick<PublishBranch, "name" | "workBranch" | "tip"> {
  /** the local commit for `tip`, or the one that the work began with; null: none */
  readonly base: string | null;
  readonly github: GithubAccess | undefined;
  readonly notice: (text: string) => void;
}

/** A commit takes two writes, and these go out one in a second. */
const COMMIT_MS = 2_500;
/** For the branch itself, and for fetching what GitHub has made. */
const REST_MS = 5_000;
const MOST_COMMITS = 20;
const AGAIN_MS = 1_000;

/**
 * Repeats the commits since the branch's tip by GitHub's API, moves the branch to them, then the local one: files and
 * index stay, because both hold the same. Never throws.
 */
async function pushSigned(known: SignedBranch, commit: string, withinMs: number): ReturnType<PublishBranch["push"]> {
  const { name, workBranch, tip, base, github, notice } = known;
  const leftMs = timer(withinMs);
  const most = Math.max(1, Math.min(MOST_COMMITS, Math.floor((withinMs - REST_MS) / COMMIT_MS)));
  if (base === null) {
    return failed({
      kind: "incomplete",
      because: "there is no commit on GitHub that the work could be built on",
      next: "Push a first commit before the loop begins, or switch sign-commits off.",
    });
  }
  const since = await workBranch.commitsSince({ base, commit, most }, leftMs());
  if (!since.ok) return failed(unknownCommits(since.trouble, name, tip ?? base));
  const { baseTree, commits, squashed } = since.value;
  if (squashed !== null) notice(squashedNotice(name, squashed));
  if (github === undefined) return failed({ kind: "unreachable", because: "there is no github-token" });
  const { pushSigned: push } = await import("../github/signed-commits.ts");
  const pushed = await push(await github.within(leftMs()), {
    ...{ branch: name, tip, base: { commit: tip ?? base, tree: baseTree }, commits },
    contents: async (blobs) => {
      const read = await workBranch.contents(blobs, leftMs());
      if (read.ok) return read.value;
      throw new Error(`the files cannot be read: ${read.trouble.because}`);
    },
  });
  if (!pushed.ok) return pushed;
  const { head, unverified } = pushed.value;
  if (unverified !== null) notice(`${UNVERIFIED} (${unverified}). ${BOTS}`);
  return done({ head, here: await follow(known, commit, head, leftMs) });
}

/** @returns the local commit for GitHub's */
async function follow(
  { workBranch, notice }: SignedBranch,
  from: string,
  to: string,
  leftMs: () => number,
): Promise<string> {
  if (from === to) return to;
  let followed = await workBranch.follow(from, to, leftMs());
  if (!followed.ok && leftMs() > AGAIN_MS) {
    // Not all of GitHub's machines may know of it yet.
    await sleep(AGAIN_MS);
    followed = await workBranch.follow(from, to, leftMs());
  }
  if (followed.ok) return followed.value === "moved" ? to : from;
  const { because } = followed.trouble;
  notice(`GitHub has made ${to.slice(0, 12)} of ${from.slice(0, 12)}, which stays checked out: ${because}.`);
  return from;
}

function unknownCommits({ kind, because }: CommitsTrouble, branch: string, base: string): PushTrouble {
  if (kind === "failed") return { kind: "unreachable", because };
  return {
    kind: "not_fast_forward",
    because: `the work does not hold ${base.slice(0, 12)}, where ${branch} was: ${because}`,
    next: "Put the branch's commits back under the work, then push it yourself.",
  };
}

const UNVERIFIED = "GitHub does not show the loop's commits as verified";
const BOTS =
  "It signs for the job's own token and for that of an App; with a person's token, switch sign-commits off and sign in another way.";

function squashedNotice(branch: string, { from, because }: NonNullable<CommitsSince["squashed"]>): string {
  const why = because === "merge" ? "there is a merge among them" : "so many cannot be made by the API in time";
  return `${from} commits became one on ${branch}: with sign-commits GitHub creates them itself, and ${why}.`;
}
