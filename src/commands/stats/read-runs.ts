import { z } from "zod";
import { failureKind, usage } from "../../core/agent.ts";
import { claim } from "../../core/claim/claim.ts";
import type { LoopEvent } from "../../core/events.ts";
import { stopReason } from "../../core/outcome.ts";
import { count } from "../../core/schema.ts";
import type { LoopState } from "../../core/state.ts";
import { hasCode } from "../../os/file-errors.ts";
import type { LoopFiles } from "../../store/loop-files.ts";
import { readEvents } from "../../store/read-events.ts";
import { briefly } from "../../views/plain-text.ts";
import { countRuns, noRuns, type RunCounts } from "../../views/stats/loop-stats.ts";

const iteration = count;
const snapshot = z.looseObject({ tree: z.string(), nested: z.string().exactOptional(), head: z.string().nullable() });
const begun = {
  runtime: z.looseObject({ provider: z.string(), model: z.string().nullable() }),
  stories: z.looseObject({ stories: z.array(z.looseObject({ id: z.string() })) }).exactOptional(),
};

/** Of each kind of event what the statistics look at: the files lie where the agent can write. */
const LOOKED_AT = {
  loop_started: z.looseObject({ ...begun, snapshot: snapshot.nullable() }),
  loop_resumed: z.looseObject(begun),
  turn_abandoned: z.looseObject({ iteration }),
  turn_started: z.looseObject({ provider: z.string().exactOptional() }),
  turn_ended: z.looseObject({
    ...{ claim, usage },
    failure: z.looseObject({ kind: failureKind }).nullable(),
    change: z.looseObject({ files: count }).nullable(),
    tally: z.looseObject({}).nullish(),
    duration_ms: z.number().nonnegative(),
  }),
  proved: z.looseObject({ verdict: z.looseObject({ result: z.string() }) }),
  settled: z.looseObject({ iteration, story: z.looseObject({ id: z.string(), ends: z.string() }).exactOptional() }),
  story_ruled: z.looseObject({ id: z.string(), ruling: z.string() }),
  loop_stopped: z.looseObject({ reason: stopReason }),
  ...{ session_opened: z.unknown(), reviewed: z.unknown(), wait_started: z.unknown(), story_examined: z.unknown() },
  ...{ story_given_up: z.unknown(), story_shelved: z.unknown(), reset: z.unknown(), published: z.unknown() },
} as const satisfies Record<LoopEvent["type"], z.ZodType>;

/** What a generation's events say. `runs` null: they are not there; or they say nothing, and `problem` is why. */
export interface RunsRead {
  readonly runs: RunCounts | null;
  /** part of a sentence */
  readonly problem: string | null;
}

/**
 * Counts a generation's events. They count when they are whole: one for each revision of its state, as only a machine has
 * them that had the loop from its beginning. Never throws for what the files hold.
 *
 * @param earlier of the generation before it
 */
export async function readRuns(files: LoopFiles, state: LoopState, earlier: RunCounts | null): Promise<RunsRead> {
  const not = (problem: string | null): RunsRead => ({ runs: null, problem });
  let runs = noRuns(earlier ?? undefined);
  let revision = 0;
  try {
    for await (const event of readEvents(files)) {
      // A crash leaves an event that its state does not know.
      if (revision === state.revision) break;
      revision += 1;
      if (!("revision" in event) || event.revision !== revision)
        return not(`its events are not all there (that of revision ${revision} is missing)`);
      if (!LOOKED_AT[event.type].safeParse(event).success)
        return not(`its events are damaged (that of revision ${revision})`);
      runs = countRuns(runs, event);
    }
  } catch (error) {
    return not(hasCode(error, "ENOENT") ? null : `its events cannot be read: ${briefly(error)}`);
  }
  if (revision < state.revision) return not(`its events end at revision ${revision} of ${state.revision}`);
  return { runs, problem: null };
}
