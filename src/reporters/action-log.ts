import type { AgentEvent } from "../core/agent.ts";
import type { CheckEvent, Reporter } from "../core/ports.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { activityLine, checkLine, eventLines } from "../views/event-lines.ts";
import { beginLive, heartbeat, observeLive, reportLive } from "../views/live.ts";
import { unreferenced } from "./terminal.ts";

const HEARTBEAT_MS = 60_000;

interface ActionLogOptions {
  readonly log: RunnerLog;
  /** milliseconds since the epoch */
  readonly now: () => number;
  /** when the time budget ends, in milliseconds since the epoch; null: no limit. Called for every line that shows it */
  readonly deadline: () => number | null;
  /** calls `tick` every `ms` milliseconds, until the returned function is called; the machine's own timer */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

/**
 * The log of a job. The output of agent and checks is folded, one group per part of an iteration; results are outside,
 * so that the folded log tells the story. While a run is silent, a line each minute says that it lives.
 */
export function actionLogReporter({ log, now, deadline, every = unreferenced }: ActionLogOptions): Reporter {
  let live = beginLive(now(), null);
  let open: string | undefined;
  let stopBeating: (() => void) | undefined;

  const inside = (part: string): void => {
    const title = `Iteration ${live.iteration} of ${live.maxIterations}: ${part}`;
    if (open === title) return;
    open = title;
    log.group(title);
  };
  const outside = (): void => {
    open = undefined;
    log.endGroup();
  };
  return {
    report(event, state) {
      live = reportLive(live, event, state, now());
      if (event.type === "loop_stopped") stopBeating?.();
      else stopBeating ??= every(HEARTBEAT_MS, () => log.line(heartbeat({ ...live, deadline: deadline() }, now())));
      const lines = eventLines(event, state);
      // What happens in the middle of a turn does not end its group.
      if (event.type === "session_opened") return lines.forEach(({ text }) => log.foreign(text));
      outside();
      for (const { text } of lines) log.line(`[${state.iteration}/${state.max_iterations}] ${text}`);
      if (event.type === "turn_started") inside("the agent at work");
    },
    observe(event) {
      live = observeLive(live, event, now());
      if (event.type === "check.started") inside("checks");
      for (const text of heard(event)) log.foreign(text);
    },
    async flush(until) {
      stopBeating?.();
      outside();
      await log.drained(until);
    },
  };
}

/** What is worth keeping of a fleeting event: its line, and the words behind it. */
function heard(event: AgentEvent | CheckEvent): readonly string[] {
  if (event.type === "message") return ["agent says:", event.text];
  if (event.type === "check.ended") return [checkLine(event.check).text, event.check.tail];
  const line = activityLine(event)?.text;
  if (line === undefined) return [];
  return event.type === "command.ended" ? [line, event.output] : [line];
}
