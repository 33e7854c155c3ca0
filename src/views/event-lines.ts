import { type AgentEvent, totalTokens } from "../core/agent.ts";
import { admittedIn, saysDone } from "../core/claim/effective-claim.ts";
import type { EventOf, LoopEvent, Proved, TurnEnded } from "../core/events.ts";
import { outcomeOf } from "../core/outcome.ts";
import { recordOf } from "../core/story/stories.ts";
import type { Change, LoopState, NotBefore, WaitReason } from "../core/state.ts";
import type { CheckEvent } from "../core/ports.ts";
import { failedTests } from "../core/progress/failures.ts";
import { weaknessWords } from "../core/progress/strength.ts";
import { checkLabel, type CheckResult, secondTry, type Verdict } from "../core/verdict.ts";
import { counted, duration, grouped } from "./amounts.ts";
import { line, type Line, oneLine } from "./plain-text.ts";
import { headMovedText } from "./reason.ts";
import {
  examinedLines,
  ruledLine,
  shelvedLine,
  storiesReadLines,
  storyBlockedLine,
  storyEndLines,
  undoneLine,
} from "./story-lines.ts";

/** What a durable event shows a person: the lines that stay, on a terminal and in a pipe. */
export function eventLines(event: LoopEvent, state: LoopState): readonly Line[] {
  switch (event.type) {
    case "loop_started": {
      const generation = event.generation > 1 ? `, generation ${event.generation}` : "";
      const most = counted(event.max_iterations, "iteration");
      return [
        line(`loop ${event.loop_id} started: ${most} at most${generation}`, "strong"),
        ...storiesReadLines(event, state),
      ];
    }
    case "loop_resumed":
      return [
        line(`loop ${state.loop_id} resumed: ${counted(state.iteration, "iteration")} begun so far`, "strong"),
        ...storiesReadLines(event, state),
      ];
    case "turn_abandoned":
      return [line(`iteration ${event.iteration} was cut short when its run died; it counts`, "warn"), ...made(event)];
    case "turn_started":
      return [line(startedText(event, state), "strong")];
    case "session_opened":
      return [line(`${event.replaces === undefined ? "" : "fresh "}session ${oneLine(event.session_id)}`, "dim")];
    case "turn_ended":
      return turnLines(event, state);
    case "proved":
      return provedLines(event, refusedClaim(event.verdict, state));
    // Whoever asks the reviewer tells what it says, and notices are not lost.
    case "reviewed":
      return [];
    case "wait_started":
      return [line(waitText(event, state.not_before), "warn")];
    case "settled":
      return [...made(event), ...storyEndLines(event, state)];
    case "story_examined":
      return examinedLines(event);
    case "story_given_up":
      return [storyBlockedLine(event.story)];
    case "story_shelved":
      return shelvedLine(event);
    case "story_ruled":
      return [ruledLine(event)];
    case "loop_stopped": {
      const { reason } = event;
      const { status, sentence, exitCode } = outcomeOf(reason);
      const moved = reason.kind === "head_moved" ? [line(headMovedText(reason), "warn")] : [];
      return [
        line(`loop ${status} (${reason.kind}): ${sentence}`, exitCode === 0 ? "good" : "warn"),
        ...moved,
        ...submoduleLines(event),
      ];
    }
    case "reset":
      return [line(`${event.what} reset by ${oneLine(event.by)}`)];
    case "published":
      return event.pull_request === null ? [] : [line(`pull request ${event.pull_request.url}`, "strong")];
  }
}

/** A commit that nobody else can check out whole before the submodule's own is pushed. */
function submoduleLines({ submodules = [] }: { readonly submodules?: readonly string[] }): readonly Line[] {
  if (submodules.length === 0) return [];
  const names = submodules.map(oneLine).join(", ");
  return [line(`the commit moves a submodule to another commit (${names}): push that one first, from there`, "warn")];
}

function startedText(event: EventOf<"turn_started">, { stories }: LoopState): string {
  const { iteration, session, item, provider } = event;
  const attempts = stories && recordOf(stories, item.id)?.attempts;
  const story = attempts === null ? "" : `, ${item.id} ${oneLine(item.title)} (attempt ${attempts ?? 1})`;
  const agent = provider === undefined ? "" : `, by ${oneLine(provider)}`;
  return `iteration ${iteration} started, ${session} session${story}${agent}`;
}

