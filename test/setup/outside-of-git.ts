import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TempFolder } from "../support/temp-folder.ts";

/** An empty folder that lies in no git repository, as the other temporary folders do. */
export async function outsideOfGit(): Promise<TempFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), "outside-"));
  return {
    path: folder,
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
