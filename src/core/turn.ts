import {
  addUsage,
  type Denial,
  NO_USAGE,
  type ProviderFailure,
  totalTokens,
  type TurnCompleted,
  type TurnFailed,
  type TurnRequest,
} from "./agent.ts";
import { whyFresh } from "./session.ts";
import { saysDone } from "./claim/effective-claim.ts";
import { contradictionsOf, followedLists } from "./claim/contradictions/find.ts";
import { readClaim } from "./claim/read-claim.ts";
import type { Commit } from "./transition.ts";
import type { TurnEnded } from "./events.ts";
import { refusalOf, timestamp } from "./open-loop.ts";
import type { Change, Snapshot, LoopState } from "./state.ts";
import { providerOf } from "./story/story.ts";
import { putBackDocuments } from "./story/put-back.ts";
import { type Item, successCheck, workUntil, type Task } from "./task.ts";
import type { Ports } from "./ports.ts";
import { continuePrompt, firstPrompt } from "./prompt/prompt.ts";
import { AGENT_STATE } from "./names.ts";
import { overLimit, tokensLeft } from "./stop/limits.ts";
import { joined } from "./text.ts";

const SUMMARY_LENGTH = 2048;
const PROGRESS_TAIL_BYTES = 4096;
const KEPT_DENIALS = 8; // at most this many things that the agent was not allowed to do
const DENIED_LENGTH = 200;
/** The agent may have left its status block in one of its last messages; the end of each is kept. */
const EARLIER_MESSAGES = 8;
const MESSAGE_LENGTH = 16_384;

interface Turn {
  readonly task: Task;
  /** the state after `turn_started` */
  readonly state: LoopState;
  readonly item: Item;
  readonly ports: Ports;
  readonly commit: Commit;
}

/**
 * Lets the agent work once. A lost or full session does not fail the iteration: the same turn goes to a fresh one with
 * the whole prompt and the progress notes (docs/decisions/0003-session-lost.md, 0016-sessions.md).
 */
export async function takeTurn(turn: Turn, signal: AbortSignal): Promise<TurnEnded> {
  const { state, ports, task } = turn;
  const startedAt = ports.clock.now();
  const before = task.prd === null ? state.snapshot : await storyBegun(turn);
  const resumed = state[AGENT_STATE].session_id !== null;
  const left = await tokensLeft(task, state, ports);
  let end = await runAgent(turn, resumed, { startedAt, left }, signal);
  const because = whyFresh(end, resumed);
  if (because !== undefined) {
    const text = `The session is ${because}; going on in a fresh session, with the notes.`;
    ports.reporter.observe({ type: "notice", text });
    const rest = left === null ? null : left - totalTokens(end.usage);
    const fresh = await runAgent(turn, false, { startedAt, left: rest }, signal);
    const { cost, ...ended } = fresh;
    end = { ...ended, usage: addUsage(end.usage, fresh.usage), ...costOfBoth(end.cost, cost) };
  }
  const failure: ProviderFailure | null = end.type === "turn.failed" ? end.failure : null;
  const undone = await ports.backlog.sync(state);
  const snapshot = await ports.workspace.snapshot();
  const claim = await readClaim(end, task.identity, failure, ports.matcher);
  const tally = await ports.backlog.count();
  return {
    type: "turn_ended",
    iteration: state.iteration,
    failure,
    exit_code: end.exitCode,
    usage: end.usage,
    session_usage: end.sessionUsage,
    ...(end.cost === undefined ? {} : { cost: end.cost }),
    session_full: end.full,
    claim,
    summary: end.lastMessage.trim().slice(-SUMMARY_LENGTH),
    snapshot,
    change: await changeSince(before, snapshot, ports),
    ...(await refusalOf(state.boundary.begun, snapshot, ports)),
    tally,
    denied: end.denied,
    ...(state.stories === null ? {} : { pending: await ports.workspace.pendingFiles(state.stories.stands?.head) }),
    ...(undone.length === 0 ? {} : { undone }),
    ...(await heldAgainst(turn, { claim, failure, message: end.lastMessage, tally, snapshot })),
    duration_ms: durationOf(startedAt, turn),
    at: timestamp(ports.clock.now()),
  };
}

/** What is known of one alone says nothing of both. */
function costOfBoth(one: number | undefined, other: number | undefined): { readonly cost?: number } {
  return one === undefined || other === undefined ? {} : { cost: one + other };
}

/** What the lists have come to, and what contradicts the claim, if it makes one that is looked at (S-18). */
async function heldAgainst(
  { state, task, ports }: Turn,
  end: Pick<TurnEnded, "claim" | "failure" | "tally" | "snapshot"> & { readonly message: string },
): Promise<Pick<TurnEnded, "lists" | "contradictions">> {
  const lists = await followedLists(state, task, ports);
  const isClaim = end.failure === null && saysDone(end.claim, end.tally ?? state.plan);
  const isRead = isClaim && successCheck(task.identity.checks) === null;
  const contradictions = isRead ? await contradictionsOf(end, { task, state }, ports) : [];
  return {
    ...(lists === undefined ? {} : { lists }),
    ...(contradictions.length === 0 ? {} : { contradictions }),
  };
}

/** Somebody may have set the clock meanwhile: a turn takes no time at least, and its time-out at most. */
function durationOf(startedAt: number, { ports, task }: Pick<Turn, "ports" | "task">): number {
  return Math.min(Math.max(0, ports.clock.now() - startedAt), task.limits.iterationTimeoutMs);
}

