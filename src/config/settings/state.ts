import { ACTION_ONLY, type Setting } from "../setting.ts";
import { OPTIONAL_PATH, filePath, longSecret, loopId } from "./checks.ts";

/** What can bring a loop to the next machine, the one that decides first. */
const CARRIERS = ["ref", "artifact", "cache"] as const;

/** Where the loop keeps what it knows. */
export const STATE_SETTINGS = [
  {
    name: "loop-id",
    type: "string",
    default: null,
    placeholder: "id",
    check: loopId,
    help: "The loop's name, by which it is resumed; without it, the repository's name and the time, in the Action a name that stays the same for workflow, job, step, matrix and branch.",
  },
  {
    name: "state-file",
    ...OPTIONAL_PATH,
    help: "The loop's state; without it, .codex/waylon-smithers/loops/<loop-id>.json in the workspace, in the Action a file outside of it.",
  },
  {
    name: "carriers",
    type: "list",
    default: CARRIERS,
    choices: CARRIERS,
    emptyWord: "none",
    commas: true,
    placeholder: "name",
    ...ACTION_ONLY,
    help: "What brings the loop to the next run: a git ref, an artifact, the cache; the newest copy that holds is used.",
  },
  {
    name: "checkpoint-tree",
    type: "choice",
    choices: ["auto", "off", "encrypted"],
    default: "auto",
    ...ACTION_ONLY,
    help: "Brings the unfinished work to the next run; auto does so in public repositories only with state-key.",
  },
  {
    name: "state-key",
    type: "string",
    default: null,
    placeholder: "key",
    secret: true,
    check: longSecret,
    ...ACTION_ONLY,
    help: "A long random text; the files and the unfinished work that travel to the next run are encrypted with it.",
  },
  {
    name: "retention-days",
    type: "integer",
    default: 14,
    min: 1,
    max: 400,
    ...ACTION_ONLY,
    help: "How long GitHub keeps the artifact of a run; a repository or organisation may allow less.",
  },
  {
    name: "jsonl-events",
    ...OPTIONAL_PATH,
    help: "A file that gets the agent's raw events of every iteration, one JSON object a line.",
  },
  {
    name: "last-message-dir",
    ...OPTIONAL_PATH,
    help: "The folder for the agent's last message of every iteration; without it, the loop's own folder.",
  },
  {
    name: "summary-json",
    ...OPTIONAL_PATH,
    help: "The file for the summary of all iterations; without it, summary.json in the loop's folder.",
  },
  {
    name: "projections",
    type: "list",
    default: [],
    choices: ["loopr", "ralph"],
    emptyWord: "none",
    commas: true,
    placeholder: "name",
    help: "Other tools' state files that are written besides, and never read: loopr in .loopr/, ralph in the workspace.",
  },
  {
    name: "config-file",
    type: "string",
    default: ".smithers.toml",
    placeholder: "path",
    check: filePath,
    where: ["flag", "environment", "input"],
    help: "The file with your settings, in TOML, seen from the workspace.",
  },
  {
    name: "loopr-root",
    ...OPTIONAL_PATH,
    aliases: ["root"],
    where: ["flag", "environment", "file", "input"],
    help: "Loopr's folder, seen from the workspace; without it, the nearest above it that holds .loopr/; its .loopr/config is read.",
  },
  {
    name: "solo-config",
    ...OPTIONAL_PATH,
    where: ["flag", "environment", "file", "input"],
    help: "A SOLO configuration to read, seen from the workspace; .codex-solo.json is found by itself when it says autostart, or with preset solo.",
  },
] as const satisfies readonly Setting[];
