import { rm } from "node:fs/promises";
import path from "node:path";
import { nulFields, nulTerminated } from "../git.ts";
import { type Blob, type Blobs, FILE_LIMIT } from "./changed-blobs.ts";
import { changesBetween, indexLine, isAbsent, isSubmodule, type TreeChange } from "./tree-changes.ts";
import type { OwnRepository } from "./own-repository.ts";
import { isNamedSecret, type SecretValues } from "../../os/secrets.ts";

/** A change that does not travel. */
export interface Withheld {
  /** a byte string, relative to the workspace's root */
  readonly path: string;
  readonly because: string;
}

/** What of a work tree may travel. */
export interface Selection {
  /** null: nothing of it */
  readonly tree: string | null;
  readonly withheld: readonly Withheld[];
  /** bytes of changed content in it */
  readonly bytes: number;
}

/** With more changed content the record goes alone (C13). */
export const TREE_LIMIT = 100 << 20;

/** What a selection is made with. */
export interface Selecting {
  readonly git: OwnRepository;
  readonly blobs: Blobs;
  readonly secrets: SecretValues;
}

/**
 * Takes out of a work tree what must not leave the machine (C13). Only what differs from `base` is looked at: the rest
 * is in the repository already. A path that is withheld is what it is in `base`.
 *
 * @param base the tree that the work began with
 */
export async function selectFrom(use: Selecting, base: string, tree: string, signal: AbortSignal): Promise<Selection> {
  const changes = await changesBetween(use.git, base, tree, signal);
  const filtered = await filteredAmong(use.git, changes, signal);
  const known = await use.blobs.look(
    changes.filter(bringsContent).map(({ after }) => after.object),
    signal,
  );
  const withheld: (Withheld & { readonly change: TreeChange })[] = [];
  const sizes = new Map<string, number>();
  for (const change of changes) {
    const blob = known.get(change.after.object);
    const because = reasonAgainst(change, blob, filtered, use.secrets);
    if (because !== undefined) withheld.push({ path: change.path, because, change });
    else if (bringsContent(change)) sizes.set(change.after.object, blob?.bytes ?? 0);
  }
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > TREE_LIMIT) return { tree: null, withheld, bytes };
  const without = withheld.map(({ change }) => change);
  return { tree: without.length === 0 ? tree : await putBack(use.git, tree, without, signal), withheld, bytes };
}

/** Whether a change brings in a file's content: not a deletion, and not a new mode alone. */
function bringsContent({ before, after }: TreeChange): boolean {
  return !isAbsent(after) && !isSubmodule(after) && after.object !== before.object;
}

function reasonAgainst(
  change: TreeChange,
  blob: Blob | undefined,
  filtered: ReadonlySet<string>,
  secrets: SecretValues,
): string | undefined {
  if (isAbsent(change.after)) return undefined;
  if (isSubmodule(change.after)) return "submodules are not carried";
  if (secrets.areIn(change.path)) return "its name holds a secret value";
  if (!bringsContent(change)) return undefined;
  if (isNamedSecret(change.path)) return "files of that name hold secrets";
  if (blob?.holdsSecret === true) return "it holds a secret value";
  if (blob !== undefined && blob.bytes > FILE_LIMIT) return "it is larger than 10 MB";
  return filtered.has(change.path) ? "a git filter such as LFS belongs to it, and filters are not run" : undefined;
}

async function filteredAmong(
  git: OwnRepository,
  changes: readonly TreeChange[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const paths = changes.filter(bringsContent).map((change) => change.path);
  if (paths.length === 0) return new Set();
  const prefix = Buffer.from(git.place.workTree?.prefix ?? "").toString("latin1");
  const input = nulTerminated(paths.map((name) => `${prefix}${name}`));
  const args = ["check-attr", "-z", "--stdin", "filter"];
  const fields = nulFields(await git.run(args, { signal, input, inWorkTree: true }));
  const filtered = new Set<string>();
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [name = "", value = ""] = [fields[i], fields[i + 2]];
    if (value !== "unspecified" && value !== "unset") filtered.add(name.slice(prefix.length));
  }
  return filtered;
}

/** The tree with these changes undone. */
async function putBack(
  git: OwnRepository,
  tree: string,
  changes: readonly TreeChange[],
  signal: AbortSignal,
): Promise<string> {
  const index = path.join(git.place.folder, "selection-index");
  await rm(index, { force: true });
  await rm(`${index}.lock`, { force: true });
  await git.run(["read-tree", tree], { signal, index });
  const input = nulTerminated(changes.map(({ path: name, before }) => indexLine(name, before)));
  await git.run(["update-index", "--add", "--replace", "-z", "--index-info"], { signal, index, input });
  return (await git.run(["write-tree", "--missing-ok"], { signal, index })).trim();
}
