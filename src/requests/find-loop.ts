import type { CarriedRecord } from "../core/carry.ts";
import { isLoopId } from "../core/names.ts";
import { isOver } from "../core/policy/route.ts";
import type { LoopState } from "../core/state.ts";
import { loopIdIn } from "../views/github-markers.ts";
import type { Access } from "../github/access.ts";
import { type Answer, ask } from "../github/answer.ts";
import { ownComments } from "../github/graphql/pages.ts";
import { listRefs, LOOP_REFS } from "../github/list-loops.ts";
import { type ParseRecord, readRecord, readRecordAt, type RefRecord } from "./loop-record.ts";
import { readRun } from "../github/workflow-run.ts";

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
  access: Access,
  where: Whereabouts,
  lookup: LoopLookup,
): Promise<Answer<FoundLoop | null>> {
  const tried = new Set<string>();
  const named = [loopIdOfBranch(where.headBranch, lookup.branch), loopIdIn(where.body)];
  const first = await firstOf(named, tried, access, where, lookup);
  if (!first.answered || (first.value !== null && !isOver(first.value.state))) return first;
  const { number } = where;
  if (number === null) return first;
  const marked = await ask("pull-requests: read", () => markedIn(access, number));
  if (!marked.answered) return first.value === null ? marked : first;
  const second = await firstOf(marked.value, tried, access, where, lookup);
  if (!second.answered || (second.value !== null && !isOver(second.value.state))) return second;
  const over = first.value ?? second.value;
  return over === null ? findUnnamed(access, { ...where, number }, lookup, tried) : { answered: true, value: over };
}

/** The first of some that is this pull request's and could go on, else the first that is over. */
async function firstOf(
  loopIds: readonly (string | null)[],
  tried: Set<string>,
  access: Access,
  where: Whereabouts,
  lookup: LoopLookup,
): Promise<Answer<FoundLoop | null>> {
  let over: FoundLoop | null = null;
  for (const loopId of loopIds) {
    const answer = await tryOnce(loopId, tried, access, where, lookup);
    if (!answer.answered || (answer.value !== null && !isOver(answer.value.state))) return answer;
    over ??= answer.value;
  }
  return { answered: true, value: over };
}

/** The newest of the loops whose records say that they are this pull request's. */
async function findUnnamed(
  access: Access,
  where: Whereabouts & { readonly number: number },
  { parse }: LoopLookup,
  tried: ReadonlySet<string>,
): Promise<Answer<FoundLoop | null>> {
  const refs = await listRefs(access, LOOP_REFS);
  if (!refs.answered) return refs;
  const untried = refs.value
    .map(({ ref, commit }) => ({ loopId: ref.slice(LOOP_REFS.length), commit }))
    .filter(({ loopId }) => isLoopId(loopId) && !tried.has(loopId));
  const likely = new RegExp(`(?:^|-)pr-${where.number}(?:-|$)`, "u");
  const likelyFirst = untried.toSorted((a, b) => Number(likely.test(b.loopId)) - Number(likely.test(a.loopId)));
  const read = await Promise.all(likelyFirst.slice(0, MOST_READ).map(async (at) => readRecordAt(access, at, parse)));
  const [newest] = read
    .flatMap((answer) => (answer.answered && isLoopOf(answer.value.record.state, where) ? [answer.value] : []))
    .toSorted((a, b) => Date.parse(b.record.saved_at) - Date.parse(a.record.saved_at));
  if (newest !== undefined) return { answered: true, value: await foundIn(access, newest) };
  // One that is damaged for good is not waited for.
  const unread = read.find((answer) => !answer.answered && answer.because === "unreachable");
  return unread?.answered === false ? unread : { answered: true, value: null };
}

async function foundIn(access: Access, { commit, record }: RefRecord): Promise<FoundLoop> {
  const { loop_id: loopId, state } = record;
  return { loopId, commit, record, state, ...(await runOf(access, record)) };
}

async function tryOnce(
  loopId: string | null,
  tried: Set<string>,
  access: Access,
  where: Whereabouts,
  { parse }: LoopLookup,
): Promise<Answer<FoundLoop | null>> {
  if (loopId === null || tried.has(loopId)) return { answered: true, value: null };
  tried.add(loopId);
  const read = await readRecord(access, loopId, parse);
  if (!read.answered) return read;
  if (read.value === null || !isLoopOf(read.value.record.state, where)) return { answered: true, value: null };
  return { answered: true, value: await foundIn(access, read.value) };
}

/** The loop's own word on which pull request it is in. One that has none yet is known by its branch. */
export function isLoopOf({ github }: LoopState, where: Omit<Whereabouts, "body">): boolean {
  const { number, headBranch } = where;
  if (github === null) return false;
  if (number === null || github.pull_request === null) return github.branch === headBranch;
  return github.pull_request.number === number;
}

/** Whether a run of a loop is under way: one whose runner vanished still says so (`actions: read`). */
export async function isRunning(access: Access, record: CarriedRecord): Promise<boolean> {
  return (await runOf(access, record)).running;
}

async function runOf(access: Access, { state, run }: CarriedRecord): Promise<Pick<FoundLoop, "running" | "untold">> {
  if (state.status !== "running") return { running: false, untold: null };
  const answer = await readRun(access, Number(run.id));
  if (answer.answered) return { running: !answer.value.ended, untold: null };
  return answer.absent ? { running: false, untold: null } : { running: true, untold: answer.why };
}

function loopIdOfBranch(branch: string, template: string): string | null {
  const at = template.indexOf(PLACE);
  const [before, after] = [template.slice(0, at), template.slice(at + PLACE.length)];
  if (at === -1 || !branch.startsWith(before) || !branch.endsWith(after)) return null;
  const loopId = branch.slice(before.length, branch.length - after.length);
  return isLoopId(loopId) ? loopId : null;
}

/** What our comments name, the newest first. Anybody can paste a marker, so others' comments are not looked at. */
async function markedIn(access: Access, number: number): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const page of ownComments(access, number)) {
    const newestFirst = page.toSorted((a, b) => b.restId - a.restId);
    found.push(...newestFirst.map(({ body }) => loopIdIn(body)).filter((loopId) => loopId !== null));
  }
  return found;
}
