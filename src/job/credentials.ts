import { mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import { parsedJson } from "../core/text.ts";
import { findCredentials, isNone, putBack, takenOut, takeOut } from "../git/kept-credentials.ts";
import type { GithubContext } from "../github/context.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { readOwnFile } from "../os/own-file.ts";
import { sweep } from "../os/supervise.ts";

interface Taking {
  readonly context: Pick<GithubContext, "temp" | "step">;
  readonly root: string;
  /** of this user; absent: its git configuration is not looked at */
  readonly home?: string | undefined;
  /** of all processes that the run starts */
  readonly mark: string;
  readonly notice: (text: string) => void;
}

/**
 * Does `work` while what the checkout keeps to log in with is out of the workspace's repositories (T13), and puts it back
 * when every process of the run is gone. What was taken out is in a file that only this user can read, under the runner's
 * temporary folder, so that post can put it back after a kill; isolation hides that folder from agent and checks.
 */
export async function withoutCredentials<T>(taking: Taking, work: () => Promise<T>): Promise<T> {
  const { context, root, home, mark, notice } = taking;
  await putCredentialsBack(context, notice);
  const kept = await findCredentials(root, context.temp, home ?? null);
  if (isNone(kept)) return work();
  const file = recordFile(context);
  if (kept.others.length > 0) notice(theirs(kept.others));
  if (kept.keys.length + kept.files.length > 0) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeRecord(file, JSON.stringify({ mark, kept }));
    await takeOut(kept);
    notice(taken([...new Set([...kept.keys, ...kept.files].map((one) => one.file))]));
  }
  try {
    return await work();
  } finally {
    await putCredentialsBack(context, notice);
  }
}

/** Ends what is left of the run, and puts back what main has taken out, once; nothing happens where that is nothing. */
export async function putCredentialsBack(context: Taking["context"], notice: (text: string) => void): Promise<void> {
  const file = recordFile(context);
  const text = await unlessMissing(readOwnFile(file));
  if (text === undefined) return;
  const { success, data } = takenOut.safeParse(parsedJson(text));
  if (success) {
    await sweep(data.mark);
    const failed = await putBack(data.kept);
    if (failed.length > 0) notice(notBack(failed));
  }
  await rm(file, { force: true });
}

/** On the disk before anything is taken out. */
async function writeRecord(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function recordFile({ temp, step }: Taking["context"]): string {
  return path.join(temp, "smithers", `credentials.${step.replaceAll(/[^\w-]/gu, "_")}`);
}

function taken(files: readonly string[]): string {
  return `The checkout keeps credentials where the agent could read them (${files.join(", ")}): they are out of the way until the loop has stopped, and then put back. To keep none: \`persist-credentials: false\` for actions/checkout.`;
}

function theirs(files: readonly string[]): string {
  return `The repository or this user's git configuration holds credentials outside of the workspace and the runner's temporary folder (${files.join(", ")}): they stay, and what runs without isolation can read them. Remove them from this machine, or from that configuration.`;
}

function notBack(files: readonly string[]): string {
  return `Credentials of the checkout could not be put back, because somebody has changed their place during the run: ${files.join(", ")}. The work is unharmed; later steps that need them have to log in themselves.`;
}
