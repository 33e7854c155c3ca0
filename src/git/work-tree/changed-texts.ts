import { type ChangedTexts, NOTHING_CHANGED, rankOf, takesPart, withMoves } from "../../core/judges/changed-texts.ts";
import type { Snapshot } from "../../core/state.ts";
import { decoded, type FileChange, isFile, type Side } from "../diff.ts";
import type { PrivateGit } from "../private-git.ts";
import { differencesOf, type ReadTrue } from "../true-trees.ts";

/** What is beyond is told as unread. */
export interface TextLimits {
  readonly files: number;
  /** of either side of one file */
  readonly fileBytes: number;
  /** of all sides together */
  readonly bytes: number;
}

const LIMITS: TextLimits = { files: 400, fileBytes: 524_288, bytes: 16_777_216 };

interface Candidate {
  readonly path: string;
  readonly change: FileChange;
}

/**
 * The texts that differ between the workspace as it was when the loop began and a tree, each checked against its id.
 * Where the tree of then is lost, as on another machine, the commit of then is what is compared; that is the same unless
 * something was uncommitted when the loop began.
 *
 * @param scripts paths that count as scripts of the checks
 * @returns null: neither is here
 * @throws OperationalError `GIT_OBJECT_FORGED`, `GIT_TREE_MALFORMED`
 */
export async function changedTextsIn(
  git: PrivateGit,
  begun: Snapshot,
  tree: string,
  scripts: readonly string[],
  limits: TextLimits = LIMITS,
): Promise<ChangedTexts | null> {
  if (begun.tree === tree) return NOTHING_CHANGED;
  return git.reading(async (read) => {
    const differing = await sinceThen(read, git, begun, tree);
    if (differing === undefined) return null;
    const named = new Set(scripts);
    const files = differing
      .map((change): Candidate => ({ path: decoded(change.path), change }))
      .filter(({ path }) => takesPart(path))
      .toSorted((a, b) => rankOf(a.path, named) - rankOf(b.path, named));
    const sizes = await git.sizes([...new Set(files.flatMap(({ change }) => objectsOf(change)))]);
    const wanted = withinLimits(files, sizes, limits);
    const contents = await read([...new Set([...wanted].flatMap(({ change }) => objectsOf(change)))]);
    const texts = files.map((file) => {
      if (!wanted.has(file)) return { ...file, text: undefined };
      const [before, after] = [file.change.before, file.change.after].map((side) =>
        isFile(side) ? textOf(contents.get(side.object)?.content) : null,
      );
      return { ...file, text: before === undefined || after === undefined ? undefined : { before, after } };
    });
    return {
      changes: withMoves(texts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, ...text }]))),
      unread: texts.filter(({ text }) => text === undefined).map(({ path }) => path),
    };
  });
}

async function sinceThen(
  read: ReadTrue,
  git: PrivateGit,
  { tree: begun, head }: Snapshot,
  now: string,
): Promise<readonly FileChange[] | undefined> {
  const [found] = await differencesOf(read, [[begun, now]]);
  if (found !== undefined || head === null) return found;
  const [others] = await differencesOf(read, [[`${head}:${git.repository.prefix}`, now]]);
  return others;
}

function objectsOf({ before, after }: FileChange): readonly string[] {
  return [before, after].filter((side: Side) => isFile(side)).map(({ object }) => object);
}

function withinLimits(
  files: readonly Candidate[],
  sizes: ReadonlyMap<string, number>,
  { files: most, fileBytes, bytes }: TextLimits,
): ReadonlySet<Candidate> {
  const wanted = new Set<Candidate>();
  let sum = 0;
  for (const file of files) {
    const objects = objectsOf(file.change);
    const each = objects.map((object) => sizes.get(object) ?? Infinity);
    const all = each.reduce((total, size) => total + size, 0);
    if (objects.length === 0 || each.some((size) => size > fileBytes) || sum + all > bytes) continue;
    if (wanted.size === most) break;
    sum += all;
    wanted.add(file);
  }
  return wanted;
}

/** Undefined: it is not here, or no text. */
function textOf(content: string | undefined): string | undefined {
  return content === undefined || content.includes("\0") ? undefined : decoded(content);
}
