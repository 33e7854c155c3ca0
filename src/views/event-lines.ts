import { type AgentEvent, totalTokens } from "../core/agent.ts";
import { saysDone } from "../core/claim/effective-claim.ts";
import type { LoopEvent, Proved, TurnEnded } from "../core/events.ts";
import { outcomeOf } from "../core/outcome.ts";
import type { Change, LoopState } from "../core/state.ts";
import type { CheckEvent } from "../core/ports.ts";
import { weaknessWords } from "../core/progress/strength.ts";
import type { CheckResult, Verdict } from "../core/verdict.ts";
import { counted, duration, grouped } from "./amounts.ts";
import { line, type Line, oneLine } from "./plain-text.ts";
import { waitText } from "./waiting.ts";

/** What a durable event tells a person: the lines that stay, on a terminal and in a pipe. */
export function eventLines(event: LoopEvent, state: LoopState): readonly Line[] {
  switch (event.type) {
    case "loop_started":
      return [
        line(
          `loop ${event.loop_id} started: ${counted(event.max_iterations, "iteration")} at most${event.generation > 1 ? `, generation ${event.generation}` : ""}`,
          "strong",
        ),
      ];
    case "loop_resumed":
      return [line(`loop ${state.loop_id} resumed: ${counted(state.iteration, "iteration")} begun so far`, "strong")];
    case "turn_abandoned":
      return [line(`iteration ${event.iteration} was cut short when its run died; it counts`, "warn")];
    case "turn_started":
      return [line(`iteration ${event.iteration} started, ${event.session} session`, "strong")];
    case "session_opened":
      return [line(`session ${oneLine(event.session_id)}`, "dim")];
    case "turn_ended":
      return turnLines(event);
    case "proved":
      return [...verdictLines(event.verdict, refusedClaim(event.verdict, state)), ...weaknessLines(event)];
    case "wait_started":
      return [line(waitText(event, state.not_before), "warn")];
    case "settled":
      return event.commit === null ? [] : [line(`committed ${event.commit}`, "dim")];
    case "loop_stopped": {
      const outcome = outcomeOf(event.reason);
      return [
        line(
          `loop ${outcome.status} (${event.reason.kind}): ${outcome.sentence}`,
          outcome.exitCode === 0 ? "good" : "warn",
        ),
      ];
    }
    case "reset":
      return [line(`${event.what} reset by ${oneLine(event.by)}`)];
    case "published":
      return event.pull_request === null ? [] : [line(`pull request ${event.pull_request.url}`, "strong")];
  }
}

/** How much changed: `3 files changed (+10 -2)`. */
export function changeText(change: Change | null): string {
  if (change === null) return "changes not measured";
  if (change.files === 0) return "no file changed";
  return `${counted(change.files, "file")} changed (+${change.added} -${change.removed})`;
}

/** One check and what it found: `check failed (exit 1, 3 s): npm test`. */
export function checkLine(check: CheckResult): Line {
  const passed = isGreen(check);
  return line(
    `check ${passed ? "passed" : "failed"} (${checkEnd(check)}, ${duration(check.durationMs)}): ${oneLine(check.command)}`,
    passed ? "good" : "bad",
  );
}

function checkEnd(check: CheckResult): string {
  if (check.timedOut) return "timed out";
  return check.exitCode === null ? "did not end" : `exit ${check.exitCode}`;
}

/** Why green checks prove little: `weak proof: no test ran` (C21). */
function weaknessLines({ weaknesses }: Proved): Line[] {
  return weaknessWords(weaknesses).map((words) => line(`weak proof: ${oneLine(words)}`, "warn"));
}

function turnLines(event: TurnEnded): Line[] {
  const measures = `${changeText(event.change)}, ${grouped(totalTokens(event.usage))} tokens, ${duration(event.duration_ms)}`;
  const lines =
    event.failure === null
      ? [line(`agent ended its turn: ${measures}`)]
      : [line(`agent failed (${event.failure.kind}): ${oneLine(event.failure.message)}; ${measures}`, "bad")];
  if (event.failure === null && saysDone(event.claim, event.tally)) lines.push(line("agent claims to be done", "good"));
  if (event.claim.unfinished !== null) {
    lines.push(line(`claim names unfinished work: ${oneLine(event.claim.unfinished)}`, "warn"));
  }
  if (event.claim.hint !== null) lines.push(line(`claim does not count: ${oneLine(event.claim.hint)}`, "warn"));
  if (event.claim.blocked !== null) lines.push(line(`agent is blocked: ${oneLine(event.claim.blocked)}`, "warn"));
  return lines;
}

