import type { Access } from "./access.ts";
import { onceKnown } from "./ask-again.ts";
import { attempt } from "./attempt.ts";
import { CONVERT_TO_DRAFT, MARK_READY } from "./graphql/queries.ts";
import { PERMISSION, type PullRequest } from "./pull-request-requests.ts";
import { isSameText } from "./same-text.ts";

const DRAFT_PERMISSION = "pull-requests: write and contents: write (some organisations allow it to no job's token)";

/** How it has to look. */
interface Look {
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

interface Updated {
  readonly pullRequest: PullRequest;
  /** what is not as wished and why, as sentences without a final full stop */
  readonly notes: readonly string[];
}

/** Writes what is not yet as wished. A pull request that looks otherwise is better than none: it is a note. Never throws. */
export async function updatePullRequest(access: Access, found: PullRequest, wish: Look): Promise<Updated> {
  const notes = await writeTexts(access, found, wish);
  if (found.draft === wish.draft) return { pullRequest: found, notes };
  const toggled = await toggleDraft(access, found, wish.draft);
  return { pullRequest: { ...found, draft: toggled.draft }, notes: [...notes, ...toggled.notes] };
}

async function writeTexts(access: Access, found: PullRequest, { title, body }: Look): Promise<readonly string[]> {
  const changed = {
    ...(isSameText(found.title, title) ? {} : { title }),
    ...(isSameText(found.body, body) ? {} : { body }),
  };
  if (Object.keys(changed).length === 0) return [];
  const { octokit, repository, signal } = access;
  const written = await attempt(PERMISSION, () =>
    onceKnown(signal, () =>
      octokit.request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", {
        owner: repository.owner,
        repo: repository.name,
        pull_number: found.number,
        ...changed,
        request: { signal },
      }),
    ),
  );
  return written.done ? [] : [`the text of pull request #${found.number} is an older one: ${written.why}`];
}

async function toggleDraft(
  { octokit, signal }: Access,
  { number, nodeId }: PullRequest,
  draft: boolean,
): Promise<{ readonly draft: boolean; readonly notes: readonly string[] }> {
  const mutation = draft ? CONVERT_TO_DRAFT : MARK_READY;
  const toggled = await attempt(DRAFT_PERMISSION, () =>
    onceKnown(signal, () => octokit.graphql(mutation, { pullRequestId: nodeId, request: { signal } })),
  );
  if (toggled.done) return { draft, notes: [] };
  const left = draft ? "ready for review instead of a draft" : "a draft, although it is ready for review";
  return { draft: !draft, notes: [`pull request #${number} is left ${left}: ${toggled.why}`] };
}
