import { endingOf, type RunView, shownStatus } from "../run-view.ts";
import { type Block, code, heading, type Hole, paragraph, table } from "./markdown.ts";
import { LABELS } from "./markers.ts";
import { waysInWave } from "./wave-story.ts";

interface Way {
  readonly comment: string;
  readonly label?: string;
  readonly does: string;
}

const CONTINUE: Way = {
  comment: "/smithers continue",
  label: LABELS.continue,
  does: "Goes on. What you write behind it, or below it, is told to the agent as your words.",
};
const CANCEL: Way = { comment: "/smithers cancel", label: LABELS.cancel, does: "Ends the loop for good." };
const STATUS: Way = { comment: "/smithers status", does: "Says how it stands." };
const RESET: Way = { comment: "/smithers reset-circuit", does: "Forgets what opened the circuit breaker." };
const ACCEPT: Way = {
  comment: "/smithers accept",
  does: "Takes the work with its weak proof, as it is now, and ends the loop. Your name is kept with it.",
};

const RUNNING: readonly Way[] = [
  { comment: "/smithers pause", does: "Pauses after this iteration." },
  { comment: "/smithers stop", does: "Stops now; nothing is lost, and it can go on." },
  { comment: CANCEL.comment, label: LABELS.cancel, does: "Ends this turn now and the loop for good." },
  STATUS,
];

/**
 * The commands that can be used now (D-29), each with the label that does the same, and who may use them; [] when none
 * applies.
 */
export function waysOnBlocks(view: RunView): Block[] {
  const ways = waysOn(view);
  if (ways.length === 0) return [];
  const rows = ways.map(({ comment, label, does }): Hole[] => [code(comment), label ? code(label) : "", does]);
  return [
    heading(3, view.alive ? "What you can say now" : "How to go on"),
    table([null, null, null], ["Comment", "or label", "What it does"], rows),
    paragraph`The comment has to begin with it. Only people who may write to this repository are heard.`,
  ];
}

function waysOn(view: RunView): readonly Way[] {
  if (view.alive) return RUNNING;
  const ofStory = waysInWave(view.state);
  if (ofStory !== undefined) return ofStory;
  if (endingOf(view.state)?.outcome.resumableBy === "nobody") return [];
  const ending = view.state.stop_reason?.kind;
  const isAcceptable = ending === "weak_proof" || ending === "reviewer_vetoes";
  return [
    ...(isAcceptable ? [ACCEPT] : []),
    CONTINUE,
    ...(shownStatus(view) === "circuit_open" ? [RESET] : []),
    CANCEL,
    STATUS,
  ];
}
