import { isPassing, saysThat } from "./github-refusal.ts";
import { bears } from "../views/github/markers.ts";
import type { Access } from "./access.ts";
import { untilFound } from "./ask-again.ts";
import { failureOf } from "./attempt.ts";
import { isOwnPullRequest } from "./graphql/pages.ts";
import { findOpen, known, openNew, PERMISSION, type PullRequest } from "./pull-request-requests.ts";
import { updatePullRequest } from "./pull-request-update.ts";

/** How a loop's pull request has to look. */
export interface PullRequestWish {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  /** the first line of the body, by which the loop's own is known again: `pullRequestMarker` of views/github-markers.ts */
  readonly marker: string;
  /** the number of the loop's own pull request, where it has one already */
  readonly known: number | null;
}

export type Published =
  | {
      readonly published: true;
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
  | Unpublished;

export interface Unpublished {
  readonly published: false;
  /**
   * `nothing_to_publish`: the branch has no commit that the base lacks; `closed`: somebody closed or merged the loop's
   * pull request, and it gets no other one
   */
  readonly because: "forbidden_by_setting" | "refused" | "closed" | "nothing_to_publish" | "unreachable";
  /** part of a sentence */
  readonly why: string;
}

const FORBIDDEN = /not permitted to create or approve pull requests/iu;
const NO_DRAFTS = /draft pull requests are not supported/iu;
const NO_COMMITS = /no commits between/iu;
const NO_BASE = /\bbase invalid\b/iu;
const NO_HEAD = /\bhead invalid\b/iu;
const EXISTS = /a pull request already exists/iu;

/**
 * Makes sure that a loop's branch has one pull request that looks as wished: finds it, or else creates it, and writes
 * what has changed, and only that (`pull-requests: write`). One that a person has opened of the branch is that one, and
 * theirs: neither its words nor whether it is a draft are changed. Never makes a second one for the branch, not even when
 * an answer is lost or another run does the same. Never throws.
 */
export async function publishPullRequest(access: Access, wish: PullRequestWish): Promise<Published> {
  try {
    const own = wish.known === null ? undefined : await known(access, wish.known, wish.branch);
    const open = own?.state === "open" ? own : await findOpen(access, wish);
    if (open !== undefined) return await found(access, open, wish);
    if (own !== undefined) return { published: false, because: "closed", why: endOf(own) };
    return await create(access, wish);
  } catch (error) {
    return { published: false, ...refused(error, wish) };
  }
}

async function create(access: Access, wish: PullRequestWish): Promise<Published> {
  try {
    return opened(await openNew(access, wish), { created: true, own: true, notes: [] });
  } catch (error) {
    if (wish.draft && saysThat(error, NO_DRAFTS)) return createWithoutDraft(access, wish);
    const other = await createdMeanwhile(access, wish, error);
    if (other === undefined) throw error;
    return found(access, other, wish);
  }
}

async function createWithoutDraft(access: Access, wish: PullRequestWish): Promise<Published> {
  const published = await create(access, { ...wish, draft: false });
  const note = "the pull request is no draft: GitHub has no drafts in this repository";
  return published.published && published.own ? { ...published, notes: [note, ...published.notes] } : published;
}

/** What another run created, or we did ourselves although GitHub's answer got lost. */
async function createdMeanwhile(
  access: Access,
  wish: PullRequestWish,
  error: unknown,
): Promise<PullRequest | undefined> {
  const exists = saysThat(error, EXISTS);
  if (!exists && !isPassing(error)) return undefined;
  try {
    const look = () => findOpen(access, wish);
    return exists ? await untilFound(access.signal, look) : await look();
  } catch {
    return undefined;
  }
}

async function found(access: Access, open: PullRequest, wish: PullRequestWish): Promise<Published> {
  if (!(await isOwn(access, open, wish))) return opened(open, { created: false, own: false, notes: [] });
  const { pullRequest, notes } = await updatePullRequest(access, open, wish);
  return opened(pullRequest, { created: false, own: true, notes });
}

/** Anybody can paste a marker, and a person's token opens that person's other pull requests as well. */
async function isOwn(access: Access, { number, body }: PullRequest, wish: PullRequestWish): Promise<boolean> {
  return number === wish.known || (bears(body, wish.marker) && (await isOwnPullRequest(access, number)));
}

function opened(
  { number, url, draft }: PullRequest,
  how: { readonly created: boolean; readonly own: boolean; readonly notes: readonly string[] },
): Published {
  return { published: true, number, url, draft, ...how };
}

function endOf({ number, merged }: PullRequest): string {
  return `pull request #${number} was ${merged ? "merged" : "closed"}`;
}

function refused(error: unknown, { base, branch }: PullRequestWish): Pick<Unpublished, "because" | "why"> {
  const failure = failureOf(error, PERMISSION);
  if (saysThat(error, FORBIDDEN)) return { because: "forbidden_by_setting", why: failure.why };
  if (saysThat(error, NO_COMMITS)) {
    return { because: "nothing_to_publish", why: `${branch} has no commit that ${base} has not got` };
  }
  if (saysThat(error, NO_BASE)) {
    const why = `there is no branch ${base} for it to be merged into; bring it back, or set \`base\` to another one`;
    return { because: "refused", why };
  }
  if (saysThat(error, NO_HEAD)) return { because: "refused", why: `GitHub does not know the branch ${branch}` };
  return failure;
}
