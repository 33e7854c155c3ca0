import path from "node:path";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/read.ts";
import { pricesOf } from "../config/settings/prices.ts";
import type { Usage } from "../core/agent.ts";
import { costOf, priceOf } from "../core/cost/prices.ts";
import type { Provider } from "../core/ports.ts";
import { childEnvironment } from "../os/environment.ts";
import type { Isolation } from "../os/isolation/isolation.ts";
import { findOuter } from "../os/programs.ts";
import type { Finding } from "../views/gaps.ts";
import {
  type Agent,
  type AgentContext,
  finding,
  type HelperFolders,
  type IsolationNeeds,
  type Machine,
  missing,
  type TurnTaker,
} from "./agent.ts";
import { CODEX } from "./codex/agent.ts";
import { COMMAND } from "./command.ts";
import { SCRIPTED } from "./scripted/provider.ts";

/** The agents that this program can run. */
export const AGENTS: Readonly<Record<Config["provider"], Agent>> = {
  codex: CODEX,
  command: COMMAND,
  scripted: SCRIPTED,
};

/** What a provider is made from; `env` is the person's whole environment, of which the agent gets its part. */
export type ProviderContext = Omit<AgentContext, "env" | "key"> & { readonly env: Environment };

/** What takes the turns, and what puts a command into the agent's sandbox, where it has one. */
export interface Registered extends TurnTaker {
  /** what a turn certainly lacks on this machine although the provider's preflight finds nothing; within two seconds */
  readonly lacks: () => Promise<readonly Finding[]>;
  /**
   * What a use of tokens costs in millionths of a USD, by the person's prices or the agent's; undefined where no price of
   * its model is known.
   *
   * @param agent null: the settings' own
   */
  readonly priced: (agent: string | null, usage: Usage) => number | undefined;
  readonly sandboxed?: (argv: readonly string[]) => readonly string[];
}

/** @throws UsageError when what the provider needs is missing or wrong */
export async function createProvider(context: ProviderContext): Promise<Registered> {
  const { turn, modelOf, prices = [] } = agentOf(context.config);
  const own = contextOf(context);
  const model = modelOf === undefined ? context.config.model : modelOf(own);
  const price = priceOf(model, pricesOf(context.config.prices), prices);
  const priced = (_agent: string | null, usage: Usage) => price && costOf(usage, price);
  return { ...(await turn(own)), ...sandboxOf(context), lacks: () => lacksOfTurns(context), priced };
}

/** What puts a command into the sandbox of the settings' agent; nothing where it has none. */
export function sandboxOf(context: ProviderContext): Pick<Registered, "sandboxed"> {
  const { sandbox } = agentOf(context.config);
  if (sandbox === undefined) return {};
  const own = contextOf(context);
  return { sandboxed: (argv) => sandbox.wrap(own, argv) };
}

/**
 * What the turns of the settings' agent need in isolation, and why they do not fit; undefined: nobody asks for it.
 *
 * @see AgentIsolation
 */
export function turnsInIsolation(context: ProviderContext): TurnsInIsolation | undefined {
  const { isolation } = agentOf(context.config);
  if (isolation.asked === "when-required" && !context.config.requireIsolation) return undefined;
  const own = contextOf(context);
  return {
    env: own.env,
    needs: (overlays) => isolation.needs(own, overlays),
    unfit: async (isolated) => isolation.unfit?.(own, isolated),
  };
}

export interface TurnsInIsolation {
  /** the whole environment of the agent */
  readonly env: Readonly<Record<string, string>>;
  readonly needs: (overlays: boolean) => Promise<IsolationNeeds>;
  readonly unfit: (isolation: Isolation) => Promise<string | undefined>;
}

/** Whether the agent that the settings name can take a turn, as `doctor` says it. Spends nothing. */
export async function agentFindings(context: ProviderContext): Promise<readonly Finding[]> {
  const agent = agentOf(context.config);
  const own = contextOf(context);
  const { provider } = await agent.turn(own);
  const failed = await provider.preflight(new AbortController().signal);
  if (failed === undefined && agent.probes !== undefined) return agent.probes(own);
  return [finding(`provider ${context.config.provider}`, failed === undefined ? { right: "there" } : missing(failed))];
}

