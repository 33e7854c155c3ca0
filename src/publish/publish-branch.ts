import path from "node:path";
import type { Config } from "../config/config.ts";
import { changeRules } from "../config/settle.ts";
import { type ChangeRules, hidesProtected, isProtected, refusalWords } from "../core/boundary.ts";
import { messageOf } from "../core/errors.ts";
import { PATCH_FILE } from "../core/names.ts";
import type { Result } from "../core/result.ts";
import type { WorkBranch } from "../git/branch.ts";
import type { ChangedPaths } from "../git/branch-history.ts";
import type { PushTrouble } from "../git/branch-push.ts";
import { findRepository } from "../git/repository.ts";
import type { GithubAccess } from "../github/access.ts";
import { branchOfRun, type GithubContext } from "../github/context.ts";
import type { Github } from "../github/client.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { commitsBetween, tipOf } from "../github/refs.ts";
import { timer } from "../os/clock.ts";
import { SecretValues } from "../os/secrets.ts";
import type { StartingPoint } from "../store/carry-note.ts";
import { type JobPlace, marksOf } from "../store/place.ts";
import { secretsOf } from "../store/redaction.ts";
import { briefly } from "../views/plain-text.ts";
import { Landing } from "./landing.ts";
import type { Pushed } from "./push-signed.ts";

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
   * Makes the branch by the API at what was checked out, if GitHub does not have it: from then on a branch has these
   * workflow files, whatever happens to the default branch (C81). Never throws.
   */
  begin(withinMs: number): Promise<Result<void, Refused>>;
  /** Deletes a branch that was made so, if nothing was pushed to it and it is where it was put. @returns whether */
  end(withinMs: number): Promise<Result<boolean>>;
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
  /**
   * Writes what `commit` adds to what GitHub has as a patch into the loop's folder, which travels with the loop's artifact
   * (C83). Look for secrets before. @returns whether it is there
   */
  keepPatch(commit: string, withinMs: number): Promise<boolean>;
  /** Commits of others that a person can see on GitHub: where the branch was, what was checked out, the default branch. */
  published(): Promise<readonly string[]>;
  /**
   * Which of these files `commit`, which is on GitHub, has otherwise than the default branch, as it is now or was once since
   * they parted: of workflow files that a loop has got from there, only those are its own doing, however often the default
   * branch has moved since. All of them where that is not known.
   */
  unlikeDefault(paths: readonly string[], commit: string, withinMs: number): Promise<readonly string[]>;
  /** A branch of its own for the same work, which is not on GitHub yet. */
  beside(name: string): Promise<PublishBranch | undefined>;
}

/** What is known of a branch; `begun`: where it was put with nothing on it; null: it was not. */
type Known = NonNullable<StartingPoint["branch"]> & { readonly begun?: string | null };