/** The files of the PRD say which story is worked on before the agent may change anything. */
async function storyBegun({ state, ports }: Turn): Promise<Snapshot | null> {
  await putBackDocuments(state, ports);
  return ports.workspace.snapshot();
}

async function changeSince(before: Snapshot | null, after: Snapshot | null, ports: Ports): Promise<Change | null> {
  if (before === null || after === null) return null;
  if (before.id === after.id) return { files: 0, added: 0, removed: 0, stat: "", only_tests: false };
  const change = await ports.workspace.compare(before, after);
  if (change === null || before.nested === after.nested) return change;
  // As git counts a submodule: one path, however much is in it.
  const stat = joined("\n", [change.stat, "files inside a submodule or a nested repository"]);
  return { ...change, files: change.files + 1, stat, only_tests: false };
}

/** How a turn ended, and what the agent said before its last message, newest first. */
type AgentRun = (TurnCompleted | TurnFailed) & {
  readonly earlier: readonly string[];
  readonly denied: readonly Denial[];
  /** whether the session was full, even if a retry got over it */
  readonly full: boolean;
};

/** What a turn may take, also in several sessions. `startedAt`: when it began; `left`: tokens, null: no limit */
interface Allowance {
  readonly startedAt: number;
  readonly left: number | null;
}

async function runAgent(
  turn: Turn,
  resumed: boolean,
  { startedAt, left }: Allowance,
  signal: AbortSignal,
): Promise<AgentRun> {
  const { ports, commit } = turn;
  const request = await requestFor(turn, resumed, startedAt);
  const said: string[] = [];
  const denied: Denial[] = [];
  let full = false;
  const failed = (kind: "cancelled" | "protocol", message: string): AgentRun => {
    const nothing = { exitCode: null, lastMessage: "", usage: NO_USAGE, sessionUsage: null };
    const failure = { kind, message, retryable: false } as const;
    return { type: "turn.failed", failure, ...nothing, earlier: said, denied, full };
  };
  // Another run may have taken the loop while this turn was written down: what is begun now would be paid twice.
  if (signal.aborted) return failed("cancelled", "The turn was ended before the agent had begun.");
  const spent = new AbortController();
  for await (const event of ports.provider.runTurn(request, AbortSignal.any([signal, spent.signal]))) {
    ports.reporter.observe(event);
    if (event.type === "usage" && left !== null && totalTokens(event.usage) >= left) spent.abort();
    if (event.type === "session.started") {
      const at = timestamp(ports.clock.now());
      const { session_id: replaces } = turn.state[AGENT_STATE];
      await commit({
        type: "session_opened",
        session_id: event.sessionId,
        ...(resumed || replaces === null ? {} : { replaces }),
        at,
      });
    }
    if (event.type === "message") {
      said.unshift(event.text.slice(-MESSAGE_LENGTH));
      said.length = Math.min(said.length, EARLIER_MESSAGES);
    }
    if (event.type === "permission.denied" && denied.length < KEPT_DENIALS) {
      denied.push({ what: event.what.slice(0, DENIED_LENGTH), allow: event.allow.slice(0, DENIED_LENGTH) });
    }
    if ("failure" in event) full ||= event.failure.kind === "context_full";
    if (event.type === "turn.completed" || event.type === "turn.failed") {
      const ended = spent.signal.aborted && !signal.aborted ? asOverLimit(event) : event;
      return { ...ended, earlier: said, denied, full };
    }
  }
  return failed("protocol", "The provider's stream ended without an end of the turn.");
}

/** A turn that we ended because of its tokens says so, unless it came to its own end first. */
function asOverLimit(end: TurnCompleted | TurnFailed): TurnCompleted | TurnFailed {
  if (end.type === "turn.completed" || end.failure.kind !== "cancelled") return end;
  return { ...end, failure: overLimit(totalTokens(end.usage)) };
}

/** The agent that a story or its PRD has chosen. */
export function chosenAgent({ prd }: Pick<Task, "prd">, { id }: Item): { readonly provider?: string } {
  const provider = prd === null ? null : providerOf(prd, id);
  return provider === null ? {} : { provider };
}

/** @param startedAt when the turn began, whose time all its sessions share */
async function requestFor(turn: Turn, resumed: boolean, startedAt: number): Promise<TurnRequest> {
  const { task, state, item, ports } = turn;
  const { limits } = task;
  const now = ports.clock.now();
  const until = Math.min(startedAt + limits.iterationTimeoutMs, workUntil(limits) ?? Infinity);
  const brief = { task, state, item, now };
  // A session whose first turn never ended may not have heard of the task.
  const knowsTask = resumed && state[AGENT_STATE].session_iterations > 0;
  const prompt = knowsTask
    ? continuePrompt(brief)
    : firstPrompt({ ...brief, progress: await ports.progress.tail(PROGRESS_TAIL_BYTES) });
  return {
    iteration: state.iteration,
    ...chosenAgent(task, item),
    prompt,
    sessionId: resumed ? state[AGENT_STATE].session_id : null,
    sessionUsage: resumed ? state[AGENT_STATE].session_usage : null,
    timeoutMs: Math.max(1, until - now),
    idleTimeoutMs: limits.idleTimeoutMs,
  };
}
