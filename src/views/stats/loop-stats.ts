import { totalTokens } from "../../core/agent.ts";
import type { LoopEvent, TurnEnded } from "../../core/events.ts";
import { OUTCOMES, type Status, type StopKind } from "../../core/outcome.ts";
import { AGENT_STATE } from "../../core/names.ts";
import type { LoopState, Snapshot } from "../../core/state.ts";
import { costReport } from "../cost.ts";
import { count, NO_COUNTS, type Counts, type Tally, tallyOf } from "../metrics.ts";
import { proofOf } from "../proof.ts";

/** The work that a loop began with. */
export type Began = Pick<Snapshot, "tree" | "nested" | "head">;

/** One generation of a loop as the statistics see it. Null is what is not known, never 0. */
export interface LoopStats {
  readonly loopId: string;
  readonly generation: number;
  /** of the generation; with id and number it tells apart what only has the same name */
  readonly createdAt: string;
  readonly revision: number;
  /** where it was found, for people: a workspace, an artifact, a ref; "": the workspace they are in */
  readonly where: string;
  readonly status: Status | "crashed";
  readonly reason: StopKind | null;
  /** those that took turns; without events, that of the last run */
  readonly providers: readonly string[];
  /** null among them: whatever the provider takes by itself */
  readonly models: readonly (string | null)[];
  /** over its prompt, its checks and the name of its PRD */
  readonly taskDigest: string;
  readonly promptDigest: string;
  /** what proves its work, as people read it */
  readonly checks: readonly string[];
  readonly began: Began | null;
  readonly iterations: number;
  /** the iteration with which its work was proved; null: it was not */
  readonly provedAt: number | null;
  readonly runs: number;
  readonly falseStarts: number | null;
  readonly turns: number;
  /** reviews included, as in the cost */
  readonly tokens: number | null;
  /** in millionths of a USD */
  readonly cost: number | null;
  readonly turnMs: number;
  readonly savedMs: number | null;
  /** what W-57 and D-09 ask for; null: without events it cannot be counted */
  readonly tally: Tally | null;
  /** why its events are not counted though they are there, as part of a sentence; null: they are, or are not there */
  readonly eventsProblem: string | null;
}

/** What is counted while the events of a generation are read. Its size does not grow with their number. */
export interface RunCounts {
  readonly counts: Counts;
  readonly falseStarts: number;
  /** runs of which it is not known whether a turn has changed something */
  readonly unclear: number;
  /** turns that a later run went on from, and those of the run that is being read; in milliseconds */
  readonly savedMs: number;
  readonly ownMs: number;
  /** the run that is being read: what its turns have changed; null: it has ended */
  readonly run: "nothing" | "something" | "unclear" | null;
  readonly isTurnOpen: boolean;
  /** whether the agent has told no tokens of a turn */
  readonly isUntold: boolean;
  readonly began: Began | null;
  readonly provider: string;
  readonly model: string | null;
  readonly providers: ReadonlySet<string>;
  readonly models: ReadonlySet<string | null>;
}

/** Nothing has been read. @param earlier what was counted of the generation before it; its stories are the same */
export function noRuns(earlier?: RunCounts): RunCounts {
  const stories = earlier?.counts.stories ?? NO_COUNTS.stories;
  return {
    counts: { ...NO_COUNTS, stories },
    ...{ falseStarts: 0, unclear: 0, savedMs: 0, ownMs: 0, run: null, isTurnOpen: false },
    ...{ isUntold: false, began: null },
    ...{ provider: "", model: null, providers: new Set(), models: new Set() },
  };
}

/** Takes one more event. */
export function countRuns(before: RunCounts, event: LoopEvent): RunCounts {
  const known = { ...before, counts: count(before.counts, event) };
  switch (event.type) {
    case "loop_started":
    case "loop_resumed": {
      const { provider, model } = event.runtime;
      const ended = endRun(known, null);
      const savedMs = ended.savedMs + ended.ownMs;
      const began = event.type === "loop_started" ? event.snapshot : known.began;
      return { ...ended, savedMs, ownMs: 0, run: "nothing", began, provider, model };
    }
    case "turn_started":
      return startTurn(known, event.provider);
    case "turn_ended":
      return endTurn(known, event);
    case "turn_abandoned":
      return { ...known, isTurnOpen: false, run: known.run === "nothing" ? "unclear" : known.run };
    case "loop_stopped":
      return endRun(known, event.reason.kind);
    case "session_opened":
    case "proved":
    case "reviewed":
    case "wait_started":
    case "settled":
    case "story_examined":
    case "story_given_up":
    case "story_shelved":
    case "story_ruled":
    case "reset":
    case "published":
      return known;
  }
}

