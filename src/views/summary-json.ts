import type { FailureKind, Usage } from "../core/agent.ts";
import { saysDone } from "../core/claim/effective-claim.ts";
import type { LoopEvent, TurnEnded } from "../core/events.ts";
import { lastMessageName, rawEventsName } from "../core/names.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { Change } from "../core/state.ts";
import type { CheckResult, Verdict } from "../core/verdict.ts";
import { count, metricsOf, NO_COUNTS } from "./metrics.ts";
import type { Result } from "./result.ts";

/**
 * The text of `summary.json` piece by piece (W-28): the result, then every iteration, then what is counted (W-57). The
 * pieces together are one JSON object; its size in memory does not depend on the number of iterations.
 *
 * @param events of this generation
 * @param earlier the events of the generations before it, the oldest first, as far as they are still there
 */
export async function* summaryJson(
  result: Result,
  events: AsyncIterable<LoopEvent>,
  earlier: AsyncIterable<LoopEvent>,
): AsyncGenerator<string> {
  const { schema, ...rest } = result;
  yield `{\n  "schema": ${schema},\n  "iterations": [`;
  let open: IterationMetadata | null = null;
  let written = 0;
  let runs = 0;
  let interruptions = 0;
  let counts = NO_COUNTS;
  for await (const event of earlier) counts = count(counts, event);
  const piece = (iteration: IterationMetadata): string =>
    `${written++ === 0 ? "" : ","}\n    ${JSON.stringify(iteration)}`;
  for await (const event of events) {
    counts = count(counts, event);
    if (event.type === "loop_started" || event.type === "loop_resumed") runs += 1;
    if (event.type === "loop_stopped" && outcomeOf(event.reason).resumableBy === "person") interruptions += 1;
    const folded = foldIteration(open, event);
    open = folded.open;
    if (folded.closed !== null) yield piece(folded.closed);
  }
  if (open !== null) yield piece(open);
  const counted = { runs, human_interruptions: interruptions, metrics: metricsOf(counts) };
  yield `\n  ],${JSON.stringify({ ...rest, ...counted }, undefined, 2).slice(1)}\n`;
}

/** What `summary.json` says of an iteration (W-28). */
interface IterationMetadata {
  readonly iteration: number;
  readonly item: string;
  /** which agent took the turn, where a story or its PRD says so; absent: that of the settings */
  readonly provider?: string;
  readonly session: "fresh" | "resumed";
  readonly session_id: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  /** null: the turn has not ended */
  readonly agent: "ok" | "abandoned" | FailureKind | null;
  readonly exit_code: number | null;
  readonly detected_promise: boolean;
  readonly claimed: boolean;
  readonly blocked: string | null;
  readonly change: Pick<Change, "files" | "added" | "removed"> | null;
  readonly usage: Usage | null;
  readonly turn_ms: number;
  readonly verdict: Verdict["result"] | "none";
  readonly checks: readonly ReturnType<typeof metadata>[];
  readonly commit: string | null;
  readonly last_message_path: string;
  readonly jsonl_path: string;
}

/** Nothing was spent on these, so the iteration does not count and nothing else settles it. */
const GIVEN_BACK = new Set<FailureKind>(["rate_limited", "usage_limit", "not_installed", "sandbox_broken"]);

/**
 * Takes one more event. However long the loop runs, only the iteration being read is in memory. A provider's limit gives
 * the iteration back, so that its number comes twice.
 *
 * @returns the iteration that is being read, and one that has just been read to its end
 */
export function foldIteration(
  open: IterationMetadata | null,
  event: LoopEvent,
): { readonly open: IterationMetadata | null; readonly closed: IterationMetadata | null } {
  if (event.type === "turn_started") return { open: begin(event), closed: open };
  if (open === null) return { open: null, closed: null };
  switch (event.type) {
    case "session_opened":
      return {
        open: { ...open, session_id: event.session_id, ...(event.replaces !== undefined ? { session: "fresh" } : {}) },
        closed: null,
      };
    case "turn_ended": {
      const ended = endTurn(open, event);
      const isGivenBack = event.failure !== null && GIVEN_BACK.has(event.failure.kind);
      return isGivenBack ? { open: null, closed: ended } : { open: ended, closed: null };
    }
    case "proved": {
      const { result: verdict, checks } = event.verdict;
      return { open: { ...open, verdict, checks: checks.map(metadata) }, closed: null };
    }
    case "turn_abandoned": {
      const { commit = null } = event;
      return { open: null, closed: { ...open, ended_at: event.at, agent: "abandoned", commit } };
    }
    case "settled":
      return { open: null, closed: { ...open, ended_at: event.at, commit: event.commit } };
    case "loop_started":
    case "loop_resumed":
    case "reviewed":
    case "wait_started":
    case "story_examined":
    case "story_given_up":
    case "story_shelved":
    case "story_ruled":
    case "loop_stopped":
    case "reset":
    case "published":
      return { open, closed: null };
  }
}

function begin(event: Extract<LoopEvent, { type: "turn_started" }>): IterationMetadata {
  return {
    iteration: event.iteration,
    item: event.item.title,
    ...(event.provider === undefined ? {} : { provider: event.provider }),
    session: event.session,
    session_id: null,
    started_at: event.at,
    ended_at: null,
    agent: null,
    exit_code: null,
    detected_promise: false,
    claimed: false,
    blocked: null,
    change: null,
    usage: null,
    turn_ms: 0,
    verdict: "none",
    checks: [],
    commit: null,
    last_message_path: lastMessageName(event.iteration),
    jsonl_path: rawEventsName(event.iteration),
  };
}

function endTurn(open: IterationMetadata, event: TurnEnded): IterationMetadata {
  const { change, claim, failure, tally } = event;
  return {
    ...open,
    ended_at: event.at,
    agent: failure?.kind ?? "ok",
    exit_code: event.exit_code,
    detected_promise: claim.detected,
    claimed: failure === null && saysDone(claim, tally),
    blocked: claim.blocked,
    change: change && { files: change.files, added: change.added, removed: change.removed },
    usage: event.usage,
    turn_ms: event.duration_ms,
  };
}

/** One check without its output. */
function metadata({ role, story, name, command, exitCode, firstExitCode, timedOut, durationMs }: CheckResult) {
  return {
    role,
    ...(story === undefined ? {} : { story }),
    ...(name === undefined ? {} : { name }),
    command,
    exit_code: exitCode,
    ...(firstExitCode === undefined ? {} : { first_exit_code: firstExitCode }),
    timed_out: timedOut,
    duration_ms: durationMs,
  };
}
