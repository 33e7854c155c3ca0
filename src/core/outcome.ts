import { z } from "zod";
import { denial, providerFailure } from "./agent.ts";
import { protectedPaths, tooLarge } from "./boundary.ts";
import { hardStopHit } from "./hard-stop.ts";
import { causeKind } from "./repair/repair.ts";
import { count, date, type Stored } from "./schema.ts";
import { headMoved } from "./story/head.ts";
import { objection } from "./review/review.ts";
import { flake, problem, weakness } from "./verdict.ts";

/** Why a loop does not go on, with what each kind of ending carries. An ending is a value, never an exception. */
export const stopReason = z.discriminatedUnion("kind", [
  z.looseObject({
    kind: z.enum(["promise", "done_token", "dual_gate", "exit_signal", "plan_complete"]),
    verified: z.boolean(),
  }),
  z.looseObject({ kind: z.enum(["success_command", "already_green"]), command: z.string() }),
  /** of the document's stories; a run that was asked for some of them leaves the others */
  z.looseObject({ kind: z.literal("stories_passed"), passed: count, total: count }),
  z.looseObject({
    kind: z.literal("story_review"),
    story: z.string(),
    title: z.string(),
    commit: z.string().nullable(),
  }),
  z.looseObject({ kind: z.literal("story_blocked"), story: z.string(), why: z.string() }),
  /** the first ones, and what keeps each; those that only wait for these are not among them */
  z.looseObject({
    kind: z.literal("stories_blocked"),
    stories: z.array(z.looseObject({ id: z.string(), why: z.string() })),
    blocked: count,
    waiting: count,
  }),
  z.looseObject({ kind: z.literal("hard_stop"), mode: z.enum(["pause", "exit"]), hits: z.array(hardStopHit) }),
  z.looseObject({ kind: z.enum(["paused", "stopped", "canceled", "superseded"]), by: z.string() }),
  z.looseObject({ kind: z.literal("time_budget") }),
  z.looseObject({ kind: z.literal("max_iterations"), max: count }),
  z.looseObject({ kind: z.literal("tokens"), spent: count, max: count }),
  /** both in milliseconds */
  z.looseObject({ kind: z.literal("total_time"), spent: z.number().nonnegative(), max: z.number() }),
  /** in the agent's own words */
  z.looseObject({ kind: z.literal("agent_blocked"), why: z.string() }),
  z.looseObject({ kind: z.literal("permission_denied"), denied: z.array(denial) }),
  z.looseObject({ kind: z.literal("question"), question: z.string() }),
  /** in the agent's own words */
  z.looseObject({ kind: z.literal("unfinished"), said: z.string() }),
  /** a person has taken the proof, weak as it is; `at` is a date */
  z.looseObject({ kind: z.literal("proof_accepted"), by: z.string(), at: date, weaknesses: z.array(weakness) }),
  z.looseObject({ kind: z.literal("weak_proof"), weaknesses: z.array(weakness) }),
  z.looseObject({ kind: z.literal("reviewer_vetoes"), vetoes: count, objections: z.array(objection) }),
  protectedPaths,
  tooLarge,
  headMoved,
  /** a check that was red and green on one tree, or red for other tests each time (C103, C166) */
  flake.extend({ kind: z.literal("flaky") }),
  /** a failed run that does not show here before a turn, or is green with nothing changed (C102); `job`: others' words */
  z.looseObject({
    kind: z.literal("not_reproduced"),
    why: z.enum(["green_here", "unchanged"]),
    run: z.string(),
    job: z.string(),
    cause: causeKind,
  }),
  z.looseObject({ kind: z.enum(["no_progress", "same_error", "test_loops", "missing_status"]), count }),
  z.looseObject({ kind: z.enum(["rate_limit", "usage_limit"]), until: date, message: z.string() }),
  z.looseObject({ kind: z.enum(["calls_per_hour", "tokens_per_day"]), until: date, max: count }),
  z.looseObject({ kind: z.enum(["auth", "config", "sandbox_broken", "provider"]), failure: providerFailure }),
  z.looseObject({ kind: z.enum(["gate_unrunnable", "commit_refused"]), problem }),
  /** before there was a loop: whether there is one could not be known */
  z.looseObject({
    kind: z.literal("carriers_unreachable"),
    unanswered: z.array(z.looseObject({ carrier: z.string(), why: z.string() })),
  }),
]);
export type StopReason = Stored<typeof stopReason>;
export type StopKind = StopReason["kind"];

