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

/** The keys of one piece of input: what is pasted is typed. */
export function keysOf(input: string, key: Key): readonly string[] {
  if (key.ctrl) return [`ctrl+${input}`];
  const named = NAMED.find(([flag]) => key[flag]);
  if (named !== undefined) return [named[1]];
  if (key.meta || key.tab) return [];
  return Array.from(input, (each) => AMONG_OTHERS[each] ?? each).filter((each) => !/\p{Cc}/u.test(each));
}

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

/** Draws on a terminal, and listens to its keys. Other sequences than those of the drawing are not written. */
export function draw(drawing: Drawing, { stdin, stdout, color }: Screen): Drawn {
  const drawn = render(createElement(View, { drawing, color }), {
    ...{ stdin, stdout: endless(stdout), exitOnCtrlC: false, patchConsole: false, maxFps: 60 },
  });
  return {
    over: drawn.waitUntilExit(),
    end: () => {
      drawn.unmount();
      drawn.cleanup();
    },
  };
}
