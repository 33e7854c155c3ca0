import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { CONTROL_REFS, isLoopId, LOOP_REFS } from "../core/names.ts";
import { outcomeOf } from "../core/outcome.ts";
import { done, type Result } from "../core/result.ts";
import { joined } from "../core/text.ts";
import { listLoopCaches, removeCaches } from "../github/caches.ts";
import type { Github } from "../github/client.ts";
import { type NamedPullRequest, isNeeded, readPullRequest } from "../github/pulls.ts";
import { createRefDeleter, type FoundRef, listRefs, tipOf } from "../github/refs.ts";
import type { Refused } from "../github/refusal.ts";
import { isAllPushed, staleBranchOf } from "../requests/clean-up.ts";
import { loopOnRef, type RefRecord } from "../requests/find-loop.ts";
import { inTempFolder } from "../os/temp-folder.ts";
import { cacheKeyPrefix } from "../store/carried-record.ts";
import { type GithubPlace, openGithub } from "./github-place.ts";

/** Something that a loop has left on GitHub and nobody needs. */
export interface PruneItem {
  readonly kind: "branch" | "ref" | "request" | "caches" | "files" | "settings";
  readonly loopId: string;
  /** what it is: a ref's whole name, a folder, the workspace whose settings they are; of caches, what is there */
  readonly name: string;
  /** why it is not needed, as part of a sentence */
  readonly why: string;
  /** Removes it; trouble: it is left. */
  readonly remove: () => Promise<Result<unknown>>;
}

/** What loops have left in one place. */
export interface Found<Item = PruneItem> {
  /** in the order of removal: a loop's ref goes after everything else */
  readonly items: readonly Item[];
  /** loops that stay; `why` is part of a sentence that begins with the loop */
  readonly staying: readonly { readonly loopId: string; readonly why: string }[];
}

/** Something on GitHub; `commit`: where the ref was seen, null for caches. */
type Leftover = Omit<PruneItem, "remove"> & { readonly commit: string | null };

/**
 * What loops have left on GitHub, with the way to remove it.
 *
 * @param before loops that were saved later stay; milliseconds since the epoch
 * @throws OperationalError `GITHUB_UNREADABLE`
 */
export async function findOnGithub(place: GithubPlace, before: number): Promise<Found> {
  const opened = await openGithub(place);
  if (!opened.ok) throw unreadable(place, opened.trouble.because);
  const github = opened.value;
  const survey = await surveyLoops(github, before);
  if (!survey.ok) throw unreadable(place, survey.trouble.because);
  const { items, staying } = survey.value;
  return { items: items.map((left) => ({ ...left, remove: async () => remove(left, github, place) })), staying };
}

async function remove(
  { loopId, name, commit }: Leftover,
  github: Github,
  place: GithubPlace,
): Promise<Result<unknown>> {
  if (commit === null) return removeCaches(github, { prefix: cacheKeyPrefix(loopId), keep: null });
  return inTempFolder(async (folder) => {
    const { serverUrl, owner, name: repository, token } = place;
    const remote = { url: `${serverUrl}/${owner}/${repository}`, token, folder, mark: path.basename(folder) };
    return createRefDeleter(remote, github.signal)(name, commit);
  });
}

function unreadable({ owner, name }: GithubPlace, why: string): OperationalError {
  return new OperationalError({
    code: "GITHUB_UNREADABLE",
    what: `What loops have left in ${owner}/${name} cannot be read: ${why}. Nothing was deleted.`,
    next: "Check --repo and what the token may do: it needs contents, actions and pull-requests.",
  });
}

/** Whether a loop goes and `why`, with what to remove besides caches and requests; or why it stays. */
type Verdict = { readonly goes: readonly Leftover[]; readonly why: string } | { readonly stays: string };

/**
 * Looks at what loops have left on GitHub, and decides what may go: what belongs to loops that are over or whose pull
 * request is closed, or to no loop (`contents: read`, `actions: read`, `pull-requests: read`). What cannot be read
 * stays. Never throws.
 *
 * @param before loops that were saved later stay; milliseconds since the epoch
 */