/** What a state name means to everybody outside. */
interface Meaning {
  readonly exitCode: number;
  /** whether a job that ended so is green, unless `fail-on` says otherwise */
  readonly job: "pass" | "fail" | "cancelled";
  /** who may let the loop go on (C25) */
  readonly resumableBy: "nobody" | "person" | "anybody" | "higher_cap";
  /** pending where a person is waited for: a branch rule keeps that from being merged as well as what has failed */
  readonly commitStatus: "success" | "failure" | "pending";
  /** what a person sees first on GitHub */
  readonly sign: string;
  /** in Loopr's `status.json`, where reaching the cap does not count as success (C16) */
  readonly loopr: "complete" | "waiting" | "blocked" | "circuit_open" | "error";
}

function means(
  sign: string,
  exitCode: number,
  job: Meaning["job"],
  resumableBy: Meaning["resumableBy"],
  commitStatus: Meaning["commitStatus"],
  loopr: Meaning["loopr"],
): Meaning {
  return { sign, exitCode, job, resumableBy, commitStatus, loopr };
}

/** The state names that people see when a loop has ended; the seeds' own. */
export const STATUSES = {
  /** the work is done, and the same task begins again */
  completed: means("✅", 0, "pass", "nobody", "success", "complete"),
  waiting: means("⏳", 75, "pass", "anybody", "pending", "waiting"),
  paused_hard_stop: means("✋", 3, "pass", "person", "pending", "blocked"),
  paused_user_interrupt: means("⏸️", 130, "cancelled", "person", "pending", "waiting"),
  paused_time_budget: means("⏳", 3, "pass", "anybody", "pending", "waiting"),
  stopped_max_iterations: means("🛑", 2, "fail", "higher_cap", "failure", "blocked"),
  stopped_budget: means("🛑", 2, "fail", "higher_cap", "failure", "blocked"),
  blocked: means("🚧", 4, "fail", "person", "pending", "blocked"),
  circuit_open: means("🔌", 5, "fail", "person", "failure", "circuit_open"),
  canceled: means("🚫", 130, "pass", "nobody", "failure", "error"),
  error: means("❌", 1, "fail", "anybody", "failure", "error"),
};

type Ended = keyof typeof STATUSES;
const isEnded = (name: string): name is Ended => name in STATUSES;
export const ENDED: readonly Ended[] = Object.keys(STATUSES).filter(isEnded);
export type Status = "running" | Ended;

export interface Outcome extends Meaning {
  readonly status: Ended;
  /** one sentence for a person: what happened */
  readonly sentence: string;
  /** one sentence for a person: what to do next; `<resume>` stands for the command that resumes */
  readonly next: string;
}

type Texts = readonly [sentence: string, next: string];

function endings<Kind extends StopKind>(status: Ended, rows: Readonly<Record<Kind, Texts>>): Record<Kind, Outcome>;
function endings(status: Ended, rows: Readonly<Record<string, Texts>>): Record<string, Outcome> {
  const outcomeOf = ([sentence, next]: Texts): Outcome => ({ status, ...STATUSES[status], sentence, next });
  return Object.fromEntries(Object.entries(rows).map(([kind, texts]) => [kind, outcomeOf(texts)]));
}

const REVIEW = "Review the changes.";

