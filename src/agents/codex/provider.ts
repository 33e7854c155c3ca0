import { existsSync } from "node:fs";
import type { AgentEvent, ProviderFailure, TurnRequest } from "../../core/agent.ts";
import type { Provider } from "../../core/ports.ts";
import { supervise } from "../../os/supervise.ts";
import { OutputTail, readLines } from "../output.ts";
import { openTurnFiles, readLastMessage, type TurnFiles, writeLastMessage } from "../turn-files.ts";
import { codexArguments, type CodexOptions } from "./command-line.ts";
import { cancelled, notInstalled, noWorkspace, sessionLost } from "./failures.ts";
import { findCodex } from "./program.ts";
import { denialOf, looksLikeNetworkDenial, NETWORK_CURE, probeSandbox, probeVersion, watchLitter } from "./sandbox.ts";
import { CodexTurn, failedTurn } from "./turn.ts";

/** For any other id Codex begins a new session without a word (C15). */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const STDERR_BYTES = 64 * 1024;

/** Runs turns with `codex exec` (W-01, W-02, W-35, W-36). */
export class CodexProvider implements Provider {
  readonly name = "codex";
  readonly #options: CodexOptions;
  #sandboxWorks = false;
  #networkNoticed: boolean;

  constructor(options: CodexOptions) {
    this.#options = options;
    this.#networkNoticed = options.sandbox === "danger-full-access" || options.network;
  }

  async preflight(signal: AbortSignal): Promise<ProviderFailure | undefined> {
    const command = this.#find();
    if (typeof command !== "string") return command;
    if (this.#options.sandbox !== "danger-full-access") {
      // A sandbox that does not start ends the first turn, which asks again: a loop can be resumed when it is repaired.
      this.#sandboxWorks = (await probeSandbox(this.#options, command, signal)) === undefined;
      if (this.#sandboxWorks) return undefined;
    }
    return probeVersion(this.#options, command, signal);
  }

  async *runTurn(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const files = await openTurnFiles(this.#options, request.iteration);
    try {
      const command = await this.#readyCommand(request, signal);
      if (typeof command === "string") yield* this.#run(command, request, files, signal);
      else yield failedTurn(request, command, await settleLastMessage(files, ""), null);
    } finally {
      await files.raw.close();
    }
  }

  #find(): string | ProviderFailure {
    const { binary, env, workspaceRoot } = this.#options;
    if (!existsSync(workspaceRoot)) return noWorkspace(workspaceRoot);
    return findCodex(binary, env["PATH"] ?? "") ?? notInstalled(`There is no program \`${binary ?? "codex"}\`.`);
  }

  /** What to start, or why a turn would be wasted. */
  async #readyCommand({ sessionId }: TurnRequest, signal: AbortSignal): Promise<string | ProviderFailure> {
    if (signal.aborted) return cancelled();
    if (sessionId !== null && !UUID.test(sessionId))
      return sessionLost(`${JSON.stringify(sessionId)} is no session of Codex.`);
    const command = this.#find();
    if (typeof command !== "string") return command;
    if (!this.#sandboxWorks) {
      const failure = await probeSandbox(this.#options, command, signal);
      if (failure !== undefined) return failure;
      this.#sandboxWorks = true;
    }
    return command;
  }

  async *#run(
    command: string,
    request: TurnRequest,
    files: TurnFiles,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    const { workspaceRoot: cwd, env, mark } = this.#options;
    const removeLitter = await watchLitter(cwd);
    const stop = new AbortController();
    const turn = new CodexTurn(request);
    const child = supervise({
      ...{ command, args: codexArguments(this.#options, request), cwd, env, mark, input: request.prompt },
      signal: AbortSignal.any([signal, stop.signal]),
      timeoutMs: request.timeoutMs,
      idleMs: request.idleTimeoutMs,
    });
    const stderr = new OutputTail(STDERR_BYTES);
    const saidAll = stderr.drain(child.stderr);
    // A command may be silent for as long as it likes: only the turn's own time-out ends it.
    const alive = setInterval(
      () => {
        if (turn.isCommandRunning) child.touch();
      },
      Math.min(request.idleTimeoutMs / 4, 15_000),
    );
    let drained = false;
    try {
      for await (const { lines, skipped } of readLines(child.stdout, files.raw)) {
        if (skipped > 0)
          yield { type: "notice", text: "Codex said a line of more than 16 MiB: it is only in the raw file." };
        for (const line of lines) {
          const event = turn.read(line);
          if (event !== undefined) yield event;
          if (turn.mustEnd) stop.abort();
          yield* this.#remarksOn(event);
        }
      }
      drained = true;
    } finally {
      // The caller may stop listening in the middle of a turn: then the agent is not needed any more.
      if (!drained) stop.abort();
      clearInterval(alive);
      await child.exit;
      await removeLitter();
    }
    const { failed } = files.raw;
    if (failed !== undefined)
      yield { type: "notice", text: `The raw stream could not be written completely: ${failed.message}` };
    const lastMessage = await settleLastMessage(files, turn.lastMessage);
    await saidAll;
    yield turn.end(await child.exit, stderr.text(), lastMessage);
  }

  /** What there is to say of a command that the sandbox has stopped. */
  *#remarksOn(event: AgentEvent | undefined): Generator<AgentEvent> {
    const denied = denialOf(event, this.#options);
    if (denied !== undefined) yield denied;
    if (event?.type !== "command.ended" || this.#networkNoticed || !looksLikeNetworkDenial(event.output)) return;
    this.#networkNoticed = true;
    yield { type: "notice", text: NETWORK_CURE };
  }
}

/**
 * The agent's last message as Codex wrote it, which it only does when a turn completes (W-36), else from the stream.
 * Afterwards the file exists and holds it, whatever happened to the turn (C8).
 */
async function settleLastMessage(files: TurnFiles, fromStream: string): Promise<string> {
  const written = await readLastMessage(files);
  if (written === "") await writeLastMessage(files, fromStream);
  return written || fromStream;
}
