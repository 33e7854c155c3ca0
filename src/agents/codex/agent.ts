import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../../core/errors.ts";
import type { Isolation } from "../../os/isolation/isolation.ts";
import { isWithin } from "../../os/isolation/profile.ts";
import { findOuter, leftOutOf, outerPath } from "../../os/programs.ts";
import { oneLine } from "../../views/plain-text.ts";
import type { Finding, Right } from "../../views/gaps.ts";
import { type Agent, type AgentContext, finding, type IsolationNeeds, missing } from "../agent.ts";
import { withSandboxRepair } from "../with-sandbox-repair.ts";
import { probeLogin, probeNetwork } from "./access-probes.ts";
import { codexArguments, type CodexOptions, onlyLooking, resetsPath, sandboxArguments } from "./command-line.ts";
import { PRICES } from "./prices.ts";
import { ask, bundledBubblewrap, findCodex, installCodex } from "./program.ts";
import { CodexProvider } from "./provider.ts";
import { probeSandbox } from "./sandbox.ts";
import { codexHome, KEY_VARIABLE, modelSettings } from "./settings.ts";

const WITHIN_MS = 10_000;
const THERE: Right = { right: "there" };

/** OpenAI's Codex CLI. */
export const CODEX: Agent = {
  settings: { variables: ["CODEX_HOME"], keyVariable: KEY_VARIABLE },
  async turn(context) {
    const options = optionsOf(context);
    const provider = new CodexProvider(options);
    return { provider, commandLine: (turn) => [find(options) ?? "codex", ...codexArguments(options, turn)] };
  },
  modelOf: (context) => context.config.model ?? modelSettings(optionsOf(context)).model,
  prices: PRICES,
  install: installCodex,
  sessionFiles: {
    folder: (env) => path.join(codexHome(env), "sessions"),
    isSession: (name, id) => ROLLOUT.test(name) && (id === undefined || name.endsWith(`-${id}.jsonl`)),
  },
  sandbox: {
    wrap(context, command) {
      return sandboxed(optionsOf(context), command);
    },
    withRepair: withSandboxRepair,
  },
  isolation: { needs, unfit },
  credentials: (env) => [path.join(codexHome(env), "auth.json")],
  records: (env, root) => {
    const home = codexHome(env);
    const isApart = !isWithin(home, root) && !isWithin(root, home);
    return isApart ? [home] : recordsIn(home);
  },
  bubblewrap: bundledBubblewrap,
  probes,
  needsOfTurns,
  helpers: {
    prompts: (env) => path.join(codexHome(env), "prompts"),
    skills: ".codex/skills",
    afterwards: [
      "In a new Codex session: $waylon-smithers or $smithers-loop; commit .codex/skills to share them. The prompt is",
      "/prompts:waylon-smithers <task> in versions of Codex that have custom prompts; newer ones have skills only.",
    ],
  },
};

/**
 * Its sessions, and without a key of ours its login, are changed for good. The rest of its folder only looks writable:
 * settings and instructions that the agent leaves there would be in force wherever Codex is used next.
 */
async function needs(context: AgentContext, overlays: boolean): Promise<IsolationNeeds> {
  const program = find(optionsOf(context));
  const files = program === undefined ? [] : filesOf(realpathSync(program));
  const home = codexHome(context.env);
  const login = context.key === null ? [`${path.join(home, "auth.json")}:rw`] : [];
  if (!overlays) return { access: [...files, `${home}:rw`, ...login], overlaid: [] };
  const sessions = path.join(home, "sessions");
  if (program !== undefined && (existsSync(home) || context.env["CODEX_HOME"] === undefined))
    await mkdir(sessions, { recursive: true });
  return { access: [...files, `${sessions}:rw`, ...login], overlaid: [home] };
}

/** In npm's package its folder; elsewhere nothing but what is Codex's own: around it there may be a whole home. */
function filesOf(program: string): readonly string[] {
  const folder = path.join(program, "../..");
  if (path.basename(path.dirname(folder)) === "vendor") return [folder];
  return [program, path.join(folder, "codex-resources")];
}

/** Root's namespaces in namespaces are not allowed what Codex's sandbox needs. */
async function unfit(context: AgentContext, isolation: Isolation): Promise<string | undefined> {
  const options = optionsOf(context);
  const command = find(options);
  if (options.sandbox === "danger-full-access" || command === undefined) return undefined;
  if (process.getuid?.() === 0) return "as root, Codex's own sandbox does not start in there";
  const broken = await probeSandbox(options, command, AbortSignal.timeout(WITHIN_MS), isolation);
  return broken && `Codex's own sandbox does not start in there: ${broken.message}`;
}

