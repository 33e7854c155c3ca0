import { storyOfLoop, runOfCandidate } from "../../core/story/wave-names.ts";
import type { Status } from "../../core/outcome.ts";
import { endingOf, hardStopPending, type RunView } from "../run-view.ts";
import { isForeign, type PublicationFacts } from "./facts.ts";
import { type Block, inline, marked, paragraph, type Piece } from "./markdown.ts";
import { callMarker } from "./markers.ts";
import { headlineBlocks, nextStepBlocks, outcomeDetails } from "./outcome.ts";

/** Endings that are the end of the work, or that a person has to do something about. */
const CALLING: ReadonlySet<Status> = new Set<Status>([
  ...(["completed", "paused_hard_stop", "blocked", "circuit_open"] as const),
  ...(["stopped_max_iterations", "stopped_budget", "error"] as const),
]);

/**
 * Whether somebody is to be told of an ending (C87). Not of what goes on by itself or of what a person has just done, and
 * not in a wave or among candidates, where the closing job decides what comes next.
 */
export function callsPerson(view: RunView): boolean {
  const { loop_id: loopId } = view.state;
  const isPart = storyOfLoop(loopId) !== null || runOfCandidate(loopId) !== null;
  return endingOf(view.state) !== undefined && CALLING.has(view.state.status) && !isForeign(view) && !isPart;
}

/** A comment that calls people; it is written once for the same ending of the same commit. */
export interface Call {
  /** the first line of `body`, by which it is found again */
  readonly marker: string;
  readonly body: string;
}

/** The comment that calls people to a loop's ending; null: nobody is to be mentioned in one. */
export function callOf(view: RunView, facts: PublicationFacts): Call | null {
  const { state } = view;
  const ending = endingOf(state);
  if (ending === undefined || facts.mention.length === 0 || !callsPerson(view)) return null;
  // An error that is met again and again without a step ahead is one ending.
  const step = state.status === "error" ? "" : String(state.iteration);
  const key = [ending.reason.kind, state.generation, step, facts.head ?? ""].join(".");
  const marker = callMarker({ ...facts, loopId: state.loop_id }, key);
  return {
    marker,
    body: marked(marker, [
      ["the call", [...mentionBlocks(view, facts), ...headlineBlocks(view)]],
      ["why", outcomeDetails(view)],
      ["what to do next", nextStepBlocks(view, facts)],
    ]),
  };
}

/** Calls people by name, and says for what; []: nobody. */
export function mentionBlocks(view: RunView, { mention }: Pick<PublicationFacts, "mention">): Block[] {
  const names = mention.filter((name) => NAME.test(name));
  if (names.length === 0) return [];
  const isDone = view.state.status === "completed" && hardStopPending(view.state).length === 0;
  const why = isDone ? "the work is done; please look at it." : "the loop waits for a person.";
  return [
    paragraph`${names.flatMap((name, index) => [...(index === 0 ? [] : inline` `), mentioned(name)])}${`: ${why}`}`,
  ];
}

/** A login, or a team as `org/team`. */
const NAME = /^[\w-]+(?:\/[\w.-]+)?$/u;

/** The one place that mentions somebody: whatever else is written is broken up (`inert`). */
function mentioned(name: string): Piece {
  return { type: "html", value: `@${name}` };
}
