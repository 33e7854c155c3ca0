import path from "node:path";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { AgentEvent, ProviderFailure, TurnRequest } from "../../core/agent.ts";
import { OperationalError } from "../../core/errors.ts";
import { rawEventsName } from "../../core/names.ts";
import type { Provider } from "../../core/ports.ts";
import { supervise } from "../../os/supervise.ts";
import { RawFile, readLines } from "../jsonl.ts";
import { codexArguments, lastMessagePath } from "./arguments.ts";
import { findCodex } from "./binary.ts";
import { denialOf } from "./denials.ts";
import { endTurn, failedTurn } from "./ending.ts";
import { cancelled, notInstalled, noWorkspace, sessionLost } from "./failures.ts";
import { clearLastMessage, settleLastMessage } from "./last-message.ts";
import { looksLikeNetworkDenial, NETWORK_CURE } from "./network.ts";
import type { CodexOptions } from "./options.ts";
import { probeSandbox, probeVersion } from "./probes.ts";
import { codexEnvironment, readTail } from "./process.ts";
import { TurnReading } from "./turn-reading.ts";
import { watchLitter } from "./workspace-litter.ts";

/** For any other id Codex begins a new session without a word (C15). */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

/** Runs turns with `codex exec` (W-01, W-02, W-35, W-36). */
export function createCodexProvider(options: CodexOptions): Provider {
  return new CodexProvider(options);
}

class CodexProvider implements Provider {
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
    const messageFile = lastMessagePath(this.#options, request.iteration);
    const raw = await this.#openFiles(messageFile, request.iteration);
    try {
      const command = await this.#readyCommand(request, signal);
      if (typeof command === "string") yield* this.#run(command, request, raw, messageFile, signal);
      else yield failedTurn(request, command, await settleLastMessage(messageFile, ""), null);
    } finally {
      await raw.close();
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

  async #openFiles(messageFile: string, iteration: number): Promise<RawFile> {
    const { folder } = this.#options;
    try {
      await mkdir(folder, { recursive: true });
      await clearLastMessage(messageFile);
      return await RawFile.open(path.join(folder, rawEventsName(iteration)));
    } catch (cause) {
      throw new OperationalError(
        {
          code: "LOOP_FOLDER_NOT_WRITABLE",
          what: `The loop's folder ${folder} cannot be written. No turn was started.`,
          next: "Free space on the disk or correct the folder's permissions, then resume the loop.",
        },
        { cause },
      );
    }
  }

  async *#run(
    command: string,
    request: TurnRequest,
    raw: RawFile,
    messageFile: string,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    const options = this.#options;
    const removeLitter = await watchLitter(options.workspaceRoot);
    const stop = new AbortController();
    const reading = new TurnReading(request);
    const child = supervise({
      command,
      args: codexArguments(options, request),
      cwd: options.workspaceRoot,
      env: codexEnvironment(options),
      mark: options.mark,
      input: request.prompt,
      signal: AbortSignal.any([signal, stop.signal]),
      timeoutMs: request.timeoutMs,
      idleMs: request.idleTimeoutMs,
    });
    const stderr = readTail(child.stderr);
    // A command may be silent for as long as it likes: only the turn's own time-out ends it.
    const alive = setInterval(
      () => {
        if (reading.isCommandRunning) child.touch();
      },
      Math.min(request.idleTimeoutMs / 4, 15_000),
    );
    let drained = false;
    try {
      for await (const { lines, skipped } of readLines(child.stdout, raw)) {
        if (skipped > 0)
          yield { type: "notice", text: "Codex said a line of more than 16 MiB: it is only in the raw file." };
        for (const line of lines) {
          const event = reading.read(line);
          if (event !== undefined) yield event;
          if (reading.mustEnd) stop.abort();
          const denied = denialOf(event, options);
          if (denied !== undefined) yield denied;
          if (event?.type === "command.ended" && this.#isFirstNetworkDenial(event.output)) {
            yield { type: "notice", text: NETWORK_CURE };
          }
        }
      }
      drained = true;
    } finally {
      // The caller may stop listening in the middle of a turn: then nobody needs the agent any more.
      if (!drained) stop.abort();
      clearInterval(alive);
      await child.exit;
      await removeLitter();
    }
    if (raw.failed !== undefined) {
      yield { type: "notice", text: `The raw stream could not be written completely: ${raw.failed.message}` };
    }
    const lastMessage = await settleLastMessage(messageFile, reading.lastMessage);
    yield endTurn({ request, reading, exit: await child.exit, stderr: await stderr, lastMessage });
  }

  #isFirstNetworkDenial(output: string): boolean {
    if (this.#networkNoticed || !looksLikeNetworkDenial(output)) return false;
    this.#networkNoticed = true;
    return true;
  }
}
