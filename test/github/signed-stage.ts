import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pushSigned, type SignedPush, type SignedWork } from "../../src/github/signed-commits.ts";
import { BRANCH, type PublishStage } from "../publish/publish-stage.ts";

export const SOON = 30_000;

/** A checkout with the work's branch taken up, and what pushes it by the API. */
export interface SignedStage {
  /** what was checked out in the beginning */
  readonly base: string;
  /** the absolute path of a file in the checkout */
  readonly file: (name: string) => string;
  readonly write: (name: string, content: string | Buffer) => Promise<void>;
  /** Commits everything. */
  readonly commit: (message: string) => Promise<string>;
  /** @param tip where the branch is on GitHub; @param from the local commit for it */
  readonly workOf: (to: string, tip: string | null, from?: string) => Promise<SignedWork>;
  readonly push: (to: string, tip: string | null, from?: string) => Promise<SignedPush>;
}

export async function signedStage(at: PublishStage): Promise<SignedStage> {
  const branch = await at.checkOut(await at.job());
  const top = await at.git("rev-parse", "--show-toplevel");
  const base = branch.head ?? "";
  const file = (name: string): string => path.join(top, name);
  const contents = async (blobs: readonly string[]) => {
    const read = await branch.workBranch.contents(blobs, SOON);
    if (!read.ok) throw new Error(read.trouble.because);
    return read.value;
  };
  const workOf: SignedStage["workOf"] = async (to, tip, from = tip ?? base) => {
    const since = await branch.workBranch.commitsSince({ base: from, commit: to, most: 20 }, SOON);
    if (!since.ok) throw new Error(since.trouble.because);
    const { baseTree: tree, commits } = since.value;
    return { branch: BRANCH, tip, base: { commit: tip ?? base, tree }, commits, contents };
  };
  return {
    base,
    file,
    write: async (name, content) => {
      await mkdir(path.dirname(file(name)), { recursive: true });
      await writeFile(file(name), content);
    },
    commit: async (message) => {
      await at.git("add", "-A");
      await at.git("commit", "-q", "--allow-empty", "-m", message);
      return at.git("rev-parse", "HEAD");
    },
    workOf,
    push: async (to, tip, from) => pushSigned(at.access(), await workOf(to, tip, from)),
  };
}
