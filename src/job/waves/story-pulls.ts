import { OperationalError } from "../../core/errors.ts";
import { loopRefOf } from "../../core/names.ts";
import { branchOfLoop } from "../../core/story/wave-names.ts";
import { done, failed, type Result } from "../../core/result.ts";
import { createRefDeleter } from "../../github/refs.ts";
import { findOpen } from "../../github/pulls.ts";
import { ask } from "../../github/refusal.ts";
import { stickyComment } from "../../github/sticky-comment.ts";
import { marksOf } from "../../store/place.ts";
import { landingMarker } from "../../views/github/markers.ts";
import { type Closing, WITHIN } from "./closing.ts";

/** Where the pull request of a loop is. */
interface PullOfLoop {
  readonly loop: string;
  /** without `refs/heads/` */
  readonly branch: string;
  /** that it is for */
  readonly base: string;
}

export function pullOfStory({ branch: base }: Pick<Closing, "branch">, loop: string): PullOfLoop {
  return { loop, branch: branchOfLoop(loop), base };
}

/**
 * Says on the pull request of a loop what has become of it, once, and closes it. Nothing happens where there is none that
 * is open. What fails is told, and stops nothing.
 */
export async function tellPull(
  { github, teller }: Pick<Closing, "github" | "teller">,
  { loop, branch, base }: PullOfLoop,
  { text, closes }: { readonly text: string; readonly closes: boolean },
): Promise<void> {
  const access = await github.within(WITHIN.ask);
  const told = await ask("pull-requests: write", async (): Promise<Result> => {
    const found = await findOpen(access, { branch, base });
    if (found === undefined) return done(undefined);
    const comment = stickyComment(access, { number: found.number, marker: landingMarker(loop) });
    const put = await comment.put(text);
    if (closes) await access.rest.pulls.update({ pull_number: found.number, state: "closed" });
    return put.ok ? done(undefined) : failed(put.trouble);
  });
  const answer = told.ok ? told.value : told;
  if (!answer.ok) teller.notice(`The pull request of loop ${loop} is not as it should be: ${answer.trouble.because}.`);
}

/**
 * Whether the pull request of a story's loop is open.
 *
 * @throws OperationalError `PULL_UNKNOWN`
 */
export async function isPullOpen({ github, branch }: Closing, loop: string): Promise<boolean> {
  const access = await github.within(WITHIN.ask);
  const found = await ask("pull-requests: write", () => findOpen(access, { branch: branchOfLoop(loop), base: branch }));
  if (found.ok) return found.value !== undefined;
  throw new OperationalError({
    code: "PULL_UNKNOWN",
    what: `Whether the pull request of loop ${loop} is open is not known: ${found.trouble.because}. Nothing of its story was landed, and it stays accepted.`,
    next: "Give the job the permission `pull-requests: write`, or run the closing job again when GitHub answers.",
  });
}

/** Deletes branch and ref of a loop that has landed, where they still are as they were seen. What fails is told. */
export async function dropLoop({ config, context, place, git, teller }: Closing, loop: string): Promise<void> {
  const { serverUrl, repository } = context;
  const url = `${serverUrl}/${repository.owner}/${repository.name}`;
  const remote = { url, token: config.githubToken, folder: place.gitFolder("drop"), mark: marksOf(place).tools };
  const drop = createRefDeleter(remote, new AbortController().signal);
  for (const ref of [`refs/heads/${branchOfLoop(loop)}`, loopRefOf(loop)]) {
    const listed = await git.list(ref, WITHIN.git);
    const at = listed.ok ? listed.value.get(ref) : undefined;
    const dropped = at === undefined ? listed : await drop(ref, at);
    if (!dropped.ok) teller.notice(`${ref} is left, and nobody needs it: ${dropped.trouble.because}.`);
  }
}
