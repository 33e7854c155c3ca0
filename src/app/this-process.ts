import type { Host } from "./surroundings.ts";

/** The process that a stage of the Action is. */
export function thisProcess(): Host {
  const { env, stdout, stderr, platform, argv } = process;
  return { env, stdout, stderr, platform, script: argv[1] ?? "", startedAt: Math.round(performance.timeOrigin) };
}
