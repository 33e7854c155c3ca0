import { readFile } from "node:fs/promises";
import type { BlobStore } from "../../test/support/results/azurite.ts";
import { timed } from "./timed.ts";

let blobs = 0;

/** How long the stand-in for the blob store takes for an archive; milliseconds. */
export async function networkTime(
  store: BlobStore,
  archive: string,
): Promise<{ readonly save: number; readonly restore: number }> {
  const bytes = await readFile(archive);
  const name = `network-${(blobs += 1)}`;
  const [save] = await timed(() => store.write(name, bytes));
  const [restore] = await timed(() => store.read(name));
  return { save, restore };
}
