import { publish, type Publishing } from "../../src/publish/publish.ts";
import type { LoopState } from "../../src/core/state.ts";
import type { Github } from "../../src/github/client.ts";
import type { PublicationFacts } from "../../src/views/github/facts.ts";
import { aPull } from "../support/github-api/server.ts";
import { aView } from "../views/a-state.ts";
import { COMPLETED, ended, PAUSED, someFacts } from "../views/publication-facts.ts";
import { BOT, BRANCH, type PublishStage } from "./publish-stage.ts";

export const HALF = ended(PAUSED);
export const DONE = ended(COMPLETED);

/** An ending that can be published. */
export interface Prepared extends Publishing {
  readonly commit: string;
  readonly run: (state: Partial<LoopState>, facts?: Partial<PublicationFacts>) => ReturnType<typeof publish>;
}

/** A checked out branch with a commit of the loop on it. @param people who is told; nobody, unless said */
export async function prepared(
  at: PublishStage,
  access: Github = at.access(),
  people: Partial<Publishing["people"]> = {},
): Promise<Prepared> {
  const job = await at.job();
  const branch = await at.checkOut(job);
  const commit = await at.work("a.txt");
  const publishing = {
    access,
    pushing: { ...at.pushing(job, branch), leftMs: () => 60_000 },
    loopId: job.place.loopId,
    comments: job.settings.config.statusComment,
    people: { reviewers: [], notify: ["none"], began: null, ...people },
  };
  return {
    ...publishing,
    commit,
    run: (state, facts = {}) =>
      publish(publishing, aView(state), someFacts({ branch: BRANCH, head: commit, ...facts })),
  };
}

/** The loop's pull request, as it is on GitHub and as the loop knows it. */
export function known(at: PublishStage, state: "open" | "closed" = "open"): Pick<PublicationFacts, "pullRequest"> {
  at.api.world.issues.push(aPull({ number: 7, author: BOT, headBranch: BRANCH, state, draft: true }));
  return { pullRequest: { number: 7, url: "https://github.com/o/r/pull/7", own: true, draft: true } };
}

/** What there is on GitHub. */
export function there({ api: { world } }: PublishStage) {
  const [pull] = world.issues;
  return {
    pulls: world.issues.length,
    draft: pull?.pull?.draft,
    labels: pull?.labels ?? [],
    reviews: world.reviews.length,
    statuses: world.statuses.map(({ state, sha }) => [state, sha]),
    comments: world.comments.length,
  };
}
