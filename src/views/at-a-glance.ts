import { failedTests, whyRed } from "../core/progress/failures.ts";
import type { LoopState } from "../core/state.ts";
import { checkLabel } from "../core/verdict.ts";
import { counted, duration, grouped } from "./amounts.ts";
import { dangerBanner } from "./danger.ts";
import { costOrNone, forecastText } from "./cost.ts";
import { changeText } from "./event-lines.ts";
import { cut, firstLine, lastLines, line, type Line, oneLine, plainText, type Tone } from "./plain-text.ts";
import { proofOf } from "./proof.ts";
import { reasonDetail } from "./reason.ts";
import { endingOf, howItStands, nextStep, type RunView, watchedStatus } from "./run-view.ts";
import { storySummary } from "./story-lines.ts";
import { doubts } from "./summary.ts";

/**
 * A loop at a glance, in at most six lines: the verdict with its proof, what fails, what has changed, the agent's last
 * words, what it took, what to do next. Whatever makes the verdict doubtful has a line of its own, and so has each story
 * of a PRD; `summary` has the rest.
 */
export function atAGlance(view: RunView): readonly Line[] {
  return [
    ...dangerBanner(view.protection).map((text) => line(text, "bad")),
    verdict(view),
    ...doubts(view),
    ...storySummary(view),
    ...failing(view),
    line(`Changed: ${changed(view)}`),
    ...lastWords(view),
    line(`Took: ${took(view)}${stillNeeded(view)}`, "dim"),
    line(`Next: ${nextStep(view)}`, "strong"),
  ];
}

/** How a loop ended or stands, with its proof. */
interface VerdictWords {
  /** loop and status, as a sentence */
  readonly how: string;
  /** what that means, and what is proved: sentences */
  readonly why: string;
  readonly tone: Tone;
}

/** The verdict in one line. */
export function verdict(view: RunView): Line {
  const { how, why, tone } = verdictWords(view);
  return line(`${how} ${why}`, tone);
}

