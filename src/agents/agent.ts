import type { Config } from "../config/config.ts";
import type { Environment } from "../config/read.ts";
import type { FailureKind, ProviderFailure, TurnRequest } from "../core/agent.ts";
import type { ListedPrice } from "../core/cost/prices.ts";
import type { Clock, Provider } from "../core/ports.ts";
import { type Isolation, whyNotStarted } from "../os/isolation/isolation.ts";
import type { Finding, Right } from "../views/gaps.ts";

/**
 * All that the program knows of one agent. A new agent is a folder beside this file that makes one of these, a line in
 * `registry.ts`, and a line in `PROVIDERS` of the settings; nothing else may ask which agent it is.
 */
export interface Agent {
  /** what of a person's environment belongs to the agent */
  readonly settings: {
    /** variables that always reach it, whatever `pass-env` says: where its login and configuration are; never secrets */
    readonly variables: readonly string[];
    /** the variable in which its program takes an API key, and a person gives it without `api-key`; null: none */
    readonly keyVariable: string | null;
  };
  /** Makes what takes the turns of a loop. @throws UsageError when a setting that the agent needs is missing or wrong */
  readonly turn: (context: AgentContext) => Promise<TurnTaker>;
  /** The model that takes its turns, as far as settings say; null: nobody says. Absent: that of the settings. */
  readonly modelOf?: (context: AgentContext) => string | null;
  /** what its models cost; absent: only a person's own prices say that */
  readonly prices?: readonly ListedPrice[];
  /** Finds or installs the agent's program; absent: a machine has it, or none is needed. @see InstallWish */
  readonly install?: (wish: InstallWish) => Promise<InstalledAgent>;
  /** The files of sessions, by which an agent goes on elsewhere; absent: the next machine begins with a fresh session. */
  readonly sessionFiles?: {
    /** absolute where the environment is */
    readonly folder: (env: Environment) => string;
    /**
     * Whether this can be the file of a session, and of the session `id` where one is named. Nothing else in the folder
     * travels: neither configuration nor credentials may match.
     *
     * @param name below the folder, with `/` between its parts
     */
    readonly isSession: (name: string, id?: string) => boolean;
  };
  /** Absent: the agent has no sandbox of its own, and the setting `sandbox` means nothing to it, as `PROVIDERS` says too. */
  readonly sandbox?: {
    /** program and arguments that run a command, program first, in the sandbox of the turns (`check-sandbox`) */
    readonly wrap: (context: AgentContext, command: readonly string[]) => readonly string[];
    /** A provider that repairs the machine when the sandbox cannot start, and tells a person so. */
    readonly withRepair: (provider: Provider, notice: (text: string) => void, machine: Machine) => Provider;
  };
  /** what its turns need to run in isolation */
  readonly isolation: AgentIsolation;
  /** Where its logins are, absolute where the environment is: checks and turns of other agents cannot see them. Absent: it has none. */
  readonly credentials?: (env: Environment) => readonly string[];
  /**
   * What it keeps of its user besides: settings that may hold tokens, what was said. Checks cannot see it.
   *
   * @param root the workspace, of which nothing is hidden that is part of the work
   */
  readonly records?: (env: Environment, root: string) => readonly string[];
  /** The bubblewrap that its package brings, absolute; absent: it brings none. */
  readonly bubblewrap?: (searchPath: string) => string | undefined;
  /**
   * What `doctor` says of an agent whose preflight finds nothing wrong: program, sandbox, login. Spends nothing and
   * ends within seconds. Absent: a preflight already tells everything.
   */
  readonly probes?: (context: AgentContext) => Promise<readonly Finding[]>;
  /**
   * What its turns need of this machine beyond the program, without spending anything. Only what is certain is
   * missing; what is not known when `signal` aborts is unknown. Absent: a preflight already tells everything.
   */
  readonly needsOfTurns?: (context: AgentContext, signal: AbortSignal) => Promise<readonly Finding[]>;
  /** where `install-helpers` puts instructions for people who use the agent by hand; absent: it reads none of ours */
  readonly helpers?: HelperFolders;
}

/** How an agent fits into the isolation of its turns. */
interface AgentIsolation {
  /** absent: always; `when-required`: only `require-isolation` asks for it, because a person wrote what it runs */
  readonly asked?: "when-required";
  /**
   * What has to be there: its program, its login, its sessions.
   *
   * @param overlays whether folders can look writable
   */
  readonly needs: (context: AgentContext, overlays: boolean) => Promise<IsolationNeeds>;
  /** Why its turns do not work in there, for people; undefined: they do. Spends nothing. */
  readonly unfit?: (context: AgentContext, isolation: Isolation) => Promise<string | undefined>;
}

