import {
  addUsage,
  type Denial,
  NO_USAGE,
  type ProviderFailure,
  type TurnCompleted,
  type TurnFailed,
  type TurnRequest,
} from "./agent.ts";
import { whyFresh } from "./session.ts";
import { readClaim } from "./claim/read-claim.ts";
import type { Commit } from "./transition.ts";
import type { TurnEnded } from "./events.ts";
import { refusalOf, timestamp } from "./open-loop.ts";
import type { Change, Snapshot, LoopState } from "./state.ts";
import { providerOf } from "./story/story.ts";
import { putBackDocuments } from "./story/put-back.ts";
import { type Item, workUntil, type Task } from "./task.ts";
import type { Ports } from "./ports.ts";
import { continuePrompt, firstPrompt } from "./prompt/prompt.ts";
import { AGENT_STATE } from "./names.ts";

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
  let end = await runAgent(turn, resumed, startedAt, signal);
  const because = whyFresh(end, resumed);
  if (because !== undefined) {
    const text = `The session is ${because}; going on with a fresh one and the notes.`;
    ports.reporter.observe({ type: "notice", text });
    const fresh = await runAgent(turn, false, startedAt, signal);
    end = { ...fresh, usage: addUsage(end.usage, fresh.usage) };
  }
  const failure: ProviderFailure | null = end.type === "turn.failed" ? end.failure : null;
  const undone = await ports.backlog.sync(state);
  const snapshot = await ports.workspace.snapshot();
  return {
    type: "turn_ended",
    iteration: state.iteration,
    failure,
    exit_code: end.exitCode,
    usage: end.usage,
    session_usage: end.sessionUsage,
    session_full: end.full,
    claim: await readClaim(end, task.identity, failure, ports.matcher),
    summary: end.lastMessage.trim().slice(-SUMMARY_LENGTH),
    snapshot,
    change: await changeSince(before, snapshot, ports),
    ...(await refusalOf(state.boundary.begun, snapshot, ports)),
    tally: await ports.backlog.count(),
    denied: end.denied,
    ...(state.stories === null ? {} : { pending: await ports.workspace.pendingFiles(state.stories.stands?.head) }),
    ...(undone.length === 0 ? {} : { undone }),
    duration_ms: ports.clock.now() - startedAt,
    at: timestamp(ports.clock.now()),
  };
}

/** The files of the PRD say which story is worked on before the agent may change anything. */
async function storyBegun({ state, ports }: Turn): Promise<Snapshot | null> {
  await putBackDocuments(state, ports);
  return ports.workspace.snapshot();
}

async function changeSince(before: Snapshot | null, after: Snapshot | null, ports: Ports): Promise<Change | null> {
  if (before === null || after === null) return null;
  if (before.id === after.id) return { files: 0, added: 0, removed: 0, stat: "", only_tests: false };
  return ports.workspace.compare(before, after);
}

/** How a turn ended, and what the agent said before its last message, newest first. */
type AgentRun = (TurnCompleted | TurnFailed) & {
  readonly earlier: readonly string[];
  readonly denied: readonly Denial[];
  /** whether the session was full, even if a retry got over it */
  readonly full: boolean;
};

async function runAgent(turn: Turn, resumed: boolean, startedAt: number, signal: AbortSignal): Promise<AgentRun> {
  const { ports, commit } = turn;
  const request = await requestFor(turn, resumed, startedAt);
  const said: string[] = [];
  const denied: Denial[] = [];
  let full = false;
  for await (const event of ports.provider.runTurn(request, signal)) {
    ports.reporter.observe(event);
    if (event.type === "session.started") {
      await commit({ type: "session_opened", session_id: event.sessionId, at: timestamp(ports.clock.now()) });
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
      return { ...event, earlier: said, denied, full };
    }
  }
  const message = "The provider's stream ended without an end of the turn.";
  const failure = { kind: "protocol", message, retryable: false } as const;
  const nothing = { exitCode: null, lastMessage: "", usage: NO_USAGE, sessionUsage: null };
  return { type: "turn.failed", failure, ...nothing, earlier: said, denied, full };
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
