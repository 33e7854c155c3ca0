import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { GithubContext } from "../github/context.ts";
import { createRefDeleter } from "../github/refs.ts";
import { cleanUp } from "./clean-up.ts";
import type { CleanUpJob } from "./clean-up-job.ts";

/** Clears up behind the loop of a pull request that was closed. @returns the exit code */
export async function runCleanUp(
  job: Omit<CleanUpJob, "deleteRef"> & { readonly context: GithubContext },
  token: string,
): Promise<number> {
  const { owner, name } = job.context.repository;
  const { serverUrl, temp } = job.context;
  const folder = path.join(temp, `smithers-clean-up-${randomUUID()}`);
  const url = `${serverUrl}/${owner}/${name}`;
  const deleteRef = createRefDeleter({ url, token, folder, mark: path.basename(folder) }, job.access.signal);
  try {
    return await cleanUp({ ...job, deleteRef });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
