import { SETTING_BY_NAME } from "../config/settings.ts";
import type { Flags } from "../config/read.ts";
import type { Resolved } from "../config/resolve.ts";
import type { LoopState } from "../core/state.ts";
import { isIdentityFlag } from "./identity.ts";

const MINUTE_MS = 60_000;
const PLAIN_WORD = /^[\w./:=@%+,-]+$/u;

/**
 * The command that resumes a loop, for pasting into a shell. Limits, sandbox and time-outs are the current settings', so
 * the flags of this command are repeated; the task itself comes from the state (C25). A cap that was reached is doubled.
 */
export function resumeCommand(program: string, flags: Flags, state: LoopState): string {
  const repeated = new Map(Object.entries(flags).filter(([name]) => name !== "loop-id" && !isIdentityFlag(name)));
  const reason = state.stop_reason;
  if (reason?.kind === "max_iterations") repeated.set("max-iterations", [String(state.iteration * 2)]);
  if (reason?.kind === "tokens") repeated.set("max-tokens", [String(reason.spent * 2)]);
  if (reason?.kind === "total_time") {
    repeated.set("max-total-minutes", [String(Math.ceil((reason.spent * 2) / MINUTE_MS))]);
  }
  const words = [program, "resume", "--loop-id", state.loop_id];
  for (const [name, texts] of repeated) words.push(...flagWords(name, texts));
  return words.map(quoted).join(" ");
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

function flagWords(name: string, texts: readonly string[]): readonly string[] {
  if (SETTING_BY_NAME.get(name)?.type === "boolean") return [texts.at(-1) === "off" ? `--no-${name}` : `--${name}`];
  return texts.flatMap((text) => [`--${name}`, text]);
}

/** A word as a POSIX shell takes it literally. */
export function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
