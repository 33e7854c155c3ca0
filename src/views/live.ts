import type { AgentEvent } from "../core/agent.ts";
import type { LoopEvent } from "../core/events.ts";
import type { CheckEvent } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import { recordOf } from "../core/story/stories.ts";
import { duration, grouped } from "./amounts.ts";
import { activityOf, checkLine, refusedClaim, waitText } from "./event-lines.ts";
import { fit, line, type Line } from "./plain-text.ts";
import { attemptText } from "./story-rows.ts";

/** What the live view shows now. Moments are in milliseconds since the epoch. */
export interface Live {
  readonly startedAt: number;
  /** when the time budget ends; null: no limit */
  readonly deadline: number | null;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly tokens: number;
  /** `US-003, attempt 2 (1 of 5 passed)`; "": no story is worked on */
  readonly story: string;
  readonly activity: string;
  /** when the activity began */
  readonly since: number;
  /** failing tests now and at the start; null: not known */
  readonly failing: { readonly now: number; readonly atStart: number | null } | null;
  /** the checks of this iteration so far */
  readonly checks: readonly Line[];
}

/** The live view of a run that begins at `startedAt`. */
export function beginLive(startedAt: number, deadline: number | null): Live {
  return {
    startedAt,
    deadline,
    iteration: 0,
    maxIterations: 0,
    tokens: 0,
    story: "",
    activity: "starting",
    since: startedAt,
    failing: null,
    checks: [],
  };
}

/** Takes one durable event. @param now in milliseconds since the epoch */
export function reportLive(live: Live, event: LoopEvent, state: LoopState, now: number): Live {
  const { iteration, max_iterations: maxIterations, spent } = state;
  const checks = event.type === "turn_started" ? [] : live.checks;
  const [story, activity] = [storyAt(state), activityAt(live, event, state)];
  const known = { iteration, maxIterations, tokens: spent.tokens, story, checks, failing: failingNow(state) };
  return doing({ ...live, ...known }, activity, now);
}

function doing(live: Live, activity: string, now: number): Live {
  return activity === live.activity ? live : { ...live, activity, since: now };
}

function failingNow({ failing, baseline }: LoopState): Live["failing"] {
  return failing && { now: failing.failing_count, atStart: baseline?.failing_count ?? null };
}

/** What is worked on now, and how far the PRD is (D-30). */
function storyAt({ stories: known }: LoopState): string {
  const record = known?.active ? recordOf(known, known.active) : undefined;
  if (known === null || record === undefined) return "";
  const passed = known.records.filter(({ state, gone }) => state === "passed" && !gone).length;
  return `${record.id}, ${attemptText(record.attempts)} (${passed} of ${known.total} passed)`;
}

function activityAt({ activity }: Live, event: LoopEvent, state: LoopState): string {
  if (event.type === "turn_started") return "the agent is starting";
  if (event.type === "turn_ended") return "the turn has ended";
  if (event.type === "wait_started") return waitText(event, state.not_before);
  return event.type === "proved" ? (refusedClaim(event.verdict, state) ?? activity) : activity;
}

/** Takes one fleeting event. @param now in milliseconds since the epoch */
export function observeLive(live: Live, event: AgentEvent | CheckEvent, now: number): Live {
  if (event.type === "check.ended") return { ...live, checks: [...live.checks, marked(checkLine(event.check))] };
  return doing(live, activityOf(event) ?? live.activity, now);
}

/** A line with what its colour says, for those who see none: `✓` for good, `✗` for bad. */
export function marked({ text, tone }: Line): Line {
  const mark = tone === "good" ? "✓ " : tone === "bad" ? "✗ " : "";
  return line(`${mark}${text}`, tone);
}

/** The lines of the live view, none wider than `columns`. */
export function liveFrame(live: Live, now: number, columns: number): readonly Line[] {
  const left = live.deadline === null ? "" : `, ${duration(Math.max(live.deadline - now, 0))} left`;
  const story = live.story === "" ? "" : ` | ${live.story}`;
  const at = live.maxIterations === 0 ? "Starting" : `Iteration ${live.iteration} of ${live.maxIterations}`;
  const head = `${at}${story} | ${duration(now - live.startedAt)}${left} | ${grouped(live.tokens)} tokens`;
  const activity = line(`${live.activity} (${duration(now - live.since)})`, "dim");
  const below = [activity, ...live.checks, ...failingLines(live)].map(({ text, tone }) => line(`  ${text}`, tone));
  return [line(head, "strong"), ...below].map(({ text, tone }) => line(fit(text, columns), tone));
}

function failingLines({ failing }: Live): readonly Line[] {
  if (failing === null) return [];
  const start = failing.atStart === null ? "" : `, ${failing.atStart} at the start`;
  return [line(`failing tests: ${failing.now} now${start}`, failing.now === 0 ? "good" : "warn")];
}

/**
 * What a log says of a run that is busy but silent: `still: the agent runs: npm test (4 min); 1,234 tokens; 41 min left`.
 */
export function heartbeat(live: Live, now: number): string {
  const left = live.deadline === null ? "" : `; ${Math.max(Math.floor((live.deadline - now) / 60_000), 0)} min left`;
  const story = live.story === "" ? "" : `${live.story}: `;
  return `[${live.iteration}/${live.maxIterations}] still: ${story}${live.activity} (${duration(now - live.since)}); ${grouped(live.tokens)} tokens${left}`;
}
