import { dangersOf } from "../danger.ts";
import { planDoubt, unfinishedWords, weakness } from "../doubts.ts";
import { bullets, caution, heading, paragraph, strong, text, type Block } from "../markdown.ts";
import { proofOf } from "../proof.ts";
import { reasonDetail } from "../reason.ts";
import { endingOf, hardStopPending, nextStep, shownStatus, unchangedClaim, type RunView } from "../run-view.ts";

/** What became of the loop and why (W-38, W-39), what is proved, and what a person may overlook. */
export function outcomeBlocks(view: RunView): Block[] {
  return [heading(2, `${shownStatus(view)}: ${outcomeSentence(view)}`), ...outcomeDetails(view)];
}

/** What became of the loop, in one sentence. */
export function outcomeSentence(view: RunView): string {
  return endingOf(view.state)?.outcome.sentence ?? (view.alive ? "The loop is running." : KILLED);
}

const KILLED = "The run ended without an ending: it was killed, or an error ended it. What was saved is unharmed.";

/** Why, what is proved, and what a person may overlook. */
export function outcomeDetails(view: RunView): Block[] {
  const ending = endingOf(view.state);
  const detail = ending === undefined ? "" : reasonDetail(ending.reason, view.word);
  const doubts = [unchangedClaim(view), weakness(view.state), unfinishedWords(view.state), planDoubt(view.state)];
  const pending = hardStopPending(view.state);
  return [
    ...(detail === "" ? [] : [paragraph(text(detail))]),
    paragraph(text(proofSentence(view))),
    ...doubts.filter((doubt) => doubt !== undefined).map((doubt) => paragraph(strong(doubt))),
    ...(pending.length === 0
      ? []
      : [bullets(pending.map((hit) => [strong("HARD STOP pending:"), text(`line ${hit.line}: ${hit.text}`)]))]),
  ];
}

/** What is proved, in one sentence. Where it names commands of others, it is no advice that could be worded anew. */
export function proofSentence({ state, word }: RunView): string {
  const { result, sentence } = proofOf(state);
  return result === "unchecked" ? word(sentence) : sentence;
}

/** What a person does now. */
export function nextBlocks(view: RunView): Block[] {
  return [paragraph(strong("Next:"), text(nextStep(view)))];
}

/** The warning for dangerous settings (W-56); [] when there are none. */
export function dangerBlocks(view: RunView): Block[] {
  const dangers = dangersOf(view.protection);
  return dangers.length === 0 ? [] : [caution(["This loop ran with dangerous settings.", ...dangers])];
}
