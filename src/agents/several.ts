import type { Config } from "../config/config.ts";
import type { Environment } from "../config/read.ts";
import { type ProviderName, usualVersion } from "../config/settings/agent.ts";
import { NO_USAGE } from "../core/agent.ts";
import type { Provider } from "../core/ports.ts";
import type { Isolation } from "../os/isolation/isolation.ts";
import { failure } from "./agent.ts";
import { createProvider, provideAgent, type ProviderContext, type Registered, sandboxOf } from "./registry.ts";

/**
 * The settings with which an agent takes turns. Model, profile, arguments and version are said of the settings' own agent,
 * and mean nothing to another one.
 */
export function configOfAgent(config: Config, provider: ProviderName): Config {
  if (provider === config.provider) return config;
  const providerVersion = usualVersion(provider);
  return { ...config, provider, providerVersion, model: null, profile: null, providerArgs: [] };
}

/** Finds or installs the agents besides the settings' own. @see provideAgent */
export async function provideOthers(
  config: Config,
  names: readonly ProviderName[],
  place: Parameters<typeof provideAgent>[1],
  machine: Parameters<typeof provideAgent>[2],
): Promise<Environment> {
  let { env } = machine;
  for (const name of names) {
    if (name !== config.provider) env = await provideAgent(configOfAgent(config, name), place, { ...machine, env });
  }
  return env;
}

/**
 * What takes the turns of a loop whose PRD may choose agents: each turn goes to the one that its request names, else to
 * the settings' own. Commands get into the sandbox of that one alone.
 *
 * @param names at least one; only these can take turns
 * @param isolationOf what the turns of one of them run in
 * @throws UsageError when what one of them needs is missing or wrong
 */
export async function createProviders(
  context: ProviderContext,
  names: readonly ProviderName[],
  isolationOf: (name: ProviderName) => (() => Promise<Isolation | undefined>) | undefined,
): Promise<Registered> {
  const own = context.config.provider;
  const made = await Promise.all(
    names.map(async (name) => {
      const config = configOfAgent(context.config, name);
      return [name, await createProvider({ ...context, config, isolation: isolationOf(name) })] as const;
    }),
  );
  const [only] = made;
  if (made.length === 1 && only?.[0] === own) return only[1];
  const agents = new Map<string, Registered>(made);
  return {
    ...sandboxOf(context),
    provider: dispatching(agents, own),
    commandLine: (turn) => agents.get(turn.provider ?? own)?.commandLine(turn) ?? [],
    priced: (agent, usage) => agents.get(agent ?? own)?.priced(agent, usage),
    lacks: async () => (await Promise.all(made.map(async ([, { lacks }]) => lacks()))).flat(),
  };
}

function dispatching(agents: ReadonlyMap<string, Registered>, own: string): Provider {
  return {
    name: [...agents.keys()].join(" or "),
    async preflight(signal) {
      for (const [name, { provider }] of agents) {
        const failed = await provider.preflight(signal);
        if (failed !== undefined) return { ...failed, message: `${name}: ${failed.message}` };
      }
      return undefined;
    },
    async *runTurn(request, signal) {
      const name = request.provider ?? own;
      const agent = agents.get(name);
      if (agent !== undefined) return yield* agent.provider.runTurn(request, signal);
      // Not to be spent on an agent that nobody has chosen for it.
      yield {
        type: "turn.failed",
        failure: failure("bad_request", `The agent ${name} was not looked for when this run began.`, {
          next: "Let the loop go on with another run, which looks for all agents of the PRD.",
        }),
        ...{ exitCode: null, lastMessage: "", usage: NO_USAGE, sessionUsage: null },
      };
    },
  };
}
