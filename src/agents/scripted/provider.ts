import { lstat, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  addUsage,
  type AgentEvent,
  type AgentFileChange,
  NO_USAGE,
  type ProviderFailure,
  type TurnRequest,
} from "../../core/agent.ts";
import { messageOf, UsageError } from "../../core/errors.ts";
import type { Clock, Provider } from "../../core/ports.ts";
import { surroundingsIn } from "../../os/isolation/isolation.ts";
import { supervise } from "../../os/supervise.ts";
import { seconds } from "../../views/amounts.ts";
import { type Agent, type AgentContext, failure } from "../agent.ts";
import { OutputTail } from "../output.ts";
import { openTurnFiles, type RawFile, writeLastMessage } from "../turn-files.ts";
import {
  parseScript,
  parseScriptText,
  type Script,
  type ScriptedAttempt,
  type ScriptedFailure,
  type ScriptInput,
} from "./script.ts";

/** An agent that plays a file of turns. */
export const SCRIPTED: Agent = {
  settings: { variables: [], keyVariable: null },
  async turn({ config, ...place }) {
    const file = path.resolve(place.workspaceRoot, config.script ?? "");
    const scriptText = await readFile(file, "utf8").catch((error: unknown) => {
      const what = `The script ${file} cannot be read: ${messageOf(error)}.`;
      const next = "Correct --script; its path is seen from the workspace.";
      throw new UsageError([{ code: "SCRIPT_UNREADABLE", what, next }]);
    });
    return { provider: createScriptedProvider({ ...place, scriptText }), commandLine: () => ["scripted", file] };
  },
  isolation: { asked: "when-required", needs: async () => ({ access: [], overlaid: [] }) },
};

/** Where the script comes from, and where it is played. */
export type ScriptedProviderOptions = ({ readonly scriptText: string } | { readonly script: ScriptInput }) &
  Omit<AgentContext, "config" | "key">;

/**
 * An agent that does what a script says, the same each time: for trying a set-up out without a model, and for tests.
 *
 * @throws UsageError when the script is wrong
 * @see docs/scripted-agent.md
 */
export function createScriptedProvider(options: ScriptedProviderOptions): Provider {
  const script = "script" in options ? parseScript(options.script) : parseScriptText(options.scriptText);
  let last = { iteration: 0, attempts: 0 };
  return {
    name: "scripted",
    async preflight() {
      return script.preflight === undefined ? undefined : toFailure(script.preflight, options.clock);
    },
    runTurn(request, signal) {
      const { iteration, prompt } = request;
      last = { iteration, attempts: last.iteration === iteration ? last.attempts + 1 : 1 };
      const number = last.attempts;
      const attempt = choose(options.reviews === true ? reviewsOf(script) : script, iteration, number);
      const deadline = options.clock.now() + request.timeoutMs;
      const fill = filler({ iteration: `${iteration}`, attempt: `${number}`, prompt });
      return runTurn({ ...options, attempt, number, request, signal, deadline, fill });
    },
  };
}

/** One attempt of a scripted turn, and all that it needs. */
interface Stage extends Omit<AgentContext, "config" | "key"> {
  readonly attempt: ScriptedAttempt;
  /** which attempt of its iteration it is, from 1 */
  readonly number: number;
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  /** when the request's time is over, in milliseconds since the epoch */
  readonly deadline: number;
  /** replaces the placeholders of a text */
  readonly fill: (text: string) => string;
}

async function* runTurn(stage: Stage): AsyncGenerator<AgentEvent> {
  const { attempt, number, request, fill } = stage;
  const files = await openTurnFiles(stage, request.iteration);
  const { raw } = files;
  try {
    await raw.writeLine(JSON.stringify({ type: "request", attempt: number, ...request }));
    for (const line of attempt.raw ?? []) await raw.writeLine(fill(line));
    const failed = yield* recorded(play(stage), raw);
    const lastMessage = fill(attempt.lastMessage ?? "");
    await writeLastMessage(files, lastMessage);
    const ended = ending(request, attempt, lastMessage, failed);
    await raw.writeLine(JSON.stringify(ended));
    yield ended;
  } finally {
    await raw.close();
  }
}

/** The reviewer's part of a script; the review of an iteration has its number. */
function reviewsOf({ reviews = [], then: after }: Script): Pick<Script, "turns" | "then"> {
  // oxlint-disable-next-line unicorn/no-thenable -- as in a script
  return { turns: reviews, then: after };
}

