import { done, failed, type Result, type Trouble } from "../../core/result.ts";
import { type BranchRepository, fetchHere, isAncestor } from "../branch-repository.ts";
import { authorship } from "../commit.ts";
import { decoded, encoded, type FileChange } from "../diff.ts";
import { checkedId } from "../git.ts";
import { commitOf } from "../true-trees.ts";
import { treeWith } from "./landing-git.ts";

/** Work that gets the workflow files of another branch on top (decision 0054). */
export interface Renewing {
  readonly commit: string;
  /** what the branch has of it that the work does not hold (`WorkBranch.onto`), and keeps; null: nothing */
  readonly published: string | null;
  /** a commit of the remote, whose workflow files they become */
  readonly upstream: string;
  /** commits of others below the work, the one that it began with first: what these have, the work has not changed */
  readonly bases: readonly string[];
  /** of the commit that is made */
  readonly message: string;
}

/** Why nothing was put on top; `because` is part of a sentence. */
export interface NotRenewed extends Trouble {
  /** `touched`: the work changes such files itself; `same`: it has those of the other branch */
  readonly kind: "touched" | "same" | "failed";
  /** the workflow files that the work changes, as people read them */
  readonly paths: readonly string[];
}

const FOLDER = ".github/workflows/";

/** See `WorkBranch.withWorkflowsOf`. */
export async function withWorkflowsOf(
  repository: BranchRepository,
  { commit, published, upstream, bases, message }: Renewing,
): Promise<Result<string, NotRenewed>> {
  if (!(await repository.remote.has(`${checkedId(upstream)}^{tree}`))) {
    const fetched = await fetchHere(repository, upstream, 1);
    if (!fetched.ok) return failed({ kind: "failed", because: fetched.trouble.because, paths: [] });
  }
  const lag = await workflowsBetween(repository, commit, upstream);
  if (lag === undefined) return failed({ kind: "failed", because: "not all of it is here", paths: [] });
  if (lag.length === 0) return failed({ kind: "same", because: "it has these files already", paths: [] });
  let own: readonly string[] | undefined;
  for (const base of bases) {
    const changed = await workflowsBetween(repository, base, commit);
    const parents = published === null ? [commit] : [commit, published];
    if (changed?.length === 0) return done(await putOnTop(repository, { commit, parents, lag, message }));
    own ??= changed?.map(({ path }) => decoded(path));
  }
  if (own === undefined) return failed({ kind: "failed", because: "what it began with is not here", paths: [] });
  return failed({ kind: "touched", because: `the work changes ${own.join(", ")}`, paths: own });
}

/** See `WorkBranch.onto`. */
export async function ontoPublished(
  repository: BranchRepository,
  commit: string,
  published: string | null,
  message: string,
): Promise<string> {
  if (published === null || (await isAncestor(repository, checkedId(published), checkedId(commit)))) return commit;
  const work = await workBelow(repository, published);
  if (work === commit) return published;
  if (work === undefined || !(await isAncestor(repository, work, commit))) return commit;
  const lag = (await workflowsBetween(repository, commit, published)) ?? [];
  return putOnTop(repository, { commit, parents: [commit, published], lag, message });
}

/** The work that a commit puts workflow files on, and nothing else; undefined: it does something else. */
async function workBelow(repository: BranchRepository, commit: string): Promise<string | undefined> {
  const found = (await repository.remote.trueObjects([commit])).get(commit);
  const [work] = found === undefined ? [] : commitOf(commit, found).parents;
  if (work === undefined) return undefined;
  const all = await repository.remote.differing(work, commit);
  return all !== undefined && all.length > 0 && all.every(isWorkflow) ? work : undefined;
}

async function workflowsBetween(
  { remote }: BranchRepository,
  from: string,
  to: string,
): Promise<readonly FileChange[] | undefined> {
  // The folders of a partial clone may have to be fetched.
  return (await remote.differing(checkedId(from), checkedId(to), { online: true }))?.filter(isWorkflow);
}

function isWorkflow({ path }: FileChange): boolean {
  return path.startsWith(FOLDER);
}

/** A commit with the first parent's files, but for these changes; nothing names it yet. */
async function putOnTop(
  { git, remote }: BranchRepository,
  made: Pick<Renewing, "commit" | "message"> & {
    readonly parents: readonly string[];
    readonly lag: readonly FileChange[];
  },
): Promise<string> {
  const { commit, parents, lag, message } = made;
  const tree = await treeWith(remote, remote.file("workflows-index"), commit, lag);
  const changed = await remote.differing(commit, tree, { online: true });
  // Git believes what lies under a name, and the agent can write there.
  if (changed?.every(isWorkflow) !== true) throw new Error("git has put more than workflow files on top of the work");
  const named = parents.flatMap((parent) => ["-p", parent]);
  const how = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, ...named];
  return (await remote.run(how, { env: await authorship(git), input: encoded(message) })).trim();
}
