import type { Reporter } from "../core/ports.ts";
import { linesReporter, terminalReporter, wantsColor } from "../reporters/terminal.ts";
import type { Shell } from "./shell.ts";
import type { Plan } from "./start-or-resume.ts";
import { withCopies } from "./with-copies.ts";

const MINUTE_MS = 60_000;

/** The reporters of a run: a live view on a terminal, plain lines elsewhere, and the copies that were asked for. */
export function createReporter({ place, settings }: Plan, shell: Shell, startedAt: number): Reporter {
  const { timeBudgetMinutes: budget } = settings.config;
  const stream = shell.stderr;
  const progress = canRedraw(shell)
    ? terminalReporter({
        stream,
        color: wantsColor(stream, shell.env),
        now: Date.now,
        deadline: budget === null ? null : startedAt + budget * MINUTE_MS,
      })
    : linesReporter(stream);
  return withCopies(progress, { place, settings });
}

/** A terminal without a height shows nothing of what is redrawn. */
function canRedraw({ stderr, env }: Shell): boolean {
  return stderr.isTTY === true && (stderr.rows ?? 0) > 0 && env["TERM"] !== "dumb";
}
