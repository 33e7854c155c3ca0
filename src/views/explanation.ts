import { saysDone } from "../core/claim/effective-claim.ts";
import type { LoopEvent, Proved } from "../core/events.ts";
import type { StopKind, StopReason } from "../core/outcome.ts";
import type { LastTurn, LoopState } from "../core/state.ts";
import { weaknessWords } from "../core/progress/strength.ts";
import { transition } from "../core/transition.ts";
import { checkLabel, type CheckResult } from "../core/verdict.ts";
import { eventLines } from "./event-lines.ts";
import { line, type Line, oneLine } from "./plain-text.ts";
import { circuitText, progressText } from "./progress.ts";
import { reasonDetail } from "./reason.ts";

/** What one event adds to the story of a loop. */
export interface Explained {
  /** that the lines are about; 0: before the first */
  readonly iteration: number;
  readonly lines: readonly Line[];
}

/**
 * What a loop has decided in every iteration, by which rule and on which evidence, from its events alone.
 *
 * @param events of one generation, from its beginning
 */
export async function* explain(events: AsyncIterable<LoopEvent>): AsyncGenerator<Explained> {
  let state: LoopState | undefined;
  let proved: Proved | undefined;
  for await (const event of events) {
    const turn = state?.phase === "settled" && goesOn(event) ? state.last_turn : null;
    if (state !== undefined && turn !== null) {
      const why = whyNotDone(turn, state.plan, proved);
      yield { iteration: state.iteration, lines: [line(`  decided: go on, because ${why}`, "strong")] };
    }
    state = transition(state, event);
    if (event.type === "turn_started") proved = undefined;
    if (event.type === "proved") proved = event;
    const told = [...eventLines(event, state), ...evidence(event, state)];
    const lines = told.map(({ text, tone }) => line(`  ${text}`, tone));
    yield { iteration: state.iteration, lines: [...heading(event), ...lines] };
  }
}

function heading(event: LoopEvent): readonly Line[] {
  return event.type === "turn_started" ? [line(""), line(`Iteration ${event.iteration}, ${event.at}`, "strong")] : [];
}

/** Whether the event shows that the loop went on after what was over. */
function goesOn({ type }: LoopEvent): boolean {
  return type === "turn_started" || type === "wait_started";
}

/** Why an iteration that is over did not end its loop. @param proved what its checks have said; undefined: none ran */
function whyNotDone(turn: LastTurn, plan: LoopState["plan"], proved: Proved | undefined): string {
  const { failure, claim } = turn;
  if (failure !== null) return `its turn failed (${failure.kind}), and no rule ends it for that yet`;
  const red = (proved?.verdict.checks ?? []).filter(isRed).map((check) => oneLine(checkLabel(check)));
  if (red.length > 0) return `${red.join(", ")} ${red.length === 1 ? "is" : "are"} red`;
  if (!saysDone(claim, plan)) return "the agent does not claim to be done, and no other rule ends it";
  if (weaknessWords(proved?.weaknesses ?? []).length > 0) return "the proof is weak";
  return "its claim does not count, and no other rule ends it";
}

function isRed({ exitCode, timedOut }: CheckResult): boolean {
  return exitCode !== 0 || timedOut;
}

/** What a decision rests on. */
function evidence(event: LoopEvent, state: LoopState): readonly Line[] {
  if (event.type === "loop_stopped") return [ruleLine(event.reason), ...detailLines(event.reason)];
  if (event.type !== "settled") return [];
  return [line(`progress: ${progressText(state)}`, "dim"), line(`circuit: ${circuitText(state)}`, "dim")];
}

function detailLines(reason: StopReason): readonly Line[] {
  const detail = reasonDetail(reason, (advice) => advice);
  return detail === "" ? [] : [line(`evidence: ${detail}`)];
}

function ruleLine({ kind }: StopReason): Line {
  return line(`decided: stop, by the rule ${kind} (${RULES[kind]})`, "strong");
}

/** The rows of the stop tables (docs/requirements.md, section 4) that end a loop so. */
const RULES: Readonly<Record<StopKind, string>> = {
  promise: "POST 7",
  done_token: "POST 7",
  dual_gate: "POST 7",
  exit_signal: "POST 7",
  plan_complete: "POST 7, PRE 6",
  success_command: "POST 5",
  already_green: "PRE 6",
  stories_passed: "POST 6",
  story_review: "POST 9",
  story_blocked: "POST 6",
  stories_blocked: "POST 6",
  hard_stop: "POST 9, POST 4b, PRE 5",
  paused: "PRE 3",
  stopped: "PRE 3, POST 1",
  canceled: "PRE 2, POST 1",
  superseded: "PRE 1, POST 1",
  time_budget: "PRE 10, POST 13",
  max_iterations: "PRE 8, POST 12",
  tokens: "PRE 9, POST 13",
  total_time: "PRE 9, POST 13",
  agent_blocked: "POST 10",
  permission_denied: "POST 8",
  question: "section 4.5",
  unfinished: "POST 7b",
  proof_accepted: "PRE 5a",
  weak_proof: "POST 7a",
  reviewer_vetoes: "POST 7c",
  protected_paths: "POST 4a",
  too_large: "POST 4a",
  flaky: "PRE 6, POST 4d",
  not_reproduced: "PRE 6, POST 4c",
  head_moved: "POST 1a",
  no_progress: "POST 11, PRE 7",
  same_error: "POST 11, PRE 7",
  test_loops: "POST 11, PRE 7",
  missing_status: "POST 11, PRE 7",
  rate_limit: "POST 3, PRE 11",
  usage_limit: "POST 3, PRE 11",
  calls_per_hour: "PRE 11",
  tokens_per_day: "PRE 11",
  auth: "POST 2",
  config: "POST 2",
  sandbox_broken: "POST 2",
  provider: "POST 4",
  gate_unrunnable: "section 4.5",
  commit_refused: "section 4.5",
  carriers_unreachable: "PRE 1",
};
