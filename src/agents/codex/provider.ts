import { existsSync } from "node:fs";
import path from "node:path";
import type { AgentEvent, ProviderFailure, TurnRequest } from "../../core/agent.ts";
import type { Provider } from "../../core/ports.ts";
import { type Isolation, surroundingsIn } from "../../os/isolation/isolation.ts";
import { supervise } from "../../os/supervise.ts";
import { hiddenIn, withoutToken } from "../key-proxy.ts";
import { OutputTail, readLines } from "../output.ts";
import { openTurnFiles, RAW_CUT, readLastMessage, type TurnFiles, writeLastMessage } from "../turn-files.ts";
import { codexArguments, type CodexOptions } from "./command-line.ts";
import { cancelled, noProxy, notInstalled, noWorkspace, sessionLost } from "./failures.ts";
import { ModelAccess, type OpenAccess } from "./model-access.ts";
import { findCodex, refusedCodex } from "./program.ts";
import { denialOf, looksLikeNetworkDenial, NETWORK_CURE, probeSandbox, probeVersion, watchLitter } from "./sandbox.ts";
import { SessionUsage } from "./session-usage.ts";
import { codexHome } from "./settings.ts";
import { CodexTurn, failedTurn } from "./turn.ts";

/** For any other id Codex begins a new session without a word (C15). */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const STDERR_BYTES = 64 * 1024;

interface ReadyTurn {
  readonly command: string;
  readonly access: OpenAccess;
  readonly isolation: Isolation | undefined;
}

/** Runs turns with `codex exec` (W-01, W-02, W-35, W-36). */
export class CodexProvider implements Provider {
  readonly name = "codex";
  readonly #options: CodexOptions;
  readonly #access: ModelAccess;
  #sandboxWorks = false;
  #networkNoticed: boolean;

  /** @throws UsageError when Codex's settings name an address that is none */
  constructor(options: CodexOptions) {
    this.#options = options;
    this.#access = new ModelAccess(options);
    this.#networkNoticed = options.sandbox === "danger-full-access" || options.network;
  }

