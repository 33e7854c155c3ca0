import type { CarriedRecord } from "../core/carry.ts";
import { isLoopId } from "../core/policy/loop-id.ts";
import { isOver } from "../core/policy/route.ts";
import type { LoopState } from "../core/state.ts";
import { loopIdIn } from "../views/github/markers.ts";
import type { Github } from "../github/client.ts";
import { done, type Result } from "../core/result.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { ownComments } from "../github/graphql.ts";
import { listRefs, LOOP_REFS } from "../github/refs.ts";
import { type ParseRecord, readRecord, readRecordAt, type RefRecord } from "./loop-record.ts";
import { readRun } from "../github/runs.ts";

/** Where a loop is looked for: a pull request of ours, or a branch without one. */
export interface Whereabouts {
  /** the pull request's; null: there is none */
  readonly number: number | null;
  /** without `refs/heads/` */
  readonly headBranch: string;
  /** the pull request's; "" without one */
  readonly body: string;
}

/** How loops are found and read. */
export interface LoopLookup {
  /** the setting `branch`, as in `smithers/<loop-id>` */
  readonly branch: string;
  readonly parse: ParseRecord;
}

/** A loop as its ref says it is. */
export interface FoundLoop {
  readonly loopId: string;
  /** the commit that the loop's ref stands at */
  readonly commit: string;
  readonly record: CarriedRecord;
  readonly state: LoopState;
  /** whether a run of it is under way; where that cannot be told, what the state says */
  readonly running: boolean;
  /** why it cannot be told, as part of a sentence; null: it can */
  readonly untold: string | null;
}

const PLACE = "<loop-id>";

/** At most so many records are read of loops that nothing names, those first that are called after the pull request. */
const MOST_READ = 30;

/**
 * The loop of a pull request or branch, or null (`contents: read`, `pull-requests: read`, `actions: read`). A branch, a
 * pull request's text and our own comments only name it: it counts when the record on its ref says that it is this
 * pull request's. Where nothing names it, as at the start of a loop on a person's pull request, that record alone tells. Of
 * several, one that is over comes last.
 * Never throws.
 */
export async function findLoop(
  github: Github,
  where: Whereabouts,
  lookup: LoopLookup,
): Promise<Result<FoundLoop | null, Refused>> {
  const tried = new Set<string>();
  const named = [loopIdOfBranch(where.headBranch, lookup.branch), loopIdIn(where.body)];
  const first = await firstOf(named, tried, github, where, lookup);
  if (!first.ok || (first.value !== null && !isOver(first.value.state))) return first;
  const { number } = where;
  if (number === null) return first;
  const marked = await ask("pull-requests: read", () => markedIn(github, number));
  if (!marked.ok) return first.value === null ? marked : first;
  const second = await firstOf(marked.value, tried, github, where, lookup);
  if (!second.ok || (second.value !== null && !isOver(second.value.state))) return second;
  const over = first.value ?? second.value;
  return over === null ? findUnnamed(github, { ...where, number }, lookup, tried) : done(over);
}

/** The first of some that is this pull request's and could go on, else the first that is over. */
async function firstOf(
  loopIds: readonly (string | null)[],
  tried: Set<string>,
  github: Github,
  where: Whereabouts,
  lookup: LoopLookup,
): Promise<Result<FoundLoop | null, Refused>> {
  let over: FoundLoop | null = null;
  for (const loopId of loopIds) {
    const answer = await tryOnce(loopId, tried, github, where, lookup);
    if (!answer.ok || (answer.value !== null && !isOver(answer.value.state))) return answer;
    over ??= answer.value;
  }
  return done(over);
}

/** The newest of the loops whose records say that they are this pull request's. */
async function findUnnamed(
  github: Github,
  where: Whereabouts & { readonly number: number },
  { parse }: LoopLookup,
  tried: ReadonlySet<string>,
): Promise<Result<FoundLoop | null, Refused>> {
  const refs = await listRefs(github, LOOP_REFS);
  if (!refs.ok) return refs;
  const untried = refs.value
    .map(({ ref, commit }) => ({ loopId: ref.slice(LOOP_REFS.length), commit }))
    .filter(({ loopId }) => isLoopId(loopId) && !tried.has(loopId));
  const likely = new RegExp(`(?:^|-)pr-${where.number}(?:-|$)`, "u");
  const likelyFirst = untried.toSorted((a, b) => Number(likely.test(b.loopId)) - Number(likely.test(a.loopId)));
  const read = await Promise.all(likelyFirst.slice(0, MOST_READ).map(async (at) => readRecordAt(github, at, parse)));
  const [newest] = read
    .flatMap((answer) => (answer.ok && isLoopOf(answer.value.record.state, where) ? [answer.value] : []))
    .toSorted((a, b) => Date.parse(b.record.saved_at) - Date.parse(a.record.saved_at));
  if (newest !== undefined) return done(await foundIn(github, newest));
  // One that is damaged for good is not waited for.
  const unread = read.find((answer) => !answer.ok && answer.trouble.kind === "unreachable");
  return unread?.ok === false ? unread : done(null);
}

async function foundIn(github: Github, { commit, record }: RefRecord): Promise<FoundLoop> {
  const { loop_id: loopId, state } = record;
  return { loopId, commit, record, state, ...(await runOf(github, record)) };
}

async function tryOnce(
  loopId: string | null,
  tried: Set<string>,
  github: Github,
  where: Whereabouts,
  { parse }: LoopLookup,
): Promise<Result<FoundLoop | null, Refused>> {
  if (loopId === null || tried.has(loopId)) return done(null);
  tried.add(loopId);
  const read = await readRecord(github, loopId, parse);
  if (!read.ok) return read;
  if (read.value === null || !isLoopOf(read.value.record.state, where)) return done(null);
  return done(await foundIn(github, read.value));
}

/** The loop's own word on which pull request it is in. One that has none yet is known by its branch. */
export function isLoopOf({ github }: LoopState, where: Omit<Whereabouts, "body">): boolean {
  const { number, headBranch } = where;
  if (github === null) return false;
  if (number === null || github.pull_request === null) return github.branch === headBranch;
  return github.pull_request.number === number;
}

/** Whether a run of a loop is under way: one whose runner vanished still says so (`actions: read`). */
export async function isRunning(github: Github, record: CarriedRecord): Promise<boolean> {
  return (await runOf(github, record)).running;
}

async function runOf(github: Github, { state, run }: CarriedRecord): Promise<Pick<FoundLoop, "running" | "untold">> {
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
async function markedIn(github: Github, number: number): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const page of ownComments(github, number)) {
    const newestFirst = page.toSorted((a, b) => b.restId - a.restId);
    found.push(...newestFirst.map(({ body }) => loopIdIn(body)).filter((loopId) => loopId !== null));
  }
  return found;
}
