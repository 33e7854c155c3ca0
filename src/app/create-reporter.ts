import path from "node:path";
import type { Reporter } from "../core/ports.ts";
import { allOf } from "../reporters/all-of.ts";
import { copiesReporter } from "../reporters/copies.ts";
import { linesReporter } from "../reporters/lines.ts";
import { wantsColor } from "../reporters/paint.ts";
import { terminalReporter } from "../reporters/terminal.ts";
import type { Shell } from "./shell.ts";
import type { Plan } from "./start-or-resume.ts";

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

/** A reporter, and the copies of the agent's messages that were asked for. */
export function withCopies(progress: Reporter, { place, settings }: Pick<Plan, "place" | "settings">): Reporter {
  const { jsonlEvents, lastMessageDir } = settings.config;
  const seen = (file: string | null): string | null => (file === null ? null : path.resolve(place.root, file));
  const copies = copiesReporter(
    place.folder,
    { rawEvents: seen(jsonlEvents), lastMessages: seen(lastMessageDir) },
    (why) => progress.observe({ type: "notice", text: uncopied(why, place.folder) }),
  );
  return allOf([progress, copies]);
}

/** A terminal without a height shows nothing of what is redrawn. */
function canRedraw({ stderr, env }: Shell): boolean {
  return stderr.isTTY === true && (stderr.rows ?? 0) > 0 && env["TERM"] !== "dumb";
}

function uncopied(why: Error, folder: string): string {
  return `the agent's messages could not be copied (${why.message}); they are complete in ${folder}, and the loop goes on. Correct --jsonl-events or --last-message-dir`;
}
