import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import path from "node:path";
import { quoted } from "../../app/resume/command.ts";
import { note, printLines, type Shell } from "../../app/shell.ts";
import { requestControl } from "../../control/folder.ts";
import type { SignalSource } from "../../control/signals.ts";
import { messageOf } from "../../core/errors.ts";
import { REPORT_FILE } from "../../core/names.ts";
import type { Reporter } from "../../core/ports.ts";
import type { Runs, Wish } from "../../live/scene.ts";
import { exists } from "../../os/file-errors.ts";
import { findOuter } from "../../os/programs.ts";
import type { ProgressReporter } from "../../reporters/terminal.ts";
import { type LoopPlace, placeOf } from "../../store/place.ts";
import { line, type Line, oneLine } from "../../views/plain-text.ts";

/** A terminal that keys come from and that can be drawn on. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** The terminal that a view can be drawn on, or why there is none. */
export function terminalOf({ stdin, stdout, env }: Shell): Terminal | string {
  if (env["TERM"] === "dumb") return "TERM is dumb: this terminal cannot be drawn on";
  return isWrite(stdout) && isRead(stdin) ? { stdin, stdout } : "there is no terminal to draw on and to take keys from";
}

function isWrite(stream: Shell["stdout"]): stream is NodeJS.WriteStream {
  return stream.isTTY === true;
}

function isRead(stream: Shell["stdin"]): stream is NodeJS.ReadStream {
  return stream?.isTTY === true;
}

/** How a loop that does not run is named to a command: the flags that find it. */
export interface Named {
  readonly cd: string;
  readonly "loop-id"?: string;
  readonly "state-file"?: string;
}

/** The flags that find the loop at a place, from wherever they are given. */
export function flagsOf({ root, loopId, stateFile }: Pick<LoopPlace, "root" | "loopId" | "stateFile">): Named {
  return placeOf(root, loopId, null).stateFile === stateFile
    ? { cd: root, "loop-id": loopId }
    : { cd: root, "state-file": path.relative(root, stateFile) };
}

/** A loop as the words that name it to a command: whatever its files are called, they are nothing else in a shell. */
function wordsFor(place: LoopPlace): string {
  const { "loop-id": loopId, "state-file": stateFile } = flagsOf(place);
  return stateFile === undefined ? quoted(oneLine(loopId ?? "")) : `--state-file ${quoted(oneLine(stateFile))}`;
}

/** Where the page about a loop is, or what makes it. */
export async function pageLine(place: LoopPlace, { program }: Shell): Promise<Line> {
  const page = path.join(place.folder, REPORT_FILE);
  return line(`Page: ${(await exists(page)) ? oneLine(page) : `${program} report ${wordsFor(place)}`}`);
}

/** How to come back to a loop that runs, and how to end it. @param resume what lets it go on later */
export function comeBackLines(place: LoopPlace, resume: string, { program }: Shell): readonly Line[] {
  const words = wordsFor(place);
  return [
    line(`Page: ${program} report ${words}`),
    line(`Watch: ${program} watch ${words}`),
    line(`Stop: ${program} stop ${words}, and go on later with: ${oneLine(resume)}`),
  ];
}

/** How the view of a run was left, as it tells the run. */
export interface Leaving {
  readonly wish?: Wish;
  /** the loop that is to go on */
  readonly loop?: Named;
}

type FromView = { readonly left: Leaving } | { readonly pager: boolean };

interface ToView {
  readonly say: "end" | "heard";
}

/** Tells a view by whom it was started; what another process has left there is not believed. */
const VIEW_OF = "SMITHERS_VIEW_OF";

interface ViewOf {
  readonly pid: number;
  readonly runs: Exclude<Runs, "elsewhere">;
  /** of the terminal, as `stty -g` writes them; null: not known */
  readonly modes: string | null;
  /** when it was started, in milliseconds since the epoch: what came before has been told */
  readonly since: number;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** How long a view may take to go when it has to. */
const PATIENCE_MS = 2_000;
/** What a view that was killed has not done any more: pastes as they are, the cursor, the normal screen. */
const LEAVE = "\u001B[?2004l\u001B[?25h\u001B[?1049l";

/**
 * The view of a run, on the terminal that the run was started on: a process of its own, as everywhere
 * (docs/decisions/0067-view-of-a-run.md). The run goes on whatever becomes of it.
 */
export class ViewOfRun {
  readonly #shell: Shell;
  readonly #progress: ProgressReporter;
  readonly #runs: ViewOf["runs"];
  readonly #notify: boolean;
  #child: ChildProcess | undefined;
  /** resolves when the terminal is the run's again; undefined: it always was */
  #over: Promise<void> | undefined;
  #isOpen = false;
  #isPaging = false;
  /** whether it has to go */
  #isEnding = false;
  /** whether the run has nothing more to tell */
  #hasEnded = false;
  #left: Leaving | undefined;
  readonly #gates = new Map<(signal: NodeJS.Signals) => void, (signal: NodeJS.Signals) => void>();

