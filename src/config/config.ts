// Written by scripts/generate.ts from the table in settings.ts. Do not edit.

/** Every setting with its value; null: not set. Units are in the names. */
export interface Config {
  /** What the agent has to do, in your words. */
  readonly prompt: string | null;
  /** A file that holds the prompt, for tasks that need more than a line. */
  readonly promptFile: string | null;
  /** Where the work comes from: the prompt alone, or a checklist in a file, one item after the other until all are ticked. */
  readonly backlog: "prompt" | "checklist";
  /** With backlog checklist: the Markdown file whose items (- [ ]) the agent works through and ticks off. */
  readonly planFile: string;
  /** With backlog checklist: the file that tells the agent how to build and run. */
  readonly agentFile: string;
  /** A checklist to work through from top to bottom; it is also where HARD STOP lines are looked for. */
  readonly todoFile: string | null;
  /** Drives every turn after the first of a session, in place of the generated text. */
  readonly continuePrompt: string | null;
  /** A named set of defaults: waylon is careful and read-only, ralph works through @fix_plan.md, loopr ends by status block, solo lets the agent write to the workspace. */
  readonly preset: "waylon" | "ralph" | "loopr" | "solo" | null;
  /** The workspace; without it, the current folder. */
  readonly cd: string | null;
  /** What the agent says only when everything is done; with promise-mode regex, a JavaScript pattern. */
  readonly completionPromise: string;
  /** How the promise is looked for: as <promise>TEXT</promise>, as plain words, as a pattern, or not at all. */
  readonly promiseMode: "tag" | "plain" | "regex" | "off";
  /** Which promises count: every one, none inside code or quotations, or only the message's last line. */
  readonly promiseGuard: "off" | "code" | "final-line";
  /** A marker such as [SOLO_DONE] by which the agent says that everything is done, without any tag; an empty one asks for none. */
  readonly doneToken: string | null;
  /** Whose status block the agent is asked for at the end of every turn; one that is found is read all the same. */
  readonly statusBlock: "loopr" | "ralph" | "off";
  /** What EXIT_SIGNAL: true in a status block needs: with dual, several in a row that say complete, or a check that is green; with signal, nothing more. */
  readonly exitGate: "dual" | "signal";
  /** How many status blocks in a row have to say complete for the dual gate; a green check counts as one. */
  readonly maxConsecutiveDoneSignals: number;
  /** A command that proves the work when it exits 0, run without a shell; nothing else is needed then. */
  readonly successCmd: readonly string[] | null;
  /** Like success-cmd, as text for a shell; only used when success-cmd is not set. */
  readonly successSh: string | null;
  /** Shell commands that must all exit 0 before a promise is believed; repeat the flag, or write one per line. */
  readonly qualityCommands: readonly string[];
  /** Asks the checks before the first turn: finished work costs nothing, and what failed before the agent came is known. */
  readonly checkFirst: boolean;
  /** What becomes of a green check that proves little, as when no test ran, or tests were deleted, emptied or skipped: it is refused, or taken and flagged. */
  readonly weakProof: "refuse" | "flag";
  /** How long one check may run before it is ended and counts as red. */
  readonly checkTimeoutMinutes: number;
  /** Runs the checks inside the agent's sandbox, which has no network; outside is the usual place. */
  readonly checkSandbox: boolean;
  /** Who takes the turns: the Codex CLI, any command of yours, or a script of recorded turns for trying things out. */
  readonly provider: "codex" | "command" | "scripted";
  /** The version of the agent's program that is installed; exactly this one, so that every run uses the same. */
  readonly providerVersion: string;
  /** Installs the agent's program where the runner does not have it; with never, it has to be there. */
  readonly install: "auto" | "never";
  /** More arguments for the agent's program, passed on as they are. */
  readonly providerArgs: readonly string[];
  /** With provider command: the program that takes a turn; it reads the prompt on stdin and answers on stdout. */
  readonly providerCommand: readonly string[] | null;
  /** The model to use in place of the agent's own choice. */
  readonly model: string | null;
  /** A profile of the agent's own configuration. */
  readonly profile: string | null;
  /** What the agent may write: nothing, the workspace, or everything; a task that changes files needs workspace-write. */
  readonly sandbox: "read-only" | "workspace-write" | "danger-full-access";
  /** Short for sandbox workspace-write: the agent edits files and nobody is asked. */
  readonly fullAuto: boolean;
  /** The agent's approval policy, unset leaves it to the agent; nobody can answer in a loop, so the sandbox protects you. */
  readonly askForApproval: "on-request" | "never" | "on-failure" | null;
  /** Opens the network to commands inside the agent's sandbox, for example to install packages. */
  readonly network: boolean;
  /** Lets the loop run in a folder that is no git repository, where changes cannot be measured. */
  readonly skipGitRepoCheck: boolean;
  /** Variables that agent and checks may see besides the harmless ones; NPM_* stands for all that begin so. */
  readonly passEnv: readonly string[];
  /** Whether the agent goes on with its conversation or begins a fresh one every turn; auto goes on. */
  readonly session: "auto" | "resume" | "fresh";
  /** After so many turns a fresh session begins, so that the conversation does not outgrow the model. */
  readonly sessionMaxIterations: number;
  /** With provider scripted: the file of turns to play. */
  readonly script: string | null;
  /** How often a turn is tried again after a failure that goes away by itself. */
  readonly retries: number;
  /** The provider's API key; without it, the agent's own login is used. */
  readonly apiKey: string | null;
  /** The loop stops after so many iterations, over all its runs. */
  readonly maxIterations: number;
  /** The loop stops when it has used so many tokens, input and output together, over all its runs. */
  readonly maxTokens: number | null;
  /** The loop stops when it has worked so long, turns and checks together, over all its runs. */
  readonly maxTotalMinutes: number | null;
  /** How many turns may begin within an hour, over all the loop's runs; then it waits for the hour to end; 0 is no limit. */
  readonly maxCallsPerHour: number | null;
  /** How long this run may take; the loop pauses in time and can be resumed. */
  readonly timeBudgetMinutes: number | null;
  /** The job's timeout-minutes, which GitHub tells no job; without it, what the workflow's file says, else 60. */
  readonly jobTimeoutMinutes: number | null;
  /** The end of the time that is kept free to save and report. */
  readonly reserveMinutes: number;
  /** How long one turn may take before it is ended; the loop goes on with the next. */
  readonly iterationTimeoutMinutes: number;
  /** How long the agent may stay silent before its turn is ended. */
  readonly idleTimeoutMinutes: number;
  /** A pause between iterations; it counts against the time budget. */
  readonly intervalSeconds: number;
  /** The most minutes to wait for a limit inside a run, the provider's or that of the calls per hour; for longer, the loop ends as waiting. */
  readonly maxWait: number;
  /** How often in a row a loop that ended with an error goes on when it is started again. */
  readonly maxErrorResumes: number;
  /** Iterations in a row that leave nothing new, before the circuit opens; 0 never opens it. */
  readonly maxNoProgress: number;
  /** Iterations in a row that fail in the same way, before the circuit opens; 0 never opens it. */
  readonly maxSameError: number;
  /** Iterations in a row that change nothing but tests, before the circuit opens; 0 never opens it. */
  readonly maxConsecutiveTestLoops: number;
  /** Turns in a row without the status block that is asked for, before the circuit opens; 0 never opens it. */
  readonly maxMissingStatus: number;
  /** The circuit opens at so many times the thresholds; below that the agent is told to try another way. */
  readonly breakerOpenMultiplier: number;
  /** The words that make a line of the todo file a checkpoint for a person. */
  readonly hardStopToken: string;
  /** At a checkpoint: pause and ask for confirmation, or exit and say so only in state and summary. */
  readonly hardStopMode: "pause" | "exit";
  /** A checkpoint counts when every item above it is ticked, or as soon as it stands in the file. */
  readonly hardStopWhen: "reached" | "present";
  /** The loop's name, by which it is resumed; without it, the repository's name and the time, in the Action a name that stays the same for workflow, job, step, matrix and branch. */
  readonly loopId: string | null;
  /** The loop's state; without it, .codex/waylon-smithers/loops/<loop-id>.json in the workspace, in the Action a file outside of it. */
  readonly stateFile: string | null;
  /** What brings the loop to the next run: a git ref, an artifact, the cache; the newest copy that holds is used. */
  readonly carriers: readonly ("ref" | "artifact" | "cache")[];
  /** Brings the unfinished work to the next run; auto does so in public repositories only with state-key. */
  readonly checkpointTree: "auto" | "off" | "encrypted";
  /** A long random text; the files and the unfinished work that travel to the next run are encrypted with it. */
  readonly stateKey: string | null;
  /** How long GitHub keeps the artifact of a run; a repository or organisation may allow less. */
  readonly retentionDays: number;
  /** A file that gets the agent's raw events of every iteration, one JSON object a line. */
  readonly jsonlEvents: string | null;
  /** The folder for the agent's last message of every iteration; without it, the loop's own folder. */
  readonly lastMessageDir: string | null;
  /** The file for the summary of all iterations; without it, summary.json in the loop's folder. */
  readonly summaryJson: string | null;
  /** Other tools' state files that are written besides, and never read: loopr in .loopr/, ralph in the workspace. */
  readonly projections: readonly ("loopr" | "ralph")[];
  /** The file with your settings, in TOML, seen from the workspace. */
  readonly configFile: string;
  /** Loopr's folder, seen from the workspace; without it, the nearest above it that holds .loopr/; its .loopr/config is read. */
  readonly looprRoot: string | null;
  /** A SOLO configuration to read, seen from the workspace; .codex-solo.json is found by itself when it says autostart, or with preset solo. */
  readonly soloConfig: string | null;
  /** The token for the loop's git ref and for GitHub's API; the agent never sees it. */
  readonly githubToken: string | null;
  /** The endings that fail the job, as names of states or stop reasons. */
  readonly failOn: readonly (
    | "completed"
    | "paused_hard_stop"
    | "paused_user_interrupt"
    | "canceled"
    | "paused_time_budget"
    | "stopped_max_iterations"
    | "stopped_budget"
    | "blocked"
    | "circuit_open"
    | "waiting"
    | "error"
    | "promise"
    | "done_token"
    | "dual_gate"
    | "exit_signal"
    | "plan_complete"
    | "success_command"
    | "already_green"
    | "hard_stop"
    | "paused"
    | "stopped"
    | "time_budget"
    | "max_iterations"
    | "tokens"
    | "total_time"
    | "agent_blocked"
    | "permission_denied"
    | "question"
    | "weak_proof"
    | "no_progress"
    | "same_error"
    | "test_loops"
    | "missing_status"
    | "rate_limit"
    | "usage_limit"
    | "calls_per_hour"
    | "auth"
    | "config"
    | "sandbox_broken"
    | "provider"
    | "gate_unrunnable"
    | "commit_refused"
    | "superseded"
  )[];
  /** When the engine commits the work on the current branch: never, at the end, or after every iteration. */
  readonly commit: "never" | "end" | "iteration";
  /** Makes the commits by GitHub's API, which signs those of a job's or an App's token: they are shown as verified. */
  readonly signCommits: boolean;
  /** Pushes the committed work and opens a pull request: ready when the work is proved, else a draft; draft never marks it ready. */
  readonly pullRequest: "auto" | "draft" | "never";
  /** The branch that the work goes to; <loop-id> stands for the loop's name. A loop on a pull request uses that one's. */
  readonly branch: string;
  /** The branch that the pull request is for; without it, the one that the workflow runs on. */
  readonly base: string | null;
  /** A workflow that proves the work, such as ci.yml: run on the loop's branch when the other checks are green; its verdict counts. */
  readonly ciWorkflow: string | null;
  /** Keeps one comment on the pull request that tells how the loop is doing. */
  readonly statusComment: boolean;
  /** What this step is: loop runs the agent, relay hands what people ask for on to the workflow that does, and clears up behind closed pull requests; without it, relay for comments, labels, closed pull requests and failed runs. */
  readonly job: "loop" | "relay" | null;
  /** The workflow that a relay starts, such as smithers.yml; without it, its own. */
  readonly relayTo: string | null;
  /** Bots whose comments and labels count like a person's who may write; nobody else's do. */
  readonly allowedBots: readonly string[];
  /** With auto, a loop that ran out of its job's time starts its next run by itself: 20 times in a row at most, until it has worked for max-total-minutes, or 24 hours where that is off. */
  readonly selfContinue: "never" | "auto";
  /** When the token is seen to lack what publishing takes: fail ends the run before anything is spent, warn only tells. */
  readonly preflight: "fail" | "warn";
}