/** What each ending means. A new kind of `StopReason` does not compile until it has its row here. */
export const OUTCOMES = {
  ...endings("completed", {
    promise: ["The agent kept its promise: the work is done.", REVIEW],
    done_token: ["The agent printed the done token: the work is done.", REVIEW],
    dual_gate: ["The agent signals the end, and a second condition agrees: the work is done.", REVIEW],
    exit_signal: ["The agent's status block signals the end: the work is done.", REVIEW],
    plan_complete: ["Every item of the plan is ticked: the work is done.", REVIEW],
    success_command: ["The success command is green: the work is done.", REVIEW],
    proof_accepted: ["A person has accepted the work with a weak proof: it is taken as done.", REVIEW],
    stories_passed: ["The stories that this run was asked for have passed.", "Review the commits."],
    already_green: [
      "The success command was green before this run spent a turn.",
      "Nothing to do. If that is a surprise, check that the command tests what you want, or use --no-check-first.",
    ],
  }),
  ...endings("paused_hard_stop", {
    hard_stop: [
      "A HARD STOP in the todo file is reached: a person has to look at the work.",
      "Review the changes, then confirm and go on with: <resume>",
    ],
    story_review: [
      "A story has passed whose work a person wants to see before the next one begins.",
      "Review its commit, then go on with: <resume>",
    ],
  }),
  ...endings("paused_user_interrupt", {
    paused: ["The loop was paused after its iteration.", "Go on with: <resume>"],
    stopped: ["The loop was stopped; nothing is lost.", "Go on with: <resume>"],
  }),
  ...endings("canceled", {
    canceled: [
      "The loop was cancelled for good; the work tree is as the agent left it.",
      "Review or discard the changes; the same task starts as a new generation.",
    ],
  }),
  ...endings("paused_time_budget", {
    time_budget: ["The time budget is used up.", "Go on with: <resume>"],
  }),
  ...endings("stopped_max_iterations", {
    max_iterations: [
      "The iteration cap is reached and the work is not proved.",
      "See what is missing, sharpen the prompt or add a test, raise --max-iterations, then go on with: <resume>",
    ],
  }),
  ...endings("stopped_budget", {
    tokens: ["The token cap is reached and the work is not proved.", "Raise --max-tokens and go on with: <resume>"],
    total_time: [
      "The working time that the loop may use in all is used up and the work is not proved.",
      "Raise --max-total-minutes and go on with: <resume>",
    ],
  }),
  ...endings("blocked", {
    agent_blocked: [
      "The agent is blocked: it has said so for the same reason twice in a row.",
      "Give it what it needs, or say how to do without, then go on with: <resume>",
    ],
    permission_denied: [
      "The agent was not allowed to do what it tried, and got no further without it.",
      "Allow it if it may do that, or say how to do without, then go on with: <resume>",
    ],
    question: [
      "The agent asks instead of working: twice in a row it has changed nothing and ended in a question.",
      "Answer it, then go on with: <resume>",
    ],
    unfinished: [
      "The agent claims to be done and admits that something is a stub or does not work, and did so again after it was told.",
      "Look at it. Take the work as it is, or tell the agent what to finish and go on with: <resume>",
    ],
    weak_proof: [
      "The checks are green, but they prove little, and the agent has been told so: a person has to look.",
      "Look at what the proof lacks. Restore what judges the work, or take the proof as it is with --accept-proof (on GitHub: /smithers accept), then go on with: <resume>",
    ],
    reviewer_vetoes: [
      "The reviewer has vetoed the work as often as it may: a person has to look.",
      "Look at what it holds against the work. Tell the agent what to do, or take the work as it is with --accept-proof (on GitHub: /smithers accept), then go on with: <resume>",
    ],
    story_blocked: [
      "A story is blocked, and the run stops there. What it left unfinished is in the work tree.",
      "Look at it, then let it be tried again (prd retry) or take it as it is (prd accept), and go on with: <resume>",
    ],
    stories_blocked: [
      "No story is left that could be worked on: each is blocked, or depends on one that is.",
      "Answer what they ask and let them be tried again (prd retry), or take them as they are (prd accept), then go on with: <resume>",
    ],
    protected_paths: [
      "The work changes files that the agent may not change, and stayed so after it was told. Nothing of that was committed or pushed; it is in the work tree, and in refused.patch in the loop's folder.",
      "Undo these changes. Or take them: commit them yourself, or open a path with --protected-paths '!PATH'. Then go on with: <resume>",
    ],
    too_large: [
      "The work changes more than it may, and stayed so after the agent was told. Nothing of that was committed or pushed; it is in the work tree, and in refused.patch in the loop's folder unless it is too large for that.",
      "Undo what does not belong to the task, or raise --max-changed-files or --max-changed-bytes, then go on with: <resume>",
    ],
    not_reproduced: [
      "A run has failed on GitHub, and its failure does not show here: nothing could prove a repair, so none is claimed. Nothing was changed or pushed.",
      "Look at the evidence in the summary. Let CI prove it (ci-workflow), name a command that shows the failure (success-cmd), or run the failed jobs again on GitHub; then go on with: <resume>",
    ],
    flaky: [
      "A check said different things of the same files, so it is flaky: neither says anything about the work, which stays where it is.",
      "Look at both outputs in the summary. To have the cause looked for and removed, set --fix-flakes; then go on with: <resume>",
    ],
    head_moved: [
      "Somebody has committed, or checked out something else, while a story was worked on. Nothing of that was undone; the story's work is where it was put, and the loop itself has committed nothing.",
      "Put HEAD back as said, which keeps the files, so that the story becomes one commit; or leave it as it is, and the loop builds on that. Then go on with: <resume>",
    ],
  }),
  ...endings("circuit_open", {
    no_progress: [
      "The circuit is open: iterations in a row have left nothing that was not there before.",
      "Look at what the agent tries, sharpen the prompt or split the task, then let it try once more with: <resume>",
    ],
    same_error: [
      "The circuit is open: iterations have failed in the same way again and again, or in the same few ways by turns.",
      "Read the failure, fix what the agent cannot or say how to, then let it try once more with: <resume>",
    ],
    test_loops: [
      "The circuit is open: iterations in a row have changed nothing but tests.",
      "Review the tests, say what the code has to do, then let it try once more with: <resume>",
    ],
    missing_status: [
      "The circuit is open: the agent does not give the status block that it is asked for.",
      "Read its last message, or set --max-missing-status 0, then let it try once more with: <resume>",
    ],
  }),
  ...endings("waiting", {
    rate_limit: ["The provider limits the rate of requests.", "After the reset, go on with: <resume>"],
    usage_limit: ["The provider's usage limit is reached.", "After the reset, go on with: <resume>"],
    calls_per_hour: [
      "The agent has been called as often as it may within an hour.",
      "After the reset, go on with: <resume> (or raise --max-calls-per-hour)",
    ],
    tokens_per_day: [
      "The tokens that the loops of this repository may use within a day are used up.",
      "It goes on after midnight (UTC): <resume>; --max-tokens-per-day sets another limit.",
    ],
  }),
  ...endings("error", {
    auth: ["The provider refused the credentials.", "Log in or set the API key, then go on with: <resume>"],
    config: [
      "The provider refused the request or its configuration.",
      "Correct the setting that the message names, then go on with: <resume>",
    ],
    sandbox_broken: [
      "The agent's sandbox cannot start on this machine; no turn was spent.",
      "Repair the sandbox as the message says, then go on with: <resume>",
    ],
    provider: [
      "The provider failed and trying again did not help.",
      "When the provider is well again, go on with: <resume>",
    ],
    gate_unrunnable: [
      "A check could not be started, or left what cannot be undone, so nothing is proved; the agent's work is kept.",
      "Do as the message says, then go on with: <resume>",
    ],
    commit_refused: [
      "The work could not be committed, or set aside; it is in the work tree, unharmed.",
      "Do as the message says, then go on with: <resume>",
    ],
    carriers_unreachable: [
      "Nothing that may hold this loop could be asked, so it is not known whether it has begun already. Nothing was begun, and no turn was spent; what earlier runs have kept is unharmed.",
      "Put right what the messages name, or wait until GitHub answers, then go on with: <resume>. To start over whenever nothing answers, set `begin-without-answer: true`.",
    ],
    superseded: [
      "Another run goes on with this loop, so this one stopped; what the other one saves is not touched.",
      "Let the other run end, and give all jobs of a loop one concurrency group. If it is gone, go on with: <resume>",
    ],
  }),
} satisfies Record<StopKind, Outcome>;

export function outcomeOf(reason: StopReason): Outcome {
  return OUTCOMES[reason.kind];
}

/** When the limit ends that a loop was parked for (C12); null: none. */
export function nextResetAt(reason: StopReason | null): string | null {
  return reason !== null && "until" in reason ? reason.until : null;
}