/** The verdict in its two parts: whatever stands in a command or a path, it is known where the first ends. */
export function verdictWords(view: RunView): VerdictWords {
  const { state, alive } = view;
  const ending = view.isGone === true ? undefined : endingOf(state);
  const { result, sentence: proof } = proofOf(state, "no tests");
  const how = (mark: string, more = ""): string => `${mark} ${oneLine(state.loop_id)}: ${watchedStatus(view)}${more}.`;
  if (ending === undefined) {
    const why = `${howItStands(view)}${alive ? "" : ` ${proof}`}`;
    return { how: how("–"), why, tone: alive ? "strong" : "warn" };
  }
  const { outcome, reason } = ending;
  const detail = reasonDetail(reason, view.word);
  const isGood = outcome.exitCode === 0;
  const more = detail === "" || saidByProof(reason.kind) ? [] : [/[.!?"]$/u.test(detail) ? detail : `${detail}.`];
  const why = [outcome.sentence, ...more, proof].join(" ");
  const mark = isGood && result !== "unchecked" ? "✓" : isGood || GOES_ON.test(outcome.status) ? "–" : "✗";
  const tone = isGood ? (result === "unchecked" ? "warn" : "good") : "warn";
  return { how: how(mark, ` (${reason.kind})`), why, tone };
}

/** Endings that are neither a success nor a failure. */
const GOES_ON = /^(?:paused_|waiting$|canceled$)/u;

/** Whether the sentence about the proof names the command as well. */
function saidByProof(kind: string): boolean {
  return kind === "success_command" || kind === "already_green";
}

const NAMED = 5;

/** Failing tests by name, and how many there were at the start; of a check without names its last words. */
export function failing({ state }: RunView): readonly Line[] {
  const { failing: check } = proofOf(state);
  if (check === null) return [];
  const atStart = state.baseline?.failing_count;
  const since = atStart === undefined ? "" : ` (${atStart} at the start)`;
  const { failing: known } = state;
  if (known === null || known.failing_count === 0) {
    const why = oneLine(whyRed(check));
    return [line(`Failing: ${oneLine(checkLabel(check))}${why === "" ? "" : `: ${why}`}`, "bad")];
  }
  const names = known.failing.slice(0, NAMED).map((name) => cut(oneLine(name), 100));
  const rest = known.failing_count - names.length;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const text = names.length === 0 ? failedTests(check) : `${names.join(", ")}${more}`;
  return [line(`Failing: ${counted(known.failing_count, "test")}${since}: ${text}`, "bad")];
}

export function changed({ change, branch, state }: RunView): string {
  const files = (change?.stat ?? "").split("\n").map((each) => oneLine(each.replace(/ \| .*$/u, "")));
  const shown = files.filter((file) => file !== "").slice(0, NAMED);
  const rest = (change?.files ?? 0) - shown.length;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const commit = state.iterations.findLast((each) => each.commit !== null)?.commit;
  return [
    `${changeText(change)}${shown.length === 0 ? "" : `: ${shown.join(", ")}${more}`}`,
    ...(branch === null ? [] : [`on ${oneLine(branch)}`]),
    ...(commit === undefined || commit === null ? [] : [`last commit ${commit.slice(0, 12)}`]),
  ].join(", ");
}

/** What is for us, and not for a person: promises, the lines of status blocks; notes follow what was said. */
const FOR_US = /<promise>|^[A-Z_]{3,}:|^-{3,}/u;

/** The end of what the agent said last. */
export function lastWords({ state }: RunView): readonly Line[] {
  const words = (state.last_turn?.summary ?? "").replace(/^NOTES:[^]*/mu, "");
  const said = lastLines(words, Number.MAX_SAFE_INTEGER).map(oneLine);
  const last = said.findLast((each) => each !== "" && !FOR_US.test(each));
  return last === undefined ? [] : [line(`Agent: "${cut(plainText(last), 160)}"`)];
}

/** What is still to come, of a loop that can go on. */
function stillNeeded({ state }: RunView): string {
  const guess = state.status === "completed" || state.status === "canceled" ? undefined : forecastText(state);
  return guess === undefined ? "" : `; ${guess} at this pace`;
}

function took({ state }: RunView): string {
  const { iteration, max_iterations: most, spent } = state;
  const time = duration(spent.turn_ms + spent.check_ms);
  const cost = costOrNone(state);
  const used = [time, counted(spent.tokens, "token"), ...(cost === undefined ? [] : [cost])].join(", ");
  return `${grouped(iteration)} of ${counted(most, "iteration")}, ${used}`;
}

/** A loop as a list shows it. */
export interface LoopRow {
  readonly state: LoopState;
  /** see `watchedStatus` */
  readonly status: string;
  /** of the workspace, as people read it; "": the one they are in */
  readonly where: string;
}

const TASK_SHOWN = 60;
const TONES: ReadonlyMap<string, Tone> = new Map([
  ["completed", "good"],
  ["running", "strong"],
  ["canceled", "dim"],
]);

/** Those that were at work last first. */
export function newestFirst(rows: readonly LoopRow[]): readonly LoopRow[] {
  // Each date is read once: of thousands they would be read hundreds of thousands of times.
  const dated = rows.map((row) => ({ row, at: Date.parse(row.state.updated_at) }));
  return dated.toSorted((a, b) => b.at - a.at).map(({ row }) => row);
}

/**
 * Loops in columns: id, status, iterations, how long ago, task.
 *
 * @param now milliseconds since the epoch
 */
export function loopLines(rows: readonly LoopRow[], now: number): readonly Line[] {
  const cells = rows.map((row) => ({ texts: cellsOf(row, now), status: row.status }));
  const widths: number[] = [];
  const widthOf = (column: number): number => widths[column] ?? 0;
  for (const { texts } of cells) {
    for (const [column, cell] of texts.entries()) widths[column] = Math.max(widthOf(column), cell.length);
  }
  return cells.map(({ texts, status }) => {
    const text = texts.map((cell, column) => cell.padEnd(widthOf(column))).join("  ");
    return line(text.trimEnd(), TONES.get(status) ?? "plain");
  });
}

function cellsOf({ state, status, where }: LoopRow, now: number): readonly string[] {
  const ago = duration(Math.max(0, now - Date.parse(state.updated_at)));
  const task = state.stories === null ? firstLine(state.prompt.trim()) : `PRD ${state.stories.prd}`;
  const shown = oneLine(task);
  // What a workspace's file says, which the agent can write.
  const id = oneLine(state.loop_id);
  return [
    where === "" ? id : `${id} (in ${oneLine(where)})`,
    status,
    `${state.iteration} of ${state.max_iterations}`,
    `${ago} ago`,
    shown.length > TASK_SHOWN ? `${shown.slice(0, TASK_SHOWN)}…` : shown,
  ];
}
