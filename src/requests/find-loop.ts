import { z } from "zod";
import type { CarriedRecord } from "../core/carry.ts";
import { isLoopId, LOOP_REFS, loopRefOf } from "../core/names.ts";
import { isOver } from "../core/policy/route.ts";
import type { LoopState } from "../core/state.ts";
import { loopIdIn } from "../views/github/markers.ts";
import type { Github } from "../github/client.ts";
import { done, type Result } from "../core/result.ts";
import type { CommentedOn } from "../github/comments.ts";
import { ownComments } from "../github/graphql.ts";
import { type FoundRef, listRefs, tipOf } from "../github/refs.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { readRun } from "../github/runs.ts";
import { parseRecord } from "../store/carried-record.ts";

/** Where a loop is looked for: a pull request of ours, an issue, or a branch without either. */
export interface Whereabouts {
  /** of the pull request; null: there is none, or it is not what is asked about */
  readonly number: number | null;
  /** the issue that it works on; absent: it is not what is asked about */
  readonly issue?: number;
  /** without `refs/heads/` */
  readonly headBranch: string;
  /** the pull request's; "" without one */
  readonly body: string;
}

/** A loop as its ref says it is. */
export interface FoundLoop {
  readonly loopId: string;
  readonly commit: string;
  readonly state: LoopState;
  /** whether a run of it is under way; if that is not known, what the state says */
  readonly running: boolean;
  /** why that is not known, as part of a sentence; null: it is */
  readonly untold: string | null;
}

const PLACE = "<loop-id>";

/** At most this many records are read of loops that nothing names, those first that are called after the pull request. */
const MOST_READ = 30;

/**
 * The loop of a pull request, issue or branch, or null (`contents: read`, `pull-requests: read` or `issues: read`, `actions: read`). A branch, a
 * pull request's text and our own comments only name it: it counts when the record on its ref names this pull request.
 * If nothing names it, for example when a loop starts on a person's pull request, only that record tells. Of several, a
 * finished one comes last. Never throws.
 *
 * @param branch the setting, as in `smithers/<loop-id>`
 */
export async function findLoop(
  github: Github,
  where: Whereabouts,
  branch: string,
): Promise<Result<FoundLoop | null, Refused>> {
  const { number, issue } = where;
  const place = number ?? issue ?? null;
  const tried = new Set<string>();
  /** The first that is this pull request's and could go on, else the first finished one. */
  const firstOf = async (names: readonly (string | null)[]): Promise<Result<FoundLoop | null, Refused>> => {
    let over: FoundLoop | null = null;
    for (const loopId of names) {
      if (loopId === null || tried.has(loopId)) continue;
      tried.add(loopId);
      const read = await readRecord(github, loopId);
      if (!read.ok) return read;
      if (read.value === null || !isLoopOf(read.value.record.state, where)) continue;
      const loop = await loopOf(github, read.value);
      if (!isOver(loop.state)) return done(loop);
      over ??= loop;
    }
    return done(over);
  };
  const named = await firstOf([loopIdOfBranch(where.headBranch, branch), loopIdIn(where.body)]);
  if (place === null || !named.ok || (named.value !== null && !isOver(named.value.state))) return named;
  const on = number === null ? "issues" : "pull-requests";
  const marks = await ask(`${on}: read`, () => markedIn(github, place, on));
  if (!marks.ok) return named.value === null ? marks : named;
  const marked = await firstOf(marks.value);
  if (!marked.ok || (marked.value !== null && !isOver(marked.value.state))) return marked;
  const over = named.value ?? marked.value;
  return over === null ? findUnnamed(github, where, tried) : done(over);
}

/** The newest of the loops whose records say that they are this pull request's, or this issue's. */
async function findUnnamed(
  github: Github,
  where: Whereabouts,
  tried: ReadonlySet<string>,
): Promise<Result<FoundLoop | null, Refused>> {
  const refs = await listRefs(github, LOOP_REFS);
  if (!refs.ok) return refs;
  const untried = refs.value
    .map(({ ref, commit }) => ({ loopId: ref.slice(LOOP_REFS.length), commit }))
    .filter(({ loopId }) => isLoopId(loopId) && !tried.has(loopId));
  const subject = where.number === null ? `issue-${where.issue}` : `pr-${where.number}`;
  const likely = new RegExp(`(?:^|-)${subject}(?:-|$)`, "u");
  const likelyFirst = untried.toSorted((a, b) => Number(likely.test(b.loopId)) - Number(likely.test(a.loopId)));
  const read = await Promise.all(
    likelyFirst.slice(0, MOST_READ).map(({ loopId, commit }) => readRecordAt(github, loopId, commit)),
  );
  const [newest] = read
    .flatMap((answer) => (answer.ok && isLoopOf(answer.value.record.state, where) ? [answer.value] : []))
    .toSorted((a, b) => Date.parse(b.record.saved_at) - Date.parse(a.record.saved_at));
  if (newest !== undefined) return done(await loopOf(github, newest));
  // One that is damaged for good is not waited for.
  const unread = read.find((answer) => !answer.ok && answer.trouble.kind === "unreachable");
  return unread?.ok === false ? unread : done(null);
}

