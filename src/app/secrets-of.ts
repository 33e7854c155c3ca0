import type { Config } from "../config/config.ts";

/** A shorter one would blank out words of the log (threats T24). */
const LEAST_LENGTH = 8;

/** The secrets that this run knows, whatever they are for. */
export function secretsOf({ apiKey, githubToken, stateKey }: Config): readonly string[] {
  return [apiKey, githubToken, stateKey]
    .filter((secret) => secret !== null && secret.length >= LEAST_LENGTH)
    .map(String);
}
