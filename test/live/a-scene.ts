import { LogLines } from "../../src/live/log-lines.ts";
import type { Watched } from "../../src/live/pages.ts";
import type { Effect, Page, Scene, Ui } from "../../src/live/scene.ts";
import { begin, press } from "../../src/live/ui.ts";
import type { LoopState } from "../../src/core/state.ts";
import type { LoopRow } from "../../src/views/at-a-glance.ts";
import { aState, aView } from "../views/a-state.ts";

const NOW = Date.parse("2026-01-06T21:15:00.000+00:00");

/** A line as a loop's log has it. */
export function logged(iteration: number, text: string): string {
  return `2026-01-06T21:10:07.000+00:00 [${iteration}/30] ${text}`;
}

export function aLog(lines: readonly string[]): LogLines {
  const log = new LogLines();
  for (const each of lines) log.add(each);
  return log;
}

/** A log of some iterations, each with a line for its beginning and `each` lines of the agent. */
export function iterations(count: number, each = 4): readonly string[] {
  return Array.from({ length: count }, (_, at) => [
    logged(at + 1, `iteration ${at + 1} started, fresh session`),
    ...Array.from({ length: each }, (__, n) => logged(at + 1, `agent says: word ${at + 1}.${n}`)),
  ]).flat();
}

export function aWatched(overrides: Partial<Watched> = {}): Watched {
  return { view: aView({}, { alive: true }), where: "", settings: [], limits: [], steps: [], ...overrides };
}

export function aRow(loopId: string, status = "running"): LoopRow {
  return { state: aState({ loop_id: loopId }), status, where: "" };
}

export function aScene(overrides: Partial<Scene> = {}): Scene {
  const loops = [aRow("repo-1"), aRow("other", "completed")];
  return {
    ...{ loops, reading: "" },
    watched: aWatched(),
    runs: "elsewhere",
    log: aLog(iterations(3)),
    now: NOW,
    columns: 80,
    rows: 10,
    ...overrides,
  };
}

/** The keys that search for something. */
export function searched(text: string): readonly string[] {
  return ["/", ...Array.from(text), "enter"];
}

/** What some keys, one after the other, make of the view. @returns the view, and what was asked of the world */
export function pressed(keys: readonly string[], scene: Scene, page: Page = "dashboard"): [ui: Ui, asked: Effect[]] {
  const asked: Effect[] = [];
  const ui = keys.reduce((before, key) => {
    const [after, effect] = press(before, key, scene);
    if (effect !== undefined) asked.push(effect);
    return after;
  }, begin(page));
  return [ui, asked];
}

export const ENDED = {
  iteration: 3,
  status: "completed",
  stop_reason: { kind: "success_command", command: "npm test" },
} as const;

/** One with a loop that somebody has stopped. */
export const stopped = (state: Partial<LoopState> = {}) =>
  aScene({
    watched: aWatched({
      view: aView({
        status: "paused_user_interrupt",
        stop_reason: { kind: "stopped", by: "me" },
        ...state,
      }),
    }),
  });

export const recorded = () => aScene({ watched: aWatched({ view: aView({}, { isRecorded: true }) }) });
