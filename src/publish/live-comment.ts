import type { Reporter } from "../core/ports.ts";
import type { PullRequest, LoopState } from "../core/state.ts";
import { stickyComment } from "../github/sticky-comment.ts";
import type { Octokit } from "../github/octokit.ts";
import { systemClock } from "../os/clock.ts";
import { type Doing, statusCommentReporter } from "../reporters/status-comment.ts";
import { asInputs } from "../views/as-inputs.ts";
import { markerOf } from "../views/github-markers.ts";
import { statusComment } from "../views/status-comment.ts";
import { totalMs } from "../app/to-task.ts";
import type { Checkpoints } from "../carry/checkpoints.ts";
import { githubPlaceOf } from "./publication-facts.ts";
import type { Surroundings } from "../app/surroundings.ts";
import { withoutSecrets } from "../app/without-secrets.ts";

const OTHERS = { put: false, because: "refused", why: "another run goes on with this loop" } as const;

/** What the comment of a running loop is kept up to date with. */
export interface LiveComment {
  readonly job: Surroundings;
  readonly octokit: Octokit;
  readonly pullRequest: PullRequest;
  /** without `refs/heads/` */
  readonly branch: string;
  /** when the run's time is up, in milliseconds since the epoch; null: no limit, or not known yet */
  readonly deadline: () => number | null;
  /** undefined: nobody tells whether another run has the loop */
  readonly checkpoints: Pick<Checkpoints, "isOurs"> | undefined;
}

/**
 * Keeps the one comment of a loop on its pull request up to date while it runs, and while no other run has the loop: what
 * that one has said there stands.
 */
export function liveComment(live: LiveComment): Reporter {
  const { job, octokit, pullRequest, branch, deadline, checkpoints } = live;
  const { context, host, place, settings, log } = job;
  const github = githubPlaceOf(job, branch);
  const { sandbox, providerArgs, maxTokens } = settings.config;
  const access = { octokit, repository: context.repository, signal: new AbortController().signal };
  const marker = markerOf({ ...github, loopId: place.loopId });
  const render = (state: LoopState, doing: Doing): string =>
    statusComment(
      {
        state: withoutSecrets(state, settings.config),
        alive: true,
        change: null,
        protection: { sandbox, providerArgs },
        stateFile: place.stateFile,
        folder: place.folder,
        resume: "",
        word: asInputs,
      },
      {
        ...github,
        startedAt: host.startedAt,
        deadline: deadline(),
        ...doing,
        maxTokens,
        maxTotalMs: totalMs(settings.config),
        now: Date.now(),
      },
    );
  const comment = stickyComment(access, { number: pullRequest.number, marker });
  return statusCommentReporter({
    comment: { put: async (body) => ((await checkpoints?.isOurs()) === false ? OTHERS : comment.put(body)) },
    render,
    clock: systemClock,
    log: (line) => log.foreign(line),
  });
}