const LOOKED_MS = 2000;

async function lacksOfTurns(context: ProviderContext): Promise<readonly Finding[]> {
  const found = await agentOf(context.config).needsOfTurns?.(contextOf(context), AbortSignal.timeout(LOOKED_MS));
  return (found ?? []).filter(({ right }) => right.right === "missing");
}

/**
 * The environment in which the agent's program is found; it is installed where it is missing.
 *
 * @param machine `tell` takes lines of the log, `mark` marks the processes that install it
 */
export async function provideAgent(
  config: Config,
  { toolCache, temp }: { readonly toolCache: string | null; readonly temp: string },
  { env, mark, tell }: { readonly env: Environment; readonly mark: string; readonly tell: (line: string) => void },
): Promise<Environment> {
  const { providerVersion: version, install } = config;
  const { signal } = new AbortController();
  const installed = await agentOf(config).install?.({ version, install, env, toolCache, temp, tell, mark, signal });
  const folder = installed?.folder ?? null;
  return folder === null ? env : { ...env, PATH: [folder, env["PATH"] ?? ""].join(path.delimiter) };
}

/**
 * A provider that repairs the machine when an agent's sandbox cannot start, as far as one of them knows how.
 *
 * @param names of those that take the turns
 */
export function withRepair(
  names: readonly Config["provider"][],
  provider: Provider,
  notice: (text: string) => void,
  machine: Machine,
): Provider {
  const sandbox = names.map((name) => AGENTS[name].sandbox).find((one) => one !== undefined);
  return sandbox?.withRepair(provider, notice, machine) ?? provider;
}

/** Where an agent's sessions are, by the environment it is started with; null: they do not travel. */
export function sessionsFolder(config: Config, env: Environment): string | null {
  return agentOf(config).sessionFiles?.folder(env) ?? null;
}

/** Whether a file of this name can be some agent's session, and the session `id` where one is named. @see Agent */
export function isSessionFile(name: string, id?: string): boolean {
  return Object.values(AGENTS).some(({ sessionFiles }) => sessionFiles?.isSession(name, id));
}

/** Where the logins of agents are. */
export function agentCredentials(env: Environment): readonly string[] {
  return Object.values(AGENTS).flatMap(({ credentials }) => credentials?.(env) ?? []);
}

/** What agents keep of their user, and what no check needs. */
export function agentRecords(env: Environment, root: string): readonly string[] {
  return Object.values(AGENTS).flatMap(({ records }) => records?.(env, root) ?? []);
}

/** The bubblewrap to isolate commands with: an agent's, whose version is known, else the system's; undefined: none. */
export function findBubblewrap(searchPath: string): string | undefined {
  const brought = Object.values(AGENTS).map(({ bubblewrap }) => bubblewrap?.(searchPath));
  return brought.find((file) => file !== undefined) ?? findOuter("bwrap", searchPath)?.file;
}

/** The variables that hold agents' keys. */
export function keyVariables(): ReadonlySet<string | null> {
  return new Set(Object.values(AGENTS).map(({ settings }) => settings.keyVariable));
}

/** Where agents look for instructions. */
export function helperFolders(): readonly HelperFolders[] {
  return Object.values(AGENTS).flatMap(({ helpers }) => helpers ?? []);
}

function agentOf({ provider }: Config): Agent {
  return AGENTS[provider];
}

function contextOf({ env, ...context }: ProviderContext): AgentContext {
  const { variables, keyVariable } = agentOf(context.config).settings;
  const { apiKey, passEnv } = context.config;
  const own = childEnvironment(env, [...variables, ...passEnv]);
  if (keyVariable === null) return { ...context, env: own, key: null };
  // Not even `pass-env` brings the key to where the agent can read it.
  const { [keyVariable]: _, ...keyless } = own;
  return { ...context, env: keyless, key: apiKey ?? (env[keyVariable] || null) };
}
