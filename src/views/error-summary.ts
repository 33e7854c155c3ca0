import type { Problem } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import { counted } from "./amounts.ts";
import { code, fence, heading, paragraph, strong, text, type Block } from "./markdown.ts";
import { assembled } from "./parts.ts";

/** What is known when an error has ended a step of a job. */
export interface ErrorFacts {
  readonly problems: readonly Problem[];
  /** as it is stored on this machine; undefined: no loop was begun or brought back here */
  readonly state: Pick<LoopState, "loop_id" | "iteration" | "status"> | undefined;
  /** words advice for the place where it is read, see `RunView` */
  readonly word: (advice: string) => string;
}

const LIMIT_BYTES = 100_000;
const PROBLEMS = 50;

/** The summary of a step that an error has ended: what happened, what is unharmed, what to do next. Pure. */
export function errorSummary(facts: ErrorFacts): string {
  return assembled(
    [
      ["what happened", [heading(2, "error: This run could not do its work.")]],
      ["what is unharmed", [paragraph(text(unharmed(facts.state)))]],
      ["what to do next", problemBlocks(facts)],
    ],
    LIMIT_BYTES,
  );
}

function unharmed(state: ErrorFacts["state"]): string {
  if (state === undefined) return "It has begun no loop and spent nothing; what earlier runs have kept is as it was.";
  const { loop_id: id, iteration, status } = state;
  return `Loop ${id} is unharmed: it is kept as of its last finished step, ${status} after ${counted(iteration, "iteration")}.`;
}

function problemBlocks({ problems, word }: ErrorFacts): Block[] {
  const shown = problems.slice(0, PROBLEMS).flatMap(({ code: id, what, next }) => {
    const [first = "", ...more] = word(what).split("\n");
    return [
      paragraph(code(id), text(first)),
      ...(more.length === 0 ? [] : [fence("text", more.join("\n"))]),
      paragraph(strong("Next:"), text(word(next))),
    ];
  });
  const rest = problems.length - PROBLEMS;
  return rest > 0 ? [...shown, paragraph(text(`${rest} more: see the log of the run.`))] : shown;
}
