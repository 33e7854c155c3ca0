import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Ci, CiMachine } from "./ci.ts";

const LATE_CLOCK = pathToFileURL(path.join(import.meta.dirname, "../late-clock.mjs")).href;

/**
 * For the `env` of a job: its time is up, but for the reserve, as soon as the agent has written `file`. So a run ends at
 * its time budget without anybody waiting.
 */
export function timeIsUpOnce({ results }: Ci, { workspace }: CiMachine, file: string): Record<string, string> {
  const { NODE_OPTIONS: preloaded = "" } = results.environment();
  return { NODE_OPTIONS: `${preloaded} --import=${LATE_CLOCK}`, LATE_CLOCK_FILE: path.join(workspace, file) };
}
