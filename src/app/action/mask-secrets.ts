import type { Config } from "../../config/config.ts";
import type { RunnerLog } from "../../platform/runner-log.ts";

/** A shorter one would blank out words of the log (threats T24). */
const LEAST_LENGTH = 8;

/** The secrets that this run knows, whatever they are for. */
export function secretsOf({ apiKey, githubToken, stateKey }: Config): readonly string[] {
  return [apiKey, githubToken, stateKey]
    .filter((secret) => secret !== null && secret.length >= LEAST_LENGTH)
    .map(String);
}

/** Has the runner blank out our secrets, as they are and as they look when they are encoded. */
export function maskSecrets(config: Config, log: RunnerLog): void {
  const forms = secretsOf(config).flatMap((secret) => [
    secret,
    Buffer.from(secret).toString("base64"),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  for (const form of new Set(forms)) log.mask(form);
}
