import path from "node:path";
import { localUses, mirrorOf } from "../core/policy/mirror.ts";
import { done, failed, type Result } from "../core/result.ts";
import type { Github } from "../github/client.ts";
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
  const [jobs, distrust] = await Promise.all([readJobs(github, id, "latest"), whyDistrusted(github, run)]);
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

/** Deeper than anybody nests them. */
const MOST_FILES = 50;
const WORKFLOWS = ".github/workflows";

/** Why the run's workflow, or what it uses of the repository, is not the base's; null: it is. */
async function whyDistrusted(github: Github, { workflow, sha, base }: MirroredRun): Promise<string | null> {
  const tip = await tipOf(github, `heads/${base}`);
  if (!tip.ok) return tip.trouble.because;
  const [theirs, ours] = await Promise.all([treeOf(github, tip.value), treeOf(github, sha)]);
  if (!theirs.ok) return theirs.trouble.because;
  if (!ours.ok) return ours.trouble.because;
  const { parse } = await import("yaml");
  const looked = new Set<string>();
  const waiting = [`${WORKFLOWS}/${workflow}`];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (looked.has(at)) continue;
    looked.add(at);
    if (looked.size > MOST_FILES) return `${workflow} uses too many files of the repository to compare`;
    const object = theirs.value.get(at);
    const name = at === "" ? "the repository itself" : at;
    if (object === undefined) return `${name}, which it uses, is not in ${base}`;
    if (ours.value.get(at)?.sha !== object.sha) return `${name} is not as in ${base}`;
    const file = object.isFolder
      ? ["action.yml", "action.yaml"].map((name) => path.posix.join(at, name)).find((name) => theirs.value.has(name))
      : at;
    const blob = file === undefined ? undefined : theirs.value.get(file);
    // A folder with a Dockerfile alone is an action as well.
    if (blob === undefined) continue;
    const read = await ask("contents: read", async () => (await github.rest.git.getBlob({ file_sha: blob.sha })).data);
    if (!read.ok) return read.trouble.because;
    try {
      const { paths, unknown } = localUses(parse(Buffer.from(read.value.content, "base64").toString()));
      if (unknown !== null) return unknown;
      waiting.push(...paths);
    } catch {
      return `${file} cannot be read`;
    }
  }
  return null;
}

interface TreeObject {
  readonly sha: string;
  readonly isFolder: boolean;
}

/** All that a commit holds by its path; the whole of it is "". */
async function treeOf(github: Github, commit: string): Promise<Result<ReadonlyMap<string, TreeObject>>> {
  const tree = await ask(
    "contents: read",
    async () => (await github.rest.git.getTree({ tree_sha: commit, recursive: "1" })).data,
  );
  if (!tree.ok) return tree;
  if (tree.value.truncated) return failed({ because: "the repository has too many files to compare" });
  const objects = tree.value.tree.map(({ path: at, sha, type }) => [at, { sha, isFolder: type === "tree" }] as const);
  return done(new Map([["", { sha: tree.value.sha, isFolder: true }], ...objects]));
}
