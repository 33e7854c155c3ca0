import { once } from "node:events";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { counted } from "../views/amounts.ts";
import type { Line } from "../views/plain-text.ts";
import { frame, roomIn } from "./frame.ts";
import type { LogLines } from "./log-lines.ts";
import type { Effect, Page, Request, Scene, Ui, Wish } from "./scene.ts";
import type { Drawing, Screen } from "./screen.ts";
import { begin, paste, press, shownText, wholeText } from "./ui.ts";

/** What the view shows and whom it asks: who opens it follows the loops. */
export interface Watching {
  /** what is known now */
  readonly facts: () => Pick<Scene, "loops" | "reading" | "watched" | "runs"> & { readonly log: LogLines };
  /** calls `changed` when something else is known. @returns how to stop it */
  readonly subscribe: (changed: () => void) => () => void;
  /** Does what a key asks for. @returns what to tell; "": nothing */
  readonly perform: (request: Request) => Promise<string>;
  /** Opens a text in the pager, on the terminal as it was before the view. @returns what to tell; "": nothing */
  readonly page: (text: string) => Promise<string>;
  /** Keeps a text in a file of a person's own. @returns its path */
  readonly keepText: (text: string) => Promise<string>;
}

/** How the view was left: by a key, or by a signal. */
export interface Left {
  readonly signal: NodeJS.Signals | null;
  /** what is wanted of the loop; absent: nothing */
  readonly wish?: Wish;
}

export interface OpenOptions extends Screen {
  readonly page: Page;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** aborts when the view has to go, whatever somebody is doing there; absent: it never does */
  readonly gone?: AbortSignal;
}

/** The alternate screen without a cursor, and marks around what is pasted. */
const ENTER = "\u001B[?1049h\u001B[2J\u001B[H\u001B[?25l\u001B[?2004h";
const LEAVE = "\u001B[?2004l\u001B[?25h\u001B[?1049l";
/** All that end a process and that it can hear, apart from those that only a bug or a profiler sends. */
const SIGNALS = [
  ...(["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR2", "SIGABRT", "SIGALRM", "SIGVTALRM"] as const),
  ...(["SIGXCPU", "SIGXFSZ", "SIGIO", "SIGPWR", "SIGSTKFLT", "SIGSYS", "SIGTRAP"] as const),
];
/** The shortest time between two drawings that nobody has pressed a key for. */
const PAUSE_MS = 50;
/** More than most terminals take in one copy, as base64. */
const COPY_LIMIT = 74_000;

/** What is to be loaded without them, because it would draw nothing, or else the version for its developers. */
const MISLEADING = ["CI", "CONTINUOUS_INTEGRATION", "DEV", "NODE_ENV"] as const;

/** Loads what draws, which takes a moment and is in a script of its own. */
export async function loadScreen() {
  const before = MISLEADING.map((name) => [name, process.env[name]] as const);
  for (const name of MISLEADING) Reflect.deleteProperty(process.env, name);
  process.env["NODE_ENV"] = "production";
  try {
    return await import("./screen.ts");
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

/** Why the drawing is taken from the terminal. */
type Why = { readonly kind: "left"; readonly left: Left } | { readonly kind: "resized" | "pager" | "key" | "SIGTSTP" };

/** A process that no shell could let go on is not stopped by SIGTSTP, and hears no SIGCONT. */
const STOP_MS = 100;

/**
 * Shows loops on a whole terminal, until somebody leaves. However that comes about, by an error as well, the terminal is
 * afterwards as it was before.
 *
 * @throws what went wrong while it was drawn
 */
export async function openView(watching: Watching, options: OpenOptions): Promise<Left> {
  const { stdout, stdin } = options;
  const { draw, pasteReader } = await loadScreen();
  const view = new View(watching, options);
  const piecesOf = pasteReader();
  const restore = (): void => {
    // A terminal that was closed takes nothing any more.
    quietly(() => stdin.setRawMode(false));
    quietly(() => stdout.write(LEAVE));
  };
  let isPaging = false;
  // Ctrl+C in the pager is the pager's.
  const left = (signal: NodeJS.Signals): void => {
    if (!isPaging || signal !== "SIGINT") view.leave({ signal });
  };
  const sentAway = (): void => view.leave({ signal: null });
  const stopped = (): void => view.away({ kind: "SIGTSTP" });
  const resized = (): void => view.away({ kind: "resized" });
  const failed = (): void => undefined;
  for (const signal of SIGNALS) process.on(signal, left);
  process.on("SIGTSTP", stopped);
  options.gone?.addEventListener("abort", sentAway);
  if (options.gone?.aborted === true) sentAway();
  stdout.on("resize", resized).on("error", failed);
  process.once("exit", restore);
  try {
    for (;;) {
      stdout.write(ENTER);
      const drawn = draw(view.drawing, options, piecesOf);
      const why = await Promise.race([view.gone(), drawn.over.then(() => GONE)]).finally(() => drawn.end());
      if (why.kind === "left") return why.left;
      if (why.kind === "resized") continue;
      // In the pager, and for the stop itself, the signal does what it does by itself.
      process.off("SIGTSTP", stopped);
      restore();
      isPaging = why.kind === "pager";
      await (isPaging ? view.page() : stop(why.kind === "key"));
      isPaging = false;
      process.on("SIGTSTP", stopped);
    }
  } finally {
    view.close();
    for (const signal of SIGNALS) process.off(signal, left);
    process.off("SIGTSTP", stopped);
    options.gone?.removeEventListener("abort", sentAway);
    stdout.off("resize", resized);
    process.off("exit", restore);
    restore();
    setImmediate(() => stdout.off("error", failed));
    stdin.unref();
  }
}

const GONE: Why = { kind: "left", left: { signal: null } };

/** Stops this process until a shell lets it go on; for a key the whole job, as a terminal that reads lines would. */
async function stop(isJob: boolean): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const goesOn = once(process, "SIGCONT", { signal }).catch(() => undefined);
  process.kill(isJob ? 0 : process.pid, "SIGTSTP");
  await Promise.race([goesOn, sleep(STOP_MS)]);
  over.abort();
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // It is gone.
  }
}

