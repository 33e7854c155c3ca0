import path from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { type AgentEvent, NO_USAGE, type ProviderFailure, type TurnRequest } from "../core/agent.ts";
import type { Provider } from "../core/ports.ts";
import type { Config } from "../config/config.ts";
import { surroundingsIn } from "../os/isolation/isolation.ts";
import { isWithin } from "../os/isolation/profile.ts";
import { isProgram } from "../os/environment.ts";
import { findInner, findOuter, isOutside, startOf } from "../os/programs.ts";
import { NOT_ISOLATED, supervise } from "../os/supervise.ts";
import { seconds } from "../views/amounts.ts";
import { type Agent, type AgentContext, failure, notIsolated } from "./agent.ts";
import { OutputTail } from "./output.ts";
import { PrintedLines } from "./printed-lines.ts";
import type { ToolResult } from "./run-tool.ts";
import { openTurnFiles, RAW_CUT, type RawFile, writeLastMessage } from "./turn-files.ts";

interface CommandProviderOptions extends Pick<
  AgentContext,
  "workspaceRoot" | "folder" | "mark" | "env" | "isolation" | "reviews"
> {
  /** the program and its arguments; run as they are, without a shell */
  readonly command: readonly string[];
}

/** Any program: `provider-command`. */
export const COMMAND: Agent = {
  settings: { variables: [], keyVariable: null },
  async turn({ config, ...place }) {
    const command = commandOf(config);
    return { provider: createCommandProvider({ ...place, command }), commandLine: () => command };
  },
  isolation: {
    needs: async ({ config, ...place }) => {
      const options = { ...place, command: commandOf(config) };
      // Of a script that `env` starts, its interpreter as well. What the workspace holds is there, and is the agent's.
      const started = [startFor(options)?.[0], fileOf(options)].filter((file) => file !== undefined);
      const apart = started.filter((file) => !isWithin(file, place.workspaceRoot));
      return { access: [...new Set(apart)], overlaid: [], own: loginsOf(started, place.env["HOME"]) };
    },
  },
  credentials: ({ HOME: home }) => (home ? LOGINS.flatMap(([, paths]) => inHome(home, paths)) : []),
};

/** Agents that a command may start, by the file of their program, and where in HOME their logins are. */
const LOGINS: readonly (readonly [program: RegExp, paths: readonly string[]])[] = [
  [/^claude(?:\.\w+)?$/u, [".claude", ".claude.json"]],
  [/^gemini(?:\.\w+)?$/u, [".gemini"]],
  [/^copilot(?:\.\w+)?$/u, [".config/github-copilot"]],
];

/** The logins of the agent that the programs evidently are. A script that starts one names its login: `agent-access`. */
function loginsOf(programs: readonly string[], home: string | undefined): readonly string[] {
  const names = programs.map((file) => path.basename(file));
  const owned = LOGINS.filter(([program]) => names.some((name) => program.test(name)));
  return home ? owned.flatMap(([, paths]) => inHome(home, paths)) : [];
}

function inHome(home: string, paths: readonly string[]): readonly string[] {
  return paths.map((name) => path.join(home, name));
}

function commandOf({ providerCommand, providerArgs }: Config): readonly string[] {
  return [...(providerCommand ?? []), ...providerArgs];
}

/** The end of stdout that counts as the last message. */
const LAST_MESSAGE_BYTES = 1 << 20;
const STDERR_BYTES = 8 << 10;
/** How much of stderr fits into a failure's one line. */
const EXCERPT = 400;

/**
 * Makes any program an agent: prompt on stdin, last message on stdout, exit code 0 for a completed turn.
 *
 * A program without a folder is looked for outside of what the agent can write (T12); a path is the person's own word.
 * It runs in the workspace with `SMITHERS_ITERATION` and `SMITHERS_LOOP_FOLDER` in its environment, and with
 * `SMITHERS_REVIEW=1` where it only looks. It has no
 * session: each turn is fresh. Any output, on stdout or stderr, is a sign of life, and a line on stderr may say what it
 * has used (`readReportedUsage`).
 */
export function createCommandProvider(options: CommandProviderOptions): Provider {
  return {
    name: "command",
    async preflight() {
      return startFor(options) === undefined ? notInstalled(options) : undefined;
    },
    runTurn: (request, signal) => runTurn(options, request, signal),
  };
}

/** The program's file; undefined: it is not there. */
function fileOf({ command: [program = ""], workspaceRoot, env }: CommandProviderOptions): string | undefined {
  const file = program.includes("/") ? path.resolve(workspaceRoot, program) : findOuter(program, env["PATH"])?.file;
  return file !== undefined && isProgram(file) ? file : undefined;
}

/** Program and arguments as they are started; undefined: they are not there. */
function startFor(options: CommandProviderOptions): readonly [string, ...string[]] | undefined {
  const { command, env } = options;
  const args = command.slice(1);
  const file = fileOf(options);
  if (file === undefined) return undefined;
  // What the workspace holds is the agent's, and so is what its first line means.
  const start = isOutside(file) ? startOf(file, env["PATH"]) : ([file] as const);
  return start && [...start, ...args];
}

