import { chown, readdir } from "node:fs/promises";
import path from "node:path";
import { type RunnerCommand, runnerCommands } from "./commands.ts";
import type { RunnerFolders } from "./context.ts";
import { createFileCommands, readFileCommands } from "./file-commands.ts";
import { type Ladder, runStage, type StageEnd } from "./stage.ts";
import { runStageInProcess } from "./stage-in-process.ts";

/** One stage as the runner sees it when it has ended. */
export interface Stage extends StageEnd {
  readonly result: "success" | "failure" | "cancelled";
  /** every command in the log, of any author */
  readonly commands: readonly RunnerCommand[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  /** as shown, with secrets masked */
  readonly summary: string;
  /** why the runner fails the step, apart from its exit code */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** One script of the action, and where it runs. */
export interface Step {
  readonly actionDir: string;
  readonly folders: RunnerFolders;
  readonly ladder: Ladder;
  /** relative to the action's folder */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** grows with what the log adds */
  readonly masks: Set<string>;
  /** as `JobRequest.inProcess` */
  readonly inProcess: boolean;
  /** as `JobRequest.user` */
  readonly user: number | undefined;
  readonly endWhen: (log: string) => "cancel" | "vanish" | undefined;
}

/** Runs it and takes what it has said, however it ended. @throws Error when it takes too long */
export async function runStep(step: Step): Promise<Stage> {
  const { actionDir, folders, ladder, script, env, timeoutMs, masks, endWhen } = step;
  const files = await createFileCommands(folders.temp);
  const { user } = step;
  if (user !== undefined)
    for (const folder of [folders.root, path.dirname(folders.workspace)]) await give(folder, user);
  const run = step.inProcess ? runStageInProcess : runStage;
  const end = await run({
    script: path.join(actionDir, script),
    cwd: folders.workspace,
    env: { ...env, ...files },
    ladder,
    endWhen,
    timeoutMs,
    user,
  });
  if (end.ended === "timed_out") throw new Error(`${script} took longer than its time. Its log:\n${end.log}`);
  const said = await readFileCommands(files);
  const commands = runnerCommands(end.log);
  const of = (name: string): readonly RunnerCommand[] => commands.filter((command) => command.name === name);
  for (const { data } of of("add-mask")) for (const line of data.split(/\r?\n/u)) if (line !== "") masks.add(line);
  const named = (name: string): Record<string, string> =>
    Object.fromEntries(of(name).map(({ properties, data }) => [properties["name"] ?? "", data]));
  const disabled = [...of("set-env"), ...of("add-path")].map(({ line }) => `A disabled command: ${line}`);
  const problems = [...said.problems, ...disabled];
  const green = end.exitCode === 0 && problems.length === 0;
  return {
    ...end,
    ...said,
    problems,
    commands,
    outputs: { ...named("set-output"), ...said.outputs },
    state: { ...named("save-state"), ...said.state },
    summary: masked(said.summary, masks),
    result: end.ended === "cancelled" ? "cancelled" : green ? "success" : "failure",
  };
}

/** A text as the runner shows it. */
export function masked(text: string, masks: ReadonlySet<string>): string {
  return [...masks].reduce((shown, mask) => shown.replaceAll(mask, "***"), text);
}

/** Gives a folder, with all that is in it, to a user. */
async function give(folder: string, user: number): Promise<void> {
  await chown(folder, user, user);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(path.join(entry.parentPath, entry.name), user, user);
  }
}
