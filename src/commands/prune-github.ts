import path from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { cacheKeyPrefix } from "../store/carried-record.ts";
import { OperationalError } from "../core/errors.ts";
import { removeCaches } from "../github/caches.ts";
import { createGithub, type Github } from "../github/client.ts";
import { createRefDeleter } from "../github/refs.ts";
import { ask } from "../github/refusal.ts";
import type { GithubPlace } from "./github-place.ts";
import { type Leftover, type Survey, surveyLoops } from "./prune-survey.ts";

const WITHIN_MS = 600_000;

/** What loops have left on GitHub. */
interface FoundOnGithub extends Pick<Survey, "staying"> {
  /** `remove` says why something is left, as part of a sentence; null: it is gone */
  readonly items: readonly (Leftover & { readonly remove: () => Promise<string | null> })[];
}

/**
 * What loops have left on GitHub, with the way to remove it.
 *
 * @param before loops that were saved later stay; milliseconds since the epoch
 * @throws OperationalError `GITHUB_UNREADABLE`
 */
export async function findOnGithub(place: GithubPlace, before: number): Promise<FoundOnGithub> {
  const github = await open(place);
  const survey = await surveyLoops(github, before);
  if (!survey.ok) throw unreadable(place, survey.trouble.because);
  const { leftovers, staying } = survey.value;
  return { items: leftovers.map((left) => ({ ...left, remove: async () => remove(left, github, place) })), staying };
}

async function open(place: GithubPlace): Promise<Github> {
  const { owner, name, token, apiUrl } = place;
  const signal = AbortSignal.timeout(WITHIN_MS);
  const clientOf = (id: number): Github => createGithub({ token, apiUrl, repository: { owner, name, id }, signal });
  const asked = await ask("contents: read", () => clientOf(0).rest.repos.get({}));
  if (!asked.ok) throw unreadable(place, asked.trouble.because);
  return clientOf(asked.value.data.id);
}

async function remove({ loopId, name, commit }: Leftover, github: Github, place: GithubPlace): Promise<string | null> {
  if (commit === null) return (await removeCaches(github, { prefix: cacheKeyPrefix(loopId), keep: null })).why;
  const folder = await mkdtemp(path.join(tmpdir(), "smithers-prune-"));
  const { serverUrl, owner, name: repository, token } = place;
  const remote = { url: `${serverUrl}/${owner}/${repository}`, token, folder, mark: path.basename(folder) };
  try {
    const deleted = await createRefDeleter(remote, github.signal)(name, commit);
    return deleted.ok ? null : deleted.trouble.because;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function unreadable({ owner, name }: GithubPlace, why: string): OperationalError {
  return new OperationalError({
    code: "GITHUB_UNREADABLE",
    what: `What loops have left in ${owner}/${name} cannot be read: ${why}. Nothing was deleted.`,
    next: "Check --repo and what the token may do: it needs contents, actions and pull-requests.",
  });
}