export async function surveyLoops(github: Github, before: number): Promise<Result<Found<Leftover>, Refused>> {
  const refs = await listRefs(github, LOOP_REFS);
  if (!refs.ok) return refs;
  const requests = await listRefs(github, CONTROL_REFS);
  if (!requests.ok) return requests;
  const caches = await listLoopCaches(github);
  if (!caches.ok) return caches;
  const items: Leftover[] = [];
  const staying: { loopId: string; why: string }[] = [];
  const known = new Map(refs.value.map((row) => [row.ref.slice(LOOP_REFS.length), row]));
  const cachesOf = new Map(caches.value.map((row) => [row.loopId, row]));
  for (const [loopId, ref] of known) {
    const verdict = isLoopId(loopId) ? await judge(github, ref, before) : { stays: "is none of ours" };
    if ("stays" in verdict) {
      staying.push({ loopId, why: verdict.stays });
      continue;
    }
    const { goes, why } = verdict;
    const cached = cachesOf.get(loopId);
    const asked = requests.value.filter((row) => loopOf(row) === loopId);
    if (cached !== undefined) items.push(cachesLeft(cached, why));
    items.push(...asked.map((row) => requestLeft(row, why)), ...goes);
  }
  const orphans = requests.value.filter((row) => !known.has(loopOf(row)));
  items.push(...orphans.map((row) => requestLeft(row, "there is no such loop")));
  const stale = caches.value.filter(({ loopId, newest }) => !known.has(loopId) && newest < before);
  items.push(...stale.map((row) => cachesLeft(row, "their loop has no ref")));
  return done({ items, staying });
}

function loopOf({ ref }: FoundRef): string {
  return ref.slice(CONTROL_REFS.length).replace(/\/.*$/u, "");
}

async function judge(github: Github, found: FoundRef, before: number): Promise<Verdict> {
  const read = await loopOnRef(github, found);
  if (!read.ok) return { stays: `cannot be read: ${read.trouble.because}` };
  const { loopId, record, running } = read.value;
  if (running) return { stays: "is running" };
  // It was read where it was listed: one that has gone on since then is another one now.
  const tip = await tipOf(github, found.ref);
  if (!tip.ok || tip.value !== found.commit) return { stays: "has moved just now" };
  if (!(Date.parse(record.saved_at) < before)) return { stays: `was saved on ${record.saved_at.slice(0, 10)}` };
  const { stop_reason: reason, status } = record.state;
  const over = reason !== null && outcomeOf(reason).resumableBy === "nobody" ? status : null;
  const number = record.state.github?.pull_request?.number ?? null;
  const pull = number === null ? null : await readPullRequest(github, number);
  const closed = pull?.ok === true && !pull.value.open ? pull.value : null;
  if (over === null && closed === null) {
    if (pull?.ok === false) {
      return { stays: `can go on, and its pull request cannot be read: ${pull.trouble.because}` };
    }
    return { stays: `is ${status} and can go on` };
  }
  const pushed = await isAllPushed(github, record.state);
  const ended = closed === null ? "" : `pull request #${closed.number} is ${closed.merged ? "merged" : "closed"}`;
  const why = joined(", ", [over ?? "", ended, pushed ? "" : "its work may be nowhere else"]);
  const branch = closed === null ? null : await branchLeft(github, read.value, closed);
  const own: Leftover = { kind: "ref", loopId, name: found.ref, commit: found.commit, why };
  return { goes: branch === null ? [own] : [branch, own], why };
}

/** The loop's own branch, if it is still as the loop left it. */
async function branchLeft(github: Github, { record }: RefRecord, pull: NamedPullRequest): Promise<Leftover | null> {
  const stale = staleBranchOf(record.state, pull);
  if (stale === null) return null;
  const tip = await tipOf(github, `refs/heads/${stale.name}`);
  if (!tip.ok || tip.value !== stale.head) return null;
  const needed = await isNeeded(github, stale.name);
  if (!needed.ok || needed.value) return null;
  const why = `pull request #${pull.number} is merged`;
  return { kind: "branch", loopId: record.loop_id, name: `refs/heads/${stale.name}`, commit: stale.head, why };
}

function cachesLeft({ loopId, count }: { readonly loopId: string; readonly count: number }, why: string): Leftover {
  const name = `${count} cache ${count === 1 ? "entry" : "entries"} of ${loopId}`;
  return { kind: "caches", loopId, name, commit: null, why };
}

function requestLeft(row: FoundRef, why: string): Leftover {
  return { kind: "request", loopId: loopOf(row), name: row.ref, commit: row.commit, why };
}
