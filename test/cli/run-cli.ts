import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ScriptInput } from "../../src/agents/scripted/script.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { smithersProgram } from "../support/smithers-program.ts";

const { script: CLI, compiled: NODE_COMPILE_CACHE } = smithersProgram();

/** What a finished command said. */
export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs, killed when its scope ends. */
export interface RunningCli extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly done: Promise<Answer>;
  /** Resolves as soon as stderr holds `text`; rejects when the command ends without it. */
  said(text: string): Promise<void>;
}

/** Starts the command line from its sources, as a process of its own. @param script another name of the program */
export function startCli(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
  script = CLI,
): RunningCli {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      XDG_STATE_HOME: process.env["XDG_STATE_HOME"],
      NODE_COMPILE_CACHE,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const done = once(child, "close").then(() => ({ code: child.exitCode, stdout, stderr }));
  const said = async (text: string): Promise<void> => {
    while (!stderr.includes(text)) {
      const ended = await Promise.race([once(child.stderr, "data").then(() => false), done.then(() => true)]);
      if (ended && !stderr.includes(text)) throw new Error(`The command ended without "${text}":\n${stdout}${stderr}`);
    }
  };
  return {
    process: child,
    done,
    said,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await done;
    },
  };
}

/** Runs a command to its end. */
export async function cli(
  args: readonly string[],
  cwd: string,
  env?: Record<string, string>,
  script?: string,
): Promise<Answer> {
  await using running = startCli(args, cwd, env, script);
  return await running.done;
}

/** A repository in which the scripted agent can play; its script is ignored by git. */
export interface Stage extends GitRepository {
  /** the flags that make the scripted agent play `script` */
  play(script: ScriptInput): Promise<readonly string[]>;
}

export async function stage(files?: Record<string, string>): Promise<Stage> {
  const repository = await gitRepository({ ".gitignore": "script.json\n", ...files });
  return {
    ...repository,
    async play(script) {
      await writeFile(path.join(repository.path, "script.json"), JSON.stringify(script));
      return ["--provider", "scripted", "--script", "script.json"];
    },
  };
}

/** Agrees, as a person does, to what the files of a workspace make this machine do. */
export async function agree(cwd: string, ...flags: readonly string[]): Promise<void> {
  const { code, stderr } = await cli(["trust", ...flags], cwd);
  if (code !== 0) throw new Error(`Nobody could agree:\n${stderr}`);
}

/** The one JSON object on stdout. */
export function jsonOf({ stdout }: Answer): Record<string, unknown> {
  return JSON.parse(stdout);
}
