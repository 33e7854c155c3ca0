import path from "node:path";
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
  const comparing = { objects: objectsOf(github), sha, trusted: trusted.value, base, as };
  const looked = new Set<string>();
  const waiting = [`${WORKFLOWS}/${workflow}`];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (looked.has(at)) continue;
    looked.add(at);
    if (looked.size > MOST_FILES) return unlike(`${workflow} uses too many files of the repository to compare`);
    const same = await sameAt(comparing, at);
    if (!same.ok) return same;
    const used = await usesOf(github, same.value, at, comparing.objects);
    if (!used.ok) return used;
    waiting.push(...used.value);
  }
  return done(undefined);
}

interface Comparing extends Pick<CiFiles, "sha" | "base" | "as"> {
  readonly objects: Objects;
  /** commits of the base */
  readonly trusted: readonly string[];
}

/** What a commit has at a path as the base has it. The repository itself is a branch's own work, see `CiFiles.as`. */
async function sameAt(
  { objects, sha, trusted, base, as }: Comparing,
  at: string,
): Promise<Result<TreeObject, NotAsBase>> {
  const [ours, ...theirs] = await Promise.all([sha, ...trusted].map(async (commit) => objects(commit, at)));
  const bad = [ours, ...theirs].find((found) => found?.ok === false);
  if (bad?.ok === false) return unread(bad.trouble);
  const own = ours?.ok === true ? ours.value : undefined;
  if (at === "" && as === "branch" && own !== undefined) return done(own);
  const known = theirs.flatMap((found) => (found.ok && found.value !== undefined ? [found.value] : []));
  const name = at === "" ? "the repository itself" : at;
  if (known.length === 0) return unlike(`${name}, which it uses, is not in ${base}`);
  const object = known.find((one) => one.sha === own?.sha);
  return object === undefined ? unlike(`${name} is not as in ${base}`) : done(object);
}

const LINKED = "is a symbolic link, and where it leads is not compared";

/** What of the repository a workflow or action uses, as paths. */
async function usesOf(
  github: Github,
  object: TreeObject,
  at: string,
  objects: Objects,
): Promise<Result<readonly string[], NotAsBase>> {
  if (object.isLink) return unlike(`${at} ${LINKED}`);
  // The repository is all there is: its own links lead to nothing else.
  const out = object.isFolder && at !== "" ? await linkOut(github, object.sha) : done(null);
  if (!out.ok) return unread(out.trouble);
  if (out.value !== null) return unlike(`${at}/${out.value} ${LINKED}`);
  const text = await textOf(github, object, objects);
  if (!text.ok) return unread(text.trouble);
  if (text.value === null) return unlike(`${at === "" ? "" : `${at}/`}action.yml ${LINKED}`);
  const { parse } = await import("yaml");
  try {
    const { paths, unknown } = localUses(parse(text.value));
    return unknown === null ? done(paths) : unlike(unknown);
  } catch {
    return unlike(`${at === "" ? "the repository's own action" : at} cannot be read`);
  }
}

/** An action's folder with more links is not looked through. */
const MOST_LINKS = 20;

/**
 * The first symbolic link below a folder that may lead out of it (`contents: read`): what lies there is not compared with the
 * folder. The names of links count as steps only where no `..` can follow them, as they may be links themselves.
 *
 * @returns its path in the folder, also of one that there is no time to look at; null: none
 */
async function linkOut(github: Github, folder: string): Promise<Result<string | null>> {
  const tree = await onceThere(github, async () => {
    return (await github.rest.git.getTree({ tree_sha: folder, recursive: "1" })).data;
  });
  if (!tree.ok) return tree;
  if (tree.value.truncated) return done("…, which has too many files to look for one,");
  const links = tree.value.tree.filter(({ mode }) => mode === LINK);
  for (const [nth, { path: at, sha }] of links.entries()) {
    if (nth >= MOST_LINKS) return done(at);
    const target = await blobAt(github, sha);
    if (!target.ok) return target;
    const up = /^(?:\.{1,2}(?:\/+|$))*/u.exec(target.value)?.[0] ?? "";
    const isPlain = !target.value.slice(up.length).split("/").includes("..") && !target.value.startsWith("/");
    const from = path.posix.join(path.posix.dirname(at), up);
    if (!isPlain || from.split("/").includes("..")) return done(at);
  }
  return done(null);
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

/** The text of a workflow, or of what a folder with an action says of it; "" for one with a Dockerfile alone; null: a link. */
async function textOf(
  github: Github,
  { sha, isFolder, isLink }: TreeObject,
  objects: Objects,
): Promise<Result<string | null>> {
  let file: Pick<TreeObject, "sha" | "isLink"> | undefined = { sha, isLink };
  if (isFolder) {
    const [yml, yaml] = await Promise.all(["action.yml", "action.yaml"].map(async (name) => objects(sha, name)));
    if (yml?.ok === false) return yml;
    file = yml?.value ?? (yaml?.ok === true ? yaml.value : undefined);
  }
  if (file === undefined) return done("");
  return file.isLink ? done(null) : blobAt(github, file.sha);
}

async function blobAt(github: Github, sha: string): Promise<Result<string>> {
  return ask("contents: read", async () => {
    const { data } = await github.rest.git.getBlob({ file_sha: sha });
    return Buffer.from(data.content, "base64").toString();
  });
}
