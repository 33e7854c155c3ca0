import { isPassing, refusalOf, saysThat, statusOf } from "./github-refusal.ts";
import type { Right } from "../views/gaps.ts";
import type { Access } from "./access.ts";
import type { Repository } from "./context.ts";

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

/** Where GitHub is asked; the repository's id need not be known. */
export type ProbeAccess = Omit<Access, "repository"> & { readonly repository: Omit<Repository, "id"> };

/** Asked once: nothing depends on the answer. */
export const ONCE = { retries: 0 };

/** Whether the token sees pull requests. In a public repository everybody does. Never throws. */
export async function probePullRequests({ octokit, repository, signal }: ProbeAccess): Promise<Probed> {
  return probe("pull-requests: write", "missing", async () => {
    const { headers } = await octokit.request("GET /repos/{owner}/{repo}/pulls", {
      owner: repository.owner,
      repo: repository.name,
      per_page: 1,
      request: { ...ONCE, signal },
    });
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
  { octokit, repository, signal }: ProbeAccess,
  workflow: string,
  absent: "unknown" | Right = "unknown",
): Promise<Probed> {
  return probe("actions: write", absent, async () => {
    const { headers, data } = await octokit.request("GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}", {
      owner: repository.owner,
      repo: repository.name,
      workflow_id: workflow,
      request: { ...ONCE, signal },
    });
    const next = "Enable it on the repository's page Actions.";
    const off = { right: "missing", why: `${workflow} is disabled`, next } as const;
    return { headers, right: data.state.startsWith("disabled") ? off : { right: "readable" } };
  });
}

/** Whether the token sees the statuses of a commit, or of a branch's. In a public repository everybody does. Never throws. */
export async function probeStatuses({ octokit, repository, signal }: ProbeAccess, ref: string): Promise<Probed> {
  return probe("statuses: write", "unknown", async () => {
    const { headers } = await octokit.request("GET /repos/{owner}/{repo}/commits/{ref}/statuses", {
      owner: repository.owner,
      repo: repository.name,
      ref,
      per_page: 1,
      request: { ...ONCE, signal },
    });
    return { headers, right: { right: "readable" } };
  });
}

/**
 * Asks GitHub one question. Never throws.
 *
 * @param permission the line of `permissions:` that what is asked about needs
 * @param absent what it means that GitHub knows no such thing, or does not show it to the token
 */
export async function probe(
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