/**
 * What a red verdict means for an agent that claims to be done: `claim refused: npm test is red`; undefined when nothing
 * was claimed or nothing is red.
 *
 * @param state as it is with the verdict in it
 */
export function refusedClaim(verdict: Verdict, { phase, last_turn: turn, plan }: LoopState): string | undefined {
  const judged = phase === "unsettled" && turn !== null && turn.failure === null && saysDone(turn.claim, plan);
  if (!judged || verdict.result !== "failed") return undefined;
  const red = verdict.checks.filter((check) => !isGreen(check)).map((check) => oneLine(check.command));
  return `claim refused: ${red.join(", ")} ${red.length === 1 ? "is" : "are"} red`;
}

function isGreen(check: CheckResult): boolean {
  return check.exitCode === 0 && !check.timedOut;
}

function verdictLines(verdict: Verdict, refusal: string | undefined): Line[] {
  const lines = verdict.checks.map(checkLine);
  if (refusal !== undefined) lines.push(line(refusal, "bad"));
  if (verdict.result === "cut_off") lines.push(line("checks cut off before they had ended", "warn"));
  if (verdict.result === "unrunnable") lines.push(line(`check cannot run: ${oneLine(verdict.problem.what)}`, "bad"));
  return lines;
}

const TEXT_LIMIT = 300;
const PATHS_SHOWN = 3;

/** What happens right now, for the live view; undefined for an event that does not change it. */
export function activityOf(event: AgentEvent | CheckEvent): string | undefined {
  switch (event.type) {
    case "session.started":
      return "the agent is starting";
    case "message":
      return `the agent says: ${short(event.text)}`;
    case "reasoning":
      return `the agent thinks: ${short(event.text)}`;
    case "command.started":
      return `the agent runs: ${short(event.command)}`;
    case "check.started":
      return `checking: ${short(event.command)}`;
    case "turn.retrying":
      return `${event.failure.kind}: trying again in ${duration(event.delayMs)}`;
    case "command.ended":
    case "files.changed":
    case "permission.denied":
    case "tool.used":
      return "the agent is thinking";
    case "check.ended":
    case "notice":
    case "turn.completed":
    case "turn.failed":
      return undefined;
  }
}

/** What is worth a line that stays; undefined for what only the live view shows. */
export function activityLine(event: AgentEvent | CheckEvent): Line | undefined {
  switch (event.type) {
    case "message":
      return line(`agent says: ${short(event.text)}`, "dim");
    case "command.ended":
      return line(`agent ran (${exit(event.exitCode)}): ${short(event.command)}`, "dim");
    case "files.changed":
      return line(`agent changed ${paths(event.changes.map((change) => change.path))}`, "dim");
    case "tool.used":
      return line(`agent used ${short(event.name)}${event.failed ? ", which failed" : ""}`, "dim");
    case "permission.denied":
      return line(`agent was not allowed: ${short(event.what)}`, "warn");
    case "notice":
      return line(`notice: ${short(event.text)}`, "dim");
    case "turn.retrying":
      return line(
        `agent failed (${event.failure.kind}), attempt ${event.attempt}, trying again in ${duration(event.delayMs)}: ${short(event.failure.message)}`,
        "warn",
      );
    case "check.started":
      return line(`check started: ${short(event.command)}`, "dim");
    case "session.started":
    case "reasoning":
    case "command.started":
    case "check.ended":
    case "turn.completed":
    case "turn.failed":
      return undefined;
  }
}

function short(text: string): string {
  const plain = oneLine(text);
  return plain.length > TEXT_LIMIT ? `${plain.slice(0, TEXT_LIMIT)}…` : plain;
}

function exit(code: number | null): string {
  return code === null ? "no exit code" : `exit ${code}`;
}

function paths(all: readonly string[]): string {
  const shown = all.slice(0, PATHS_SHOWN).map(oneLine).join(", ");
  const rest = all.length - PATHS_SHOWN;
  return `${counted(all.length, "file")}: ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}