  async preflight(signal: AbortSignal): Promise<ProviderFailure | undefined> {
    const command = this.#find();
    if (typeof command !== "string") return command;
    if (this.#options.sandbox !== "danger-full-access") {
      // A sandbox that does not start ends the first turn, which asks again: a loop can be resumed when it is repaired.
      this.#sandboxWorks = (await this.#probe(command, signal)) === undefined;
      if (this.#sandboxWorks) return undefined;
    }
    return probeVersion(this.#options, command, signal);
  }

  async *runTurn(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const files = await openTurnFiles(this.#options, request.iteration);
    try {
      const ready = await this.#ready(request, signal);
      if (!("command" in ready)) {
        yield failedTurn(request, ready, await settleLastMessage(files, "", null), null);
        return;
      }
      try {
        yield* this.#run(ready, request, files, signal);
      } finally {
        // Also where the turn could not begin.
        await ready.access.close();
      }
    } finally {
      await files.raw.close();
    }
  }

  #find(): string | ProviderFailure {
    const { binary, env, workspaceRoot, commandPath } = this.#options;
    if (!existsSync(workspaceRoot)) return noWorkspace(workspaceRoot);
    const searchPath = env["PATH"] ?? "";
    const found = findCodex(binary, searchPath);
    if (found !== undefined) return found;
    const inner = binary === undefined ? refusedCodex(commandPath ?? searchPath) : undefined;
    if (inner !== undefined) return notInstalled(`The only \`codex\` is ${inner}, which the agent can write.`);
    return notInstalled(`There is no program \`${binary ?? "codex"}\`.`);
  }

  /** What a turn is started with, or why it would be wasted. */
  async #ready(request: TurnRequest, signal: AbortSignal): Promise<ReadyTurn | ProviderFailure> {
    const command = await this.#readyCommand(request, signal);
    if (typeof command !== "string") return command;
    try {
      const isolation = await this.#options.isolation?.();
      return { command, isolation, access: await this.#access.open() };
    } catch (error) {
      return noProxy(String(error));
    }
  }

  async #readyCommand({ sessionId }: TurnRequest, signal: AbortSignal): Promise<string | ProviderFailure> {
    if (signal.aborted) return cancelled();
    if (sessionId !== null && !UUID.test(sessionId))
      return sessionLost(`${JSON.stringify(sessionId)} is no session of Codex.`);
    const command = this.#find();
    if (typeof command !== "string") return command;
    if (!this.#sandboxWorks) {
      const failure = await this.#probe(command, signal);
      if (failure !== undefined) return failure;
      this.#sandboxWorks = true;
    }
    return command;
  }

  /** Isolation is only there once Codex's sandbox has started in it: then it does. */
  async #probe(command: string, signal: AbortSignal): Promise<ProviderFailure | undefined> {
    const isolation = await this.#options.isolation?.();
    return isolation === undefined ? probeSandbox(this.#options, command, signal) : undefined;
  }

  async *#run(
    { command, access, isolation }: ReadyTurn,
    request: TurnRequest,
    files: TurnFiles,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    const { workspaceRoot: cwd, mark } = this.#options;
    const { env, token } = access;
    const removeLitter = await watchLitter(cwd);
    const stop = new AbortController();
    const turn = new CodexTurn(request);
    const child = supervise({
      ...{ command, args: codexArguments(this.#options, request, access.modelAt, isolation !== undefined), cwd },
      ...{ mark, input: request.prompt, ...(await surroundingsIn(isolation, env)) },
      signal: AbortSignal.any([signal, stop.signal]),
      timeoutMs: request.timeoutMs,
      idleMs: request.idleTimeoutMs,
    });
    await using usage = new SessionUsage(path.join(codexHome(env), "sessions"));
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
      yield* this.#remarkOnKeys();
      for await (const { lines, skipped } of readLines(withoutToken(child.stdout, token), files.raw)) {
        if (skipped > 0)
          yield { type: "notice", text: "Codex said a line of more than 16 MiB: it is only in the raw file." };
        for (const line of lines) {
          const event = turn.read(line);
          if (event !== undefined) yield event;
          if (turn.mustEnd) stop.abort();
          yield* this.#remarksOn(event);
        }
        yield* used(turn, usage);
      }
      drained = true;
    } finally {
      // The caller may stop listening in the middle of a turn: then the agent is not needed any more.
      if (!drained) stop.abort();
      clearInterval(alive);
      await child.exit;
      await access.close();
      await removeLitter();
    }
    yield* remarksOnRaw(files);
    yield* used(turn, usage, true);
    const lastMessage = await settleLastMessage(files, turn.lastMessage, token);
    await saidAll;
    yield turn.end(await child.exit, hiddenIn(stderr.text(), token), lastMessage);
  }

  *#remarkOnKeys(): Generator<AgentEvent> {
    const text = this.#access.takeRemark();
    if (text !== undefined) yield { type: "notice", text };
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

/** What the turn has used so far, when that has grown. */
async function* used(turn: CodexTurn, usage: SessionUsage, isOver = false): AsyncGenerator<AgentEvent> {
  const total = turn.sessionId === undefined ? undefined : await usage.total(turn.sessionId, isOver);
  const event = total && turn.count(total);
  if (event !== undefined) yield event;
}

function* remarksOnRaw({ raw: { failed, isCut } }: TurnFiles): Generator<AgentEvent> {
  if (isCut) yield { type: "notice", text: RAW_CUT };
  if (failed !== undefined)
    yield { type: "notice", text: `The raw stream could not be written completely: ${failed.message}` };
}

/**
 * The agent's last message as Codex wrote it, which it only does when a turn completes (W-36), else from the stream.
 * Afterwards the file exists and holds it, whatever happened to the turn (C8).
 */
async function settleLastMessage(files: TurnFiles, fromStream: string, token: string | null): Promise<string> {
  const written = await readLastMessage(files);
  const clean = hiddenIn(written, token);
  if (written === "" || clean !== written) await writeLastMessage(files, clean || fromStream);
  return clean || fromStream;
}
