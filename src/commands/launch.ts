import type { LoopState } from "../core/state.ts";
import type { RunView } from "../views/run-view.ts";
import { hurry } from "../os/supervise.ts";
import { carryOut } from "../app/carry-out.ts";
import { compose } from "../app/compose.ts";
import { preflight } from "../app/preflight.ts";
import { createReporter } from "../app/create-reporter.ts";
import { impatience } from "./impatience.ts";
import { flagsToRepeat } from "../app/resume-command.ts";
import { note, type Shell } from "../app/shell.ts";
import { generationOf, type Plan } from "../app/start-or-resume.ts";
import { tellEnding } from "./tell-ending.ts";
import { workingHours } from "../app/to-task.ts";
import { viewOf } from "../app/view-of.ts";
import { writeSummary } from "../app/write-summary.ts";
import type { Invocation } from "../app/command.ts";
import { dryRun } from "./dry-run.ts";
import { messageOf } from "../core/errors.ts";

/** Does what was planned, and tells how it ended. */
export async function launch(plan: Plan, invocation: Invocation, shell: Shell): Promise<number> {
  const { settings, place } = plan;
  for (const notice of settings.notices) note(shell, notice);
  const startedAt = Date.now();
  const reporter = createReporter(plan, shell, startedAt);
  const say = (text: string): void => reporter.observe({ type: "notice", text });
  const composition = await compose({
    ...settings,
    place,
    generation: generationOf(plan),
    env: shell.env,
    reporter,
    say,
    onImpatience: impatience({ say, hurry, leave: (exitCode) => process.exit(exitCode) }),
  });
  if (invocation.dryRun) return dryRun(plan, composition, invocation, shell);

  const onlooker = {
    place,
    alive: false,
    program: shell.program,
    flags: flagsToRepeat(invocation.flags, settings),
    providerArgs: settings.config.providerArgs,
  };
  const leave = async (state: LoopState, because: string): Promise<number> => {
    const view = await viewOf(state, onlooker);
    note(shell, because.replaceAll("<resume>", view.resume));
    return tellEnding(view, invocation, shell);
  };
  if (plan.opening.do === "leave" && plan.stored !== undefined) return leave(plan.stored, plan.opening.because);
  let seen: Promise<RunView> | undefined;
  // Looked at once: the summary and the last words tell the same ending.
  const ending = (state: LoopState): Promise<RunView> => (seen ??= viewOf(state, onlooker));
  await preflight(plan, composition);
  const carried = await carryOut(plan, composition, workingHours(settings.config, startedAt), async (state) => {
    const { summaryJson } = settings.config;
    try {
      await writeSummary(place, await ending(state), summaryJson);
    } catch (error) {
      const why = messageOf(error);
      note(shell, `The summary could not be written (${why}); state and events are complete.`);
      note(shell, `Look with ${shell.program} status --loop-id ${place.loopId}; make room, or correct --summary-json.`);
    }
  });
  if (carried.left !== undefined) return leave(carried.state, carried.left);
  return tellEnding(await ending(carried.state), invocation, shell);
}
