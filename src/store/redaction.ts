import type { Config } from "../config/config.ts";
import { propertyName } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { SHORTEST_SECRET } from "../core/policy/secret-variables.ts";
import type { LoopState } from "../core/state.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { valuesOf } from "../core/ports.ts";
import { SecretValues } from "../os/secrets.ts";
import { parseState } from "./state-file.ts";

/** Every secret value that the run knows and that is long enough (threats T24); each one once. */
export function secretsOf(config: Config): readonly string[] {
  const known = [...settingSecrets(config), ...config.environmentSecrets];
  return [...new Set(known)].filter((secret) => secret.length >= SHORTEST_SECRET);
}

/** The values of the settings that are secret. */
export function settingSecrets(config: Config): readonly string[] {
  const values = SETTINGS.flatMap(({ name, secret }) => {
    const value: unknown = secret === true ? Reflect.get(config, propertyName(name)) : null;
    return typeof value === "string" ? [value] : [];
  });
  // A key in PEM is printed line by line.
  const lines = (config.appPrivateKey ?? "").split(/\n|\\n/u).map((line) => line.trim());
  return [
    ...values,
    ...lines.filter((line) => line !== "" && !line.startsWith("-----")),
    ...valuesOf(config.githubToken),
  ];
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
  const clean = withoutSecretsIn(state, config);
  return clean === state ? state : parseState(clean);
}

/** Plain data with each of its texts as it may leave this machine; the same object when it holds no secret. */
export function withoutSecretsIn<T>(value: T, config: Config): T {
  return hiddenIn(value, new SecretValues(secretsOf(config)));
}

/** The same for secrets that are looked for again and again. */
export function hiddenIn<T>(value: T, secrets: SecretValues): T {
  const json = JSON.stringify(value);
  if (secrets.hiddenInWords(json) === json) return value;
  // Text by text, so that what is found never reaches over the end of one.
  return JSON.parse(json, (_key, inside: unknown) => {
    if (typeof inside === "string") return secrets.hiddenInWords(inside);
    if (typeof inside !== "object" || inside === null || Array.isArray(inside)) return inside;
    // An agent also chooses names: those of the fields of its status block.
    return Object.fromEntries(Object.entries(inside).map(([name, one]) => [secrets.hiddenInWords(name), one]));
  });
}

/** A text as it may leave this machine. */
export function textWithoutSecrets(text: string, config: Config): string {
  return new SecretValues(secretsOf(config)).hiddenInWords(text);
}