/** What the script has for this attempt; without `attempts`, each attempt of a turn is the same. */
function choose(script: Pick<Script, "turns" | "then">, iteration: number, number: number): ScriptedAttempt {
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
  const usage = attempt.usage ?? attempt.usageSoFar?.at(-1) ?? NO_USAGE;
  const before = request.sessionId === null ? NO_USAGE : (request.sessionUsage ?? NO_USAGE);
  const cost = attempt.costUsd === undefined ? {} : { cost: Math.ceil(attempt.costUsd * 1_000_000) };
  const end = { lastMessage, usage, sessionUsage: addUsage(before, usage), ...cost };
  if (failed === undefined) return { type: "turn.completed", exitCode: attempt.exitCode ?? 0, ...end };
  const isCut = failed.kind === "cancelled" || failed.kind === "timed_out" || failed.kind === "idle";
  return { type: "turn.failed", failure: failed, exitCode: isCut ? null : (attempt.exitCode ?? 1), ...end };
}

/** Writes each event to the raw stream before it is passed on. */
async function* recorded<End>(events: AsyncGenerator<AgentEvent, End>, raw: RawFile): AsyncGenerator<AgentEvent, End> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
    await raw.writeLine(JSON.stringify(next.value));
    yield next.value;
  }
}

/** Puts values in the place of `{{name}}`; names without a value stay as they are. */
function filler(values: Readonly<Record<string, string>>): (text: string) => string {
  return (text) => text.replace(/\{\{(\w+)\}\}/gu, (whole, name: string) => values[name] ?? whole);
}

type Act = AsyncGenerator<AgentEvent, ProviderFailure | undefined>;

/** The tail that a `command.ended` may carry. */
const OUTPUT_BYTES = 4 << 10;
/** What a shell says when a command is not there. */
const NOT_FOUND = 127;

/** Plays an attempt, all but its ending, in the order that docs/scripted-agent.md gives. */
async function* play(stage: Stage): Act {
  const { attempt, number, request } = stage;
  if (attempt.loseSession === true && request.sessionId !== null) {
    return failure("session_lost", `There is no session ${request.sessionId}.`);
  }
  const fresh = `scripted-${request.iteration}${number === 1 ? "" : `.${number}`}`;
  yield { type: "session.started", sessionId: request.sessionId ?? fresh };
  const failed =
    (await quiet(stage, attempt.delayMs ?? 0)) ??
    (yield* speak(stage)) ??
    (yield* changeFiles(stage)) ??
    (yield* runCommands(stage)) ??
    (yield* count(stage)) ??
    (yield* beDenied(stage)) ??
    (yield* commit(stage)) ??
    (await quiet(stage, attempt.silence === true ? Infinity : 0));
  return failed ?? (attempt.failure && toFailure(attempt.failure, stage.clock));
}

/** The failure that a script asks for, as the engine gets it. */
function toFailure(scripted: ScriptedFailure, clock: Clock): ProviderFailure {
  const { kind, message = `The script asks for ${kind}.`, retryable, resetsAtMs, resetsInMs, next } = scripted;
  const resetsAt = resetsAtMs ?? (resetsInMs === undefined ? undefined : clock.now() + resetsInMs);
  return failure(kind, message, {
    ...(retryable !== undefined && { retryable }),
    ...(resetsAt !== undefined && { resetsAt }),
    ...(next !== undefined && { next }),
  });
}

async function* speak({ attempt, fill }: Stage): Act {
  for (const text of attempt.messages ?? []) yield { type: "message", text: fill(text) };
  return undefined;
}

/** A limit that is reached ends the turn, with what was used by then. */
async function* count({ attempt, signal, request }: Stage): Act {
  for (const used of attempt.usageSoFar ?? []) {
    yield { type: "usage", usage: used };
    if (signal.aborted) return cut("aborted", request);
  }
  return undefined;
}

async function* changeFiles({ attempt, workspaceRoot, fill }: Stage): Act {
  const changes: AgentFileChange[] = [];
  for (const { path: name, content } of attempt.files ?? []) {
    const file = fill(name);
    const there = await exists(workspaceRoot, file);
    if (there === "outside") return outside(file);
    await mkdir(path.dirname(path.join(workspaceRoot, file)), { recursive: true });
    await writeFile(path.join(workspaceRoot, file), fill(content));
    changes.push({ path: file, kind: there ? "update" : "add" });
  }
  for (const name of attempt.delete ?? []) {
    const file = fill(name);
    const there = await exists(workspaceRoot, file);
    if (there === "outside") return outside(file);
    await rm(path.join(workspaceRoot, file), { recursive: true, force: true });
    if (there) changes.push({ path: file, kind: "delete" });
  }
  if (changes.length > 0) yield { type: "files.changed", changes };
  return undefined;
}

