import { hurry } from "../../platform/supervise.ts";
import { carryOut } from "../carry-out.ts";
import { compose } from "../compose.ts";
import { preflight } from "../preflight.ts";
import { createReporter } from "../create-reporter.ts";
import { note, type Shell } from "../shell.ts";
import { generationOf, type Plan } from "../start-or-resume.ts";
import { tellEnding } from "../tell-ending.ts";
import { viewOf } from "../view-of.ts";
import { writeSummary } from "../write-summary.ts";
import type { Invocation } from "./command.ts";
import { dryRun } from "./dry-run.ts";

const INTERRUPTED_EXIT_CODE = 130;

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
    onImpatience: impatience(say),
  });
  if (invocation.dryRun) return dryRun(plan, composition, invocation, shell);

  const onlooker = {
    place,
    alive: false,
    program: shell.program,
    flags: invocation.flags,
    providerArgs: settings.config.providerArgs,
  };
  if (plan.opening.do === "leave" && plan.stored !== undefined) {
    note(shell, plan.opening.because);
    return tellEnding(await viewOf(plan.stored, onlooker), invocation, shell);
  }
  await preflight(plan, composition);
  const carried = await carryOut(plan, composition, startedAt, async (state) => {
    const { summaryJson } = settings.config;
    try {
      await writeSummary(place, await viewOf(state, onlooker), summaryJson);
    } catch (error) {
      note(shell, `The summary could not be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  if (carried.left !== undefined) note(shell, carried.left);
  return tellEnding(await viewOf(carried.state, onlooker), invocation, shell);
}

/** Ctrl+C for the second time ends the agent without grace; for the third time, this program. */
function impatience(say: (text: string) => void): () => void {
  let times = 0;
  return () => {
    times += 1;
    if (times > 1) process.exit(INTERRUPTED_EXIT_CODE);
    say("ending the agent at once; Ctrl+C again leaves without saving anything more");
    hurry();
  };
}
