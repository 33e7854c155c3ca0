import { z } from "zod";
import { NO_USAGE, type Usage } from "../core/agent.ts";

/** What an agent says that its turn has used so far. */
export interface ReportedUsage {
  readonly usage: Usage;
  /** in millionths of a USD; absent: it does not say */
  readonly cost?: number;
}

const BEGINS = "smithers: usage ";
const tokens = z.int().nonnegative().default(0);
const report = z.object({
  input_tokens: tokens,
  cached_input_tokens: tokens,
  output_tokens: tokens,
  reasoning_tokens: tokens,
  cost_usd: z.number().nonnegative().max(1_000_000).optional(),
});

/** A line `smithers: usage {"input_tokens": 1200, "output_tokens": 80, "cost_usd": 0.01}`; undefined: it is another one. */
export function readReportedUsage(line: string): ReportedUsage | undefined {
  if (!line.startsWith(BEGINS)) return undefined;
  const { success, data } = report.safeParse(parsed(line.slice(BEGINS.length)));
  if (!success) return undefined;
  const { input_tokens: input, cached_input_tokens: cachedInput, output_tokens: output, cost_usd: usd } = data;
  const usage = { ...NO_USAGE, input, cachedInput, output, reasoning: data.reasoning_tokens };
  return { usage, ...(usd === undefined ? {} : { cost: Math.ceil(usd * 1_000_000) }) };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
