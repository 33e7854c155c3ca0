import { ACTION_ONLY, type SettingRows } from "../setting.ts";
import { PATH, SECONDS_ITEMS, accessWords, exactVersion, program, variableNames } from "./checks.ts";
import { FREE, PASSES, RUNS, runsUnless, widensUnless } from "./consent.ts";
import { PRICE_ITEMS } from "./prices.ts";

/** The version of the Codex CLI that this project is tested with, and that the Action installs. */
export const CODEX_VERSION = "0.169.0";

/** What the settings know of an agent; the registry holds all the rest. */
interface ProviderChoice {
  readonly name: string;
  /** whether it has a sandbox of its own, so that the setting `sandbox` means something to it */
  readonly sandbox: boolean;
  /** the version that the Action installs unless `provider-version` names another one; absent: it is not installed */
  readonly version?: string;
  /** a setting without which it does not work, and that means nothing to the others; absent: none */
  readonly needs?: { readonly name: string; readonly property: string; readonly example: string };
}

/** The agents that can be chosen, one line each. */
export const PROVIDERS = [
  { name: "codex", sandbox: true, version: CODEX_VERSION },
  {
    name: "command",
    sandbox: false,
    needs: { name: "provider-command", property: "providerCommand", example: `'["my-agent","--print"]'` },
  },
  { name: "scripted", sandbox: false, needs: { name: "script", property: "script", example: "turns.json" } },
] as const satisfies readonly ProviderChoice[];

/** The name of an agent that can be chosen. */
export type ProviderName = (typeof PROVIDERS)[number]["name"];

export function isProviderName(name: string | null): name is ProviderName {
  return PROVIDERS.some((known) => known.name === name);
}

/** An agent and its model; null: the agent's own choice. */
export interface AgentChoice {
  readonly name: ProviderName;
  readonly model: string | null;
}

/** What `reviewer-agent` names; undefined: neither `same` nor an agent. @param own what `same` means */
export function chosenReviewer(value: string, own: AgentChoice): AgentChoice | undefined {
  if (value === "same") return own;
  const slash = value.indexOf("/");
  const name = slash === -1 ? value : value.slice(0, slash);
  const model = slash === -1 ? null : value.slice(slash + 1);
  return isProviderName(name) && model !== "" ? { name, model } : undefined;
}

/** A check of the setting. */
export function reviewerAgent(value: string): string | undefined {
  const isChoice = !/\p{Cc}/u.test(value) && chosenReviewer(value, { name: "codex", model: null }) !== undefined;
  return isChoice
    ? undefined
    : `same, or ${PROVIDERS.map(({ name }) => name).join(", ")}, with /MODEL after it if need be`;
}

/** Whether the setting `sandbox` means anything to an agent; to one that this version does not know, it does not. */
export function hasSandbox(provider: string): boolean {
  return PROVIDERS.some(({ name, sandbox }) => name === provider && sandbox);
}

/** The version of an agent that is installed unless said; of one that is never installed it means nothing. */
export function usualVersion(provider: string): string {
  const known: readonly ProviderChoice[] = PROVIDERS;
  return known.find(({ name }) => name === provider)?.version ?? CODEX_VERSION;
}

