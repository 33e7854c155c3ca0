import { costText } from "../cost.ts";
import type { HardStopHit } from "../../core/hard-stop.ts";
import type { LoopState } from "../../core/state.ts";
import { counted, duration } from "../amounts.ts";
import { plainText } from "../plain-text.ts";
import type { RunView } from "../run-view.ts";
import { sinceTheBeginning } from "../summary.ts";
import { fileBlocks, outputBlocks, suspectBlocks } from "./evidence.ts";
import type { PublicationFacts } from "./facts.ts";
import { linkBlocks } from "./links.ts";
import {
  type Block,
  bullets,
  code,
  folded,
  heading,
  inline,
  listed,
  markdown,
  marked,
  paragraph,
  type Piece,
  verbatim,
} from "./markdown.ts";
import { type Label, LABELS } from "./labels.ts";
import { mentionBlocks } from "./call.ts";
import { hardStopMarker } from "./markers.ts";
import { proofSentence } from "./outcome.ts";

const HITS = 20;
/** A path that GitHub can find in a diff. */
const IN_REPOSITORY = /^(?!\/|\.{1,2}(?:\/|$))(?!.*\/\.\.(?:\/|$))[^\\]+$/u;

/** A review of kind COMMENT, which a loop can write on its own pull request. */
export interface HardStopReview {
  /** the first line of `body`: a pull request has one review with it */
  readonly marker: string;
  /** the commit that the person is asked about */
  readonly head: string;
  /** says everything; at most 60,000 characters of Markdown */
  readonly body: string;
  /** at the line of the todo file, if the diff has that line; null: it does not */
  readonly inline: { readonly path: string; readonly line: number; readonly body: string } | null;
}

/**
 * What a person has to know to confirm a HARD STOP, and the two ways to do it (W-44, C10).
 *
 * @param head the commit that the stop is about
 */
export function hardStopReview(
  view: RunView,
  facts: PublicationFacts,
  { hits, head }: { readonly hits: readonly HardStopHit[]; readonly head: string },
): HardStopReview {
  const { state } = view;
  const ids = hits.slice(0, HITS).map((hit) => hit.id);
  const marker = hardStopMarker(state.loop_id, head, ids);
  const body = marked(marker, [
    ["what is asked", [heading(2, "✋ HARD STOP: a person has to look at the work"), ...mentionBlocks(view, facts)]],
    ["the checkpoint", askedBlocks(state, hits)],
    ["how to go on", waysBlocks(head, facts)],
    ["changed tests and CI files", suspectBlocks(view, facts)],
    ["what was done", doneBlocks(view)],
    ["the agent's last words", wordBlocks(state)],
    ["output of the failing check", outputBlocks(view)],
    ["changed files", fileBlocks(view)],
    ["links", linkBlocks(facts)],
  ]);
  return { marker, head, body, inline: inlineOf(state, hits) };
}

function askedBlocks({ todo }: LoopState, hits: readonly HardStopHit[]): Block[] {
  const where = todo === null ? [] : [paragraph`The checkpoint in ${code(todo.path)} asks:`];
  return [...where, listed(hits.map(asked), HITS, "see the todo file")];
}

function asked({ line, text: words, vanished }: HardStopHit): Piece[] {
  if (vanished !== true) return inline`**Line ${line}:** ${words}`;
  return inline`**A checkpoint is gone:** ${words} (line ${line} until it was taken out, and nobody has confirmed it)`;
}

/** The label as well, where the repository has it; never alone: it starts nothing while the pull request has a conflict. */
function waysBlocks(head: string, { missingLabels }: PublicationFacts): Block[] {
  const has = (label: Label): boolean => !missingLabels.includes(label.name);
  const comment = inline`**Comment** ${code("/smithers continue")} — words behind it are told to the agent as yours.`;
  const label = inline`**Label** ${code(LABELS.continue.name)} — not while there is a merge conflict: GitHub then tells nobody of labels.`;
  const orLabel = has(LABELS.cancel) ? inline` or the label ${code(LABELS.cancel.name)}` : [];
  return [
    heading(3, "Look at the changes, then go on"),
    bullets([comment, ...(has(LABELS.continue) ? [label] : [])]),
    paragraph`It counts for commit ${code(head.slice(0, 12))} alone: whatever is pushed after your word makes it void. To end the loop for good: ${code("/smithers cancel")}${orLabel}`,
  ];
}

function doneBlocks(view: RunView): Block[] {
  const { iteration, max_iterations: most, spent } = view.state;
  const cost = costText(view.state);
  return [
    heading(3, "What was done"),
    bullets([
      `${counted(iteration, "iteration")} of ${most}, ${duration(spent.turn_ms + spent.check_ms)}, ${counted(spent.tokens, "token")}${cost === undefined ? "" : `, ${cost}`}.`,
      sinceTheBeginning(view),
      proofSentence(view),
    ]),
  ];
}

/** The agent's notes, else the end of its last message. */
function wordBlocks({ last_turn: turn }: LoopState): Block[] {
  if (turn === null) return [];
  const { notes } = turn.claim;
  const words = plainText(notes.length > 0 ? notes.join("\n") : turn.summary).trim();
  return words === "" ? [] : folded("The agent's last words", [verbatim(words, 4_000)]);
}

function inlineOf({ todo }: LoopState, hits: readonly HardStopHit[]): HardStopReview["inline"] {
  const hit = hits.find((one) => one.vanished !== true);
  if (todo === null || hit === undefined || !IN_REPOSITORY.test(todo.path)) return null;
  const body = markdown([
    paragraph`**✋ HARD STOP:** ${hit.text}`,
    paragraph`To go on, write a comment on the pull request: ${code("/smithers continue")}`,
  ]);
  return { path: todo.path, line: hit.line, body };
}