async function* runCommands(stage: Stage): Act {
  for (const command of stage.attempt.commands ?? []) {
    const words = typeof command === "string" ? ["sh", "-c", stage.fill(command)] : command.map(stage.fill);
    const shown = typeof command === "string" ? stage.fill(command) : words.join(" ");
    const failed = yield* runCommand(stage, shown, words);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

async function* beDenied({ attempt, fill }: Stage): Act {
  for (const what of attempt.denied ?? []) {
    yield { type: "permission.denied", what: fill(what), allow: "Only the script denies it." };
  }
  return undefined;
}

const AUTHOR = ["-c", "user.name=Scripted Agent", "-c", "user.email=scripted-agent@example.invalid"];

async function* commit(stage: Stage): Act {
  if (stage.attempt.commit === undefined) return undefined;
  const message = stage.fill(stage.attempt.commit);
  const words = ["git", ...AUTHOR, "-c", "commit.gpgSign=false", "commit", "-q", "-m", message];
  return (
    (yield* runCommand(stage, "git add -A", ["git", "add", "-A"])) ??
    (yield* runCommand(stage, `git commit -m ${message}`, words))
  );
}

/** A command that fails does not end the turn; only one that had to be ended does. */
async function* runCommand(stage: Stage, shown: string, [command = "", ...args]: readonly string[]): Act {
  const { workspaceRoot: cwd, env, mark, signal, request, isolation } = stage;
  yield { type: "command.started", command: shown };
  const limits = { signal, timeoutMs: stage.deadline - stage.clock.now(), idleMs: request.idleTimeoutMs };
  const run = supervise({ command, args, cwd, mark, ...limits, ...(await surroundingsIn(await isolation?.(), env)) });
  const tail = new OutputTail(OUTPUT_BYTES);
  const [exit] = await Promise.all([run.exit, tail.drain(run.stdout), tail.drain(run.stderr)]);
  const isMissing = exit.ended === "not_started";
  yield {
    type: "command.ended",
    command: shown,
    exitCode: isMissing ? NOT_FOUND : exit.exitCode,
    output: isMissing ? String(exit.error?.message) : tail.text(),
  };
  return exit.ended === "exited" || isMissing ? undefined : cut(exit.ended, request);
}

/** Says nothing for `ms`, or as long as the request bears it. */
async function quiet({ clock, request, deadline, signal }: Stage, ms: number): Promise<ProviderFailure | undefined> {
  if (signal.aborted) return cut("aborted", request);
  if (ms === 0) return undefined;
  const now = clock.now();
  const limit = Math.min(request.idleTimeoutMs, deadline - now);
  await clock.sleepUntil(now + Math.min(ms, limit), signal);
  if (signal.aborted) return cut("aborted", request);
  if (ms < limit) return undefined;
  return cut(limit === request.idleTimeoutMs ? "idle" : "timed_out", request);
}

function cut(ended: "aborted" | "timed_out" | "idle", request: TurnRequest): ProviderFailure {
  switch (ended) {
    case "aborted":
      return failure("cancelled", "The scripted agent was ended on request.");
    case "timed_out":
      return failure("timed_out", `The scripted agent took longer than ${seconds(request.timeoutMs)}.`);
    case "idle":
      return failure("idle", `The scripted agent said nothing for ${seconds(request.idleTimeoutMs)}.`, {
        next: "Shorten its delay, or raise --idle-timeout-minutes.",
      });
  }
}

function outside(file: string): ProviderFailure {
  return failure("bad_request", `The script's path ${JSON.stringify(file)} leads out of the workspace.`, {
    next: "Name a path inside of the workspace.",
  });
}

/** Whether `name` exists below `root`; outside is also the root itself, and what a symbolic link leads out to. */
async function exists(root: string, name: string): Promise<boolean | "outside"> {
  const realRoot = await realpath(root);
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (path.isAbsolute(name) || parts.length === 0 || parts.includes("..")) return "outside";
  let file = realRoot;
  for (const part of parts) {
    file = path.join(file, part);
    const stat = await lstat(file).catch(() => undefined);
    if (stat === undefined) return false;
    if (stat.isSymbolicLink()) {
      const target = await realpath(file).catch(() => undefined);
      if (target === undefined || !`${target}/`.startsWith(`${realRoot}/`)) return "outside";
      file = target;
    }
  }
  return true;
}
