import type { Right } from "../views/gaps.ts";
import type { Github } from "./client.ts";
import { isPassing, refusalOf, saysThat, statusOf } from "./refusal.ts";

/** What one question has shown; every question is one request that changes nothing. */
export interface Probed {
  readonly right: Right;
  /** by how much our clock is ahead of GitHub's; null: GitHub has not said what time it is; milliseconds */
  readonly aheadMs: number | null;
}

/** Of an answer, as far as it is looked at. */
interface Heard {
  readonly headers: { readonly date?: string | undefined };
}

/** Asked once: nothing depends on the answer. */
const ONCE = { retries: 0 };

/** Whether the token sees pull requests. In a public repository everybody does. Never throws. */
export async function probePullRequests(github: Github): Promise<Probed> {
  return probe("pull-requests: write", "missing", async () => {
    const { headers } = await github.rest.pulls.list({ per_page: 1, request: ONCE });
    return { headers, right: { right: "readable" } };
  });
}

/**
 * Whether the token sees the workflow, and whether that can be started. Never throws.
 *
 * @param workflow its file, as in `smithers.yml`
 * @param absent what it means that GitHub knows no such workflow
 */
export async function probeWorkflow(
  github: Github,
  workflow: string,
  absent: "unknown" | Right = "unknown",
): Promise<Probed> {
  return probe("actions: write", absent, async () => {
    const { headers, data } = await github.rest.actions.getWorkflow({ workflow_id: workflow, request: ONCE });
    const next = "Enable it on the repository's page Actions.";
    const off = { right: "missing", why: `${workflow} is disabled`, next } as const;
    return { headers, right: data.state.startsWith("disabled") ? off : { right: "readable" } };
  });
}

/** Whether the token sees the statuses of a commit, or of a branch's. In a public repository everybody does. Never throws. */
export async function probeStatuses(github: Github, ref: string): Promise<Probed> {
  return probe("statuses: write", "unknown", async () => {
    const { headers } = await github.rest.repos.listCommitStatusesForRef({ ref, per_page: 1, request: ONCE });
    return { headers, right: { right: "readable" } };
  });
}

/**
 * Asks GitHub one question. Never throws.
 *
 * @param permission the line of `permissions:` that what is asked about needs
 * @param absent what it means that GitHub knows no such thing, or does not show it to the token
 */
async function probe(
  permission: string,
  absent: "missing" | "unknown" | Right,
  question: () => Promise<Heard & { readonly right: Right }>,
): Promise<Probed> {
  try {
    const { right, headers } = await question();
    return { right, aheadMs: aheadOf(headers) };
  } catch (error) {
    return { right: withheld(error, permission, absent), aheadMs: null };
  }
}

function withheld(error: unknown, permission: string, absent: "missing" | "unknown" | Right): Right {
  const why = refusalOf(error, permission);
  if (isPassing(error)) return { right: "unknown", because: "unreachable", why };
  const status = statusOf(error);
  if (status === 401) return { right: "missing", why, next: "Give the step a github-token that is valid here." };
  if (saysThat(error, /resource not accessible/iu)) return { right: "missing", why: NOT_ALLOWED, next: "" };
  if (status === 404 && typeof absent === "object") return absent;
  if (status === 404 && absent === "missing") return { right: "missing", why: NOT_SHOWN, next: "" };
  return { right: "unknown", because: "untold", why };
}

const NOT_ALLOWED = "the token may not even read that";
const NOT_SHOWN = "GitHub does not show the repository to the token";

function aheadOf({ date }: Heard["headers"]): number | null {
  const there = Date.parse(String(date));
  return Number.isNaN(there) ? null : Date.now() - there;
}

/**
 * Whether the token's owner may push. GitHub says so of people only: of other tokens, and of what a fine-grained token
 * leaves out of its owner's rights, nothing shows. Never throws.
 */
export async function probePush(github: Github, personal: boolean): Promise<Probed> {
  return probe("contents: write", "missing", async () => {
    const { headers, data } = await github.rest.repos.get({ request: ONCE });
    return { headers, right: pushRight(data, personal) };
  });
}

/** Whether GitHub Actions may create pull requests here, which only administrators are told. Never throws. */
export async function probeCreation(github: Github): Promise<Probed> {
  const probed = await probe("administration: read", "unknown", async () => {
    const { headers, data } = await github.rest.actions.getGithubActionsDefaultWorkflowPermissionsRepository({
      request: ONCE,
    });
    return { headers, right: data.can_approve_pull_request_reviews ? THERE : FORBIDDEN };
  });
  return probed.right.right === "missing" ? { ...probed, right: untold(probed.right) } : probed;
}

const THERE: Right = { right: "there" };

const FORBIDDEN = {
  right: "missing",
  why: "the repository's settings do not allow it",
  next: "Allow it in Settings, Actions, General: “Allow GitHub Actions to create and approve pull requests”.",
} as const;

/** Who may not look at the setting is not to blame for that. */
function untold(right: Right & { readonly right: "missing" }): Right {
  return right === FORBIDDEN ? right : { right: "unknown", because: "untold", why: "only administrators are told" };
}

function pushRight(
  { archived, permissions }: { readonly archived: boolean; readonly permissions?: { readonly push: boolean } },
  personal: boolean,
): Right {
  if (archived) return { right: "missing", why: "the repository is archived", next: "Unarchive it." };
  if (permissions?.push === true) return { right: "readable" };
  if (!personal) return { right: "unknown", because: "untold", why: "GitHub does not say so of this kind of token" };
  const next = "Ask for write access to the repository, or use a fork of your own.";
  return { right: "missing", why: "whose token it is may only read", next };
}
