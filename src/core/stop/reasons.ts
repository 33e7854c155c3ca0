import { z } from "zod";
import { denial, providerFailure } from "../agent.ts";
import { hardStopHit } from "../hard-stop.ts";
import { count, date } from "../schema.ts";
import { problem, weakness } from "../verdict.ts";

const verified = z.boolean();
const by = z.string();
const failure = providerFailure;

/** What each kind of `StopReason` carries; what it means stands in `OUTCOMES`. */
export const stopReason = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("promise"), verified }),
  z.looseObject({ kind: z.literal("done_token"), verified }),
  z.looseObject({ kind: z.literal("dual_gate"), verified }),
  z.looseObject({ kind: z.literal("exit_signal"), verified }),
  z.looseObject({ kind: z.literal("plan_complete"), verified }),
  z.looseObject({ kind: z.literal("success_command"), command: z.string() }),
  z.looseObject({ kind: z.literal("already_green"), command: z.string() }),
  z.looseObject({ kind: z.literal("hard_stop"), mode: z.enum(["pause", "exit"]), hits: z.array(hardStopHit) }),
  z.looseObject({ kind: z.literal("paused"), by }),
  z.looseObject({ kind: z.literal("stopped"), by }),
  z.looseObject({ kind: z.literal("canceled"), by }),
  z.looseObject({ kind: z.literal("time_budget") }),
  z.looseObject({ kind: z.literal("max_iterations"), max: count }),
  z.looseObject({ kind: z.literal("tokens"), spent: count, max: count }),
  /** both in milliseconds */
  z.looseObject({ kind: z.literal("total_time"), spent: z.number().nonnegative(), max: z.number() }),
  /** in the agent's own words */
  z.looseObject({ kind: z.literal("agent_blocked"), why: z.string() }),
  z.looseObject({ kind: z.literal("permission_denied"), denied: z.array(denial) }),
  z.looseObject({ kind: z.literal("question"), question: z.string() }),
  z.looseObject({ kind: z.literal("weak_proof"), weaknesses: z.array(weakness) }),
  z.looseObject({ kind: z.literal("no_progress"), count }),
  z.looseObject({ kind: z.literal("same_error"), count }),
  z.looseObject({ kind: z.literal("test_loops"), count }),
  z.looseObject({ kind: z.literal("missing_status"), count }),
  z.looseObject({ kind: z.literal("rate_limit"), until: date, message: z.string() }),
  z.looseObject({ kind: z.literal("usage_limit"), until: date, message: z.string() }),
  z.looseObject({ kind: z.literal("calls_per_hour"), until: date, max: count }),
  z.looseObject({ kind: z.literal("auth"), failure }),
  z.looseObject({ kind: z.literal("config"), failure }),
  z.looseObject({ kind: z.literal("sandbox_broken"), failure }),
  z.looseObject({ kind: z.literal("provider"), failure }),
  z.looseObject({ kind: z.literal("gate_unrunnable"), problem }),
  z.looseObject({ kind: z.literal("commit_refused"), problem }),
  z.looseObject({ kind: z.literal("superseded"), by }),
]);