async function* runTurn(
  options: CommandProviderOptions,
  request: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const files = await openTurnFiles(options, request.iteration);
  const { raw } = files;
  const printed = new PrintedLines();
  const over = new AbortController();
  const running = runProgram(options, request, { raw, printed }, AbortSignal.any([signal, over.signal]));
  const ended = running.finally(() => printed.end());
  // Heard below, also where nobody listens to the end.
  ended.catch(() => {});
  try {
    yield* printed.events();
    const result = await ended;
    const { exitCode, stdout } = result;
    const failed = explain(result, options, request);
    const end = { exitCode, lastMessage: stdout, usage: NO_USAGE, sessionUsage: null, ...printed.reported };
    await writeLastMessage(files, stdout);
    if (raw.isCut) yield { type: "notice", text: RAW_CUT };
    if (stdout !== "") yield { type: "message", text: stdout };
    yield failed === undefined ? { type: "turn.completed", ...end } : { type: "turn.failed", failure: failed, ...end };
  } finally {
    over.abort();
    await ended.catch(() => {});
    await raw.close();
  }
}

const NOT_THERE: ToolResult = {
  ...{ ended: "not_started", exitCode: null, signal: null, stdout: "", stderr: "" },
  error: Object.assign(new Error("it is not there"), { code: "ENOENT" }),
};

/** Runs the program to its end, which comes early when its output cannot be recorded. */
async function runProgram(
  options: CommandProviderOptions,
  request: TurnRequest,
  kept: Kept,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { workspaceRoot, folder, mark, env, isolation, reviews } = options;
  const [command, ...args] = startFor(options) ?? [];
  if (command === undefined) return NOT_THERE;
  const stop = new AbortController();
  const run = supervise({
    command,
    args,
    cwd: workspaceRoot,
    ...(await surroundingsIn(await isolation?.(), {
      ...env,
      SMITHERS_ITERATION: `${request.iteration}`,
      SMITHERS_LOOP_FOLDER: folder,
      ...(reviews === true ? { SMITHERS_REVIEW: "1" } : {}),
    })),
    mark,
    input: request.prompt,
    signal: AbortSignal.any([signal, stop.signal]),
    timeoutMs: request.timeoutMs,
    idleMs: request.idleTimeoutMs,
  });
  try {
    const [stdout, stderr] = await Promise.all([
      record("stdout", run.stdout, LAST_MESSAGE_BYTES, kept),
      record("stderr", run.stderr, STDERR_BYTES, kept),
    ]);
    return { ...(await run.exit), stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
  } finally {
    stop.abort();
    await run.exit;
  }
}

/** Where what a program prints goes. */
interface Kept {
  readonly raw: RawFile;
  readonly printed: PrintedLines;
}

/** Writes the output to the raw stream, tells it, and returns the end of it. */
async function record(
  name: "stdout" | "stderr",
  stream: Readable,
  tailBytes: number,
  { raw, printed }: Kept,
): Promise<string> {
  const decoder = new StringDecoder();
  const tail = new OutputTail(tailBytes);
  for await (const chunk of stream) {
    const bytes: Buffer = chunk;
    tail.push(bytes);
    printed.push(name, bytes);
    await raw.writeLine(JSON.stringify({ stream: name, text: decoder.write(bytes) }));
  }
  return tail.text();
}

function explain(exit: ToolResult, options: CommandProviderOptions, request: TurnRequest): ProviderFailure | undefined {
  const [command = ""] = options.command;
  switch (exit.ended) {
    case "not_started":
      if (exit.error?.code === NOT_ISOLATED) return notIsolated(exit.stderr);
      return exit.error?.code === "ENOENT" || exit.error?.code === "EACCES"
        ? notInstalled(options)
        : failure("crashed", `${command} could not be started: ${exit.error?.message}`, { retryable: false });
    case "timed_out":
      return failure("timed_out", `${command} took longer than ${seconds(request.timeoutMs)}`, {
        next: "Ask for smaller steps, or raise --iteration-timeout-minutes.",
      });
    case "idle":
      return failure("idle", `${command} printed nothing for ${seconds(request.idleTimeoutMs)}`, {
        next: "If it works that long without a word, raise --idle-timeout-minutes.",
      });
    case "aborted":
      return failure("cancelled", `${command} was ended on request`);
    case "exited": {
      if (exit.exitCode === 0) return undefined;
      const how = exit.exitCode === null ? `was killed by ${exit.signal}` : `ended with exit code ${exit.exitCode}`;
      const said = exit.stderr.slice(-EXCERPT);
      return failure("crashed", said === "" ? `${command} ${how}` : `${command} ${how}: ${said}`);
    }
  }
}

function notInstalled({ command: [command = ""], env }: CommandProviderOptions): ProviderFailure {
  const inner = command.includes("/") ? undefined : findInner(command, env["PATH"]);
  if (inner !== undefined && !isOutside(inner)) {
    return failure(
      "not_installed",
      `The agent's program "${command}" is only at ${inner}, which the agent can write.`,
      {
        next: `Install it outside of the workspace, or, if you trust this one, name it by its path: provider-command: ${JSON.stringify([inner])}.`,
      },
    );
  }
  return failure("not_installed", `The agent's program "${command}" was not found or is not executable.`, {
    next: "Install it, or correct the command of the provider.",
  });
}