/** The names of its databases have numbers, which go up from version to version. */
const RECORD =
  /^(?:config\.toml|history\.jsonl|sessions|archived_sessions|logs?|memories|shell_snapshots|.+\.sqlite(?:-\w+)?)$/u;

function recordsIn(home: string): readonly string[] {
  try {
    const names = readdirSync(home).filter((name) => RECORD.test(name));
    return names.map((name) => path.join(home, name));
  } catch {
    return [];
  }
}

/** A session's rollout, by the day it began. */
const ROLLOUT = /^(?:[A-Za-z0-9_-]+\/){0,8}rollout-[A-Za-z0-9._-]+\.jsonl$/u;

/**
 * Codex itself starts git and its sandbox by name, with the token of the turn in the environment: on its own PATH there is
 * nothing that the agent can write (T12). The commands of its turns have the job's.
 */
function optionsOf({ config, ...place }: AgentContext): CodexOptions {
  const own = {
    approval: config.askForApproval,
    extraArgs: config.providerArgs,
    pathResets: resetsPath(loginProfile()),
  };
  const asked = { ...config, ...place, ...own };
  const options = place.reviews === true ? onlyLooking(asked) : asked;
  const searchPath = place.env["PATH"];
  if (leftOutOf(searchPath).length === 0) return options;
  return { ...options, env: { ...place.env, PATH: outerPath(searchPath) }, commandPath: searchPath };
}

/** The settings of all login shells of this machine. */
function loginProfile(): string {
  try {
    return readFileSync("/etc/profile", "utf8");
  } catch {
    return "";
  }
}

function find({ env }: CodexOptions): string | undefined {
  return findCodex(undefined, env["PATH"] ?? "");
}

/** For what comes after a preflight, which has found it. */
function programFor(options: CodexOptions): string {
  const program = find(options);
  if (program !== undefined) return program;
  throw new OperationalError({
    code: "AGENT_NOT_INSTALLED",
    what: "There is no Codex outside of what the agent can write. The work and the loop are unharmed.",
    next: "Install Codex on this machine, then resume the loop.",
  });
}

/** A check has the job's environment: the part of it that is Codex's gets Codex's own PATH. */
function sandboxed(options: CodexOptions, command: readonly string[]): readonly string[] {
  const { env, commandPath } = options;
  const program = programFor(options);
  if (commandPath === undefined) return [program, ...sandboxArguments(options, command)];
  const set = (searchPath = ""): readonly string[] => [
    findOuter("env", env["PATH"])?.file ?? ENV,
    `PATH=${searchPath}`,
  ];
  return [...set(env["PATH"]), program, ...sandboxArguments(options, [...set(commandPath), ...command])];
}

const ENV = "/usr/bin/env";

/** The version, and what a turn needs. */
async function probes(context: AgentContext): Promise<readonly Finding[]> {
  const options = optionsOf(context);
  const command = programFor(options);
  const signal = AbortSignal.timeout(WITHIN_MS);
  const [version, needed] = await Promise.all([
    ask(options, command, ["--version"], signal),
    needsOfTurns(context, signal),
  ]);
  const answer = oneLine(version.exitCode === 0 ? version.stdout : version.stderr);
  return [finding(`Codex (${answer}, ${command})`, THERE), ...needed];
}

/** In isolation it has been started already. */
async function sandboxLack(context: AgentContext, command: string, signal: AbortSignal) {
  const isolation = await context.isolation?.();
  return isolation === undefined ? probeSandbox(optionsOf(context), command, signal) : undefined;
}

/** Sandbox, login and network. What the signal cuts off is not known. */
async function needsOfTurns(context: AgentContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const options = optionsOf(context);
  const command = programFor(options);
  const [broken, login, network] = await Promise.all([
    sandboxLack(context, command, signal),
    probeLogin(options, command, signal),
    probeNetwork(options, signal),
  ]);
  const sandbox = options.sandbox === "danger-full-access" ? "no sandbox" : "the agent's sandbox";
  const unknown: Right = { right: "unknown", because: "untold", why: "Codex does not answer in time" };
  const found = broken === undefined ? THERE : broken.kind === "cancelled" ? unknown : missing(broken);
  return [
    finding(`${sandbox} (${options.sandbox})`, found),
    finding("a login or a key", login),
    finding("the model's service", network),
  ];
}
