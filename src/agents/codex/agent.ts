import { readFile } from "node:fs/promises";
import path from "node:path";
import { oneLine } from "../../views/plain-text.ts";
import type { Finding, Right } from "../../views/gaps.ts";
import { type Agent, type AgentContext, finding, missing } from "../agent.ts";
import { withSandboxRepair } from "../with-sandbox-repair.ts";
import { codexArguments, type CodexOptions, sandboxArguments } from "./command-line.ts";
import { ask, bundledBubblewrap, findCodex, installCodex } from "./program.ts";
import { CodexProvider } from "./provider.ts";
import { probeSandbox } from "./sandbox.ts";
import { codexHome, KEY_VARIABLE } from "./settings.ts";

const WITHIN_MS = 10_000;
const THERE: Right = { right: "there" };
const UNTOLD = { right: "unknown", because: "untold" } as const;

/** OpenAI's Codex CLI. */
export const CODEX: Agent = {
  settings: { variables: ["CODEX_HOME"], keyVariable: KEY_VARIABLE },
  async turn(context) {
    const options = optionsOf(context);
    const provider = new CodexProvider(options);
    return { provider, commandLine: (turn) => [programFor(options), ...codexArguments(options, turn)] };
  },
  install: installCodex,
  sessionFiles: {
    folder: (env) => path.join(codexHome(env), "sessions"),
    isSession: (name, id) => ROLLOUT.test(name) && (id === undefined || name.endsWith(`-${id}.jsonl`)),
  },
  sandbox: {
    wrap(context, command) {
      const options = optionsOf(context);
      return [programFor(options), ...sandboxArguments(options, command)];
    },
    withRepair: withSandboxRepair,
  },
  credentials: (env) => [path.join(codexHome(env), "auth.json")],
  bubblewrap: bundledBubblewrap,
  probes,
  helpers: {
    prompts: (env) => path.join(codexHome(env), "prompts"),
    skills: ".codex/skills",
    afterwards: [
      "In a new Codex session: $waylon-smithers or $smithers-loop; commit .codex/skills to share them. The prompt is",
      "/prompts:waylon-smithers <task> in versions of Codex that have custom prompts; newer ones have skills only.",
    ],
  },
};

/** A session's rollout, by the day it began. */
const ROLLOUT = /^(?:[A-Za-z0-9_-]+\/){0,8}rollout-[A-Za-z0-9._-]+\.jsonl$/u;

function optionsOf({ config, ...place }: AgentContext): CodexOptions {
  return { ...config, ...place, approval: config.askForApproval, extraArgs: config.providerArgs };
}

function programFor({ env }: CodexOptions): string {
  return findCodex(undefined, env["PATH"] ?? "") ?? "codex";
}

async function probes(context: AgentContext): Promise<readonly Finding[]> {
  const options = optionsOf(context);
  const command = programFor(options);
  const signal = AbortSignal.timeout(WITHIN_MS);
  const [version, broken, login] = await Promise.all([
    ask(options, command, ["--version"], signal),
    probeSandbox(options, command, signal),
    loginOf(options, command, signal),
  ]);
  const sandbox = options.sandbox === "danger-full-access" ? "no sandbox" : "the agent's sandbox";
  return [
    finding(`Codex (${oneLine(version.exitCode === 0 ? version.stdout : version.stderr)}, ${command})`, THERE),
    finding(`${sandbox} (${options.sandbox})`, broken === undefined ? THERE : missing(broken)),
    finding("a login or a key", login),
  ];
}

/** A provider that the person has defined in Codex's settings is paid in its own way. */
async function loginOf(options: CodexOptions, command: string, signal: AbortSignal): Promise<Right> {
  if ((options.key ?? null) !== null) return THERE;
  const { exitCode, stderr } = await ask(options, command, ["login", "status"], signal);
  if (exitCode === 0) return THERE;
  const settings = await readFile(path.join(codexHome(options.env), "config.toml"), "utf8").catch(() => "");
  if (/^\s*(?:model_provider|profile)\s*=/mu.test(settings) || options.profile !== null)
    return { ...UNTOLD, why: "Codex's own settings name a provider that may have a key of its own" };
  if (!/not logged in/iu.test(stderr)) return { ...UNTOLD, why: "Codex does not say" };
  return { right: "missing", why: "Codex is not logged in", next: "Run codex login, or set CODEX_API_KEY." };
}
