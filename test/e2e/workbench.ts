import path from "node:path";
import { existsSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import type { LoopState } from "../../src/core/state.ts";
import { readCodexLine } from "../../src/agents/codex/events.ts";
import { decodeState } from "../../src/store/state-file.ts";
import { codexHome, type CodexHome } from "../support/codex-home.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";
import {
  type Finished,
  processesWith,
  type Running,
  runSmithers,
  type SmithersOptions,
  startShell,
  startSmithers,
} from "../support/run-smithers.ts";
import { waitFor } from "../support/wait-for.ts";

/** The key that the tests' Codex logs in with; it must never be seen where the agent or a check could read it. */
export const KEY = "sk-e2e-secret";

const LOOPS = ".codex/waylon-smithers/loops";

/** How a run differs from the usual one. */
interface RunOptions {
  /** where Codex keeps its sessions; without it, the workbench's own */
  readonly home?: CodexHome;
  readonly env?: Readonly<Record<string, string>>;
  readonly wrapper?: readonly string[];
}

/** A repository, a model and a Codex home, in which `smithers` is run as people run it. */
export interface Workbench extends AsyncDisposable {
  readonly repository: GitRepository;
  readonly model: ModelServer;
  readonly home: CodexHome;
  /** Starts `smithers <args>` in the repository; everything it starts is killed with the workbench at the latest. */
  start(args: readonly string[], options?: RunOptions): Running;
  /** Runs `smithers <args>` in the repository to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Runs a command line as a person types it in the repository. */
  shell(commandLine: string): Promise<Finished>;
  state(loopId: string): Promise<LoopState>;
  /** The ids of all loops of the repository, sorted. */
  loopIds(): Promise<readonly string[]>;
  /** The absolute path of a file in the loop's folder. */
  loopFile(loopId: string, name: string): string;
  /** The session ids that Codex told in an iteration, oldest first. */
  sessionsOf(loopId: string, iteration: number): Promise<readonly string[]>;
  /** Text of a file of the repository. */
  read(name: string): Promise<string>;
  /** Waits until a file of the repository exists. */
  hasFile(name: string): Promise<void>;
  /** Numbers of the processes that were started here and still live. */
  processes(): readonly number[];
}

export interface WorkbenchOptions {
  /** the files of the repository's first commit */
  readonly files?: Record<string, string>;
  readonly streamIdleMs?: number;
}

/** Builds a workbench whose model says what `script` says. */
export async function workbench(script: Script, options: WorkbenchOptions = {}): Promise<Workbench> {
  const { files, streamIdleMs } = options;
  await using stack = new AsyncDisposableStack();
  const model = stack.use(await startModelServer(script));
  const repository = stack.use(await gitRepository(files));
  const home = stack.use(
    await codexHome(model, { keyVariable: "CODEX_API_KEY", ...(streamIdleMs === undefined ? {} : { streamIdleMs }) }),
  );
  const homes = new Set([home.path]);
  const processes = (): readonly number[] => [...homes].flatMap((used) => processesWith("HOME", used));
  stack.defer(() => endAll(processes));
  const loopFile = (loopId: string, name: string): string => path.join(repository.path, LOOPS, loopId, name);
  const where = ({ home: used = home, env = {} }: RunOptions): { cwd: string; env: Record<string, string> } => {
    homes.add(used.path);
    const { CODEX_API_KEY: _, ...known } = used.env;
    return { cwd: repository.path, env: { ...known, SMITHERS_API_KEY: KEY, ...env } };
  };
  const optionsOf = (run: RunOptions): SmithersOptions => ({ ...where(run), wrapper: run.wrapper ?? [] });
  const resources = stack.move();
  return {
    repository,
    model,
    home,
    start: (args, run = {}) => startSmithers(args, optionsOf(run)),
    run: (args, run = {}) => runSmithers(args, optionsOf(run)),
    async shell(commandLine) {
      await using running = startShell(commandLine, where({}));
      return await running.finished;
    },
    async loopIds() {
      const names = await readdir(path.join(repository.path, LOOPS));
      return names.flatMap((name) => (name.endsWith(".json") ? [path.basename(name, ".json")] : [])).toSorted();
    },
    async state(loopId) {
      const file = path.join(repository.path, LOOPS, `${loopId}.json`);
      return decodeState(await readFile(file, "utf8"), file);
    },
    loopFile,
    async sessionsOf(loopId, iteration) {
      const raw = await readFile(loopFile(loopId, `events_iter_${iteration}.jsonl`), "utf8");
      return raw
        .split("\n")
        .map(readCodexLine)
        .flatMap((line) => (line?.says === "thread" ? [line.id] : []));
    },
    read: (name) => readFile(path.join(repository.path, name), "utf8"),
    hasFile: (name) => waitFor(`the file ${name}`, () => existsSync(path.join(repository.path, name))),
    processes,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A Codex home that is as it is on a machine where nothing ever ran, and the sessions of another one if given. */
export async function freshHome(model: ModelServer, sessionsOf?: CodexHome): Promise<CodexHome> {
  const home = await codexHome(model, { keyVariable: "CODEX_API_KEY" });
  if (sessionsOf !== undefined) {
    await cp(path.join(sessionsOf.path, ".codex/sessions"), path.join(home.path, ".codex/sessions"), {
      recursive: true,
    });
  }
  return home;
}

async function endAll(processes: () => readonly number[]): Promise<void> {
  await waitFor("the processes of a test to end", () => {
    const left = processes();
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself in the meantime.
      }
    }
    return left.length === 0;
  });
}
