import type { Config } from "../config/config.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { secretsOf } from "./secrets-of.ts";

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
