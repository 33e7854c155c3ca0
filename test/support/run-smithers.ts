import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { parseEnvironments, readPs } from "../../src/os/process-tree.ts";
import { smithersProgram } from "./smithers-program.ts";
import { waitFor } from "./wait-for.ts";

const { script: CLI, compiled: NODE_COMPILE_CACHE } = smithersProgram();

const SMITHERS_FUNCTION = 'node=$0 cli=$1; smithers() { "$node" "$cli" "$@"; }';

/** How the command line is started. */
export interface SmithersOptions {
  readonly cwd: string;
  /** the whole environment */
  readonly env: Readonly<Record<string, string>>;
  /** a program and arguments to put in front, for a machine that is different */
  readonly wrapper?: readonly string[];
}

/** How a run of the command line ended. */
export interface Finished {
  /** null when a signal killed it */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the command line; it is killed when its scope ends. */
export interface Running extends AsyncDisposable {
  readonly pid: number;
  /** resolves when it is gone and has said everything */
  readonly finished: Promise<Finished>;
  signal(signal: NodeJS.Signals): void;
  /** Resolves as soon as stdout or stderr so far match. Rejects when the run ends without that. */
  hasSaid(pattern: RegExp): Promise<void>;
}

/** Starts `smithers <args>` from the sources, as a process of its own. */
export function startSmithers(args: readonly string[], { wrapper = [], ...options }: SmithersOptions): Running {
  return start([...wrapper, process.execPath, CLI, ...args], options);
}

/** Starts a command line as a person types it; `smithers` is the command from the sources. */
export function startShell(commandLine: string, options: Omit<SmithersOptions, "wrapper">): Running {
  return start(["sh", "-c", `${SMITHERS_FUNCTION}\n${commandLine}`, process.execPath, CLI], options);
}

function start([program = "", ...args]: readonly string[], { cwd, env }: Omit<SmithersOptions, "wrapper">): Running {
  const child = spawn(program, args, {
    cwd,
    env: { NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => (said[name] += chunk));
  }
  let ended = false;
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => {
      ended = true;
      resolve({ exitCode, signal, ...said });
    });
  });
  return {
    pid: child.pid ?? 0,
    finished,
    signal: (signal) => void child.kill(signal),
    hasSaid: (pattern) =>
      waitFor(`smithers to say ${pattern}`, () => {
        if (pattern.test(said.stdout) || pattern.test(said.stderr)) return true;
        if (ended) throw new Error(`smithers ended without saying ${pattern}:\n${said.stdout}${said.stderr}`);
        return false;
      }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await finished.catch(() => {});
    },
  };
}

/** Runs `smithers <args>` to its end. */
export async function runSmithers(args: readonly string[], options: SmithersOptions): Promise<Finished> {
  await using run = startSmithers(args, options);
  return await run.finished;
}

/** Numbers of the processes that live and have `name=value` in their environment. */
export function processesWith(name: string, value: string): readonly number[] {
  const pair = `${name}=${value}`;
  if (process.platform !== "linux") return parseEnvironments(readPs(["-axEww", "-o", "pid=,command="]), pair);
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/u.test(entry) && `\0${environmentOf(entry)}`.includes(`\0${pair}\0`))
    .map(Number);
}

/** "" for a process that is gone, or is another's. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}
