import { isLoopId } from "../../core/names.ts";
import { hardenedGitEnvironment, runGit } from "../git.ts";

/** What the history of a checkout holds of a loop. */
export interface LoopCommits {
  readonly loopId: string;
  readonly count: number;
  /** of the newest of them */
  readonly iteration: number;
  readonly newest: string;
}

/** How many commits are looked at, the newest first. */
const MOST = 500;
const WITHIN_MS = 5_000;

const FORMAT = ["Smithers-Loop", "Smithers-Iteration"]
  .map((key) => `%(trailers:key=${key},valueonly=true,unfold=true,separator=%x20)`)
  .join("%x09");

/**
 * The commits that name a loop in their trailers, which anybody can write: only good to tell a person. Looks at the newest
 * of what is checked out; undefined: there are none, or no repository.
 *
 * @param loopId null: of the loop that the newest such commit names
 */
export async function commitsOfLoop(root: string, loopId: string | null): Promise<LoopCommits | undefined> {
  const listed = await runGit(["rev-list", `--max-count=${MOST}`, `--format=${FORMAT}`, "HEAD"], {
    cwd: root,
    // No program that a person or a repository has configured has a part in it.
    env: hardenedGitEnvironment(),
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch(() => undefined);
  return listed?.exitCode === 0 ? commitsIn(listed.stdout, loopId) : undefined;
}

const LISTED = /^commit (?<commit>[\da-f]{40,64})\n(?<loop>[\w.-]{1,100})\t(?<iteration>\d{1,9})$/gmu;

/** What `git rev-list` says, in the format of ours. @param loopId as for `commitsOfLoop` */
export function commitsIn(text: string, loopId: string | null): LoopCommits | undefined {
  let found: LoopCommits | undefined;
  for (const { groups = {} } of text.matchAll(LISTED)) {
    const { commit = "", loop = "", iteration } = groups;
    if (!isLoopId(loop) || loop !== (found?.loopId ?? loopId ?? loop)) continue;
    found =
      found === undefined
        ? { loopId: loop, count: 1, iteration: Number(iteration), newest: commit }
        : { ...found, count: found.count + 1 };
  }
  return found;
}
