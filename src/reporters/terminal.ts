import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { createLogUpdate } from "log-update";
import type { Reporter } from "../core/ports.ts";
import { output } from "../os/output.ts";
import { activityLine, eventLines } from "../views/event-lines.ts";
import { notification, notificationOf } from "../views/notification.ts";
import { line, type Line, type Tone } from "../views/plain-text.ts";
import { beginLive, heartbeat, liveFrame, marked, observeLive, reportLive } from "../views/live.ts";

const STYLES = {
  plain: [],
  good: ["green"],
  bad: ["red", "bold"],
  warn: ["yellow"],
  dim: ["dim"],
  strong: ["bold"],
} as const satisfies Record<Tone, readonly Parameters<typeof styleText>[0][]>;

/** A line as a terminal shows it. Without colour it is the line's text, unchanged. */
export function paint(line: Line, color: boolean): string {
  const styles = STYLES[line.tone];
  if (!color || styles.length === 0) return line.text;
  return styleText([...styles], line.text, { validateStream: false });
}

/** Whether a stream wants colours: a terminal, unless `NO_COLOR` is set to anything or the terminal is dumb. */
export function wantsColor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

/** A reporter whose terminal something else may have for a while. It hears everything all the same. */
export interface ProgressReporter extends Reporter {
  /** Writes what is waiting, takes away what is redrawn, and writes nothing more; what comes meanwhile is never told. */
  hide(): void;
  /** Goes on writing. */
  show(): void;
}

/**
 * The reporter, which also notifies the person at its terminal when the loop ends or waits for a limit; not while something
 * else has the terminal, which does it then. Nothing of it goes to what is no terminal.
 *
 * @param env of this program
 */
export function notifying(
  reporter: ProgressReporter,
  stream: Writable & { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): ProgressReporter {
  if (stream.isTTY !== true) return reporter;
  let hidden = false;
  return {
    ...reporter,
    hide() {
      hidden = true;
      reporter.hide();
    },
    show() {
      hidden = false;
      reporter.show();
    },
    report(event, state) {
      reporter.report(event, state);
      const text = hidden ? undefined : notificationOf(event, state.loop_id);
      if (text !== undefined) stream.write(notification(text, env));
    },
  };
}

const HEARTBEAT_MS = 60_000;

interface LinesOptions {
  /** milliseconds since the epoch */
  readonly now: () => number;
  /** when the time budget ends, in milliseconds since the epoch; null: no limit */
  readonly deadline: number | null;
  /** calls `tick` every `ms` milliseconds, until the returned function is called; the machine's own timer */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

/** Calls `tick` every `ms` milliseconds, as long as something else keeps the program alive. */
export function unreferenced(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
}

/**
 * Plain lines for a pipe or a log file, and a sign of life where there was none for a minute. Every line begins with the iteration, `[3/30] `, and a first word that names
 * its subject: `loop`, `iteration`, `agent`, `check` and so on. These beginnings are stable.
 */
export function linesReporter(
  stream: Writable,
  { now, deadline, every = unreferenced }: LinesOptions,
): ProgressReporter {
  const out = output(stream);
  let prefix = "[0/0]";
  let live = beginLive(now(), deadline);
  let lastSign = now();
  let hidden = false;
  let stopBeating: (() => void) | undefined;
  const beat = (): void => {
    if (now() - lastSign >= HEARTBEAT_MS) say(heartbeat(live, now()), true);
  };
  const say = (text: string, mayBeLost: boolean): void => {
    lastSign = now();
    if (!hidden) out.line(text, mayBeLost);
  };
  return {
    hide: () => void (hidden = true),
    show: () => void (hidden = false),
    report(event, state) {
      live = reportLive(live, event, state, now());
      if (event.type === "loop_stopped") stopBeating?.();
      else stopBeating ??= every(HEARTBEAT_MS / 2, beat);
      prefix = `[${state.iteration}/${state.max_iterations}]`;
      for (const { text } of eventLines(event, state)) say(`${prefix} ${text}`, false);
    },
    observe(event) {
      live = observeLive(live, event, now());
      const line = activityLine(event);
      if (line !== undefined) say(`${prefix} ${line.text}`, true);
    },
    async flush(until) {
      stopBeating?.();
      await out.drained(until);
    },
  };
}

const REDRAW_MS = 120;
const TICK_MS = 1_000;
const DEFAULT_COLUMNS = 80;

interface TerminalOptions {
  readonly stream: Writable & { readonly columns?: number };
  readonly color: boolean;
  /** milliseconds since the epoch */
  readonly now: () => number;
  /** when the time budget ends, in milliseconds since the epoch; null: no limit */
  readonly deadline: number | null;
}

/**
 * The live view of a terminal: what happened stays above, what happens now is redrawn below it. `log-update` is loaded
 * when the first event comes, so that starting is not slowed by it.
 */
export function terminalReporter(options: TerminalOptions): ProgressReporter {
  const { stream, color, now } = options;
  const out = output(stream);
  const stays: Line[] = [];
  let live = beginLive(now(), options.deadline);
  let screen: ReturnType<typeof createLogUpdate> | undefined;
  let loading: Promise<void> | undefined;
  let soon: NodeJS.Timeout | undefined;
  let tick: NodeJS.Timeout | undefined;
  let silent = false;

  const draw = (): void => {
    soon = undefined;
    if (screen === undefined || silent) return;
    // A terminal that does not know its width says 0.
    const columns = stream.columns || DEFAULT_COLUMNS;
    for (const line of stays.splice(0)) screen.persist(paint(line, color));
    const frame = liveFrame(live, now(), columns - 1).map((line) => paint(line, color));
    screen(frame.join("\n"));
  };
  const load = async (): Promise<void> => {
    screen = await screenOn(stream);
    if (screen !== undefined) tick = setInterval(draw, TICK_MS).unref();
  };
  const changed = (): void => {
    loading ??= load();
    soon ??= setTimeout(draw, REDRAW_MS).unref();
  };
  const happened = (lines: readonly Line[]): void => {
    if (!silent) stays.push(...lines);
    changed();
  };
  const hide = (): void => {
    screen?.clear();
    for (const line of stays.splice(0)) out.line(paint(line, color), false);
    silent = true;
  };
  return {
    hide,
    show() {
      silent = false;
      changed();
    },
    report(event, state) {
      live = reportLive(live, event, state, now());
      const gap = event.type === "turn_started" && event.iteration > 1 ? [line("")] : [];
      happened([...gap, ...eventLines(event, state).map(marked)]);
    },
    observe(event) {
      live = observeLive(live, event, now());
      const activity = activityLine(event);
      happened(activity === undefined ? [] : [marked(activity)]);
    },
    async flush(deadline) {
      await loading;
      clearTimeout(soon);
      clearInterval(tick);
      if (!silent) hide();
      await out.drained(deadline);
    },
  };
}

/** Undefined: without the live view the lines are still written when the run ends. */
async function screenOn(stream: TerminalOptions["stream"]): Promise<ReturnType<typeof createLogUpdate> | undefined> {
  const logUpdate = await import("log-update").catch(() => undefined);
  return logUpdate?.createLogUpdate(stream, { showCursor: true });
}
