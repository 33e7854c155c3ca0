import { keyVariables } from "../agents/registry.ts";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/read.ts";
import { checkVariables } from "../core/policy/check-variables.ts";
import { childEnvironment } from "../os/environment.ts";
import { tokensIn } from "../os/token-formats.ts";
import { settingSecrets } from "../store/redaction.ts";

/** What checks see of the environment. */
export interface CheckEnvironment {
  /** what also the programs get that start and isolate a check */
  readonly env: Readonly<Record<string, string>>;
  /** what the check alone gets besides */
  readonly inside: Readonly<Record<string, string>>;
  /** names of what `check-env: job` has kept from checks */
  readonly withheld: readonly string[];
}

/** What every program would load or run first: outside of isolation it would run what the agent may have written. */
const LOADED = /^(?:LD_|DYLD_|GLIBC_|GCONV_|BASH_|NODE_OPTIONS$|ENV$)/u;

/**
 * The environment of checks, by `check-env` and `pass-env`. Not even `pass-env` brings an agent's key there: what checks
 * do, the agent has written (T2, T3). It is that of the step as it began: what the agent writes reaches no variable of it.
 *
 * What a job adds is for the check alone: a library path into the workspace would have the programs that isolate load what
 * the agent has put there.
 */
export function checkEnvironment(env: Environment, config: Config): CheckEnvironment {
  const keys = keyVariables();
  const keyless = Object.fromEntries(Object.entries(env).filter(([name]) => !keys.has(name)));
  const outer = Object.entries(childEnvironment(keyless, config.passEnv));
  const loaded = outer.filter(([name]) => LOADED.test(name));
  const always = Object.fromEntries(outer.filter(([name]) => !LOADED.test(name)));
  if (config.checkEnv === "minimal") return { env: always, inside: Object.fromEntries(loaded), withheld: [] };
  const known = { values: settingSecrets(config), hasToken: (text: string) => tokensIn(text).length > 0 };
  const { passed, withheld } = checkVariables(env, known);
  const given = new Set(outer.map(([name]) => name));
  const added = Object.entries(passed).filter(([name]) => !given.has(name) && !keys.has(name));
  return {
    env: always,
    inside: Object.fromEntries([...added, ...loaded]),
    withheld: withheld.filter((name) => !given.has(name) && !keys.has(name)),
  };
}
