import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/config.ts";
import type { TurnRequest } from "../core/agent.ts";
import { messageOf, UsageError } from "../core/errors.ts";
import type { Clock, Provider } from "../core/ports.ts";
import { childEnvironment } from "../os/environment.ts";
import { codexArguments, sandboxArguments } from "../agents/codex/arguments.ts";
import { findCodex } from "../agents/codex/binary.ts";
import type { CodexOptions } from "../agents/codex/options.ts";
import { createCodexProvider } from "../agents/codex/provider.ts";
import { createCommandProvider } from "../agents/command.ts";

/** Where Codex keeps its login and its sessions. */
const CODEX_VARIABLES = ["CODEX_HOME"];

/** What every provider is made from. */
export interface ProviderContext {
  readonly config: Config;
  readonly workspaceRoot: string;
  /** the loop's folder */
  readonly folder: string;
  /** the mark of the processes that a turn starts */
  readonly mark: string;
  /** the person's environment, of which an agent gets what is harmless and what `pass-env` names */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** A provider, and how it is started. */
export interface Registered {
  readonly provider: Provider;
  /** program and arguments of a turn, as `--dry-run` shows them; the prompt comes on stdin */
  readonly commandLine: (turn: Pick<TurnRequest, "iteration" | "sessionId">) => readonly string[];
  /** puts a command into the agent's sandbox (`check-sandbox`); undefined where the agent has none of its own */
  readonly sandboxed?: (argv: readonly string[]) => readonly string[];
}

/** The agents that this program can run. A new provider is one line here. */
const PROVIDERS: Readonly<Record<Config["provider"], (context: ProviderContext) => Promise<Registered>>> = {
  codex: async (context) => codex(context),
  command: async (context) => command(context),
  scripted,
};

/** @throws UsageError when what the provider needs is missing or wrong */
export async function createProvider(context: ProviderContext): Promise<Registered> {
  return PROVIDERS[context.config.provider](context);
}

/** How Codex is called with these settings. */
export function codexOptionsOf({ config, env, ...place }: ProviderContext): CodexOptions {
  return {
    ...place,
    env: childEnvironment(env, [...CODEX_VARIABLES, ...config.passEnv]),
    sandbox: config.sandbox,
    model: config.model,
    profile: config.profile,
    approval: config.askForApproval,
    network: config.network,
    skipGitRepoCheck: config.skipGitRepoCheck,
    extraArgs: config.providerArgs,
    apiKey: config.apiKey ?? env["CODEX_API_KEY"] ?? null,
  };
}

function codex(context: ProviderContext): Registered {
  const { env } = context;
  const options = codexOptionsOf(context);
  const program = findCodex(undefined, env["PATH"] ?? "") ?? "codex";
  return {
    provider: createCodexProvider(options),
    commandLine: (turn) => [program, ...codexArguments(options, turn)],
    sandboxed: (argv) => [program, ...sandboxArguments(options, argv)],
  };
}

function command({ config, env, ...place }: ProviderContext): Registered {
  const words = [...(config.providerCommand ?? []), ...config.providerArgs];
  const options = { ...place, env: childEnvironment(env, config.passEnv), command: words };
  return { provider: createCommandProvider(options), commandLine: () => words };
}

async function scripted({ config, env, ...place }: ProviderContext): Promise<Registered> {
  const file = path.resolve(place.workspaceRoot, config.script ?? "");
  const scriptText = await readFile(file, "utf8").catch((error: unknown) => {
    throw new UsageError([
      {
        code: "SCRIPT_UNREADABLE",
        what: `The script ${file} cannot be read: ${messageOf(error)}.`,
        next: "Correct --script; its path is seen from the workspace.",
      },
    ]);
  });
  const { createScriptedProvider } = await import("../agents/scripted.ts");
  return {
    provider: createScriptedProvider({ ...place, env: childEnvironment(env, config.passEnv), scriptText }),
    commandLine: () => ["scripted", file],
  };
}