/** The branches of the job's repository. Each is undefined where nothing is published from here. */
export interface Branches {
  /** Nothing is done to it. */
  named(name: string): Promise<WorkBranch | undefined>;
  /**
   * Puts the workspace on the branch. If that fails, a person is told; the loop can still work, because its work is
   * kept for the next run.
   *
   * @param mayBeEmpty whether a branch that holds no more than what is checked out is one that an earlier run began and
   * pushed nothing to: then the workspace stays where it is
   */
  checkOut(name: string, mayBeEmpty?: boolean): Promise<PublishBranch | undefined>;
  /** The branch as main had it, without touching the workspace; undefined also when main had none. */
  reopen(note: Known | null): Promise<PublishBranch | undefined>;
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
    async checkOut(name, mayBeEmpty = false) {
      const workBranch = await named(name);
      if (workBranch === undefined) return undefined;
      const checkedOut = await workBranch.checkOut(CHECK_OUT_MS, mayBeEmpty);
      if (!checkedOut.ok) {
        notice(`${checkedOut.trouble.because} What this run does is not published; it is kept for the next one.`);
        return undefined;
      }
      const { tip, head, empty, notices } = checkedOut.value;
      for (const text of notices) notice(text);
      return publishBranch(options, workBranch, { name, tip, head, begun: empty }, reopen);
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
  { name, tip: first, head, begun = null }: Known,
  reopen: Branches["reopen"],
): PublishBranch {
  const upstream = async (): Promise<readonly string[]> => defaultTip(context, github);
  // A schedule's event names no default branch, and runs on it.
  const event = { ...context.event, defaultBranch: context.event.defaultBranch ?? branchOfRun(context) };
  const newest = async (): Promise<readonly string[]> => defaultTip({ ...context, event }, github);
  const options = { name, workBranch, config, github, loopId: place.loopId, notice, head, upstream: newest };
  const landing = new Landing(options, { tip: first, begun });
  const known = (): readonly string[] => [...new Set([landing.here, landing.tip, head].filter((id) => id !== null))];
  return {
    name,
    workBranch,
    head,
    get tip() {
      return landing.tip;
    },
    get here() {
      return landing.here;
    },
    begin: async (withinMs) => landing.begin(withinMs),
    end: async (withinMs) => landing.end(withinMs),
    push: async (commit, withinMs) => landing.push(commit, withinMs),
    secretIn: async (commit, withinMs) => {
      const secrets = new SecretValues(secretsOf(config));
      const known = [landing.here, head].filter((id) => id !== null);
      const found = await workBranch.placesAdding({ commit, known, others: upstream }, secrets, withinMs);
      if (!found.ok) return `whether it holds a secret of this job cannot be told: ${found.trouble.because}.`;
      const [place, ...more] = found.value;
      if (place === undefined) return null;
      const further = more.length === 0 ? "" : ` and ${more.length} more`;
      return `${place}${further} would show a secret to everybody who may read the repository: one of this job, or what looks like a token or a private key. Take it out of the loop's commits, also of the earlier ones, and tell the agent to write it down nowhere. A made-up one for a test is no hindrance once a person has committed it to the default branch.`;
    },
    protectedIn: async (commit, withinMs) => {
      const bases = [known, upstream];
      return forbiddenIn({ workBranch, rules: changeRules(config, place.root), bases }, commit, withinMs);
    },
    keepPatch: async (commit, withinMs) => {
      const from = landing.here ?? head;
      const file = path.join(place.folder, PATCH_FILE);
      const kept = from === null ? undefined : await workBranch.keepPatch(file, from, commit, withinMs);
      return kept?.ok === true && kept.value;
    },
    published: async () => [...known(), ...(await upstream())],
    unlikeDefault: async (paths, commit, withinMs) => {
      const [tip] = await newest();
      if (tip === undefined) return paths;
      const unlike = await unlikeIn(workBranch, { paths, commit, tip }, withinMs);
      const at = unlike === null || unlike.length === 0 ? undefined : await github?.within(withinMs);
      const taken = unlike === null || at === undefined ? undefined : await takenFrom(at, { tip, commit }, unlike);
      return (unlike ?? paths).filter((name) => taken?.has(name) !== true);
    },
    // Commits can be made there (`sign-commits`) on the latest one that is both here and on GitHub.
    beside: async (other) => {
      const { tip, here } = landing;
      return reopen({ name: other, tip: null, head: tip !== null && tip === here ? tip : head });
    },
  };
}

/** Which of these files two commits have otherwise; null: not known. */
async function unlikeIn(
  workBranch: WorkBranch,
  { paths, commit, tip }: { readonly paths: readonly string[]; readonly commit: string; readonly tip: string },
  withinMs: number,
): Promise<readonly string[] | null> {
  const found = await workBranch.changedPaths(tip, commit, withinMs, MOST_PATHS);
  if (!found.ok || found.value.more > 0) return null;
  const unlike = new Set(found.value.paths.map(({ path: name }) => name));
  return paths.filter((name) => unlike.has(name));
}

const WORKFLOWS = ".github/workflows";
/** As far back the default branch is looked through. */
const MOST_COMMITS = 30;

/**
 * Which of these workflow files a commit has as the default branch had them once since they parted (`contents: read`): at
 * most one request for each of its latest 30 commits, however many there are, and two more.
 */
async function takenFrom(
  github: Github,
  { tip, commit }: { readonly tip: string; readonly commit: string },
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const { repos } = github.rest;
  const idsAt = async (ref: string): Promise<ReadonlyMap<string, string>> => {
    const { data } = await repos.getContent({ path: WORKFLOWS, ref });
    return new Map(Array.isArray(data) ? data.map(({ path: name, sha }) => [name, sha] as const) : []);
  };
  const taken = new Set<string>();
  await ask("contents: read", async () => {
    const ours = await idsAt(commit);
    const wanted = paths.filter((name) => ours.has(name));
    if (wanted.length === 0) return;
    const moved = await commitsBetween(github, commit, tip, MOST_COMMITS);
    for (const { sha } of moved.ok ? moved.value.commits : []) {
      if (taken.size === wanted.length) return;
      const theirs = await idsAt(sha);
      for (const name of wanted) if (theirs.get(name) === ours.get(name)) taken.add(name);
    }
  });
  return taken;
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
  const tip = await tipOf(await github.within(TIP_MS), `refs/heads/${defaultBranch}`);
  return tip.ok ? [tip.value] : [];
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
