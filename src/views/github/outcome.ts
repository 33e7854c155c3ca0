import { costText } from "../cost.ts";
import { type Status, STATUSES } from "../../core/outcome.ts";
import { storyOfLoop } from "../../core/story/wave-names.ts";
import { counted, duration, grouped } from "../amounts.ts";
import { dangersOf } from "../danger.ts";
import { acceptance, contradictedWords, planDoubt, proofOf, unfinishedWords, unread, weakness } from "../proof.ts";
import { isDoubtful, reviewSentence } from "../review.ts";
import { reasonDetail } from "../reason.ts";
import { adviceOf, endingOf, hardStopPending, type RunView, shownStatus, unchangedClaim } from "../run-view.ts";
import type { PublicationFacts } from "./facts.ts";
import { continuationOf } from "./self-continue.ts";
import { alert, type Block, bullets, code, heading, inline, paragraph } from "./markdown.ts";

/** What became of the loop, in one sentence. */
export function outcomeSentence(view: RunView): string {
  return endingOf(view.state)?.outcome.sentence ?? (view.alive ? "The loop is running." : KILLED);
}

const KILLED = "The run ended without an ending: it was killed, or an error ended it. What was saved is unharmed.";

/** Why (W-38, W-39), what is proved, and what a person may overlook. */
export function outcomeDetails(view: RunView): Block[] {
  const ending = endingOf(view.state);
  const detail = ending === undefined ? "" : reasonDetail(ending.reason, view.word);
  const { state } = view;
  const doubts = [
    ...[unchangedClaim(view), weakness(state), acceptance(state), unread(state)],
    ...[contradictedWords(state), unfinishedWords(state), planDoubt(state)],
  ];
  const pending = hardStopPending(view.state).map(
    ({ line, text }) => inline`**HARD STOP pending:** line ${line}: ${text}`,
  );
  return [
    ...(detail === "" ? [] : [paragraph`${detail}`]),
    paragraph`${proofSentence(view)}`,
    ...reviewBlocks(view),
    ...doubts.filter((doubt) => doubt !== undefined).map((doubt) => paragraph`**${doubt}**`),
    ...(pending.length === 0 ? [] : [bullets(pending)]),
  ];
}

/** What the reviewer says, in its own words. */
function reviewBlocks({ state }: RunView): Block[] {
  const said = reviewSentence(state);
  if (said === undefined) return [];
  return [isDoubtful(state) ? paragraph`**${said}**` : paragraph`${said}`];
}

/** What is proved, in one sentence. Only a sentence that quotes no check is reworded for where it is read. */
export function proofSentence({ state, word }: RunView): string {
  const { result, sentence } = proofOf(state);
  return result === "unchecked" ? word(sentence) : sentence;
}

/** The warning for dangerous settings (W-56); []: none. */
export function dangerBlocks(view: RunView): Block[] {
  const dangers = dangersOf(view.protection);
  return dangers.length === 0 ? [] : [alert("CAUTION", ["This loop ran with dangerous settings.", ...dangers])];
}

/** A sign, what became of the loop, and below it the figures: what a person takes in at a glance (D-30). */
export function headlineBlocks(view: RunView): Block[] {
  const { state } = view;
  const { iteration, spent } = state;
  const cost = costText(state);
  const resumed = spent.resumes === 0 ? "" : ` · resumed ${grouped(spent.resumes)}×`;
  const figures = `· iteration ${iteration} of ${state.max_iterations} · ${counted(spent.tokens, "token")}${cost === undefined ? "" : ` · ${cost}`} · ${duration(spent.turn_ms + spent.check_ms)}${resumed}`;
  const sign = signOf(hardStopPending(state).length > 0 ? "paused_hard_stop" : shownStatus(view));
  return [heading(2, `${sign} ${outcomeSentence(view)}`), paragraph`${code(shownStatus(view))} ${figures}`];
}

function signOf(status: Status | "crashed"): string {
  if (status === "running") return "🔄";
  return status === "crashed" ? "💥" : STATUSES[status].sign;
}

/** The next step; what resumes the loop is a comment there. */
export function nextOnPullRequest(view: RunView): Block {
  const ending = endingOf(view.state);
  const advice = ending === undefined ? view.word(KILLED_NEXT) : adviceOf(view, ending);
  const how = advice.includes("<resume>") ? inline` ${code("/smithers continue")}` : [];
  return paragraph`**Next:** ${advice.replace("<resume>", "")}${how}`;
}

const KILLED_NEXT = "Nothing that was written is lost. Go on with: <resume>";

/** The next step, or that none is needed; why one is needed after all, where people would not expect it. */
export function nextStepBlocks(view: RunView, facts: PublicationFacts): Block[] {
  // Of a story in a wave, the closing job decides what is next.
  if (storyOfLoop(view.state.loop_id) !== null) return [];
  const { goesOn, why = null } = continuationOf(view, facts.selfContinue);
  if (goesOn) return [paragraph`**Next:** Nothing to do. The loop goes on by itself, in a run of its own.`];
  return [nextOnPullRequest(view), ...(why === null ? [] : [paragraph`**It does not go on by itself:** ${`${why}.`}`])];
}
