import { spawn, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { SmithersProgram } from "../support/smithers-program.ts";
import { aDisk, type Disk } from "./disk.ts";
import { killAll, processesOf } from "./processes.ts";

const run = promisify(execFile);
const CLOCK = pathToFileURL(path.join(import.meta.dirname, "jumping-clock.mjs")).href;

/** Makes the next part in two steps, and notes first which turn was paid for. */
const AGENT = `echo "$1" >> "$2/turns"
mkdir -p parts
n=$(($(ls parts | wc -l) + 1))
printf 'part %s' "$n" > "parts/$n.txt"
sleep 0.03
printf ' of iteration %s\\n' "$1" >> "parts/$n.txt"
`;
const CHECK = `n=$(ls parts 2> /dev/null | wc -l)
echo "$n of $1 parts"
test "$n" -ge "$1"
`;

export interface Ended {
  readonly code: number | null;
  readonly said: string;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  isOver: boolean;
}

/** A person's machine with a repository, on a disk of its own. */
export interface Stage extends AsyncDisposable {
  readonly disk: Disk;
  readonly repository: string;
  /** where the program may put what it needs for a moment; empty at the end */
  readonly temp: string;
  /** the person's home folder */
  readonly home: string;
  start(args: readonly string[]): Running;
  git(...args: string[]): Promise<string>;
  /** Sets the clock of the programs to `ms` from now. */
  setClock(ms: number): Promise<void>;
  /** iterations for which the agent was begun, in order */
  turns(): Promise<readonly number[]>;
  processes(): readonly number[];
  killAll(): void;
}

export async function aStage(seed: number, { script, compiled }: SmithersProgram): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const disk = stack.use(await aDisk());
  const mark = `CHAOS_MARK=${process.pid}-${seed}`;
  const at = (name: string) => path.join(disk.path, name);
  const repository = at("r");
  // Neither is on what is full or read-only: what the agent was paid for is true whatever becomes of the disk.
  const beside = path.join(path.dirname(disk.path), "beside");
  for (const folder of [repository, at("home"), at("tmp"), beside]) await mkdir(folder, { recursive: true });
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_SYSTEM: process.env["GIT_CONFIG_SYSTEM"] ?? path.join(import.meta.dirname, "../support/gitconfig"),
    HOME: at("home"),
    XDG_STATE_HOME: at("home"),
    TMPDIR: at("tmp"),
    NODE_COMPILE_CACHE: compiled,
    NODE_OPTIONS: `--import=${CLOCK}`,
    CHAOS_CLOCK: path.join(beside, "clock"),
    CHAOS_MARK: mark.slice(mark.indexOf("=") + 1),
  };
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: repository, env })).stdout.replace(/\n$/u, "");
  await begin(repository, beside, git);
  const owned = stack.move();
  return {
    ...{ disk, repository, temp: at("tmp"), home: at("home"), git },
    start: (args) => started(script, args, repository, env),
    setClock: (ms) => writeFile(path.join(beside, "clock"), String(ms)),
    turns: async () =>
      (await readFile(path.join(beside, "turns"), "utf8").catch(() => "")).split("\n").filter(Boolean).map(Number),
    processes: () => processesOf(disk.path, mark),
    killAll: () => killAll(disk.path, mark),
    async [Symbol.asyncDispose]() {
      killAll(disk.path, mark);
      await owned.disposeAsync();
    },
  };
}

/** A repository with somebody's stash in it. */
async function begin(repository: string, beside: string, git: Stage["git"]): Promise<void> {
  const turn = {
    messages: ["Working."],
    commands: [`sh .chaos/agent.sh {{iteration}} ${beside}`],
    lastMessage: "There is one more part.\n\n<promise>DONE</promise>",
    usage: { input: 10, output: 1 },
  };
  await mkdir(path.join(repository, ".chaos"));
  const files = {
    ".gitignore": ".chaos/\n",
    "notes.md": "first\n",
    ".chaos/agent.sh": AGENT,
    ".chaos/check.sh": CHECK,
    ".chaos/script.json": JSON.stringify({ turns: [turn] }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(repository, name), text);
  await git("init", "-q", "-b", "main");
  await git("config", "user.name", "Person");
  await git("config", "user.email", "person@example.invalid");
  await git("add", "-A");
  await git("commit", "-q", "-m", "first");
  await writeFile(path.join(repository, "notes.md"), "stashed\n");
  await git("stash", "-q");
}

function started(script: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Running {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-20_000)));
  }
  const ended = once(child, "exit").then(() => {
    running.isOver = true;
    return { code: child.exitCode, said };
  });
  const running: Running = { pid: child.pid ?? 0, isOver: false, ended };
  return running;
}
