import { ACTION_ONLY, type SettingRows } from "../setting.ts";
import { reviewerAgent } from "./agent.ts";
import { accessWords, flakeWord, LONGEST_MINUTES, oneLine, program } from "./checks.ts";
import { FREE, RUNS, runsUnless, widensUnless } from "./consent.ts";
import { GATE_ITEMS } from "./quality-gates.ts";

/** How the loop learns that the work is done. */
export const DONE_SETTINGS = {
  "completion-promise": {
    is: { type: "string", default: "TASK_COMPLETE", placeholder: "text", empty: "error", check: oneLine },
    help: "What the agent says only when everything is done; with promise-mode regex, a JavaScript pattern.",
    consent: FREE,
  },
  "promise-mode": {
    is: { type: "choice", choices: ["tag", "plain", "regex", "off"], default: "tag" },
    help: "How the promise is looked for: as <promise>TEXT</promise>, as plain words, as a pattern, or not at all.",
    consent: FREE,
  },
  "promise-guard": {
    is: {
      type: "choice",
      choices: ["off", "code", "final-line"],
      default: null,
      derived: "code with a check, else final-line",
    },
    help: "Which promises count: every one, none inside code or quotations, or only the message's last line.",
    consent: FREE,
  },
  "done-token": {
    is: { type: "string", default: null, placeholder: "text", empty: "value", unsetWord: "none", check: oneLine },
    help: "A marker such as [SOLO_DONE] by which the agent says that everything is done, without any tag; an empty one asks for none.",
    consent: FREE,
  },
  "status-block": {
    is: { type: "choice", choices: ["loopr", "ralph", "off"], default: "off" },
    help: "Whose status block the agent is asked for at the end of every turn; one that is found is read all the same.",
    consent: FREE,
  },
  "exit-gate": {
    is: { type: "choice", choices: ["dual", "signal"], default: "dual" },
    help: "What EXIT_SIGNAL: true in a status block needs: with dual, several in a row that say complete, or a check that is green; with signal, nothing more.",
    consent: FREE,
  },
  "max-consecutive-done-signals": {
    is: { type: "integer", default: 2, min: 1, max: 100 },
    help: "How many status blocks in a row have to say complete for the dual gate; a green check counts as one.",
    consent: FREE,
  },
  "success-cmd": {
    is: { type: "argv", default: null, check: program, empty: "flag-error" },
    help: "A command that proves the work when it exits 0, run without a shell; nothing else is needed then.",
    consent: RUNS,
  },
  "success-sh": {
    is: { type: "string", default: null, placeholder: "script", empty: "flag-error" },
    help: "Like success-cmd, as text for bash -lc (on Windows cmd /C); only used when success-cmd is not set.",
    consent: RUNS,
  },
  "quality-commands": {
    is: { type: "list", default: [], commas: false, placeholder: "command", objects: GATE_ITEMS, empty: "flag-error" },
    help: "Shell commands that must all exit 0 before a promise is believed; repeat the flag, or write one per line. One may be an object with run, name, timeout-minutes, and flaky: true to try a red result once more.",
    consent: RUNS,
  },
  "check-first": {
    is: { type: "boolean", default: true },
    help: "Asks the checks before the first turn: finished work costs nothing, and what failed before the agent came is known.",
    consent: FREE,
  },
  "flake-check": {
    is: { type: "string", default: "off", placeholder: "off, once or a number", check: flakeWord },
    help: "How often the commands are asked again, all of them, to see whether they are flaky: before the first turn when they are red, and when they prove the work. Red and green on the same files is told, and is never a proof.",
    consent: FREE,
  },
  "fix-flakes": {
    is: { type: "boolean", default: false },
    help: "Has the agent look for the cause of a check that flake-check has found to be flaky; else the loop ends there.",
    consent: FREE,
  },
  "check-when": {
    is: { type: "choice", choices: ["auto", "claim", "change"], default: "auto" },
    help: "When quality-commands are also asked, not only before a claim is believed: after a turn that changed something and claimed nothing, always (change), never (claim), or if they take at most a quarter of the turns' time, and at the latest after three such turns (auto). Green ends nothing then, and the agent is told either way.",
    consent: FREE,
  },
  "weak-proof": {
    is: { type: "choice", choices: ["refuse", "flag", "strict"], default: "refuse" },
    help: "What becomes of a green check that proves little, as when no test ran, or tests were deleted, emptied or skipped: it is refused, or taken and flagged. Changed check scripts are flagged; strict refuses them too.",
    consent: FREE,
  },
  reviewer: {
    is: { type: "choice", choices: ["off", "thin", "always"], default: "off" },
    help: "Whether a second, read-only session of the agent looks at the work before it counts as done, and may veto it: always, or only where the proof is thin, which is when a check was green before the first turn, what judges the work was changed, or nobody knows how many tests ran.",
    consent: FREE,
  },
  "reviewer-agent": {
    is: { type: "string", default: "same", placeholder: "agent/model", empty: "error", check: reviewerAgent },
    help: "Who reviews: same is the agent of the turns with its model; codex/MODEL, or an agent alone with its own choice of model.",
    consent: runsUnless("same"),
  },
  "reviewer-vetoes": {
    is: { type: "integer", default: 2, min: 1, max: 100 },
    help: "How many vetoes of the reviewer end the loop, so that a person looks; the agent hears of those before.",
    consent: FREE,
  },
  "check-timeout-minutes": {
    is: { type: "number", default: 15, min: 0.01, max: LONGEST_MINUTES },
    help: "How long one check may run before it is ended and counts as red.",
    consent: FREE,
  },
  "check-sandbox": {
    is: { type: "choice", choices: ["auto", "strict", "on", "off"], default: "auto" },
    help: "Where checks run: auto keeps your files from their changes, and logins, sockets and processes out of their sight, with the network; strict (or on) is the agent's own sandbox, without it, which hides no files; off runs them as you.",
    consent: widensUnless("auto", "strict", "on"),
  },
  "check-env": {
    is: { type: "choice", choices: ["job", "minimal"], default: "minimal", actionDefault: "job" },
    help: "Which variables checks see: job, those of the job or of your shell, without what looks like a secret; minimal, what every program needs. pass-env adds more.",
    consent: widensUnless("minimal"),
  },
  "check-access": {
    is: { type: "list", default: [], commas: true, placeholder: "access", check: accessWords },
    help: "What isolated checks may also reach: PATH to read, PATH:rw to change, or docker, which makes them root on this machine.",
    consent: widensUnless(),
  },
  "require-isolation": {
    is: { type: "boolean", default: false },
    help: "Refuses to start where checks or the agent's turns could not be isolated, in place of a notice.",
    consent: widensUnless(true),
  },
  "drop-sudo": {
    is: { type: "boolean", default: false, ...ACTION_ONLY },
    help: "Takes sudo and Docker from the user of GitHub's own machines before the first turn, for the rest of the job.",
    consent: FREE,
  },
} as const satisfies SettingRows;