/** What somebody sees and has pressed. */
class View {
  readonly #watching: Watching;
  readonly #options: OpenOptions;
  readonly #unsubscribe: () => void;
  readonly #listeners = new Set<() => void>();
  #ui: Ui;
  #wasAlive = false;
  #rows: readonly Line[] | undefined;
  #soon: NodeJS.Timeout | undefined;
  #away: ((why: Why) => void) | undefined;
  #waiting: Why | undefined;

  constructor(watching: Watching, options: OpenOptions) {
    this.#watching = watching;
    this.#options = options;
    this.#ui = begin(options.page);
    this.#unsubscribe = watching.subscribe(() => {
      this.#soon ??= setTimeout(() => this.#changed(), PAUSE_MS);
    });
  }

  readonly drawing: Drawing = {
    rows: () => (this.#rows ??= this.#frame()),
    subscribe: (changed) => {
      this.#listeners.add(changed);
      return () => this.#listeners.delete(changed);
    },
    press: (key) => {
      const [ui, effect] = press(this.#ui, key, this.#scene());
      this.#set(ui);
      if (effect !== undefined) this.#act(effect);
    },
    paste: (text) => this.#set(paste(this.#ui, text)),
  };

  /** Resolves when the drawing is to be taken away. */
  async gone(): Promise<Why> {
    return new Promise((resolve) => {
      if (this.#waiting === undefined) this.#away = resolve;
      else resolve(this.#waiting);
      this.#waiting = undefined;
    });
  }

  leave(left: Left): void {
    this.away({ kind: "left", left });
  }

  away(why: Why): void {
    this.#rows = undefined;
    if (this.#away === undefined) this.#waiting = why.kind === "left" ? why : (this.#waiting ?? why);
    else this.#away(why);
    this.#away = undefined;
  }

  /** Opens the whole page in the pager, on the terminal as it was. */
  async page(): Promise<void> {
    // Only what flows can be paused; otherwise the keys of the pager would come here.
    this.#options.stdin.resume();
    // It resumes on the next tick, and would read once more after a pause that came before that.
    await nextRound();
    this.#options.stdin.pause();
    this.#say(await this.#watching.page(wholeText(this.#ui, this.#scene())));
  }

  close(): void {
    clearTimeout(this.#soon);
    this.#unsubscribe();
  }

  #frame(): readonly Line[] {
    const scene = this.#scene();
    const isAlive = scene.watched?.view.alive === true;
    // What was told or asked while a loop ran means nothing once it has ended, and would hide that it has.
    if (this.#wasAlive && !isAlive) {
      // Who wanted to leave has nothing to decide any more.
      if (this.#ui.asking === "leave") queueMicrotask(() => this.leave({ signal: null }));
      this.#ui = { ...this.#ui, said: "", asking: null };
    }
    this.#wasAlive = isAlive;
    return frame(this.#ui, scene);
  }

  #scene(): Scene {
    // A terminal that does not know its size says 0.
    const { columns, rows } = this.#options.stdout;
    return { ...this.#watching.facts(), now: Date.now(), ...roomIn(columns || 80, rows || 24) };
  }

  #set(ui: Ui): void {
    this.#ui = ui;
    this.#changed();
  }

  #say(said: string): void {
    this.#set({ ...this.#ui, said });
  }

  #changed(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#rows = undefined;
    for (const changed of this.#listeners) changed();
  }

  #act(effect: Effect): void {
    switch (effect.kind) {
      case "quit":
        return this.leave(effect.wish === undefined ? { signal: null } : { signal: null, wish: effect.wish });
      case "suspend":
        return this.away({ kind: "key" });
      case "pager":
        return this.away({ kind: "pager" });
      case "copy":
        return this.#told(this.#copy());
      case "watch":
      case "pause":
      case "resume":
      case "stop":
      case "reset-circuit":
        return this.#told(this.#watching.perform(effect));
    }
  }

  #told(answer: Promise<string>): void {
    answer.then(
      (said) => this.#say(said),
      (error: unknown) => this.#say(error instanceof Error ? error.message : String(error)),
    );
  }

  async #copy(): Promise<string> {
    const text = shownText(this.#ui, this.#scene());
    const { env, stdout } = this.#options;
    const bytes = Buffer.from(text);
    const isTaken = bytes.length <= COPY_LIMIT && takesCopies(env);
    if (isTaken) stdout.write(`\u001B]52;c;${bytes.toString("base64")}\u0007`);
    const count = counted(text.split("\n").length - 1, "line");
    if (isTaken && env["TMUX"] === undefined) return `${count} copied.`;
    const file = await this.#watching.keepText(text);
    return isTaken ? `${count} copied, if tmux passes it on; also in ${file}` : `${count} in ${file}`;
  }
}

/** Whether a terminal may take what a program copies (OSC 52). It gives no answer; these are known not to. */
function takesCopies({ TERM = "", TERM_PROGRAM, VTE_VERSION }: OpenOptions["env"]): boolean {
  return TERM_PROGRAM !== "Apple_Terminal" && VTE_VERSION === undefined && !/^(?:linux|vt\d+|screen)\b/u.test(TERM);
}
