import type { Ports } from "../ports.ts";
import type { LoopState } from "../state.ts";
import { seenOnOneLine } from "../text.ts";
import { keptText } from "./undone.ts";

const PATH_LENGTH = 500;

/**
 * Brings the documents to what the state says, apart from a turn, and tells what of them had been changed.
 *
 * @param since what ran last; `killed`: a run that has not said that it ended
 */
export async function putBackDocuments(
  state: LoopState,
  { backlog, reporter }: Pick<Ports, "backlog" | "reporter">,
  since: "run" | "killed" = "run",
): Promise<void> {
  for (const found of await backlog.sync(state)) {
    const file = seenOnOneLine(found.file, PATH_LENGTH);
    const kept = keptText(found, state.artifacts.dir);
    const back =
      found.kept === null ? "" : " If that was you, end this run, put that in its place, and start it again.";
    const text =
      since === "run"
        ? `${file} was changed while no turn ran; the loop goes on with the PRD as it was when this run began, and has put it back: ${kept}.`
        : `${file} is not as the last run had it, which was killed: its agent may have changed it, or somebody since. The loop goes on with the PRD as that run had it, and has put it back: ${kept}.${back}`;
    reporter.observe({ type: "notice", text });
  }
}
