import { done, failed, type Result, type Trouble } from "../core/result.ts";
import { bears } from "../views/github/markers.ts";
import { untilFound } from "./ask-again.ts";
import type { Github } from "./client.ts";
import { isOwnPullRequest } from "./graphql.ts";
import { findOpen, known, openNew, PERMISSION, type PullRequest, updatePullRequest } from "./pulls.ts";
import { isPassing, saysThat, troubleOf } from "./refusal.ts";

/** How a loop's pull request should look. */
export interface PullRequestWish {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  /** the first line of the body, by which the loop's own is known again: `pullRequestMarker` of views/github/markers.ts */
  readonly marker: string;
  /** the number of the loop's own pull request, where it has one already */
  readonly known: number | null;
}

/** The pull request of a loop's branch. */
interface Published {
  readonly number: number;
  readonly url: string;
  /** what it is now, which is not what was wished where a note says so */
  readonly draft: boolean;
  readonly created: boolean;
  /** whether the loop opened it; a person's is found and left as it is */
  readonly own: boolean;
  /** what is not as wished and why, as sentences without a final full stop */
  readonly notes: readonly string[];
}

/** Why it was not made. */
interface Unpublished extends Trouble {
  /**
   * `nothing_to_publish`: the branch has no commit that the base lacks; `closed`: somebody closed or merged the loop's
   * pull request, and it does not get another one
   */
  readonly kind: "forbidden_by_setting" | "refused" | "closed" | "nothing_to_publish" | "unreachable";
}

const FORBIDDEN = /not permitted to create or approve pull requests/iu;
const NO_DRAFTS = /draft pull requests are not supported/iu;
const NO_COMMITS = /no commits between/iu;
const NO_BASE = /\bbase invalid\b/iu;
const NO_HEAD = /\bhead invalid\b/iu;
const EXISTS = /a pull request already exists/iu;

/**
 * Makes sure that a loop's branch has one pull request that looks as wished: finds it or creates it, and writes only
 * what has changed (`pull-requests: write`). Uses one that a person opened from the branch, and leaves it as it is.
 * Never makes a second one for the branch, even when an answer is lost or another run does the same. Never throws.
 */
export async function publishPullRequest(
  github: Github,
  wish: PullRequestWish,
): Promise<Result<Published, Unpublished>> {
  try {
    const own = wish.known === null ? undefined : await known(github, wish.known, wish.branch);
    const open = own?.state === "open" ? own : await findOpen(github, wish);
    if (open === undefined && own !== undefined) {
      return failed({ kind: "closed", because: `pull request #${own.number} was ${own.merged ? "merged" : "closed"}` });
    }
    return done(open === undefined ? await create(github, wish) : await found(github, open, wish));
  } catch (error) {
    return failed(unpublished(error, wish));
  }
}

async function create(github: Github, wish: PullRequestWish): Promise<Published> {
  try {
    const { number, url, draft } = await openNew(github, wish);
    return { number, url, draft, created: true, own: true, notes: [] };
  } catch (error) {
    if (wish.draft && saysThat(error, NO_DRAFTS)) {
      const published = await create(github, { ...wish, draft: false });
      const note = "the pull request is no draft: GitHub has no drafts in this repository";
      return published.own ? { ...published, notes: [note, ...published.notes] } : published;
    }
    const other = await createdMeanwhile(github, wish, error);
    if (other === undefined) throw error;
    return found(github, other, wish);
  }
}

/** What another run created, or we did ourselves although GitHub's answer got lost. */
async function createdMeanwhile(
  github: Github,
  wish: PullRequestWish,
  error: unknown,
): Promise<PullRequest | undefined> {
  const exists = saysThat(error, EXISTS);
  if (!exists && !isPassing(error)) return undefined;
  try {
    const look = () => findOpen(github, wish);
    return exists ? await untilFound(github.signal, look) : await look();
  } catch {
    return undefined;
  }
}

async function found(github: Github, open: PullRequest, wish: PullRequestWish): Promise<Published> {
  const { number, url, draft, body } = open;
  // Anybody can paste a marker, and a person's token opens that person's other pull requests as well.
  const own = number === wish.known || (bears(body, wish.marker) && (await isOwnPullRequest(github, number)));
  const now = own ? await updatePullRequest(github, open, wish) : { draft, notes: [] };
  return { number, url, created: false, own, ...now };
}

function unpublished(error: unknown, { base, branch }: PullRequestWish): Unpublished {
  const { kind, because } = troubleOf(error, PERMISSION);
  if (saysThat(error, FORBIDDEN)) return { kind: "forbidden_by_setting", because };
  if (saysThat(error, NO_COMMITS)) {
    return { kind: "nothing_to_publish", because: `${branch} has no commit that ${base} has not got` };
  }
  if (saysThat(error, NO_BASE)) {
    const missing = `there is no branch ${base} for it to be merged into; bring it back, or set \`base\` to another one`;
    return { kind: "refused", because: missing };
  }
  if (saysThat(error, NO_HEAD)) return { kind: "refused", because: `GitHub does not know the branch ${branch}` };
  return { kind: kind === "absent" ? "refused" : kind, because };
}
