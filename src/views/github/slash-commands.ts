import { endingOf, type RunView, shownStatus } from "../run-view.ts";
import { type Block, code, heading, type Hole, paragraph, table } from "./markdown.ts";
import { type Label, LABELS } from "./labels.ts";
import { waysInWave } from "./wave-story.ts";

interface Way {
  readonly comment: string;
  readonly label?: Label;
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

/** Where it is not known which labels of ours a repository has, none is spoken of: a comment does the same. */
const NO_LABELS = { missingLabels: Object.values(LABELS).map(({ name }) => name) } as const;

/**
 * The commands that can be used now (D-29), each with the label that does the same where the repository has it, and who may
 * use them; [] when none applies.
 */
export function waysOnBlocks(
  view: RunView,
  { missingLabels }: { readonly missingLabels: readonly string[] } = NO_LABELS,
): Block[] {
  const ways = waysOn(view);
  if (ways.length === 0) return [];
  const nameOf = ({ label }: Way): string =>
    label === undefined || missingLabels.includes(label.name) ? "" : label.name;
  const labelled = ways.some((way) => nameOf(way) !== "");
  const labelCell = (way: Way): Hole[] => (labelled ? [nameOf(way) && code(nameOf(way))] : []);
  const rows = ways.map((way): Hole[] => [code(way.comment), ...labelCell(way), way.does]);
  const columns = ["Comment", ...(labelled ? ["or label"] : []), "What it does"];
  return [
    heading(3, view.alive ? "What you can say now" : "How to go on"),
    table(
      columns.map(() => null),
      columns,
      rows,
    ),
    paragraph`The comment has to begin with it. Only people who may write to this repository are heard.`,
  ];
}

/** The labels that do what can be said of a loop now. */
export function labelsOffered(view: RunView): readonly Label[] {
  return waysOn(view).flatMap(({ label }) => (label === undefined ? [] : [label]));
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
