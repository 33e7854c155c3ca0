import { mkdtemp, mkdir, rm } from "node:fs/promises";
import path from "node:path";

const BASE = path.join(import.meta.dirname, "../../.test-work");

/** A folder that is gone when its scope ends: `await using folder = await tempFolder()`. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes an empty folder outside the system's temp directory, because that one is writable inside Codex's sandbox and
 * would hide what a sandboxed agent can and cannot do.
 */
export async function tempFolder(prefix = "t-"): Promise<TempFolder> {
  await mkdir(BASE, { recursive: true });
  const folder = await mkdtemp(path.join(BASE, prefix));
  return {
    path: folder,
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },
  };
}
