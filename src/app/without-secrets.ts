import { SecretValues } from "../os/secrets.ts";
import type { Config } from "../config/config.ts";
import type { LoopState } from "../core/state.ts";
import { parseState } from "../store/codec.ts";
import { secretsOf } from "./secrets-of.ts";

/**
 * A state as it may leave this machine: it quotes what checks and agent have said, and whoever may read the repository
 * reads records, pull requests and comments (T2, T16). The runner hides
 * secrets in what it shows itself, not there.
 */
export function withoutSecrets(state: LoopState, config: Config): LoopState {
  const secrets = new SecretValues(secretsOf(config));
  const bytes = Buffer.from(JSON.stringify(state)).toString("latin1");
  return secrets.areIn(bytes)
    ? parseState(JSON.parse(Buffer.from(secrets.hiddenIn(bytes), "latin1").toString()))
    : state;
}
