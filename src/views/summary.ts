import { counted, duration, grouped } from "./amounts.ts";
import { callsText, circuitText, progressText } from "./progress.ts";
import { dangerBanner } from "./danger.ts";
import { planDoubt, proofOf, tampering, unfinishedWords, weakness } from "./proof.ts";
import { changeText } from "./event-lines.ts";
import { lastLines, line, type Line, oneLine } from "./plain-text.ts";
import { reasonDetail } from "./reason.ts";
import { endingOf, hardStopPending, nextStep, shownStatus, unchangedClaim, type RunView } from "./run-view.ts";

const TAIL_LINES = 15;
const FILES_SHOWN = 10;

/** What a person reads when a run has ended, and what `smithers status` says in between. */
export function summary(view: RunView): readonly Line[] {
  return [
    ...dangerBanner(view.protection).map((text) => line(text, "bad")),
    ...outcome(view),
    ...proof(view),
    ...doubts(view),
    ...books(view),
    ...standing(view),
    ...files(view),
    line(`Next: ${nextStep(view)}`, "strong"),
  ];
}

function outcome(view: RunView): Line[] {
  const { state } = view;
  const status = shownStatus(view);
  const ending = endingOf(state);
  if (ending === undefined) {
    const text = view.alive
      ? "The loop is running."
      : "The last run ended without an ending: it was killed, or an error ended it.";
    return [line(`${state.loop_id}: ${status}. ${text}`, view.alive ? "strong" : "warn")];
  }
  const tone = ending.outcome.exitCode === 0 ? "good" : "warn";
  const lines = [line(`${state.loop_id}: ${status} (${ending.reason.kind}). ${ending.outcome.sentence}`, tone)];
  const detail = reasonDetail(ending.reason, view.word);
  if (detail !== "") lines.push(line(`  ${detail}`, tone));
  for (const hit of hardStopPending(state)) {
    lines.push(line(`  hard_stop_pending: line ${hit.line} still wants a person: ${oneLine(hit.text)}`, "warn"));
  }
  return lines;
}

function proof(view: RunView): Line[] {
  const { result, sentence, failing } = proofOf(view.state);
  const lines = [line(sentence, result === "verified" ? "good" : "warn")];
  if (failing === null) return lines;
  const tail = lastLines(failing.tail, TAIL_LINES);
  if (tail.length > 0) lines.push(line(`Last lines of \`${oneLine(failing.command)}\`:`, "dim"));
  return [...lines, ...tail.map((text) => line(`  | ${text}`, "dim"))];
}

/** What a person may want to look at before the work is believed (C21, C22). */
function doubts({ state }: RunView): Line[] {
  const texts = [weakness(state), tampering(state), unfinishedWords(state), planDoubt(state)];
  return texts.filter((text) => text !== undefined).map((text) => line(text, "warn"));
}

/** What the loop has used so far. */
export function books(view: RunView): Line[] {
  const { state } = view;
  const { spent } = state;
  return [
    line(
      `Iterations: ${state.iteration} of ${state.max_iterations}. Tokens: ${grouped(spent.tokens)} (${grouped(spent.input_tokens)} in, of which ${grouped(spent.cached_input_tokens)} cached; ${grouped(spent.output_tokens)} out).`,
    ),
    line(
      `Time: ${duration(spent.turn_ms)} in ${counted(spent.turns, "turn")}, ${duration(spent.check_ms)} in checks${spent.resumes > 0 ? `; resumed ${spent.resumes === 1 ? "once" : `${spent.resumes} times`}` : ""}.`,
    ),
  ];
}

/** How the work moves on, and what would stop it or make it wait (R-07, R-22, R-24). */
function standing({ state }: RunView): Line[] {
  const tone = state.circuit.state === "CLOSED" ? "plain" : "warn";
  return [
    line(`Progress: ${progressText(state)}.`),
    line(`Calls of the agent: ${callsText(state)}.`),
    line(`Circuit: ${circuitText(state)}.`, tone),
  ];
}

/** What the loop has changed so far, over every run. */
export function sinceTheBeginning({ change }: RunView): string {
  return `Since the loop began: ${changeText(change)}.`;
}

function files(view: RunView): Line[] {
  const lines = [line(sinceTheBeginning(view))];
  const unchanged = unchangedClaim(view);
  if (unchanged !== undefined) lines.push(line(unchanged, "warn"));
  for (const text of lastLines(view.change?.stat ?? "", Number.MAX_SAFE_INTEGER).slice(0, FILES_SHOWN)) {
    lines.push(line(`  ${text}`, "dim"));
  }
  lines.push(line(`State: ${view.stateFile}`, "dim"), line(`Logs and messages: ${view.folder}`, "dim"));
  return lines;
}