/** How much changed: `3 files changed (+10 -2)`. */
export function changeText(change: Change | null): string {
  if (change === null) return "changes not measured";
  if (change.files === 0) return "no file changed";
  return `${counted(change.files, "file")} changed (+${change.added} -${change.removed})`;
}

/** One check and what it found: `check failed (exit 1, 3 s): unit tests (npm test)`. */
export function checkLine(check: CheckResult): Line {
  const { exitCode, timedOut, durationMs } = check;
  const [word, tone] = isGreen(check) ? (["passed", "good"] as const) : (["failed", "bad"] as const);
  const end = timedOut ? "timed out" : exitCode === null ? "did not end" : `exit ${exitCode}`;
  const found = [end, duration(durationMs), secondTry(check)].filter((part) => part !== undefined).join(", ");
  const tests = isGreen(check) ? "" : oneLine(failedTests(check));
  return line(`check ${word} (${found}): ${oneLine(checkLabel(check))}${tests === "" ? "" : `: ${tests}`}`, tone);
}

function turnLines(event: TurnEnded, { artifacts }: LoopState): Line[] {
  const { change, usage, duration_ms: ms, failure, claim, tally, undone = [] } = event;
  const { hint, blocked, person } = claim;
  const unfinished = failure === null ? admittedIn(claim, tally) : null;
  const measures = `${changeText(change)}, ${grouped(totalTokens(usage))} tokens, ${duration(ms)}`;
  const ended =
    failure === null
      ? line(`agent ended its turn: ${measures}`)
      : line(`agent failed (${failure.kind}): ${oneLine(failure.message)}; ${measures}`, "bad");
  return [
    ended,
    ...(failure?.next === undefined ? [] : [line(`what helps: ${oneLine(failure.next)}`, "warn")]),
    ...(failure === null && saysDone(claim, tally) ? [line("agent claims to be done", "good")] : []),
    ...(unfinished === null ? [] : [line(`claim names unfinished work: ${oneLine(unfinished)}`, "warn")]),
    ...(hint === null ? [] : [line(`claim does not count: ${oneLine(hint)}`, "warn")]),
    ...(blocked === null ? [] : [line(`agent is blocked: ${oneLine(blocked)}`, "warn")]),
    ...(person === undefined ? [] : [line(`agent needs a person: ${oneLine(person)}`, "warn")]),
    ...undone.map((one) => undoneLine(one, artifacts.dir)),
  ];
}

/**
 * What a red verdict means for an agent that claims to be done: `claim refused: npm test is red`; undefined when
 * nothing was claimed or all is green.
 *
 * @param state as it is with the verdict in it
 */
export function refusedClaim(verdict: Verdict, { phase, last_turn: turn, plan }: LoopState): string | undefined {
  const judged = phase === "unsettled" && turn !== null && turn.failure === null && saysDone(turn.claim, plan);
  if (!judged || verdict.result !== "failed" || verdict.occasion !== undefined) return undefined;
  const red = verdict.checks.filter((check) => !isGreen(check)).map((check) => oneLine(checkLabel(check)));
  return `claim refused: ${red.join(", ")} ${red.length === 1 ? "is" : "are"} red`;
}

function isGreen(check: CheckResult): boolean {
  return check.exitCode === 0 && !check.timedOut;
}

/** The commit of an iteration. */
function made(event: Pick<EventOf<"turn_abandoned">, "commit" | "submodules">): Line[] {
  return [...(event.commit ? [line(`committed ${event.commit}`, "dim")] : []), ...submoduleLines(event)];
}

/** The checks, and why green ones prove little: `weak proof: no test ran` (C21). */
function provedLines({ verdict, weaknesses }: Proved, refusal: string | undefined): Line[] {
  return [
    ...verdict.checks.map(checkLine),
    ...askedBetweenLines(verdict),
    ...(refusal === undefined ? [] : [line(refusal, "bad")]),
    ...(verdict.result === "cut_off" ? [line("checks cut off before they had ended", "warn")] : []),
    ...(verdict.result === "unrunnable" ? [line(`check cannot run: ${oneLine(verdict.problem.what)}`, "bad")] : []),
    ...weaknessWords(weaknesses).map((words) => line(`weak proof: ${oneLine(words)}`, "warn")),
  ];
}

