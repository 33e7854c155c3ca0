import { Box, type Key, render, Text, useInput } from "ink";
import { createElement, type ReactElement, useSyncExternalStore } from "react";
import type { Line, Tone } from "../views/plain-text.ts";

/** What is drawn, and who hears the keys. */
export interface Drawing {
  /** the rows of the screen now; the same array as long as nothing has changed */
  readonly rows: () => readonly Line[];
  /** calls `changed` when there are other rows. @returns how to stop it */
  readonly subscribe: (changed: () => void) => () => void;
  /** one key, by its name: see `press` */
  readonly press: (key: string) => void;
  /** a piece of what is pasted, whatever is in it */
  readonly paste: (text: string) => void;
}

/** A terminal to draw on. */
export interface Screen {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly color: boolean;
}

const NAMED = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["pageUp", "pageUp"],
  ["pageDown", "pageDown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "backspace"],
] as const satisfies readonly (readonly [flag: keyof Key, name: string])[];

/** Keys that come as characters where they come with others in one piece, as over a slow line. */
const AMONG_OTHERS: Readonly<Record<string, string>> = { "\r": "enter", "\n": "enter", "\u0003": "ctrl+c" };

/** A sequence of a key that Ink does not know, without its escape character. */
const UNKNOWN = /^\[[\d;:<=>?]+[ -/]*[@-~]$/u;

/** The keys of one piece of input. */
export function keysOf(input: string, key: Key): readonly string[] {
  if (key.ctrl) return [`ctrl+${input}`];
  if (UNKNOWN.test(input)) return [];
  const named = NAMED.find(([flag]) => key[flag]);
  if (named !== undefined) return [named[1]];
  if (key.meta || key.tab) return [];
  return Array.from(input, (each) => AMONG_OTHERS[each] ?? each).filter((each) => !/\p{Cc}/u.test(each));
}

/** What a terminal puts around what is pasted, once it was asked to (bracketed paste). */
const BEGINS = "\u001B[200~";
const ENDS = "\u001B[201~";

/** The longest beginning of a mark that a text ends with, but not all of it. */
function begunIn(text: string, mark: string): string {
  const lengths = Array.from({ length: mark.length - 1 }, (_, at) => mark.length - 1 - at);
  return lengths.map((length) => mark.slice(0, length)).find((begun) => text.endsWith(begun)) ?? "";
}

/** A part of what a terminal sends: keys, or what was pasted. */
interface Piece {
  readonly isPasted: boolean;
  readonly text: string;
}

/** Tells keys from what is pasted in all that a terminal sends, piece by piece. */
export function pasteReader(): (sent: string) => readonly Piece[] {
  let isPasting = false;
  /** what may be the beginning of a mark, and how much of it was passed on: `Esc` waits for nothing */
  let held = "";
  let passed = 0;
  return (sent) => {
    // By itself it is a person who would get out of a paste whose end was lost.
    if (isPasting && sent === "\u0003") {
      [isPasting, held] = [false, ""];
      return [{ isPasted: false, text: sent }];
    }
    const pieces: Piece[] = [];
    let left = held + sent;
    for (;;) {
      const mark = isPasting ? ENDS : BEGINS;
      const at = left.indexOf(mark);
      held = at === -1 ? begunIn(left, mark) : "";
      const before = left.slice(0, at === -1 ? left.length - held.length : at);
      pieces.push({ isPasted: isPasting, text: before.slice(passed) });
      passed = at === -1 ? Math.max(passed - before.length, 0) : 0;
      if (at === -1) break;
      isPasting = !isPasting;
      left = left.slice(at + mark.length);
    }
    if (!isPasting && held.length < KEPT_BACK) {
      pieces.push({ isPasted: false, text: held.slice(passed) });
      passed = held.length;
    }
    return pieces.filter(({ text }) => text !== "");
  };
}

/** From this length on, what a mark begins with is no key. */
const KEPT_BACK = 3;

/** A terminal's keys. @param pasted is told of what is pasted, in its place between them */
function keysAlone(stdin: Screen["stdin"], piecesOf: PasteReader, pasted: (text: string) => void): Screen["stdin"] {
  const pieces: Piece[] = [];
  const read = (): string | null => {
    for (;;) {
      const piece = pieces.shift();
      if (piece?.isPasted === true) pasted(piece.text);
      else if (piece !== undefined) return piece.text;
      else {
        // As text: Ink has set the encoding.
        const sent: string | null = stdin.read();
        if (sent === null) return null;
        pieces.push(...piecesOf(sent));
      }
    }
  };
  return new Proxy(stdin, {
    get(target, name) {
      if (name === "read") return read;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

type PasteReader = ReturnType<typeof pasteReader>;

/** How Ink is told what a tone looks like. */
const STYLES = {
  plain: {},
  good: { color: "green" },
  bad: { color: "red", bold: true },
  warn: { color: "yellow" },
  dim: { dimColor: true },
  strong: { bold: true },
} as const satisfies Record<Tone, object>;

/** The whole screen, a row of text for each line. */
export function View({ drawing, color }: { readonly drawing: Drawing; readonly color: boolean }): ReactElement {
  const rows = useSyncExternalStore(drawing.subscribe, drawing.rows);
  useInput((input, key) => {
    for (const each of keysOf(input, key)) drawing.press(each);
  });
  return createElement(
    Box,
    { flexDirection: "column" },
    rows.map(({ text, tone }, at) =>
      // A row without a character would have no height.
      createElement(Text, { key: at, wrap: "truncate", ...(color ? STYLES[tone] : {}) }, text === "" ? " " : text),
    ),
  );
}

/** What is drawn on a terminal, until it is taken away. */
export interface Drawn {
  /** rejects when it could not be drawn */
  readonly over: Promise<unknown>;
  /** Takes it away; the terminal reads lines again. */
  readonly end: () => void;
}

/**
 * A terminal of which Ink does not know the height. What is drawn is made to fit; where it does not yet, as at a resize, Ink
 * would clear the terminal together with the lines that have left it, which are not ours.
 */
function endless(stdout: Screen["stdout"]): Screen["stdout"] {
  return new Proxy(stdout, {
    get(target, name) {
      if (name === "rows") return Number.MAX_SAFE_INTEGER;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/**
 * Draws on a terminal, and listens to its keys. Other sequences than those of the drawing are not written.
 *
 * @param piecesOf tells what is pasted from keys: one for a terminal, which may be drawn on anew in the middle of it
 */
export function draw(drawing: Drawing, { stdin, stdout, color }: Screen, piecesOf: PasteReader = pasteReader()): Drawn {
  const drawn = render(createElement(View, { drawing, color }), {
    ...{
      stdin: keysAlone(stdin, piecesOf, drawing.paste),
      stdout: endless(stdout),
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 60,
    },
  });
  return {
    over: drawn.waitUntilExit(),
    end: () => {
      drawn.unmount();
      drawn.cleanup();
    },
  };
}
