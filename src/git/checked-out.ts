import { readHead } from "./head.ts";
import { findRepository } from "./repository.ts";

/** The commit that is checked out at `root`; null where there is none, or no repository. */
export async function checkedOut(root: string): Promise<string | null> {
  const repository = await findRepository(root);
  return repository === undefined ? null : ((await readHead(repository)) ?? null);
}