  /** @param progress tells the run while the view is not there. @param notify whether the view notifies */
  constructor(shell: Shell, progress: ProgressReporter, runs: ViewOf["runs"], notify = false) {
    this.#notify = notify;
    this.#shell = shell;
    this.#progress = progress;
    this.#runs = runs;
  }

  /** What a run reports to whose loop is at that place: with its first event the view opens. */
  reporterAt(place: LoopPlace): Reporter {
    return {
      report: (event, state) => {
        this.#progress.report(event, state);
        this.#over ??= this.#show(place);
      },
      observe: (event) => this.#progress.observe(event),
      flush: async (deadline) => {
        this.#hasEnded = true;
        await this.#progress.flush(deadline);
      },
    };
  }

  /** The signals that stop the run. They end the view first, so that what is said to them is seen. */
  readonly signals: SignalSource = {
    on: (name, listener) => {
      const gate = (signal: NodeJS.Signals): void => this.#pass(signal, () => listener(signal));
      // One for all signals that it listens to, so that each is found again.
      if (!this.#gates.has(listener)) this.#gates.set(listener, gate);
      process.on(name, this.#gates.get(listener) ?? gate);
    },
    off: (name, listener) => {
      const gate = this.#gates.get(listener);
      if (gate !== undefined) process.off(name, gate);
    },
  };

  /** Waits until somebody has left the view. @returns the loop that is to go on then; undefined: none */
  async left(): Promise<Named | undefined> {
    await this.#over;
    return this.#left?.wish === "run-on" ? this.#left.loop : undefined;
  }

  /** Says where the page about the loop is, which who has looked at it may want to see; nothing where no view was shown. */
  async tellPage(place: LoopPlace): Promise<void> {
    if (this.#over !== undefined) printLines(this.#shell, [await pageLine(place, this.#shell)]);
  }

  /** Ends the view, if it is there. */
  async end(): Promise<void> {
    if (!this.#isOpen) return this.#over;
    this.#isEnding = true;
    this.#tell({ say: "end" });
    // Who reads in the pager has all the time: it would stay behind.
    const timer = setTimeout(() => void (this.#isPaging || this.#child?.kill("SIGKILL")), PATIENCE_MS);
    await this.#over;
    clearTimeout(timer);
  }

  #pass(signal: NodeJS.Signals, go: () => void): void {
    // Ctrl+C in the pager is the pager's.
    if (this.#isPaging && signal === "SIGINT") return;
    const ended = this.end();
    // Nobody who stops a loop waits for who reads in the pager.
    if (!this.#isOpen || this.#isPaging) go();
    else void ended.then(go);
  }

  async #show(place: LoopPlace): Promise<void> {
    const { stderr, program } = this.#shell;
    const endView = (signal: NodeJS.Signals): void => this.#pass(signal, () => undefined);
    const isHiding = stderr.isTTY === true;
    this.#isOpen = true;
    if (isHiding) this.#progress.hide();
    for (const signal of SIGNALS) process.on(signal, endView);
    const how = await this.#run(place).catch(messageOf);
    this.#isOpen = false;
    // One that was killed has not said that its pager is over.
    this.#isPaging = false;
    for (const signal of SIGNALS) process.off(signal, endView);
    if (isHiding && !this.#hasEnded) this.#progress.show();
    if (this.#left === undefined && !this.#isEnding && !this.#hasEnded) {
      const again = `${program} watch ${wordsFor(place)} in another terminal shows it again`;
      this.#progress.observe({ type: "notice", text: `the view is gone (${how}); the loop goes on; ${again}` });
    }
    await this.#grant(place).catch((error: unknown) => note(this.#shell, messageOf(error)));
  }

  /** Runs the view until it is over, however that comes about. @returns how it ended */
  async #run(place: LoopPlace): Promise<string> {
    const { env, noColor } = this.#shell;
    const modes = stty(env, ["-g"]);
    const words = Object.entries(flagsOf(place)).flatMap(([name, text]) => [`--${name}`, text]);
    const viewOf: ViewOf = { pid: process.pid, runs: this.#runs, modes, since: Date.now() };
    // By whatever name a run was started, the view is a command of the program.
    const script = realpathSync(process.argv[1] ?? "");
    const flags = [...(noColor === true ? ["--no-color"] : []), ...(this.#notify ? ["--notify"] : [])];
    const child = spawn(process.execPath, [script, "watch", ...words, ...flags], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: { ...env, [VIEW_OF]: JSON.stringify(viewOf) },
    });
    this.#child = child;
    child.on("message", (text) => this.#hear(JSON.parse(typeof text === "string" ? text : "{}")));
    // All that it has said has come once it is disconnected.
    const disconnected = new Promise<void>((resolve) => child.once("disconnect", resolve));
    const [exitCode, signal]: (number | string | null)[] = await once(child, "exit");
    await disconnected;
    if (this.#left === undefined) {
      this.#shell.stdout.write(LEAVE);
      if (modes !== null) stty(env, [modes]);
    }
    return signal === null ? `exit code ${exitCode}` : `${signal}`;
  }

  #hear(message: FromView): void {
    if ("pager" in message) this.#isPaging = message.pager;
    else if ("left" in message) this.#left = message.left;
    this.#tell({ say: "heard" });
  }

  #tell(message: ToView): void {
    if (this.#child?.connected === true) this.#child.send(message, () => undefined);
  }

  /** Does what was wanted of the loop by who left the view. */
  async #grant({ folder, root }: LoopPlace): Promise<void> {
    const wish = this.#left?.wish;
    if (this.#hasEnded || wish === undefined || wish === "run-on") return;
    // As if the terminal had sent it.
    if (wish === "interrupt") process.emit("SIGINT", "SIGINT");
    else await requestControl(folder, wish, `${this.#shell.program} watch`, root);
  }
}

/** @returns what `stty` says of this process's terminal; null: it is not there, or did not do it */
function stty(env: Shell["env"], words: readonly string[]): string | null {
  const program = findOuter("stty", env["PATH"]);
  if (program === undefined) return null;
  try {
    return execFileSync(program.file, words, { stdio: ["inherit", "pipe", "ignore"], encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

/**
 * The view of a run that was asked for; undefined where it cannot be shown, which is said.
 *
 * @param asked whether somebody has let the loop go on from a view, and whether to notify
 */
export function viewOfRun(
  shell: Shell,
  progress: ProgressReporter,
  { begun, notify }: { readonly begun: boolean; readonly notify: boolean },
): ViewOfRun | undefined {
  const why = terminalOf(shell);
  if (typeof why !== "string") return new ViewOfRun(shell, progress, begun ? "begun" : "behind", notify);
  note(shell, `The view cannot be shown: ${why}. The loop goes on with its plain log.`);
  return undefined;
}

/** The run that has started a view, as the view sees it. */
export interface RunBehind {
  readonly runs: ViewOf["runs"];
  readonly since: ViewOf["since"];
  /** aborts when the run wants its terminal, or is not there any more */
  readonly gone: AbortSignal;
  /** Resolves when the run has heard it, is gone, or is too busy to hear anything for a while. */
  tell(message: FromView): Promise<void>;
  /** Gives a terminal back that was left without its run: nobody else would do it. */
  restore(): void;
}

/** The run behind this view; undefined: it was started by itself. */
export function runBehind({ env }: Shell): RunBehind | undefined {
  const { pid, runs = "behind", modes = null, since = Date.now() } = parsed(env[VIEW_OF] ?? "null") ?? {};
  Reflect.deleteProperty(process.env, VIEW_OF);
  if (pid !== process.ppid || process.send === undefined) return undefined;
  const gone = new AbortController();
  process.on("message", ({ say }: ToView) => say === "end" && gone.abort()).on("disconnect", () => gone.abort());
  if (!process.connected) gone.abort();
  return {
    ...{ runs, since },
    gone: gone.signal,
    async tell(message) {
      if (!process.connected) return;
      const enough = AbortSignal.any([gone.signal, AbortSignal.timeout(PATIENCE_MS)]);
      const heard = once(process, "message", { signal: enough }).catch(() => undefined);
      await new Promise<void>((resolve) => {
        process.send?.(JSON.stringify(message), undefined, undefined, () => resolve());
      });
      await heard;
    },
    restore() {
      const sh = findOuter("sh", env["PATH"]);
      if (process.connected || sh === undefined || modes === null) return;
      // The shell has its terminal back by now, and stops who sets it from behind.
      const words = ["-c", 'trap "" TTOU; exec stty "$1"', "sh", modes];
      execFileSync(sh.file, words, { stdio: ["inherit", "ignore", "ignore"] });
    },
  };
}

function parsed(text: string): Partial<ViewOf> | undefined {
  try {
    const value: Partial<ViewOf> | null = JSON.parse(text);
    return value ?? undefined;
  } catch {
    return undefined;
  }
}
