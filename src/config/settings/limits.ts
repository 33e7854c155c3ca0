import { ACTION_ONLY, NOT_FROM_FILES, type SettingRows } from "../setting.ts";
import { LONGEST_MINUTES, oneLine } from "./checks.ts";
import { FREE } from "./consent.ts";

const YEAR_MINUTES = 366 * 24 * 60;
const IN_A_ROW = { type: "integer", min: 0, max: 1000 } as const;

/** When the loop has to end, whatever the work looks like. */
export const LIMIT_SETTINGS = {
  "max-iterations": {
    is: { type: "integer", default: 30, min: 1, max: 100_000 },
    help: "How many iterations the loop may take, over all its runs.",
    consent: FREE,
  },
  "max-tokens": {
    is: { type: "integer", default: null, unsetWord: "off", min: 1, max: Number.MAX_SAFE_INTEGER },
    help: "How many tokens the loop may use, input and output together, over all its runs.",
    consent: FREE,
  },
  "max-tokens-per-day": {
    is: { type: "integer", default: null, unsetWord: "off", min: 1, max: Number.MAX_SAFE_INTEGER },
    help: "How many tokens all loops of this repository may use within a day (UTC); then the loop waits for tomorrow.",
    consent: FREE,
  },
  "max-total-minutes": {
    is: { type: "number", default: null, unsetWord: "off", min: 0.01, max: YEAR_MINUTES },
    help: "How long the loop may work, turns and checks together, over all its runs.",
    consent: FREE,
  },
  "max-calls-per-hour": {
    is: { type: "integer", default: 100, unsetWord: "off", min: 0, max: 100_000, aliases: ["calls"] },
    help: "How many turns may begin within an hour, over all the loop's runs; then it waits for the hour to end; 0 is no limit.",
    consent: FREE,
  },
  "time-budget-minutes": {
    is: { type: "number", default: null, unsetWord: "off", min: 0, max: LONGEST_MINUTES },
    help: "How long this run may take; the loop pauses in time and can be resumed.",
    consent: FREE,
  },
  "job-timeout-minutes": {
    is: { type: "number", default: null, min: 1, max: LONGEST_MINUTES, ...ACTION_ONLY },
    help: "The job's timeout-minutes, which GitHub tells no job; without it, what the workflow's file says, else 60.",
    consent: FREE,
  },
  "reserve-minutes": {
    is: {
      type: "number",
      default: null,
      derived: "5, or 10 % of time budget or job time-out, whichever ends first, if that is more",
      min: 0,
      max: LONGEST_MINUTES,
    },
    help: "The end of the time that is kept free to save and report.",
    consent: FREE,
  },
  "iteration-timeout-minutes": {
    is: { type: "number", default: 15, min: 0.01, max: LONGEST_MINUTES, aliases: ["codex-timeout-minutes"] },
    help: "How long one turn may take before it is ended; the loop goes on with the next.",
    consent: FREE,
  },
  "idle-timeout-minutes": {
    is: { type: "number", default: 5, min: 0.01, max: LONGEST_MINUTES },
    help: "How long the agent may stay silent before its turn is ended.",
    consent: FREE,
  },
  "interval-seconds": {
    is: { type: "number", default: 0, min: 0, max: LONGEST_MINUTES * 60, theirVariable: "CODEX_SOLO_INTERVAL_SECONDS" },
    help: "A pause between iterations; it counts against the time budget.",
    consent: FREE,
  },
  "max-wait": {
    is: { type: "number", default: 10, min: 0, max: LONGEST_MINUTES },
    help: "The most minutes to wait for a limit inside a run, the provider's or that of the calls per hour; for longer, the loop ends as waiting.",
    consent: FREE,
  },
  "max-changed-files": {
    is: { type: "integer", default: 100, unsetWord: "off", min: 0, max: 1_000_000, ...NOT_FROM_FILES },
    help: "How many files the work may change before nothing of it is committed or pushed any more; 0 is no limit. No file of the repository can set it.",
    consent: FREE,
  },
  "max-changed-bytes": {
    is: { type: "integer", default: 4_000_000, unsetWord: "off", min: 0, max: 1_000_000_000_000, ...NOT_FROM_FILES },
    help: "How many bytes the changed files may hold before nothing of the work is committed or pushed any more; 0 is no limit. No file of the repository can set it.",
    consent: FREE,
  },
  "min-free-disk": {
    is: { type: "integer", default: 32, unsetWord: "off", min: 0, max: 1_000_000 },
    help: "The MiB that have to be free on the disk of the loop's folder before a turn begins; 0 begins it anyway.",
    consent: FREE,
  },
  "max-error-resumes": {
    is: { type: "integer", default: 3, min: 0, max: 100 },
    help: "How often in a row a loop that ended with an error goes on when it is started again.",
    consent: FREE,
  },
} as const satisfies SettingRows;

/** When a loop that goes nowhere is stopped; 0 turns a threshold off. */
export const CIRCUIT_SETTINGS = {
  "max-no-progress": {
    is: { ...IN_A_ROW, default: 3 },
    help: "Iterations in a row that leave nothing new, before the circuit opens; 0 never opens it.",
    consent: FREE,
  },
  "max-same-error": {
    is: { ...IN_A_ROW, default: 5 },
    help: "Iterations in a row that fail in the same way, before the circuit opens; 0 never opens it.",
    consent: FREE,
  },
  "max-consecutive-test-loops": {
    is: { ...IN_A_ROW, default: 3 },
    help: "Iterations in a row that change nothing but tests, before the circuit opens; 0 never opens it.",
    consent: FREE,
  },
  "max-missing-status": {
    is: { ...IN_A_ROW, default: 2 },
    help: "Turns in a row without the status block that is asked for, before the circuit opens; 0 never opens it.",
    consent: FREE,
  },
  "breaker-open-multiplier": {
    is: { type: "integer", default: 1, min: 1, max: 10 },
    help: "By how much the thresholds are multiplied before the circuit opens; below that the agent is told to try another way.",
    consent: FREE,
  },
} as const satisfies SettingRows;

/** Where the loop stops for a person. */
export const CHECKPOINT_SETTINGS = {
  "hard-stop-token": {
    is: { type: "string", default: "HARD STOP", placeholder: "text", empty: "error", check: oneLine },
    help: "The words that make a line of the todo file a checkpoint for a person.",
    consent: FREE,
  },
  "hard-stop-mode": {
    is: { type: "choice", choices: ["pause", "exit"], default: "pause" },
    help: "At a checkpoint: pause and ask for confirmation, or exit and say so only in state and summary.",
    consent: FREE,
  },
  "hard-stop-when": {
    is: { type: "choice", choices: ["reached", "present"], default: "reached" },
    help: "A checkpoint counts when every item above it is ticked, or as soon as it stands in the file.",
    consent: FREE,
  },
} as const satisfies SettingRows;
