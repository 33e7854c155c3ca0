import type { KeptSettings } from "../../config/kept.ts";
import { SETTING_BY_NAME } from "../../config/settings.ts";
import type { Flags } from "../../config/read.ts";
import type { Resolved } from "../../config/resolve.ts";
import { hasSandbox } from "../../config/settings/agent.ts";
import { AGENT_STATE } from "../../core/names.ts";
import type { LoopState } from "../../core/state.ts";
import type { Prd } from "../../core/story/story.ts";
import type { Config } from "../../config/config.ts";
import { describesGates } from "../../config/settings/quality-gates.ts";
import { prdLoopId } from "../loops/loop-id.ts";
import { isIdentityFlag, promptOfPrd } from "../identity.ts";

const MINUTE_MS = 60_000;
const PLAIN_WORD = /^[\w./:=@%+,-]+$/u;

/** What says which PRD, and what only one run of it was asked for. */
const OF_ONE_PRD_RUN: ReadonlySet<string> = new Set(["loop-id", "backlog", "prd", "story", "max-stories"]);

/** Where a loop is, which nothing knows before it is found. */
const NEVER_KEPT: ReadonlySet<string> = new Set(["cd", "state-file"]);
const PROMPTS: ReadonlySet<string> = new Set(["prompt", "prompt-file"]);

const DANGER = "danger-full-access";

/** What a person has said for a loop. */
export interface SaidForLoop {
  /** of the command that was given */
  readonly flags: Flags;
  /** what the loop was given, as this machine keeps it; undefined: it keeps nothing of it */
  readonly kept: KeptSettings | undefined;
}

/**
 * The command that resumes a loop, for pasting into a shell: what is kept is not repeated, what is not is. The task itself
 * comes from the state (C25); a PRD's comes from its document and from what is kept. A cap that was reached is doubled.
 */
export function resumeCommand(program: string, { flags, kept }: SaidForLoop, state: LoopState): string {
  const { stories } = state;
  const repeated = kept === undefined ? repeatedOf(flags, state) : missingOf(flags, kept, state);
  const reason = state.stop_reason;
  // A PRD's run without a cap of its own has one that its open stories may take.
  const hasCap = stories === null || repeated.has("max-iterations") || kept?.holds["max-iterations"] !== undefined;
  if (reason?.kind === "max_iterations" && hasCap) repeated.set("max-iterations", [String(state.iteration * 2)]);
  if (reason?.kind === "tokens") repeated.set("max-tokens", [String(reason.spent * 2)]);
  if (reason?.kind === "total_time") {
    repeated.set("max-total-minutes", [String(Math.ceil((reason.spent * 2) / MINUTE_MS))]);
  }
  const words = stories === null ? [program, "resume"] : [program, "prd", "run", stories.prd];
  if (stories === null || state.loop_id !== prdLoopId(stories.prd)) words.push("--loop-id", state.loop_id);
  for (const [name, texts] of repeated) words.push(...flagWords(name, texts));
  return words.map(quoted).join(" ");
}

/** What is to be said again where nothing is kept. */
function repeatedOf(flags: Flags, { stories }: LoopState): Map<string, readonly string[]> {
  const isOfTask = ([name, texts]: readonly [string, readonly string[]]): boolean =>
    stories === null
      ? name === "loop-id" || !isRepeated(name, texts)
      : OF_ONE_PRD_RUN.has(SETTING_BY_NAME.get(name)?.name ?? name);
  return new Map(Object.entries(flags).filter((flag) => !isOfTask(flag)));
}

/** What is to be said again although what the loop was given is kept. */
function missingOf(flags: Flags, { holds }: KeptSettings, { stories }: LoopState): Map<string, readonly string[]> {
  const isMissing = (name: string): boolean =>
    NEVER_KEPT.has(name) || (stories !== null && PROMPTS.has(name) && holds[name] === undefined);
  const missing = Object.entries(flags).filter(([name]) => isMissing(SETTING_BY_NAME.get(name)?.name ?? name));
  const sandbox = holds["sandbox"]?.value === DANGER ? [["sandbox", [DANGER]] as const] : [];
  return new Map([...missing, ...sandbox]);
}

/**
 * Of how a PRD's loop was run, what neither today's settings nor the document say: without its prompt and its gates, a run
 * would be of another task. A script is not remembered.
 *
 * @param config today's settings; null: they cannot be read
 * @param prd null: it cannot be read
 */
export function saidAnew(state: LoopState, config: Config | null, prd: Prd | null): Flags {
  const { checks, prompt, prompt_path, provider, stories } = state;
  const { sandbox } = state[AGENT_STATE];
  const { branch } = stories ?? {};
  const hasOwnAgents = prd !== null && [prd, ...prd.stories].some((one) => one.provider !== null);
  const isOtherGates = JSON.stringify(config?.qualityCommands ?? []) !== JSON.stringify(checks.quality_commands);
  const isOwnPrompt = stories !== null && prompt_path === null && prompt !== promptOfPrd(stories.prd);
  return {
    ...(isOwnPrompt && prompt !== config?.prompt ? { prompt: [prompt] } : {}),
    ...(provider === config?.provider || hasOwnAgents ? {} : { provider: [provider] }),
    ...(hasSandbox(provider) && sandbox !== config?.sandbox ? { sandbox: [sandbox] } : {}),
    ...(isOtherGates ? { "quality-commands": checks.quality_commands.map(asFlag) } : {}),
    ...(branch !== undefined && prd !== null && prd.branchName !== null && prd.branchName !== branch
      ? { branch: [branch] }
      : {}),
  };
}

/** A command that would be read as JSON is given as JSON. */
function asFlag(command: string): string {
  return /^\s*[[{]/u.test(command) ? JSON.stringify([command]) : command;
}

/**
 * A flag that says what the task is goes with the state, unless it also says what does not: names and time-outs of
 * quality commands. Then it is repeated; the commands in it are those of the state.
 */
function isRepeated(name: string, texts: readonly string[]): boolean {
  if (!isIdentityFlag(name)) return true;
  return SETTING_BY_NAME.get(name)?.name === "quality-commands" && texts.some(describesGates);
}

/**
 * What the command that resumes repeats: the flags of this command, and the SOLO file that a variable named. Such a
 * variable is often set for one command alone (S-06), and without the file the resumed agent may not write.
 */
export function flagsToRepeat(flags: Flags, { config, sources }: Pick<Resolved, "config" | "sources">): Flags {
  const { soloConfig } = config;
  return soloConfig !== null && sources.soloConfig.from === "environment"
    ? { ...flags, "solo-config": [soloConfig] }
    : flags;
}

/** Where the workspace is, as a command that takes few flags repeats it. */
export function placeWords({ cd }: Flags): readonly string[] {
  return cd === undefined ? [] : flagWords("cd", cd).map(quoted);
}

function flagWords(name: string, texts: readonly string[]): readonly string[] {
  if (SETTING_BY_NAME.get(name)?.type === "boolean") return [texts.at(-1) === "off" ? `--no-${name}` : `--${name}`];
  return texts.flatMap((text) => [`--${name}`, text]);
}

/** A word as a POSIX shell takes it literally. */
export function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
