import type { Right } from "../views/gaps.ts";
import { ONCE, probe, type ProbeAccess, type Probed } from "./probe.ts";

/**
 * Whether the token's owner may push. GitHub says so of people only: of other tokens, and of what a fine-grained token
 * leaves out of its owner's rights, nothing shows. Never throws.
 */
export async function probePush({ octokit, repository, signal }: ProbeAccess, personal: boolean): Promise<Probed> {
  return probe("contents: write", "missing", async () => {
    const { headers, data } = await octokit.request("GET /repos/{owner}/{repo}", {
      owner: repository.owner,
      repo: repository.name,
      request: { ...ONCE, signal },
    });
    return { headers, right: pushRight(data, personal) };
  });
}

/** Whether GitHub Actions may create pull requests here, which only administrators are told. Never throws. */
export async function probeCreation({ octokit, repository, signal }: ProbeAccess): Promise<Probed> {
  const probed = await probe("administration: read", "unknown", async () => {
    const { headers, data } = await octokit.request("GET /repos/{owner}/{repo}/actions/permissions/workflow", {
      owner: repository.owner,
      repo: repository.name,
      request: { ...ONCE, signal },
    });
    return { headers, right: data.can_approve_pull_request_reviews ? THERE : FORBIDDEN };
  });
  return probed.right.right === "missing" ? { ...probed, right: withheld(probed.right) } : probed;
}

const THERE: Right = { right: "there" };

const FORBIDDEN = {
  right: "missing",
  why: "the repository's settings do not allow it",
  next: "Allow it in Settings, Actions, General: “Allow GitHub Actions to create and approve pull requests”.",
} as const;

/** Who may not look at the setting is not to blame for that. */
function withheld(right: Right & { readonly right: "missing" }): Right {
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
