import type { Config } from "../config/config.ts";
import type { Reporter } from "../core/ports.ts";
import type { PullRequest, LoopState } from "../core/state.ts";
import { DONE, failed } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import { stickyComment } from "../github/sticky-comment.ts";
import { systemClock } from "../os/clock.ts";
import { type Doing, statusCommentReporter } from "../reporters/status-comment.ts";
import { asInputs } from "../views/run-view.ts";
import { markerOf } from "../views/github/markers.ts";
import { statusComment } from "../views/github/status-comment.ts";
import type { GithubPlace } from "../views/github/facts.ts";
import type { LoopPlace } from "../store/place.ts";
import { withoutSecrets } from "../store/redaction.ts";
import { totalMs } from "../app/to-task.ts";
import type { Checkpoints } from "../carry/checkpoints.ts";

const OTHERS = failed({ kind: "refused", because: "another run goes on with this loop" } as const);

/** What the comment of a running loop is kept up to date with. */
export interface LiveComment {
  readonly access: Github;
  readonly github: GithubPlace;
  readonly pullRequest: PullRequest;
  readonly place: LoopPlace;
  readonly config: Config;
  /** when the Action began; milliseconds since the epoch */
  readonly startedAt: number;
  /** when the run's time is up, in milliseconds since the epoch; null: no limit, or not known yet */
  readonly deadline: () => number | null;
  /** undefined: nobody tells whether another run has the loop */
  readonly checkpoints: Pick<Checkpoints, "isOurs"> | undefined;
  /** takes a line of the log that is not in our words */
  readonly log: (line: string) => void;
}

/**
 * Keeps the one comment of a loop on its pull request up to date while it runs, and while no other run has the loop: what
 * that one has said there stands.
 */
export function liveComment(live: LiveComment): Reporter {
  const { access, github, pullRequest, place, config, startedAt, deadline, checkpoints, log } = live;
  const { sandbox, providerArgs, maxTokens } = config;
  const marker = markerOf({ ...github, loopId: place.loopId });
  const render = (state: LoopState, doing: Doing): string =>
    statusComment(
      {
        state: withoutSecrets(state, config),
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
        startedAt,
        deadline: deadline(),
        ...doing,
        maxTokens,
        maxTotalMs: totalMs(config),
        now: Date.now(),
      },
    );
  const comment = stickyComment(access, { number: pullRequest.number, marker });
  return statusCommentReporter({
    comment: {
      put: async (body) => {
        if ((await checkpoints?.isOurs()) === false) return OTHERS;
        const written = await comment.put(body);
        return written.put ? DONE : failed({ kind: written.because, because: written.why });
      },
    },
    render,
    clock: systemClock,
    log,
  });
}
