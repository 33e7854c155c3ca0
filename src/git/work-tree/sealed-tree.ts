import { seal, unseal } from "../../os/seal.ts";
import { checkedId, type OwnRepository } from "./own-repository.ts";

/**
 * Writes what a tree has and `base` has not, sealed, as a blob: the tree's id, a newline, and a pack of its objects.
 *
 * @returns the blob's id
 */
export async function sealTree(
  git: OwnRepository,
  key: string,
  base: string,
  tree: string,
  signal: AbortSignal,
): Promise<string> {
  const args = ["pack-objects", "--quiet", "--revs", "--thin", "--stdout"];
  const pack = await git.run(args, { signal, input: `${tree}\n^${base}\n` });
  const sealed = seal(key, Buffer.from(`${tree}\n${pack}`, "latin1"));
  const input = sealed.toString("latin1");
  return (await git.run(["hash-object", "-w", "--stdin"], { signal, input })).trim();
}

/**
 * The other way round; the tree's objects are in our directory then. What `base` has must be there already.
 *
 * @returns the tree's id
 * @throws SealError when the key is another one
 */
export async function unsealTree(git: OwnRepository, key: string, blob: string, signal: AbortSignal): Promise<string> {
  const sealed = await git.run(["cat-file", "blob", blob], { signal });
  const plain = unseal(key, Buffer.from(sealed, "latin1")).toString("latin1");
  const end = plain.indexOf("\n");
  const tree = checkedId(plain.slice(0, end));
  const pack = plain.slice(end + 1);
  if (objectsIn(pack) > 0) await git.run(["index-pack", "--stdin", "--fix-thin"], { signal, input: pack });
  return tree;
}

/** How many objects a pack says that it holds. */
function objectsIn(pack: string): number {
  return pack.length < 12 ? 0 : Buffer.from(pack.slice(8, 12), "latin1").readUInt32BE();
}
