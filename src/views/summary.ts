import { checkLabel } from "../core/verdict.ts";
import { counted, duration, grouped } from "./amounts.ts";
import { callsText, circuitText, progressText } from "./progress.ts";
import { PRICES_OF } from "../core/cost/prices.ts";
import { costText, forecastText } from "./cost.ts";
import { dangerBanner } from "./danger.ts";
import {
  acceptance,
  contradictedWords,
  planDoubt,
  proofOf,
  tampering,
  unfinishedWords,
  unread,
  weakness,
} from "./proof.ts";
import { changeText } from "./event-lines.ts";
import { lastLines, line, type Line, oneLine } from "./plain-text.ts";
import { isDoubtful, reviewSentence, reviewTotals } from "./review.ts";
import { reasonDetail } from "./reason.ts";
import { storySummary } from "./story-lines.ts";
import { endingOf, hardStopPending, nextStep, shownStatus, unchangedClaim, type RunView } from "./run-view.ts";

/** What a person may want to look at before the work is believed (C21, C22, C36, C46, C50). */
export function doubts(view: RunView): readonly Line[] {
  const { state } = view;
  const review = reviewSentence(state);
  const told = (texts: readonly (string | undefined)[]): Line[] =>
    texts.filter((text) => text !== undefined).map((text) => line(text, "warn"));
  return [
    ...told([weakness(state), acceptance(state)]),
    ...(review === undefined ? [] : [line(review, isDoubtful(state) ? "warn" : "plain")]),
    ...told([unread(state), tampering(state), contradictedWords(state), unfinishedWords(state), planDoubt(state)]),
    ...told([unchangedClaim(view)]),
    ...hardStopPending(state).map((hit) =>
      line(`hard_stop_pending: line ${hit.line} still wants a person: ${oneLine(hit.text)}`, "warn"),
    ),
  ];
}

/** All that there is to say of a loop, for `--verbose`. */
export function summary(view: RunView): readonly Line[] {
  const { state } = view;
  return [
    ...dangerBanner(view.protection).map((text) => line(text, "bad")),
    ...outcome(view),
    ...doubts(view),
    ...storySummary(view),
    ...proof(view),
    ...totals(view).map((text) => line(text)),
    line(`Progress: ${progressText(state)}.`),
    line(`Calls of the agent: ${callsText(state)}.`),
    line(`Circuit: ${circuitText(state)}.`, state.circuit.state === "CLOSED" ? "plain" : "warn"),
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
    return [line(`${oneLine(state.loop_id)}: ${status}. ${text}`, view.alive ? "strong" : "warn")];
  }
  const tone = ending.outcome.exitCode === 0 ? "good" : "warn";
  const detail = reasonDetail(ending.reason, view.word);
  return [
    line(`${oneLine(state.loop_id)}: ${status} (${ending.reason.kind}). ${ending.outcome.sentence}`, tone),
    ...(detail === "" ? [] : [line(`  ${detail}`, tone)]),
  ];
}

function proof(view: RunView): Line[] {
  const { result, sentence, failing } = proofOf(view.state);
  const lines = [line(sentence, result === "verified" ? "good" : "warn")];
  if (failing === null) return lines;
  const tail = lastLines(failing.tail, 15);
  if (tail.length > 0) lines.push(line(`Last lines of \`${oneLine(checkLabel(failing))}\`:`, "dim"));
  return [...lines, ...tail.map((text) => line(`  | ${text}`, "dim"))];
}

/** What the loop has used so far, a sentence or two each. */
export function totals({ state, word }: RunView): readonly string[] {
  const { iteration, max_iterations: most, spent } = state;
  const { tokens, input_tokens: input, cached_input_tokens: cached, output_tokens: output, resumes } = spent;
  const reviewed = reviewTotals(state);
  const resumed = resumes > 0 ? `; resumed ${resumes === 1 ? "once" : `${resumes} times`}` : "";
  return [
    `Iterations: ${iteration} of ${most}. Tokens: ${grouped(tokens)} (${grouped(input)} in, of which ${grouped(cached)} cached; ${grouped(output)} out).`,
    `Time: ${duration(spent.turn_ms)} in ${counted(spent.turns, "turn")}, ${duration(spent.check_ms)} in checks${resumed}.`,
    ...(reviewed === undefined ? [] : [reviewed]),
    ...costLines(state).map(word),
  ];
}

function costLines(state: RunView["state"]): readonly string[] {
  const [cost, guess] = [costText(state), forecastText(state)];
  if (cost === undefined)
    return state.spent.turns === 0
      ? []
      : ["Cost: unknown; no price of the model is known. --model or --prices would tell."];
  return [
    `Cost: ${cost}, by list prices of ${PRICES_OF} unless prices or the agent says another${guess === undefined ? "" : `; ${guess} at this pace`}.`,
  ];
}

/** What the loop has changed so far, over every run. */
export function sinceTheBeginning({ change }: RunView): string {
  return `Since the loop began: ${changeText(change)}.`;
}

function files(view: RunView): Line[] {
  const shown = lastLines(view.change?.stat ?? "", Number.MAX_SAFE_INTEGER).slice(0, 10);
  return [
    ...(view.branch === null ? [] : [line(`Branch: ${oneLine(view.branch)}`)]),
    line(sinceTheBeginning(view)),
    ...shown.map((text) => line(`  ${text}`, "dim")),
    line(`State: ${view.stateFile}`, "dim"),
    line(`Logs and messages: ${view.folder}`, "dim"),
  ];
}