/** Who does the work, and what it may touch. */
export const AGENT_SETTINGS = {
  provider: {
    is: { type: "choice", choices: PROVIDERS.map(({ name }) => name), default: "codex" },
    help: "Who takes the turns: the Codex CLI, any command of yours, or a script of recorded turns for trying things out.",
    consent: runsUnless("codex"),
  },
  "provider-version": {
    is: { type: "string", default: CODEX_VERSION, placeholder: "version", check: exactVersion, ...ACTION_ONLY },
    help: "The version of the agent's program that is installed; exactly this one, so that every run uses the same.",
    consent: FREE,
  },
  install: {
    is: { type: "choice", choices: ["auto", "never"], default: "auto", ...ACTION_ONLY },
    help: "Installs the agent's program where the runner does not have it; with never, it has to be there.",
    consent: FREE,
  },
  "provider-args": {
    is: { type: "argv", default: [], aliases: ["codex-args"] },
    help: "More arguments for the agent's program, passed on as they are.",
    consent: RUNS,
  },
  "agent-isolation": {
    is: { type: "choice", choices: ["auto", "off"], default: "auto" },
    help: "Where the agent's turns run: auto keeps your files from their changes, and logins, sockets and processes out of their sight, with the network; off runs them as you.",
    consent: widensUnless("auto"),
  },
  "agent-access": {
    is: { type: "list", default: [], commas: true, placeholder: "access", check: accessWords },
    help: "What isolated turns may also reach: PATH to read, PATH:rw to change for good (sessions of a command, and its login where that is hidden), or docker, which makes the agent root on this machine.",
    consent: widensUnless(),
  },
  "provider-command": {
    is: { type: "argv", default: null, check: program },
    help: "With provider command: the program that takes a turn; it reads the prompt on stdin and answers on stdout.",
    consent: RUNS,
  },
  model: {
    is: { type: "string", default: null, placeholder: "name" },
    help: "The model to use in place of the agent's own choice.",
    consent: FREE,
  },
  prices: {
    is: { type: "list", default: [], commas: false, placeholder: "price", objects: PRICE_ITEMS },
    help: "What a model costs, in USD for a million tokens, in place of the project's own dated table; cost is told and never enforced.",
    consent: FREE,
  },
  profile: {
    is: { type: "string", default: null, placeholder: "name" },
    help: "A profile of the agent's own configuration.",
    consent: widensUnless(),
  },
  sandbox: {
    is: { type: "choice", choices: ["read-only", "workspace-write", "danger-full-access"], default: "read-only" },
    help: "What the agent may write: nothing, the workspace, or everything; a task that changes files needs workspace-write.",
    consent: widensUnless("read-only"),
  },
  "full-auto": {
    is: { type: "boolean", default: false },
    help: "Short for sandbox workspace-write: the agent edits files and nobody is asked.",
    consent: widensUnless(false),
  },
  "ask-for-approval": {
    is: { type: "choice", choices: ["on-request", "never", "on-failure"], default: "on-request", unsetWord: "unset" },
    help: "The agent's approval policy, unset leaves it to the agent; nobody can answer in a loop, so the sandbox protects you.",
    consent: widensUnless("on-request"),
  },
  network: {
    is: { type: "boolean", default: false },
    help: "Opens the network to commands inside the agent's sandbox, for example to install packages.",
    consent: widensUnless(false),
  },
  "skip-git-repo-check": {
    is: { type: "boolean", default: false },
    help: "Lets the loop run in a folder that is no git repository, where changes cannot be measured.",
    consent: widensUnless(false),
  },
  "pass-env": {
    is: { type: "list", default: [], commas: true, placeholder: "name", check: variableNames },
    help: "Variables that agent and checks may see in addition to the harmless ones; NPM_* stands for all that begin so.",
    consent: PASSES,
  },
  session: {
    is: { type: "choice", choices: ["auto", "resume", "fresh"], default: "auto" },
    help: "Whether the agent goes on with its conversation or begins a fresh one every turn; auto goes on.",
    consent: FREE,
  },
  "session-max-iterations": {
    is: { type: "integer", default: 10, min: 1, max: 10_000 },
    help: "How many turns a session takes before a fresh one begins, so that the conversation does not outgrow the model.",
    consent: FREE,
  },
  script: {
    is: PATH,
    help: "With provider scripted: the file of turns to play.",
    consent: RUNS,
  },
  retries: {
    is: { type: "integer", default: 3, min: 0, max: 20 },
    help: "How often a turn is tried again after a failure that goes away by itself.",
    consent: FREE,
  },
  "retry-delay-seconds": {
    is: {
      type: "list",
      default: ["0", "5", "15"],
      commas: true,
      placeholder: "seconds",
      objects: SECONDS_ITEMS,
    },
    help: "The pauses before these further attempts, one after the other; the last one is for all that follow.",
    consent: FREE,
  },
  "api-key": {
    is: { type: "string", default: null, placeholder: "key", secret: true, where: ["environment", "input"] },
    help: "The provider's API key; without it, the agent's own login is used.",
    consent: FREE,
  },
} as const satisfies SettingRows;
