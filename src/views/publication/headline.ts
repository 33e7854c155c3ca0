import type { Status } from "../../core/outcome.ts";
import { counted, duration, grouped } from "../amounts.ts";
import { outcomeSentence } from "../blocks/outcome.ts";
import { code, heading, paragraph, text, type Block } from "../markdown.ts";
import { hardStopPending, shownStatus, type RunView } from "../run-view.ts";

/** What a person sees first. */
const SIGNS = {
  running: "🔄",
  completed: "✅",
  waiting: "⏳",
  paused_hard_stop: "✋",
  paused_user_interrupt: "⏸️",
  paused_time_budget: "⏳",
  stopped_max_iterations: "🛑",
  stopped_budget: "🛑",
  blocked: "🚧",
  circuit_open: "🔌",
  canceled: "🚫",
  error: "❌",
  crashed: "💥",
} as const satisfies Record<Status | "crashed", string>;

/** A sign, what became of the loop, and below it the figures: what a person takes in at a glance (D-30). */
export function headlineBlocks(view: RunView): Block[] {
  const { state } = view;
  const { iteration, spent } = state;
  const sign = hardStopPending(state).length > 0 ? SIGNS.paused_hard_stop : SIGNS[shownStatus(view)];
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