/** Paths are absolute. */
export interface IsolationNeeds {
  /** `PATH` to be seen, `PATH:rw` to be changed for good, as far as it exists */
  readonly access: readonly string[];
  /** folders that look writable, and whose changes end with the run */
  readonly overlaid: readonly string[];
  /** of what is hidden as some agent's login, what is its own: as the rest of HOME. Absent: nothing */
  readonly own?: readonly string[];
}

/** Where and with what an agent works. */
export interface AgentContext {
  readonly config: Config;
  /** absolute */
  readonly workspaceRoot: string;
  /** the loop's folder, absolute */
  readonly folder: string;
  /** marks the processes that a turn starts, see `supervise` */
  readonly mark: string;
  /** the whole environment of the agent's program; its key is not in it, and what the agent starts can read it */
  readonly env: Readonly<Record<string, string>>;
  /** what the turns run in; absent, or undefined: they run as the loop's user */
  readonly isolation?: (() => Promise<Isolation | undefined>) | undefined;
  /**
   * Whether the sessions review another's work (C50): what the agent has to keep a session from changing anything is on,
   * whatever the settings say, and its files are `review_iter_N.jsonl` and `review_message_iter_N.txt`. Absent: they take turns.
   */
  readonly reviews?: true;
  /** the agent's API key, to be kept where the agent cannot read it (`startKeyProxy`); null: we have none */
  readonly key: string | null;
  readonly clock: Clock;
}

/** What takes the turns of one loop, and how it is started. */
export interface TurnTaker {
  /** as `providerContract` in test/contract wants it */
  readonly provider: Provider;
  /** program and arguments of a turn, as `--dry-run` shows them; the prompt comes on stdin */
  readonly commandLine: (turn: Pick<TurnRequest, "iteration" | "sessionId" | "provider">) => readonly string[];
}

/**
 * Which program is wanted, and where it may come from.
 *
 * An agent's `install` throws UsageError when the program is not there and may not be installed, or when the version is
 * not exact, and OperationalError when it cannot be installed. It runs no script of a package.
 */
export interface InstallWish {
  /** exact, as in `0.169.0` */
  readonly version: string;
  readonly install: Config["install"];
  /** of this process: `PATH`, and what npm is configured by */
  readonly env: Environment;
  /** `RUNNER_TOOL_CACHE`; null where the runner has none */
  readonly toolCache: string | null;
  /** `RUNNER_TEMP` */
  readonly temp: string;
  /** tells people what takes time */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
  /** @see ToolCall */
  readonly mark: string;
  /** how long npm may take, in milliseconds; 300 000 */
  readonly timeoutMs?: number;
}

/** The agent that was asked for, and where it is. */
export interface InstalledAgent {
  /** to put in front of `PATH`; null: what is on `PATH` is what was asked for */
  readonly folder: string | null;
  readonly from: "path" | "tool-cache" | "npm";
}

/** The machine that may have to be repaired. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** @see ToolCall */
  readonly mark: string;
}

/** Where an agent looks for instructions. */
export interface HelperFolders {
  /** of the person's custom prompts */
  readonly prompts: (env: Environment) => string;
  /** of a workspace's skills, relative to it */
  readonly skills: string;
  /** messages for the person whose instructions were just written */
  readonly afterwards: readonly string[];
}

/** Whether trying the same turn again shortly can help, judged by the kind alone. */
export const RETRYABLE: Readonly<Record<FailureKind, boolean>> = {
  not_installed: false,
  auth: false,
  bad_request: false,
  rate_limited: true,
  usage_limit: false,
  overloaded: true,
  transport: true,
  truncated: true,
  timed_out: false,
  token_limit: false,
  idle: true,
  busy: true,
  crashed: true,
  protocol: false,
  sandbox_broken: false,
  context_full: false,
  session_lost: false,
  cancelled: false,
};

/** A failure of `kind`, retryable as its kind is unless `more` says otherwise; the message becomes one line. */
export function failure(
  kind: FailureKind,
  message: string,
  more: Partial<Omit<ProviderFailure, "kind" | "message">> = {},
): ProviderFailure {
  return { kind, message: message.replace(/\s+/gu, " ").trim(), retryable: RETRYABLE[kind], ...more };
}

/** A turn that did not begin, because its isolation did not. @param stderr of bubblewrap, which says why */
export function notIsolated(stderr: string): ProviderFailure {
  const why = whyNotStarted(stderr) ?? "bubblewrap does not say why";
  return failure("sandbox_broken", `The turn could not be isolated: ${why}`, {
    next: "Open what it needs with agent-access, or let it run as you with agent-isolation off.",
  });
}

/** Something that a turn needs. */
export function finding(subject: string, right: Right): Finding {
  return { subject, right, permission: null, blocks: true };
}

/** What is missing, by the failure that a turn would end with. */
export function missing({ message, next }: ProviderFailure): Right {
  return { right: "missing", why: message.replace(/\.$/u, ""), next: next ?? "Correct what the message says." };
}
