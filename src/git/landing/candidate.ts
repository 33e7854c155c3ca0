import { type ChangeRules, refusalWords, type Refusal } from "../../core/boundary.ts";
import { done, failed, type Result } from "../../core/result.ts";
import { protectedRefusal } from "../change-guard.ts";
import { trailersIn } from "../commit.ts";
import { encoded, type FileChange, isFile, nulFields, nulTerminated, NUMSTAT } from "../diff.ts";
import { checkedId } from "../git.ts";
import { withinLimits } from "../handed-commits.ts";
import { withCure } from "../refusal.ts";
import type { RemoteGit } from "../remote-git.ts";
import { commitOf } from "../true-trees.ts";

/** What the commit of a candidate has to be. */
export interface CandidateRules extends ChangeRules {
  /** null: it is of a whole task, and may have commits before it */
  readonly story: {
    /** the loop, the story and the PRD that its trailers have to name */
    readonly trailers: { readonly loop: string; readonly story: string; readonly prd: string };
    /** the PRD's folder from the repository's top: what a candidate changes there is passed over */
    readonly folder: string;
  } | null;
}

/** What a job has committed, looked through: data of a stranger. */
export interface CandidateWork {
  readonly commit: string;
  /** what it is built on, which the commit that it began from is or holds */
  readonly parent: string;
  /** without what it changes in the PRD's folder; at least one */
  readonly changes: readonly FileChange[];
}

/** A file that a candidate changes. */
export interface ChangedLines {
  /** a byte string from the repository's top */
  readonly path: string;
  /** added and removed; 1 for what has no lines */
  readonly lines: number;
  /** whether the repository says that a program writes it */
  readonly isGenerated: boolean;
}

/**
 * Looks through a commit that is here, with the one that it is built on.
 *
 * @returns why it is not taken, as part of a sentence
 */
export async function lookThrough(
  git: RemoteGit,
  commit: string,
  parent: string,
  rules: CandidateRules,
): Promise<Result<CandidateWork>> {
  const whole = await withinLimits(git, commit, [parent]);
  if (!whole.ok) return whole;
  const found = (await git.trueObjects([commit])).get(commit);
  if (found === undefined) return failed({ because: "its commit is not here" });
  const { story } = rules;
  const misnamed = story === null ? null : whyMisnamed(commitOf(commit, found).message, story.trailers);
  if (misnamed !== null) return failed({ because: misnamed });
  const all = await git.differing(parent, commit);
  if (all === undefined) return failed({ because: "its files are not here" });
  const changes = withoutOwn(all, rules);
  if (changes.length === 0) return failed({ because: "it changes nothing" });
  const refusal = await refusalOf(git, changes, rules);
  return refusal === null ? done({ commit, parent, changes }) : failed({ because: wordsOf(refusal) });
}

/** Changes without those in the PRD's folder. */
export function withoutOwn(changes: readonly FileChange[], { story }: CandidateRules): readonly FileChange[] {
  if (story === null) return changes;
  const own = `${encoded(story.folder)}/`;
  return changes.filter(({ path }) => !path.startsWith(own));
}

/** Which one commit a branch has beyond what `isHeld` holds. */
export async function onlyParent(
  git: RemoteGit,
  commit: string,
  isHeld: (parent: string) => Promise<boolean>,
): Promise<Result<string>> {
  const fetched = await git.fetch(checkedId(commit), 1);
  if (!fetched.ok) return failed({ because: `its commit cannot be fetched: ${withCure(fetched.trouble)}` });
  const found = (await git.trueObjects([commit])).get(commit);
  const [parent, ...more] = found === undefined ? [] : commitOf(commit, found).parents;
  if (parent === undefined || more.length > 0 || !(await isHeld(parent))) {
    return failed({ because: "its branch is not one commit on top of what its wave began from" });
  }
  const brought = await git.fetch(checkedId(parent), 1);
  return brought.ok ? done(parent) : failed({ because: withCure(brought.trouble) });
}

/** Whether a branch is built on the one commit that it began from, whatever it has on that. */
export async function wholeParent(
  git: RemoteGit,
  commit: string,
  from: string,
  isBuiltOn: boolean,
): Promise<Result<string>> {
  if (!isBuiltOn) return failed({ because: "its branch is not built on the commit that it began from" });
  for (const one of [commit, from]) {
    const fetched = await git.fetch(checkedId(one), 1);
    if (!fetched.ok) return failed({ because: `its commits cannot be fetched: ${withCure(fetched.trouble)}` });
  }
  return done(from);
}

const OURS = /^Smithers-(?<name>Prd|Story|Loop): (?<value>.*)$/u;

/** By its trailers a landed commit is known: one that names another loop could be taken for that one's. */
function whyMisnamed(
  message: string,
  { loop, story, prd }: NonNullable<CandidateRules["story"]>["trailers"],
): string | null {
  const wanted = new Map([
    ["Prd", prd],
    ["Story", story],
    ["Loop", loop],
  ]);
  const said = trailersIn(message.trim())
    .split("\n")
    .flatMap((line) => {
      const { name, value } = OURS.exec(line)?.groups ?? {};
      return name === undefined ? [] : [[name, value] as const];
    });
  const isRight = said.every(([name, value]) => wanted.get(name) === value);
  return isRight && said.length === wanted.size ? null : "its commit does not say that it is this story's";
}

/** @returns null: nothing is against it */
export async function refusalOf(
  git: RemoteGit,
  changes: readonly FileChange[],
  { protectedPaths, maxFiles, maxBytes }: ChangeRules,
): Promise<Refusal | null> {
  const refused = protectedRefusal(protectedPaths, changes);
  if (refused !== null) return refused;
  const blobs = changes.filter(({ after }) => isFile(after)).map(({ after }) => after.object);
  const sizes = await git.trueSizes([...new Set(blobs)]);
  const bytes = blobs.reduce((sum, blob) => sum + (sizes.get(blob) ?? 0), 0);
  const files = changes.length;
  const isTooLarge = (maxFiles !== null && files > maxFiles) || (maxBytes !== null && bytes > maxBytes);
  return isTooLarge ? { kind: "too_large", files, bytes, max_files: maxFiles, max_bytes: maxBytes } : null;
}

export function wordsOf(refusal: Refusal): string {
  const words = refusalWords(refusal);
  return refusal.kind === "protected_paths" ? `it changes what the agent may not change: ${words}` : words;
}

/** How many lines a candidate changes, file by file. */
export async function changedLines(
  git: RemoteGit,
  { commit, parent, changes }: CandidateWork,
): Promise<readonly ChangedLines[]> {
  const counted = new Map<string, number>();
  for (const field of nulFields(await git.run(["diff-tree", ...NUMSTAT, parent, commit]))) {
    const [, added = "", removed = "", path = ""] = /^(\d+|-)\t(\d+|-)\t(.+)$/su.exec(field) ?? [];
    counted.set(path, added === "-" ? 1 : Number(added) + Number(removed));
  }
  const paths = changes.map(({ path }) => path);
  const index = git.file("attributes-index");
  await git.run(["read-tree", parent], { index });
  const asked = ["check-attr", "--cached", "-z", "--stdin", "linguist-generated"];
  const said = nulFields(await git.run(asked, { index, input: nulTerminated(paths) }));
  const marked = new Set(
    said.filter((_, at) => at % 3 === 0 && !["unspecified", "unset", "false"].includes(said[at + 2] ?? "")),
  );
  return paths.map((path) => ({ path, lines: counted.get(path) ?? 1, isGenerated: marked.has(path) }));
}
