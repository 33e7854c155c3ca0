import type { NotAsBase } from "../checks/ci/ci-gate.ts";
import { localUses, mirrorOf } from "../core/policy/mirror.ts";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import { untilFound } from "../github/ask-again.ts";
import type { Github } from "../github/client.ts";
import { readPullRequest } from "../github/pulls.ts";
import { tipOf } from "../github/refs.ts";
import { ask } from "../github/refusal.ts";
import { readJobs } from "../github/runs.ts";
import { requiredChecks, setCommitStatus } from "../github/statuses.ts";
import type { RequiredByRules, TokenKind } from "../views/github/facts.ts";

/** A run of CI that has ended on the head of the work, and where the work is to go. */
export interface MirroredRun {
  readonly id: number;
  /** its file, as in `ci.yml` */
  readonly workflow: string;
  readonly sha: string;
  /** the branch whose rules count, without `refs/heads/` */
  readonly base: string;
  readonly token: TokenKind;
}

/**
 * Sets what a run's jobs have said as commit statuses under the names that the base's rules ask for (C96), as far as the
 * run's files are the base's. At most one request for each of them, and six more. Never throws.
 *
 * @returns null: the rules ask for nothing
 */
export async function mirrorCi(github: Github, run: MirroredRun): Promise<RequiredByRules | null> {
  const { id, workflow, sha, base, token } = run;
  const required = await requiredChecks(github, base);
  if (!required.ok) return { passed: [], failed: [], open: [], unread: required.trouble.because };
  if (required.value.length === 0) return null;
  const [jobs, as] = await Promise.all([
    readJobs(github, id, "latest"),
    asInBase(github, { workflow, sha, base, as: "tip" }),
  ]);
  const distrust = as.ok ? null : as.trouble.because;
  const found = jobs.ok ? jobs.value : [];
  const why = jobs.ok ? distrust : jobs.trouble.because;
  const facts = { workflow, jobs: found, distrust: why, isActions: token === "github-token" };
  const { mirrored, open } = mirrorOf(required.value, facts);
  const [passed, red, refused]: [string[], string[], RequiredByRules["open"][number][]] = [[], [], [...open]];
  for (const { context, state, url: targetUrl } of mirrored) {
    const description = `${workflow} on this commit, started by smithers/loop: ${state}`;
    const set = await setCommitStatus(github, { sha, state, context, description, targetUrl });
    if (!set.ok) refused.push({ context, why: set.trouble.because });
    else if (state === "success") passed.push(context);
    else red.push(context);
  }
  return { passed, failed: red, open: refused, unread: null };
}

/** What tells which branch the work is for. */
export interface WorkPlace {
  /** the pull request that it is in; null: none yet, or not known */
  readonly pullRequest: { readonly number: number } | null;
  /** the branch that the work goes to, without `refs/heads/` */
  readonly branch: string;
  /** what it may be for where it has no pull request, best first; null: not known */
  readonly others: readonly (string | null)[];
}

/**
 * The branch that the work is for, without `refs/heads/`: GitHub's word where it has a pull request (`pull-requests: read`).
 * Never the branch of the work itself, which would be compared with itself. Never throws.
 */
export async function baseOfWork(github: Github, { pullRequest, branch, others }: WorkPlace): Promise<Result<string>> {
  if (pullRequest !== null) {
    const pull = await readPullRequest(github, pullRequest.number);
    if (pull.ok) return done(pull.value.baseBranch);
    const { because } = pull.trouble;
    return failed({
      because: `pull request #${pullRequest.number}, which says what the base is, cannot be read: ${because}`,
    });
  }
  const base = others.find((other) => other !== null && other !== branch);
  if (typeof base === "string") return done(base);
  return failed({ because: "no base is known other than the branch of the work itself; name one as base" });
}

/** Which workflow is compared, as a commit has it. */
export interface CiFiles {
  /** as in `ci.yml` */
  readonly workflow: string;
  readonly sha: string;
  /** the branch that the work is for, without `refs/heads/` */
  readonly base: string;
  /**
   * `tip`: what it uses has to be as in the base by now. `branch`: or as where the branch left the base, so that only what the
   * branch itself has changed counts; a repository that is an action itself is its own work then, as the scripts are that a
   * step runs.
   */
  readonly as: "tip" | "branch";
}

/** Deeper than anybody nests them. */
const MOST_FILES = 50;
const WORKFLOWS = ".github/workflows";

/**
 * Whether a workflow, and all that it uses of its own repository, is as in the base (`contents: read`): what a branch says
 * itself proves nothing (C118). About four requests where it is; folders that are the same are read once. Never throws.
 */
