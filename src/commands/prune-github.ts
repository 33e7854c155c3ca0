import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { cacheKeyPrefix, parseRecord } from "../store/carried-record.ts";
import { OperationalError } from "../core/errors.ts";
import { createOctokit, type Github } from "../github/client.ts";
import { ask } from "../github/refusal.ts";
import { removeCaches } from "../github/caches.ts";
import { createRefDeleter, type DeleteRef } from "../github/refs.ts";
import { type Leftover, surveyLoops } from "./prune-survey.ts";
import { parseState } from "../store/codec.ts";
import type { GithubPlace } from "./prune-place.ts";
import type { Found } from "./prune-item.ts";

const WITHIN_MS = 600_000;

/**
 * What loops have left on GitHub, with the way to remove it.
 *
 * @param before loops that were saved later stay; milliseconds since the epoch
 * @throws OperationalError `GITHUB_UNREADABLE`
 */
export async function findOnGithub(place: GithubPlace, before: number): Promise<Found> {
  const access = await accessTo(place);
  const parse = (json: unknown, where: string) => parseRecord(json, where, parseState);
  const survey = await surveyLoops(access, { parse, before });
  if (!survey.answered) throw unreadable(place, survey.why);
  const { leftovers, staying } = survey.value;
  const items = leftovers.map((left) => ({
    ...{ kind: left.kind, loopId: left.loopId, name: left.name, why: left.why },
    remove: async () => remove(left, access, place),
  }));
  return { items, staying };
}

async function accessTo({ owner, name, token, apiUrl }: GithubPlace): Promise<Github> {
  const octokit = createOctokit({ token, apiUrl });
  const signal = AbortSignal.timeout(WITHIN_MS);
  const asked = await ask("contents: read", () =>
    octokit.request("GET /repos/{owner}/{repo}", { owner, repo: name, request: { signal } }),
  );
  if (!asked.answered) throw unreadable({ owner, name }, asked.why);
  return { octokit, repository: { owner, name, id: Number(asked.value.data.id) }, signal };
}

/** @returns why it is left, as part of a sentence; null: it is gone */
async function remove({ loopId, name, commit }: Leftover, access: Github, place: GithubPlace): Promise<string | null> {
  if (commit === null) return (await removeCaches({ ...access, prefix: cacheKeyPrefix(loopId), keep: null })).why;
  const deleted = await deleting(place, access.signal, (deleteRef) => deleteRef(name, commit));
  return deleted.gone ? null : deleted.why;
}

async function deleting<T>(
  place: GithubPlace,
  signal: AbortSignal,
  act: (deleteRef: DeleteRef) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "smithers-prune-"));
  const { serverUrl, owner, name, token } = place;
  const url = `${serverUrl}/${owner}/${name}`;
  try {
    return await act(createRefDeleter({ url, token, folder, mark: path.basename(folder) }, signal));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function unreadable({ owner, name }: Pick<GithubPlace, "owner" | "name">, why: string): OperationalError {
  return new OperationalError({
    code: "GITHUB_UNREADABLE",
    what: `What loops have left in ${owner}/${name} cannot be read: ${why}. Nothing was deleted.`,
    next: "Check --repo and what the token may do: it needs contents, actions and pull-requests.",
  });
}