/** A story may name another agent than the settings do; which model that takes is not told. */
function startTurn(known: RunCounts, named: string | undefined): RunCounts {
  const provider = named ?? known.provider;
  const model = provider === known.provider ? known.model : null;
  return {
    ...known,
    isTurnOpen: true,
    providers: known.providers.has(provider) ? known.providers : new Set([...known.providers, provider]),
    models: known.models.has(model) ? known.models : new Set([...known.models, model]),
  };
}

/** A turn that failed is paid for again. */
function endTurn(known: RunCounts, { change, failure, usage, duration_ms: ms }: TurnEnded): RunCounts {
  const changed = change === null ? "unclear" : change.files > 0 ? "something" : "nothing";
  const run = known.run === "something" || changed === "nothing" ? known.run : changed;
  // No turn that went well is without tokens: its agent does not tell them.
  const isUntold = known.isUntold || (failure === null && totalTokens(usage) === 0);
  return { ...known, isTurnOpen: false, isUntold, run, ownMs: known.ownMs + (failure === null ? ms : 0) };
}

/**
 * A run that ended without a turn's change is a false start, unless it completed the work of earlier ones.
 *
 * @param kind null: it left no ending
 */
function endRun(known: RunCounts, kind: StopKind | null): RunCounts {
  const { run, isTurnOpen, ownMs, savedMs } = known;
  if (run === null) return known;
  const ended = { ...known, run: null, isTurnOpen: false };
  const isUnclear = run === "unclear" || (run === "nothing" && isTurnOpen);
  if (isUnclear) return { ...ended, unclear: known.unclear + 1 };
  const isCompletion =
    kind !== null && kind !== "already_green" && OUTCOMES[kind].status === "completed" && ownMs + savedMs > 0;
  return run === "something" || isCompletion ? ended : { ...ended, falseStarts: known.falseStarts + 1 };
}

/** What the statistics say of one generation. */
export interface StatsSource {
  readonly state: LoopState;
  readonly where: string;
  /** null: its events are not there, or say nothing */
  readonly runs: RunCounts | null;
  /** see `LoopStats`; absent: null */
  readonly eventsProblem?: string | null;
}

/** @param source of a generation that is not at work */
export function statsOf({ state, where, runs: read, eventsProblem = null }: StatsSource): LoopStats {
  const runs = read === null ? null : endRun(read, null);
  const { spent, stop_reason: reason, iteration, status } = state;
  return {
    loopId: state.loop_id,
    generation: state.generation,
    createdAt: state.created_at,
    revision: state.revision,
    where,
    status: status === "running" ? "crashed" : status,
    reason: status === "running" ? null : (reason?.kind ?? null),
    providers: runs === null || runs.providers.size === 0 ? [state.provider] : [...runs.providers],
    models: runs === null || runs.models.size === 0 ? [state[AGENT_STATE].model] : [...runs.models],
    taskDigest: state.task_digest,
    promptDigest: state.prompt_digest,
    checks: checksOf(state),
    began: runs?.began ?? beganWith(state),
    iterations: iteration,
    provedAt: isProvedByWork(state) ? iteration : null,
    runs: spent.resumes + 1,
    falseStarts: runs === null || runs.unclear > 0 ? null : runs.falseStarts,
    turns: spent.turns,
    tokens: tokensOf(state, runs),
    cost: costOf(state),
    turnMs: spent.turn_ms,
    savedMs: runs?.savedMs ?? (spent.resumes === 0 ? 0 : null),
    tally: runs === null ? null : tallyOf(runs.counts),
    eventsProblem,
  };
}

function checksOf({ checks }: LoopState): readonly string[] {
  const { success_cmd: command, success_sh: shell, quality_commands: quality, ci_workflow: ci } = checks;
  const success = command?.join(" ") ?? shell;
  return [...(success === null ? [] : [success]), ...quality, ...(ci === null ? [] : [`CI's ${ci}`])];
}

/** With a PRD, a state holds what its last story began with. */
function beganWith({ stories, boundary }: LoopState): Began | null {
  return stories === null ? boundary.begun : null;
}

/** Null as soon as an agent has not told those of one turn. */
function tokensOf({ spent, review, iterations }: LoopState, runs: RunCounts | null): number | null {
  const isUntold = runs?.isUntold ?? iterations.some(({ agent, tokens }) => agent === "ok" && tokens === 0);
  return isUntold || (spent.turns > 0 && spent.tokens === 0) ? null : spent.tokens + review.spent.tokens;
}

/** Whether checks have proved what the loop itself has done: what was green before a turn is no proof of it. */
function isProvedByWork(state: LoopState): boolean {
  const { status, stop_reason: reason, spent } = state;
  if (status !== "completed" || reason?.kind === "already_green" || spent.turns === 0) return false;
  return proofOf(state).result === "verified";
}

/** Null as soon as one turn or review has no known price. */
function costOf(state: LoopState): number | null {
  const { unpriced_turns: unpriced } = costReport(state);
  return unpriced > 0 ? null : state.spent.cost + state.review.spent.cost;
}
