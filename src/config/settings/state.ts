import { ACTION_ONLY, type SettingRows } from "../setting.ts";
import { PATH, SOME_OF, longSecret, loopId } from "./checks.ts";
import { FREE, READS, WRITES } from "./consent.ts";

/** What can bring a loop to the next machine, the one that decides first. */
const CARRIERS = ["ref", "artifact", "cache"] as const;

/** Where the loop keeps what it knows. */
export const STATE_SETTINGS = {
  "loop-id": {
    is: { type: "string", default: null, placeholder: "id", check: loopId, once: true },
    help: "The loop's name, by which it is resumed; without it, the repository's name and the time, in the Action a name that stays the same for workflow, job, step, matrix and branch.",
    consent: FREE,
  },
  "state-file": {
    is: PATH,
    help: "The loop's state; without it, .codex/waylon-smithers/loops/<loop-id>.json in the workspace, in the Action a file outside of it.",
    consent: WRITES,
  },
  carriers: {
    is: { ...SOME_OF, default: CARRIERS, choices: CARRIERS, ...ACTION_ONLY },
    help: "What brings the loop to the next run: a git ref, an artifact, the cache; the newest copy that holds is used.",
    consent: FREE,
  },
  "begin-without-answer": {
    is: { type: "boolean", default: false, ...ACTION_ONLY },
    help: "Starts the loop from the beginning when none of the carriers can be asked whether it has begun; without it, such a run ends as carriers_unreachable.",
    consent: FREE,
  },
  "checkpoint-tree": {
    is: { type: "choice", choices: ["auto", "off", "encrypted"], default: "auto", ...ACTION_ONLY },
    help: "Brings the unfinished work to the next run; auto does so in public repositories only with state-key.",
    consent: FREE,
  },
  "state-key": {
    is: { type: "string", default: null, placeholder: "key", secret: true, check: longSecret, ...ACTION_ONLY },
    help: "A long random text; the files and the unfinished work that travel to the next run are encrypted with it.",
    consent: FREE,
  },
  "retention-days": {
    is: { type: "integer", default: 14, min: 1, max: 400, ...ACTION_ONLY },
    help: "How long GitHub keeps the artifact of a run; a repository or organisation may allow less.",
    consent: FREE,
  },
  "jsonl-events": {
    is: PATH,
    help: "A file that gets the agent's raw events of every iteration, one JSON object a line.",
    consent: WRITES,
  },
  "last-message-dir": {
    is: PATH,
    help: "The folder for the agent's last message of every iteration; without it, the loop's own folder.",
    consent: WRITES,
  },
  "summary-json": {
    is: PATH,
    help: "The file for the summary of all iterations; without it, summary.json in the loop's folder.",
    consent: WRITES,
  },
  projections: {
    is: { ...SOME_OF, default: [], choices: ["loopr", "ralph"] },
    help: "Other tools' state files that are also written, and never read: loopr in .loopr/, ralph in the workspace.",
    consent: WRITES,
  },
  "config-file": {
    is: { ...PATH, default: ".smithers.toml", where: ["flag", "environment", "input"] },
    help: "The file with your settings, in TOML, seen from the workspace.",
    consent: FREE,
  },
  "loopr-root": {
    is: { ...PATH, aliases: ["root"], where: ["flag", "environment", "file", "input"] },
    help: "Loopr's folder, seen from the workspace; without it, the nearest above it that holds .loopr/; its .loopr/config is read.",
    consent: READS,
  },
  "solo-config": {
    is: { ...PATH, where: ["flag", "environment", "file", "input"], theirVariable: "CODEX_SOLO_CONFIG" },
    help: "A SOLO configuration to read, seen from the workspace; .codex-solo.json is found by itself when it says autostart, or with preset solo.",
    consent: READS,
  },
} as const satisfies SettingRows;
