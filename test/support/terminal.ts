import { readdir, readFile, readlink } from "node:fs/promises";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { smithersProgram } from "./smithers-program.ts";
import { waitFor } from "./wait-for.ts";

const { script: CLI, compiled: NODE_COMPILE_CACHE } = smithersProgram();

/** What Ctrl+C sends. */
export const CTRL_C = "\u0003";

/** How large a terminal is, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A real terminal with a shell in which `smithers` is the command from the sources; it closes when its scope ends. */
export interface Terminal extends AsyncDisposable {
  /** Types a command and Enter, onto a screen that holds nothing else. */
  enter(command: string): Promise<void>;
  /** Sends keys as they are. */
  press(keys: string): void;
  /** Sends what is pasted, between marks where the program has asked for them. */
  paste(text: string): void;
  /** Whether it has, and not taken that back. */
  marksPastes(): boolean;
  /** What a person sees now: the rows of the screen, without blanks at their ends and empty rows at its end. */
  screen(): string;
  /** Whether any character on the screen has a colour of its own. */
  hasColor(): boolean;
  /** Everything since the last command, with what has left the screen at its top; lines as they were before they were wrapped. */
  lines(): readonly string[];
  /** What the terminal has been asked to do besides showing text: `bell`, notifications (OSC 9), `copy: ` and what (OSC 52). */
  heard(): readonly string[];
  /** Resolves as soon as the screen, or what has left it, matches. @throws Error with the screen after 30 seconds */
  shows(pattern: RegExp): Promise<void>;
  /** Resolves when the shell asks for the next command. */
  isAsked(): Promise<void>;
}

const PROMPT = "$ ";

/**
 * Opens a terminal.
 *
 * @param env the whole environment of its shell
 */
export async function openTerminal(
  cwd: string,
  env: Readonly<Record<string, string>>,
  { columns, rows }: TerminalSize,
): Promise<Terminal> {
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5_000 });
  const shell = spawn("/bin/sh", ["-i"], {
    ...{ name: "xterm-256color", cols: columns, rows, cwd },
    env: { NODE_COMPILE_CACHE, ...env, PS1: PROMPT, PS2: "> ", ENV: "", TERM: "xterm-256color" },
  });
  const heard: string[] = [];
  emulator.onBell(() => void heard.push("bell"));
  emulator.parser.registerOscHandler(9, (text) => heard.push(text) > 0);
  emulator.parser.registerOscHandler(52, (text) => heard.push(`copy: ${copiedIn(text)}`) > 0);
  let ended = false;
  const exited = new Promise<void>((resolve) =>
    shell.onExit(() => {
      ended = true;
      resolve();
    }),
  );
  shell.onData((data) => emulator.write(data));
  // What a terminal answers when a program asks it something.
  emulator.onData((answer) => shell.write(answer));

  const lines = (from: number): string => {
    const { active } = emulator.buffer;
    const texts = Array.from(
      { length: active.length - from },
      (_, row) => active.getLine(from + row)?.translateToString(true) ?? "",
    );
    return texts.join("\n").trimEnd();
  };
  const unwrapped = (): readonly string[] => {
    const { active } = emulator.buffer;
    const whole: string[] = [];
    for (let row = 0; row < active.length; row += 1) {
      const line = active.getLine(row);
      const text = line?.translateToString(active.getLine(row + 1)?.isWrapped !== true) ?? "";
      if (line?.isWrapped === true) whole.push(`${whole.pop() ?? ""}${text}`);
      else whole.push(text);
    }
    return whole.join("\n").trimEnd().split("\n");
  };
  const screen = (): string => lines(emulator.buffer.active.baseY);
  const waitUntil = async (what: string, holds: () => boolean): Promise<void> => {
    try {
      await waitFor(what, () => {
        if (ended) throw new Error("The terminal's shell has ended.");
        return holds();
      });
    } catch (error) {
      throw new Error(`${String(error)}\n${lines(0)}`, { cause: error });
    }
  };
  const isAsked = async (): Promise<void> =>
    waitUntil("the shell to ask for a command", () => lines(0).endsWith(`\n${PROMPT.trim()}`) || screen() === "$");
  await isAsked();
  shell.write(`smithers() { "${process.execPath}" "${CLI}" "$@"; }\r`);
  await waitUntil("the function to be there", () => screen().endsWith("}\n$"));
  return {
    screen,
    isAsked,
    heard: () => heard,
    lines: unwrapped,
    async enter(command) {
      await isAsked();
      emulator.reset();
      emulator.write(PROMPT);
      shell.write(`${command}\r`);
      // Until the terminal repeats it, the prompt before it still looks like the next one.
      const echo = command.slice(0, columns - PROMPT.length - 1);
      await waitUntil("the command to be repeated", () => lines(0).includes(echo));
    },
    press: (keys) => shell.write(keys),
    paste: (text) => shell.write(emulator.modes.bracketedPasteMode ? `\u001B[200~${text}\u001B[201~` : text),
    hasColor() {
      const { active } = emulator.buffer;
      const rows = Array.from({ length: emulator.rows }, (_, row) => active.getLine(active.baseY + row));
      const columns = Array.from({ length: emulator.cols }, (_, column) => column);
      return rows.some((row) => columns.some((column) => row?.getCell(column)?.isFgDefault() === false));
    },
    marksPastes: () => emulator.modes.bracketedPasteMode,
    shows: async (pattern) => waitUntil(`the terminal to show ${pattern}`, () => pattern.test(lines(0))),
    async [Symbol.asyncDispose]() {
      if (!ended) shell.kill("SIGHUP");
      await exited;
      emulator.dispose();
    },
  };
}

/** The text that a program copies by OSC 52: `c;` and base64. */
function copiedIn(osc: string): string {
  return Buffer.from(osc.slice(osc.indexOf(";") + 1), "base64").toString();
}

/** The process of the view that was started in a folder, and of a run there. @throws Error where there is none */
export const viewIn = async (root: string): Promise<number> => processIn(root, (words) => words[2] === "watch");
export const runIn = async (root: string): Promise<number> => processIn(root, (words) => words.includes("--full-auto"));

/** @param isMeant by the words of its command line */
async function processIn(root: string, isMeant: (words: readonly string[]) => boolean): Promise<number> {
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    const words = (await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")).split("\0");
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => "");
    if (cwd === root && isMeant(words)) return Number(name);
  }
  throw new Error(`There is no such process in ${root}`);
}
