import { z } from "zod";
import { count, object } from "./schema-parts.ts";

/** The on-disk form of `Bounds`. */
export const bounds = object(() => ({
  max_calls_per_hour: count.nullable(),
  done_signals: count,
  thresholds: z.looseObject({ missing_status: count, no_progress: count, same_error: count, test_loops: count }),
  open_multiplier: count,
}));
