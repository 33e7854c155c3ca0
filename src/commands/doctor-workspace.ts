import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { OperationalError } from "../core/errors.ts";
import { counted } from "../views/amounts.ts";
import { oneLine } from "../views/plain-text.ts";
import type { Finding, Right } from "../views/gaps.ts";
import { gitVersion, isGitRepository } from "../git/repository.ts";
import { createGitWorkspace } from "../git/workspace.ts";
import { unmeasuredPaths } from "../app/own-paths.ts";
import type { LoopPlace } from "../store/place.ts";
import { projectionsOf } from "../app/projections.ts";

/** Whether a loop can work in the folder: git, a repository, nothing in the way of the loop's commits. */
export async function workspaceFindings(place: LoopPlace, config: Config): Promise<readonly Finding[]> {
  const { root } = place;
  try {
    const git = finding(oneLine(await gitVersion(root)), THERE);
    if (await isGitRepository(root))
      return [git, finding(`the repository in ${root}`, THERE), await clean(place, config)];
    return [git, finding(`a git repository in ${root}`, config.skipGitRepoCheck ? NOT_ASKED : NO_REPOSITORY)];
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    return [finding("git", { right: "missing", why: oneLine(error.message), next: error.next })];
  }
}

const THERE: Right = { right: "there" };

const NO_REPOSITORY: Right = {
  right: "missing",
  why: "there is none, so nobody could see or undo what the agent changes",
  next: "Run git init there, name a repository with --cd, or say --skip-git-repo-check.",
};

const NOT_ASKED: Right = { right: "unknown", because: "untold", why: "there is none, and skip-git-repo-check is on" };

async function clean(place: LoopPlace, config: Config): Promise<Finding> {
  const scratch = await mkdtemp(path.join(tmpdir(), "smithers-"));
  try {
    const excluded = unmeasuredPaths(place, config, 1, await projectionsOf(place, config));
    const workspace = await createGitWorkspace({ root: place.root, folder: scratch, excluded });
    const dirty = await workspace.dirtyFiles(scratch);
    if (dirty.length === 0) return finding("a clean work tree", THERE);
    const changes = `changes in ${counted(dirty.length, "file")} are not committed`;
    // Without commits of the loop they only show up in its diff.
    if (config.commit === "never")
      return finding(`the work tree: ${changes}, and the loop does not commit either`, THERE);
    const next = "Commit or stash them first, or use --commit never.";
    return finding("a clean work tree", { right: "missing", why: changes, next });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function finding(subject: string, right: Right): Finding {
  return { subject, right, permission: null, blocks: true };
}
