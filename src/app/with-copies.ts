import path from "node:path";
import type { Reporter } from "../core/ports.ts";
import { allOf } from "../reporters/all-of.ts";
import { copiesReporter } from "../reporters/copies.ts";
import type { Plan } from "./start-or-resume.ts";

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

function uncopied(why: Error, folder: string): string {
  return `the agent's messages could not be copied (${why.message}); they are complete in ${folder}, and the loop goes on. Correct --jsonl-events or --last-message-dir`;
}
