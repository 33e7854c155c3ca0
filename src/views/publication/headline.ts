import { type Status, STATUSES } from "../../core/outcome.ts";
import { counted, duration, grouped } from "../amounts.ts";
import { outcomeSentence } from "../blocks/outcome.ts";
import { code, heading, paragraph, text, type Block } from "../markdown.ts";
import { hardStopPending, shownStatus, type RunView } from "../run-view.ts";

/** A sign, what became of the loop, and below it the figures: what a person takes in at a glance (D-30). */
export function headlineBlocks(view: RunView): Block[] {
  const { state } = view;
  const { iteration, spent } = state;
  const sign = hardStopPending(state).length > 0 ? STATUSES.paused_hard_stop.sign : signOf(shownStatus(view));
  return [
    heading(2, `${sign} ${outcomeSentence(view)}`),
    paragraph(
      code(shownStatus(view)),
      text(`· iteration ${iteration} of ${state.max_iterations}`),
      text(`· ${counted(spent.tokens, "token")} · ${duration(spent.turn_ms + spent.check_ms)}`),
      ...(spent.resumes === 0 ? [] : [text(`· resumed ${grouped(spent.resumes)}×`)]),
    ),
  ];
}

function signOf(status: Status | "crashed"): string {
  if (status === "running") return "🔄";
  return status === "crashed" ? "💥" : STATUSES[status].sign;
}
