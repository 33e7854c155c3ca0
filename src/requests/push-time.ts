import type { Github } from "../github/client.ts";
import { ask } from "../github/refusal.ts";

/** A branch as somebody saw it. */
export interface Sight {
  /** without `refs/heads/` */
  readonly branch: string;
  /** its tip now */
  readonly head: string;
  /** when they saw it; milliseconds since the epoch */
  readonly at: number;
}

/**
 * Whether they have seen what is there now; `why` is a sentence without a final full stop, and part of a
 * sentence where GitHub has not `told` anything.
 */
export type Seen = { readonly seen: true } | { readonly seen: false; readonly told: boolean; readonly why: string };

/**
 * Whether a branch has stayed as somebody saw it, by GitHub's own clock (`contents: read`): the dates in commits are
 * their authors'. Whatever cannot be told counts as a push. Never throws.
 */
export async function unchangedSince(github: Github, sight: Sight): Promise<Seen> {
  const { branch, head, at } = sight;
  const answer = await ask("contents: read", () =>
    github.rest.repos.listActivities({
      ref: `refs/heads/${branch}`,
      per_page: 1,
    }),
  );
  if (!answer.ok) {
    return {
      seen: false,
      told: false,
      why: `whether ${branch} was pushed to since cannot be told: ${answer.trouble.because}`,
    };
  }
  const [last] = answer.value.data;
  if (last === undefined) return unseen(`GitHub does not say when ${branch} was pushed to`);
  const pushed = Date.parse(last.timestamp);
  // A second is all that the time of a comment is written down to.
  if (!(pushed < Math.floor(at / 1_000) * 1_000)) {
    return unseen(`${branch} was pushed to since, at ${last.timestamp}: it is at ${last.after} now`);
  }
  if (last.after !== head) return unseen(`GitHub does not know yet when ${branch} was pushed to ${head}`);
  return { seen: true };
}

function unseen(why: string): Seen {
  return { seen: false, told: true, why };
}
