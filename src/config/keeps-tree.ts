import type { Config } from "./config.ts";

/**
 * Whether unfinished work is kept between runs: where others cannot read it, in a private repository, or sealed (C13).
 */
export function keepsTree(
  { checkpointTree, stateKey }: Pick<Config, "checkpointTree" | "stateKey">,
  isPrivate: boolean,
): boolean {
  return checkpointTree !== "off" && (stateKey !== null || isPrivate);
}
