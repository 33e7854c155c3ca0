import type { Gate, Reporter } from "../core/ports.ts";
import { doneSubject } from "../core/settle.ts";
import type { GithubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import { systemClock } from "../os/clock.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import type { Teller } from "../os/teller.ts";
import type { CiMeans } from "../app/compose.ts";
import type { Plan } from "../app/plan.ts";
import type { BranchInHand } from "../publish/branch-in-hand.ts";
import type { Checkpoints } from "../carry/checkpoints.ts";

/** What a loop does on GitHub while it runs. What it needs for that is loaded when it is wanted. */
export interface LoopOnGithub {
  /**
   * Keeps the comment of a loop that has a pull request up to date; undefined: it has none, or wants no comment.
   *
   * @param deadline when the run's time is up; milliseconds since the epoch; null: no limit, or not known yet
   */
  comment(deadline: () => number | null): Promise<Reporter | undefined>;
  /** Makes what asks CI; undefined: the task does not want it. */
  ci(): Promise<((means: CiMeans) => Gate) | undefined>;
}

/** With what it does so. */
interface GithubMeans {
  readonly context: GithubContext;
  readonly github: GithubAccess | undefined;
  /** undefined: nothing can be pushed from here */
  readonly hand: BranchInHand | undefined;
  readonly checkpoints: Checkpoints | undefined;
  readonly teller: Teller;
  readonly log: Pick<RunnerLog, "foreign">;
  /** when the Action began; milliseconds since the epoch */
  readonly startedAt: number;
}

export function loopOnGithub(
  { place, settings, asked, stored }: Plan,
  { context, github, hand, checkpoints, teller, log, startedAt }: GithubMeans,
): LoopOnGithub {
  const { config, identity } = settings;
  return {
    async comment(deadline) {
      if (asked.github === null || !config.statusComment) return undefined;
      const { branch } = asked.github;
      // A generation that begins on another branch has none yet.
      const own = stored?.github?.branch === branch ? stored.github.pull_request : null;
      const pullRequest = asked.github.pullRequest ?? own;
      if (pullRequest === null || github === undefined) return undefined;
      const [access, { liveComment }, { githubPlaceOf }] = await Promise.all([
        github.until(new AbortController().signal),
        import("./live-comment.ts"),
        import("../publish/publication-facts.ts"),
      ]);
      const at = githubPlaceOf(context, config, branch);
      return liveComment({
        ...{ access, github: at, pullRequest, place, config, startedAt, deadline, checkpoints },
        log: (line) => log.foreign(line),
      });
    },
    async ci() {
      if (identity.checks.ci === null) return undefined;
      const [{ createCiGate }, { bringToCi }] = await Promise.all([
        import("../checks/ci/ci-gate.ts"),
        import("../publish/ci-work.ts"),
      ]);
      const message = doneSubject(identity.prompt);
      return ({ file, workspace, observe }) => {
        const route = { hand, workspace, root: place.root, file, line: teller.line };
        return createCiGate({
          ...{ file, ownFile: context.workflow.file, github, teller, clock: systemClock, observe },
          bring: async (iteration, withinMs) =>
            bringToCi(route, { message, loopId: place.loopId, iteration }, withinMs),
        });
      };
    },
  };
}
