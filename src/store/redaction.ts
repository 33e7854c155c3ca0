import { SecretValues } from "../os/secrets.ts";
import type { Config } from "../config/config.ts";
import type { LoopState } from "../core/state.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { parseState } from "./state-file.ts";

const LEAST_LENGTH = 8; // a shorter one would blank out words of the log (threats T24)

export function secretsOf({ apiKey, githubToken, stateKey }: Config): readonly string[] {
  return [apiKey, githubToken, stateKey]
    .filter((secret) => secret !== null && secret.length >= LEAST_LENGTH)
    .map(String);
}

/** Has the runner blank out our secrets, as they are and as they look when they are encoded. */
export function maskSecrets(config: Config, log: Pick<RunnerLog, "mask">): void {
  const forms = secretsOf(config).flatMap((secret) => [
    secret,
    Buffer.from(secret).toString("base64"),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  for (const form of new Set(forms)) log.mask(form);
}

/**
 * A state as it may leave this machine: it quotes checks and agent, and everybody who may read the repository reads
 * records, pull requests and comments (T2, T16). The runner only hides secrets in its own log, not there.
 */
export function withoutSecrets(state: LoopState, config: Config): LoopState {
  const secrets = new SecretValues(secretsOf(config));
  const bytes = Buffer.from(JSON.stringify(state)).toString("latin1");
  return secrets.areIn(bytes)
    ? parseState(JSON.parse(Buffer.from(secrets.hiddenIn(bytes), "latin1").toString()))
    : state;
}