export async function asInBase(github: Github, { workflow, sha, base, as }: CiFiles): Promise<Result<void, NotAsBase>> {
  const trusted = await trustedCommits(github, { sha, base, as });
  if (!trusted.ok) return unread(trusted.trouble);
  const objects = objectsOf(github);
  const { parse } = await import("yaml");
  const looked = new Set<string>();
  const waiting = [`${WORKFLOWS}/${workflow}`];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (looked.has(at) || (at === "" && as === "branch")) continue;
    looked.add(at);
    if (looked.size > MOST_FILES) return unlike(`${workflow} uses too many files of the repository to compare`);
    const [ours, ...theirs] = await Promise.all([sha, ...trusted.value].map(async (commit) => objects(commit, at)));
    const bad = [ours, ...theirs].find((found) => found?.ok === false);
    if (bad?.ok === false) return unread(bad.trouble);
    const known = theirs.flatMap((found) => (found.ok && found.value !== undefined ? [found.value] : []));
    const name = at === "" ? "the repository itself" : at;
    if (known.length === 0) return unlike(`${name}, which it uses, is not in ${base}`);
    const object = ours?.ok === true ? known.find((one) => one.sha === ours.value?.sha) : undefined;
    if (object === undefined) return unlike(`${name} is not as in ${base}`);
    if (object.isLink) return unlike(`${name} is a symbolic link, and where it leads is not compared`);
    const text = await textOf(github, object, objects);
    if (!text.ok) return unread(text.trouble);
    try {
      const { paths, unknown } = localUses(parse(text.value));
      if (unknown !== null) return unlike(unknown);
      waiting.push(...paths);
    } catch {
      return unlike(`${at} cannot be read`);
    }
  }
  return done(undefined);
}

function unlike(because: string) {
  return failed({ kind: "unlike" as const, because });
}

function unread({ because }: Trouble) {
  return failed({ kind: "unread" as const, because });
}

async function trustedCommits(github: Github, { sha, base, as }: Pick<CiFiles, "sha" | "base" | "as">) {
  const tip = await tipOf(github, `refs/heads/${base}`);
  if (!tip.ok || as === "tip") return tip.ok ? done([tip.value]) : tip;
  const left = await onceThere(github, async () => {
    const { data } = await github.rest.repos.compareCommits({ base: tip.value, head: sha, per_page: 1 });
    return data.merge_base_commit.sha;
  });
  return left.ok ? done([...new Set([tip.value, left.value])]) : left;
}

/** Asks about a commit that was just pushed: not all of GitHub's machines may have it yet. */
async function onceThere<T>(github: Github, question: () => Promise<T>): Promise<Result<T>> {
  const look = async () => ask("contents: read", question);
  const found = await untilFound(github.signal, async () => {
    const asked = await look();
    return !asked.ok && asked.trouble.kind === "absent" ? undefined : asked;
  });
  return found ?? look();
}

interface TreeObject {
  readonly sha: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** Git's mode of a symbolic link. */
const LINK = "120000";

/** Finds what a commit or tree has at a path; undefined: nothing. */
type Objects = (top: string, at: string) => Promise<Result<TreeObject | undefined>>;

/** Reads folder by folder, so that no repository is too large, and each folder once. */
function objectsOf(github: Github): Objects {
  const read = new Map<string, Promise<Result<ReadonlyMap<string, TreeObject>>>>();
  const folder = async (sha: string): Promise<Result<ReadonlyMap<string, TreeObject>>> => {
    const known = read.get(sha) ?? readFolder(github, sha);
    read.set(sha, known);
    return known;
  };
  return async (top, at) => {
    let object: TreeObject | undefined = { sha: top, isFolder: true, isLink: false };
    const names = at === "" ? ["."] : at.split("/");
    for (const name of names) {
      if (object?.isFolder !== true) return done(undefined);
      const found: Result<ReadonlyMap<string, TreeObject>> = await folder(object.sha);
      if (!found.ok) return found;
      object = found.value.get(name);
    }
    return done(object);
  };
}

/** What a folder holds by its names; "." is the folder itself. */
async function readFolder(github: Github, sha: string): Promise<Result<ReadonlyMap<string, TreeObject>>> {
  const tree = await onceThere(github, async () => (await github.rest.git.getTree({ tree_sha: sha })).data);
  if (!tree.ok) return tree;
  const objects = tree.value.tree.map(
    ({ path: name, sha: of, type, mode }) =>
      [name, { sha: of, isFolder: type === "tree", isLink: mode === LINK }] as const,
  );
  return done(new Map([[".", { sha: tree.value.sha, isFolder: true, isLink: false }], ...objects]));
}

/** The text of a workflow, or of what a folder with an action says of it; "" for one with a Dockerfile alone. */
async function textOf(github: Github, { sha, isFolder }: TreeObject, objects: Objects): Promise<Result<string>> {
  let blob: string | undefined = sha;
  if (isFolder) {
    const [yml, yaml] = await Promise.all(["action.yml", "action.yaml"].map(async (name) => objects(sha, name)));
    if (yml?.ok === false) return yml;
    blob = (yml?.value ?? (yaml?.ok === true ? yaml.value : undefined))?.sha;
  }
  if (blob === undefined) return done("");
  const of = blob;
  return ask("contents: read", async () => {
    const { data } = await github.rest.git.getBlob({ file_sha: of });
    return Buffer.from(data.content, "base64").toString();
  });
}