/**
 * The loop on a ref, as it was when the ref was listed (`contents: read`, `actions: read`). Never throws.
 *
 * @returns it, with all that the ref holds
 */
export async function loopOnRef(
  github: Github,
  { ref, commit }: FoundRef,
): Promise<Result<FoundLoop & RefRecord, Refused>> {
  const read = await readRecordAt(github, ref.slice(LOOP_REFS.length), commit);
  return read.ok ? done({ ...read.value, ...(await loopOf(github, read.value)) }) : read;
}

async function loopOf(github: Github, { commit, record }: RefRecord): Promise<FoundLoop> {
  return { loopId: record.loop_id, commit, state: record.state, ...(await runOf(github, record)) };
}

/** The pull request or issue according to the loop's own record. A loop without one yet is known by its branch. */
export function isLoopOf({ github }: LoopState, where: Omit<Whereabouts, "body">): boolean {
  const { number, issue, headBranch } = where;
  if (github === null) return false;
  if (number === null && issue !== undefined) return github.issue === issue;
  if (number === null || github.pull_request === null) return github.branch === headBranch;
  return github.pull_request.number === number;
}

/** Whether a run of a loop is under way: one whose runner vanished still says so (`actions: read`). */
export async function runOf(
  github: Github,
  { state, run }: CarriedRecord,
): Promise<Pick<FoundLoop, "running" | "untold">> {
  if (state.status !== "running") return { running: false, untold: null };
  const answer = await readRun(github, Number(run.id));
  if (answer.ok) return { running: !answer.value.ended, untold: null };
  if (answer.trouble.kind === "absent") return { running: false, untold: null };
  return { running: true, untold: answer.trouble.because };
}

function loopIdOfBranch(branch: string, template: string): string | null {
  const at = template.indexOf(PLACE);
  const [before, after] = [template.slice(0, at), template.slice(at + PLACE.length)];
  if (at === -1 || !branch.startsWith(before) || !branch.endsWith(after)) return null;
  const loopId = branch.slice(before.length, branch.length - after.length);
  return isLoopId(loopId) ? loopId : null;
}

/** What our comments name, the newest first. Anybody can paste a marker, so others' comments are not looked at. */
async function markedIn(github: Github, number: number, on: CommentedOn): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const page of ownComments(github, number, on)) {
    const newestFirst = page.toSorted((a, b) => b.restId - a.restId);
    found.push(...newestFirst.map(({ body }) => loopIdIn(body)).filter((loopId) => loopId !== null));
  }
  return found;
}

export interface RefRecord {
  readonly commit: string;
  readonly record: CarriedRecord;
}

/** The record on a loop's ref, or null when the ref does not exist (`contents: read`). Never throws. */
export async function readRecord(github: Github, loopId: string): Promise<Result<RefRecord | null, Refused>> {
  const commit = await tipOf(github, loopRefOf(loopId));
  if (!commit.ok) return commit.trouble.kind === "absent" ? done(null) : commit;
  return readRecordAt(github, loopId, commit.value);
}

/** The same, when it is known where the ref is. */
export async function readRecordAt(
  github: Github,
  loopId: string,
  commit: string,
): Promise<Result<RefRecord, Refused>> {
  const ref = loopRefOf(loopId);
  return ask("contents: read", async () => {
    const record = parseRecord(JSON.parse(await fileAt(github, commit, "record.json")), ref);
    if (record.loop_id !== loopId) throw new Error(`${ref} holds the record of another loop`);
    return { commit, record };
  });
}

const File = z.object({ type: z.literal("file"), encoding: z.string(), content: z.string(), sha: z.string() });

/**
 * The text of a file. One of more than a megabyte comes without its content, which is a blob then.
 *
 * @param commit null: as the default branch has it
 * @throws what GitHub says
 */
export async function fileAt(github: Github, commit: string | null, path: string): Promise<string> {
  const { data } = await github.rest.repos.getContent({ path, ...(commit === null ? {} : { ref: commit }) });
  const { encoding, content, sha } = File.parse(data);
  const base64 = encoding === "base64" ? content : (await github.rest.git.getBlob({ file_sha: sha })).data.content;
  return Buffer.from(base64, "base64").toString();
}
