import { addUsage, type AgentEvent, NO_USAGE, type ProviderFailure, type TurnRequest } from "../core/agent.ts";
import type { Clock, Provider } from "../core/ports.ts";
import { parseScript, parseScriptText, type Script, type ScriptedAttempt, type ScriptInput } from "./script-schema.ts";
import { play, toFailure } from "./scripted-turn.ts";
import { TurnFiles } from "./turn-files.ts";

/** Where the script comes from, and where it is played. */
export type ScriptedProviderOptions = ({ readonly scriptText: string } | { readonly script: ScriptInput }) & {
  readonly workspaceRoot: string;
  /** the loop's folder */
  readonly folder: string;
  /** the mark of the processes it starts */
  readonly mark: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
};

/**
 * An agent that does what a script says, the same each time: for trying a set-up out without a model, and for tests.
 *
 * @throws UsageError when the script is wrong
 * @see docs/scripted-agent.md
 */
export function createScriptedProvider(options: ScriptedProviderOptions): Provider {
  const script = "script" in options ? parseScript(options.script) : parseScriptText(options.scriptText);
  const count = attemptCounter();
  return {
    name: "scripted",
    async preflight() {
      return script.preflight === undefined ? undefined : toFailure(script.preflight, options.clock);
    },
    runTurn(request, signal) {
      const number = count(request.iteration);
      return runTurn(options, choose(script, request.iteration, number), number, request, signal);
    },
  };
}

/** Counts the calls for the same iteration in a row. */
function attemptCounter(): (iteration: number) => number {
  let last = { iteration: 0, attempts: 0 };
  return (iteration) => {
    last = { iteration, attempts: last.iteration === iteration ? last.attempts + 1 : 1 };
    return last.attempts;
  };
}

async function* runTurn(
  options: ScriptedProviderOptions,
  attempt: ScriptedAttempt,
  number: number,
  request: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const fill = filler({ iteration: `${request.iteration}`, attempt: `${number}`, prompt: request.prompt });
  const deadline = options.clock.now() + request.timeoutMs;
  const files = await TurnFiles.open(options.folder, request.iteration);
  try {
    await files.writeRaw(JSON.stringify({ type: "request", attempt: number, ...request }));
    for (const line of attempt.raw ?? []) await files.writeRaw(fill(line));
    const events = play({ ...options, request, attempt, number, deadline, fill, signal });
    const failed = yield* recorded(events, files);
    const lastMessage = fill(attempt.lastMessage ?? "");
    await files.writeLastMessage(lastMessage);
    const ended = ending(request, attempt, lastMessage, failed);
    await files.writeRaw(JSON.stringify(ended));
    yield ended;
  } finally {
    await files.close();
  }
}

/** What the script has for this attempt; without `attempts`, each attempt of a turn is the same. */
function choose(script: Script, iteration: number, number: number): ScriptedAttempt {
  const turn = script.turns[iteration - 1] ?? (script.then === "repeat" ? script.turns.at(-1) : undefined);
  if (turn === undefined) {
    return { failure: { kind: "protocol", message: `The script ends after turn ${script.turns.length}.` } };
  }
  const { attempts = [], ...common } = turn;
  return { ...common, ...attempts[Math.min(number, attempts.length) - 1] };
}

function ending(
  request: TurnRequest,
  attempt: ScriptedAttempt,
  lastMessage: string,
  failed: ProviderFailure | undefined,
): AgentEvent {
  const usage = attempt.usage ?? NO_USAGE;
  const before = request.sessionId === null ? NO_USAGE : (request.sessionUsage ?? NO_USAGE);
  const end = { lastMessage, usage, sessionUsage: addUsage(before, usage) };
  if (failed === undefined) return { type: "turn.completed", exitCode: attempt.exitCode ?? 0, ...end };
  const isCut = failed.kind === "cancelled" || failed.kind === "timed_out" || failed.kind === "idle";
  return { type: "turn.failed", failure: failed, exitCode: isCut ? null : (attempt.exitCode ?? 1), ...end };
}

/** Writes each event to the raw stream before it is handed on. */
async function* recorded<End>(
  events: AsyncGenerator<AgentEvent, End>,
  files: TurnFiles,
): AsyncGenerator<AgentEvent, End> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
    await files.writeRaw(JSON.stringify(next.value));
    yield next.value;
  }
}

/** Puts values in the place of `{{name}}`; names without a value stay as they are. */
function filler(values: Readonly<Record<string, string>>): (text: string) => string {
  return (text) => text.replace(/\{\{(\w+)\}\}/gu, (whole, name: string) => values[name] ?? whole);
}
