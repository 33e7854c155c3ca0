import { readFile } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { PROMPT_FILE } from "../core/files.ts";
import type { LoopState } from "../core/state.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { sha256 } from "../os/digest.ts";
import { unlessMissing } from "../os/file-errors.ts";

/** Keeps the whole of a prompt that is too long for the state; durable when resolved. */
export async function writePrompt(folder: string, prompt: string): Promise<void> {
  await writeFileDurably(path.join(folder, PROMPT_FILE), prompt);
}

/**
 * The whole prompt of a loop, verified (W-50).
 *
 * @throws OperationalError `PROMPT_MISSING` or `PROMPT_DAMAGED`; nothing is touched
 */
export async function readPrompt(folder: string, state: LoopState): Promise<string> {
  if (state.prompt_path === null) return state.prompt;
  // the name is ours alone: a path that came with the state is never followed
  const file = path.join(folder, PROMPT_FILE);
  const prompt = await unlessMissing(readFile(file, "utf8"));
  if (prompt === undefined) throw unusable("PROMPT_MISSING", state, `its file ${file} is not there`);
  if (sha256(prompt) !== state.prompt_digest) {
    throw unusable("PROMPT_DAMAGED", state, `its file ${file} is not what the loop began with`);
  }
  return prompt;
}

/** Writes the whole prompt of a loop anew where its file does not hold it; any other prompt is left aside. */
export async function restorePrompt(folder: string, state: LoopState, prompt: string): Promise<void> {
  if (state.prompt_path === null || sha256(prompt) !== state.prompt_digest) return;
  const present = await readFile(path.join(folder, PROMPT_FILE), "utf8").catch(() => undefined);
  if (present !== prompt) await writePrompt(folder, prompt);
}

function unusable(code: string, state: LoopState, why: string): OperationalError {
  return new OperationalError({
    code,
    what: `The whole prompt of loop ${state.loop_id} is lost: ${why}. The state is unharmed.`,
    next: "Put the file back, or start the loop again with the prompt.",
  });
}