/** Why checks ran that nobody claimed to pass (C30), and what their result is worth. */
function askedBetweenLines({ occasion, result }: Verdict): Line[] {
  if (occasion === undefined) return [];
  const why = "checks asked between claims, because the turn changed something";
  if (result === "passed")
    return [line(`${why}: green proves nothing by itself, and the agent is told to say if it is done`)];
  return result === "failed" ? [line(`${why}: the next turn is told what is red`)] : [line(why)];
}

const WAITS = {
  interval: "the interval between iterations",
  rate_limit: "the provider limits the rate of requests",
  usage_limit: "the provider's usage limit is reached",
  calls_per_hour: "the calls of this hour are used up",
  tokens_per_day: "the tokens of this day are used up",
} as const satisfies Record<WaitReason, string>;

/**
 * Until when a loop waits inside its run, and why (C12): `waiting until …: the calls of this hour are used up`.
 *
 * @param wait from its event or the state
 * @param limit the limit in the state, with the provider's words; null: it is not the provider's
 */
export function waitText(wait: { readonly until: string; readonly why: WaitReason }, limit: NotBefore | null): string {
  const said = oneLine(limit?.message ?? "").slice(0, 200);
  return `waiting until ${wait.until}: ${WAITS[wait.why]}${said === "" ? "" : ` (${said})`}`;
}

const TEXT_LIMIT = 300;
/** What a notice means and what to do about it comes last in it: none of ours is cut. An agent can write one, too. */
const NOTICE_LIMIT = 4000;
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
    case "output":
      return `the agent prints: ${short(event.text)}`;
    case "command.started":
      return `the agent runs: ${short(event.command)}`;
    case "check.started":
      return `checking: ${short(event.command)}`;
    case "turn.retrying":
      return `${event.failure.kind}: ${again(event)}`;
    case "command.ended":
    case "files.changed":
    case "permission.denied":
    case "tool.used":
      return "the agent is thinking";
    case "check.ended":
    case "notice":
    case "usage":
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
    case "output":
      return line(`agent prints: ${short(event.text)}`, "dim");
    case "command.ended":
      return line(`agent ran (${exit(event.exitCode)}): ${short(event.command)}`, "dim");
    case "files.changed":
      return line(`agent changed ${paths(event.changes.map((change) => change.path))}`, "dim");
    case "tool.used":
      return line(`agent used ${short(event.name)}${event.failed ? ", which failed" : ""}`, "dim");
    case "permission.denied":
      return line(`agent was not allowed: ${short(event.what)}`, "warn");
    case "notice":
      return line(`notice: ${short(event.text, NOTICE_LIMIT)}`, "dim");
    case "turn.retrying": {
      const next = `attempt ${event.attempt}, ${again(event)}`;
      return line(`agent failed (${event.failure.kind}), ${next}: ${short(event.failure.message)}`, "warn");
    }
    case "check.started":
      return line(`check started: ${short(event.command)}`, "dim");
    case "session.started":
    case "reasoning":
    case "command.started":
    case "check.ended":
    case "usage":
    case "turn.completed":
    case "turn.failed":
      return undefined;
  }
}

function again({ delayMs }: { readonly delayMs: number }): string {
  return `trying again ${delayMs === 0 ? "at once" : `in ${duration(delayMs)}`}`;
}

function short(text: string, limit = TEXT_LIMIT): string {
  const plain = oneLine(text);
  return plain.length > limit ? `${plain.slice(0, limit)}…` : plain;
}

function exit(code: number | null): string {
  return code === null ? "no exit code" : `exit ${code}`;
}

function paths(all: readonly string[]): string {
  const shown = all.slice(0, PATHS_SHOWN).map(oneLine).join(", ");
  const rest = all.length - PATHS_SHOWN;
  return `${counted(all.length, "file")}: ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}
