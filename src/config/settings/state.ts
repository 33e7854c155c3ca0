import type { Setting } from "../setting.ts";
import { filePath, loopId } from "./checks.ts";

/** Where the loop keeps what it knows. */
export const STATE_SETTINGS = [
  {
    name: "loop-id",
    group: "state",
    type: "string",
    default: null,
    placeholder: "id",
    check: loopId,
    help: "The loop's name, by which it is resumed; without it, the repository's name and the time.",
  },
  {
    name: "state-file",
    group: "state",
    type: "string",
    default: null,
    placeholder: "path",
    check: filePath,
    help: "The loop's state; without it, .codex/waylon-smithers/loops/<loop-id>.json in the workspace.",
  },
  {
    name: "jsonl-events",
    group: "state",
    type: "string",
    default: null,
    placeholder: "path",
    check: filePath,
    help: "A file that gets the agent's raw events of every iteration, one JSON object a line.",
  },
  {
    name: "last-message-dir",
    group: "state",
    type: "string",
    default: null,
    placeholder: "path",
    check: filePath,
    help: "The folder for the agent's last message of every iteration; without it, the loop's own folder.",
  },
  {
    name: "summary-json",
    group: "state",
    type: "string",
    default: null,
    placeholder: "path",
    check: filePath,
    help: "The file for the summary of all iterations; without it, summary.json in the loop's folder.",
  },
  {
    name: "config-file",
    group: "state",
    type: "string",
    default: ".smithers.toml",
    placeholder: "path",
    check: filePath,
    where: ["flag", "environment", "action"],
    help: "The file with your settings, in TOML, seen from the workspace.",
  },
] as const satisfies readonly Setting[];
