import { createGitRefControl, type GitRefControl } from "../control/git-refs.ts";
import type { Task } from "../core/task.ts";
import type { GithubContext } from "../github/context.ts";
import { type JobPlace, marksOf } from "../store/place.ts";
import type { Checkpoints } from "../carry/checkpoints.ts";

/** With what GitHub is listened to. */
export interface Listening {
  readonly context: GithubContext;
  readonly place: JobPlace;
  /** null: there is none to ask with */
  readonly token: string | null;
  /** tells a person */
  readonly tell: (text: string) => void;
}

/** Which of the commits that requests point at are this run's. */
export interface Standing {
  /** where the loop's ref stood when the run began; null: nowhere, or it could not be read */
  readonly follows: string | null;
  /** undefined: the loop's ref is not among the carriers */
  readonly checkpoints: Checkpoints | undefined;
  /** whose word this run began by */
  readonly by: Task["by"];
}

/** Hears what people ask of the loop on GitHub while it runs; undefined without a token to ask with. */
export function listenOnGithub(
  { context, place, token, tell }: Listening,
  { follows, checkpoints, by }: Standing,
): GitRefControl | undefined {
  if (token === null) return undefined;
  const { owner, name } = context.repository;
  return createGitRefControl({
    loopId: place.loopId,
    url: `${context.serverUrl}/${owner}/${name}`,
    token,
    folder: place.gitFolder("control"),
    mark: marksOf(place).tools,
    seen: [],
    // What was asked of a run that died is still meant, unless a person has let the loop go on since. Where nothing is
    // known of the ref, nobody can be told that they were too late.
    isCurrent: (commit) =>
      checkpoints?.wrote(commit) === true || (by === "trigger" && (follows === null || commit === follows)),
    tell,
  });
}
