import type { Readable } from "node:stream";
import type { AgentEvent, AgentFileChange, ProviderFailure, TurnRequest } from "../core/agent.ts";
import type { Clock } from "../core/ports.ts";
import { type Exit, supervise } from "../os/supervise.ts";
import { seconds } from "../views/amounts.ts";
import { failure } from "./failure.ts";
import { OutputTail } from "./output-tail.ts";
import type { ScriptedAttempt, ScriptedFailure } from "./script-schema.ts";
import { deleteInside, writeInside } from "./workspace-files.ts";

/** One attempt of a scripted turn, and all it needs to be played. */
export interface Stage {
  readonly attempt: ScriptedAttempt;
  /** which attempt of its iteration it is, from 1 */
  readonly number: number;
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  /** when the request's time is over, in milliseconds since the epoch */
  readonly deadline: number;
  /** replaces the placeholders of a text */
  readonly fill: (text: string) => string;
  readonly workspaceRoot: string;
  readonly mark: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

type Act = AsyncGenerator<AgentEvent, ProviderFailure | undefined>;

/** The tail that a `command.ended` may carry. */
const OUTPUT_BYTES = 4 << 10;
/** What a shell says when a command is not there. */
const NOT_FOUND = 127;

/** Plays an attempt, all but its ending, in the order that docs/scripted-agent.md gives. */
export async function* play(stage: Stage): Act {
  const { attempt, request } = stage;
  if (attempt.loseSession === true && request.sessionId !== null) {
    return failure("session_lost", `There is no session ${request.sessionId}.`);
  }
  const sessionId = request.sessionId ?? newSession(request.iteration, stage.number);
  yield { type: "session.started", sessionId };
  const failed =
    (await quiet(stage, attempt.delayMs ?? 0)) ??
    (yield* speak(stage)) ??
    (yield* changeFiles(stage)) ??
    (yield* runCommands(stage)) ??
    (yield* beDenied(stage)) ??
    (yield* commit(stage)) ??
    (await quiet(stage, attempt.silence === true ? Infinity : 0));
  return failed ?? (attempt.failure && toFailure(attempt.failure, stage.clock));
}

/** The failure that a script asks for, as it is told to the engine. */
export function toFailure(scripted: ScriptedFailure, clock: Clock): ProviderFailure {
  const { kind, message = `The script asks for ${kind}.`, retryable, resetsAtMs, resetsInMs, next } = scripted;
  const resetsAt = resetsAtMs ?? (resetsInMs === undefined ? undefined : clock.now() + resetsInMs);
  return failure(kind, message, {
    ...(retryable !== undefined && { retryable }),
    ...(resetsAt !== undefined && { resetsAt }),
    ...(next !== undefined && { next }),
  });
}

function newSession(iteration: number, number: number): string {
  return number === 1 ? `scripted-${iteration}` : `scripted-${iteration}.${number}`;
}

async function* speak({ attempt, fill }: Stage): Act {
  for (const text of attempt.messages ?? []) yield { type: "message", text: fill(text) };
  return undefined;
}

async function* changeFiles({ attempt, workspaceRoot, fill }: Stage): Act {
  const changes: AgentFileChange[] = [];
  for (const file of attempt.files ?? []) {
    const path = fill(file.path);
    const kind = await writeInside(workspaceRoot, path, fill(file.content));
    if (kind === undefined) return outside(path);
    changes.push({ path, kind });
  }
  for (const name of attempt.delete ?? []) {
    const path = fill(name);
    const deleted = await deleteInside(workspaceRoot, path);
    if (deleted === undefined) return outside(path);
    if (deleted) changes.push({ path, kind: "delete" });
  }
  if (changes.length > 0) yield { type: "files.changed", changes };
  return undefined;
}

async function* runCommands(stage: Stage): Act {
  for (const command of stage.attempt.commands ?? []) {
    const failed =
      typeof command === "string"
        ? yield* runCommand(stage, stage.fill(command), ["sh", "-c", stage.fill(command)])
        : yield* runCommand(stage, command.map(stage.fill).join(" "), command.map(stage.fill));
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

async function* commit(stage: Stage): Act {
  if (stage.attempt.commit === undefined) return undefined;
  const message = stage.fill(stage.attempt.commit);
  const author = ["-c", "user.name=Scripted Agent", "-c", "user.email=scripted-agent@example.invalid"];
  return (
    (yield* runCommand(stage, "git add -A", ["git", "add", "-A"])) ??
    (yield* runCommand(stage, `git commit -m ${message}`, [
      "git",
      ...author,
      "-c",
      "commit.gpgSign=false",
      "commit",
      "-q",
      "-m",
      message,
    ]))
  );
}

async function* runCommand(stage: Stage, shown: string, [program = "", ...args]: readonly string[]): Act {
  yield { type: "command.started", command: shown };
  const run = supervise({
    command: program,
    args,
    cwd: stage.workspaceRoot,
    env: stage.env,
    mark: stage.mark,
    signal: stage.signal,
    timeoutMs: stage.deadline - stage.clock.now(),
    idleMs: stage.request.idleTimeoutMs,
  });
  const tail = new OutputTail(OUTPUT_BYTES);
  const [exit] = await Promise.all([run.exit, drain(run.stdout, tail), drain(run.stderr, tail)]);
  const isMissing = exit.ended === "not_started";
  yield {
    type: "command.ended",
    command: shown,
    exitCode: isMissing ? NOT_FOUND : exit.exitCode,
    output: isMissing ? String(exit.error?.message) : tail.text(),
  };
  return cutShort(exit, stage.request);
}

async function drain(stream: Readable, tail: OutputTail): Promise<void> {
  for await (const chunk of stream) tail.push(chunk);
}

/** A command that fails is the agent's business; only one that had to be ended ends the turn. */
function cutShort({ ended }: Exit, request: TurnRequest): ProviderFailure | undefined {
  if (ended === "aborted") return cancelled();
  if (ended === "timed_out") return timedOut(request);
  return ended === "idle" ? idle(request) : undefined;
}

/** Says nothing for `ms`, or as long as the request bears it. */
async function quiet({ clock, request, deadline, signal }: Stage, ms: number): Promise<ProviderFailure | undefined> {
  if (signal.aborted) return cancelled();
  if (ms === 0) return undefined;
  const now = clock.now();
  const limit = Math.min(request.idleTimeoutMs, deadline - now);
  await clock.sleepUntil(now + Math.min(ms, limit), signal);
  if (signal.aborted) return cancelled();
  if (ms < limit) return undefined;
  return limit === request.idleTimeoutMs ? idle(request) : timedOut(request);
}

function idle(request: TurnRequest): ProviderFailure {
  return failure("idle", `The scripted agent said nothing for ${seconds(request.idleTimeoutMs)}.`);
}

function timedOut(request: TurnRequest): ProviderFailure {
  return failure("timed_out", `The scripted agent took longer than ${seconds(request.timeoutMs)}.`);
}

function cancelled(): ProviderFailure {
  return failure("cancelled", "The scripted agent was ended on request.");
}

function outside(path: string): ProviderFailure {
  return failure("bad_request", `The script's path ${JSON.stringify(path)} leads out of the workspace.`, {
    next: "Name a path inside of the workspace.",
  });
}
