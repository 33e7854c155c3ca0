import { openHardStops } from "../hard-stop/open.ts";
import { stop, type StopRule } from "./rule.ts";

/** POST 9: a HARD STOP that nobody has acknowledged (W-43 to W-45, C10). */
export const hardStop: StopRule = (_task, { todo }, facts) => {
  if (todo === null) return undefined;
  const hits = openHardStops({ ...todo, when: todo.hard_stop_when }, facts.hardStops);
  return hits.length === 0 ? undefined : stop({ kind: "hard_stop", mode: todo.hard_stop_mode, hits });
};

/** PRE 5: the same on resume, before a turn is spent. The first iteration of a loop always runs. */
export const hardStopOnResume: StopRule = (task, state, facts) =>
  state.spent.resumes > 0 ? hardStop(task, state, facts) : undefined;
