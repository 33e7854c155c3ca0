import type { Writable } from "node:stream";
import type { Reporter } from "../core/ports.ts";
import { activityLine } from "../views/activity.ts";
import { eventLines } from "../views/event-lines.ts";
import { output } from "../os/output.ts";

/**
 * Plain lines for a pipe or a log file. Every line begins with the iteration, `[3/30] `, and then says in its first word
 * what it is about: `loop`, `iteration`, `agent`, `check` and so on. These beginnings are stable.
 */
export function linesReporter(stream: Writable): Reporter {
  const out = output(stream);
  let prefix = "[0/0]";
  return {
    report(event, state) {
      prefix = `[${state.iteration}/${state.max_iterations}]`;
      for (const { text } of eventLines(event, state)) out.line(`${prefix} ${text}`, false);
    },
    observe(event) {
      const line = activityLine(event);
      if (line !== undefined) out.line(`${prefix} ${line.text}`, true);
    },
    flush: (deadline) => out.drained(deadline),
  };
}
