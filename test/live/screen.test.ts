import { PassThrough, Writable } from "node:stream";
import xterm from "@xterm/headless";
import { describe, expect, test } from "vitest";
import type { Key } from "ink";
import { loadScreen } from "../../src/live/open-view.ts";
import { line, type Line } from "../../src/views/plain-text.ts";
import { waitFor } from "../support/wait-for.ts";

const { draw, keysOf, pasteReader } = await loadScreen();

const NO_KEY: Key = {
  ...{ upArrow: false, downArrow: false, leftArrow: false, rightArrow: false, pageDown: false, pageUp: false },
  ...{ home: false, end: false, return: false, escape: false, ctrl: false, shift: false, tab: false },
  ...{ backspace: false, delete: false, meta: false, super: false, hyper: false, capsLock: false, numLock: false },
};

describe("a piece of input", () => {
  test.each<[what: string, input: string, key: Partial<Key>, keys: readonly string[]]>([
    ["a character", "q", {}, ["q"]],
    ["characters that come together", "ab漢", {}, ["a", "b", "漢"]],
    ["what comes with ends of lines", "a\rb\n", {}, ["a", "enter", "b", "enter"]],
    ["a key that has no name", "[27;5;9~", {}, []],
    ["two brackets", "[[", {}, ["[", "["]],
    ["control characters are nothing", "a\u0007b", {}, ["a", "b"]],
    ["an arrow", "", { upArrow: true }, ["up"]],
    ["a page", "", { pageDown: true }, ["pageDown"]],
    ["Enter", "\r", { return: true }, ["enter"]],
    ["Esc, which Ink calls meta as well", "", { escape: true, meta: true }, ["escape"]],
    ["Delete is Backspace on many keyboards", "", { delete: true }, ["backspace"]],
    ["Ctrl", "c", { ctrl: true }, ["ctrl+c"]],
    ["Ctrl+C right behind another key", "s\u0003", {}, ["s", "ctrl+c"]],
    ["Alt is nothing", "q", { meta: true }, []],
    ["Tab is nothing", "\t", { tab: true }, []],
  ])("%s [R-25]", (_, input, key, keys) => {
    expect(keysOf(input, { ...NO_KEY, ...key })).toEqual(keys);
  });
});

describe("what is pasted is no key", () => {
  const BEGIN = "\u001B[200~";
  const END = "\u001B[201~";
  const ALL = `a${BEGIN}px\u001B[2Jy\r${END}q${BEGIN}${END}r`;

  test.each<[how: string, pieces: readonly string[]]>([
    ["in one piece", [ALL]],
    ["character by character", Array.from(ALL)],
    ...Array.from({ length: ALL.length - 1 }, (_, at): [string, readonly string[]] => [
      `cut after ${at + 1}`,
      [ALL.slice(0, at + 1), ALL.slice(at + 1)],
    ]),
  ])("%s [C124, C149]", (_, pieces) => {
    const piecesOf = pasteReader();
    const all = pieces.flatMap((each) => piecesOf(each));
    const textOf = (wanted: boolean): string =>
      all
        .filter(({ isPasted }) => isPasted === wanted)
        .map(({ text }) => text)
        .join("");
    expect(textOf(true)).toBe("px\u001B[2Jy\r");
    // `Esc` does not wait for what may follow it.
    expect(textOf(false).replaceAll("\u001B", "").replaceAll("[", "")).toBe("aqr");
    expect(all.findIndex(({ isPasted }) => isPasted)).toBeGreaterThan(all.findIndex(({ text }) => text === "a"));
  });

  test.each(["\u001B", "\u001B[A", "\u001B[2~", "\u001B[", "x\u001B[20;1~", "\u001B\u001B"])(
    "a key is not kept back: %j [C149]",
    (key) => {
      const piecesOf = pasteReader();
      const texts = (sent: string) =>
        piecesOf(sent)
          .map(({ text }) => text)
          .join("");
      expect(texts(key)).toBe(key);
      expect(texts("2~")).toBe("2~");
    },
  );

  test("Ctrl+C leads out of one whose end never came [C149]", () => {
    const piecesOf = pasteReader();
    const told = [`${BEGIN}a`, "q", "\u0003", "q"].flatMap((each) => piecesOf(each));
    expect(told.map(({ isPasted, text }) => `${isPasted ? "pasted " : ""}${text}`)).toEqual([
      ...["pasted a", "pasted q", "\u0003", "q"],
    ]);
  });
});

/** What is drawn on a terminal of 20 columns. */
async function drawn(rows: readonly Line[], color: boolean) {
  const emulator = new xterm.Terminal({ cols: 20, rows: 6, allowProposedApi: true, convertEol: true });
  let bytes = "";
  const stdout = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        bytes += String(chunk);
        emulator.write(chunk, done);
      },
    }),
    { isTTY: true, columns: 20, rows: 6 },
  );
  let isRaw = false;
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => void (isRaw = raw),
    ref: () => undefined,
    unref: () => undefined,
  });
  const keys: string[] = [];
  let now = rows;
  let redraw: () => void = () => undefined;
  const drawing = {
    rows: () => now,
    subscribe: (changed: () => void) => {
      redraw = changed;
      return () => undefined;
    },
    press: (key: string) => void keys.push(key),
    paste: (text: string) => void keys.push(`pasted ${text}`),
  };
  // @ts-expect-error: all of a terminal that is asked for, and no more
  const shown = draw(drawing, { stdin, stdout, color });
  const screen = (): readonly string[] =>
    Array.from({ length: 6 }, (_, row) => emulator.buffer.active.getLine(row)?.translateToString(true) ?? "");
  return {
    ...{ keys, stdin, shown, screen, bytes: () => bytes, isRaw: () => isRaw },
    show(next: readonly Line[]) {
      now = next;
      redraw();
    },
  };
}

describe("drawn on a terminal", () => {
  test("rows one below the other, empty ones as well, none wider than it; keys are heard until the end [R-05, C124]", async () => {
    const view = await drawn([line("head", "strong"), line(""), line("漢字".repeat(5), "bad"), line("keys")], false);
    await waitFor("the rows", () => view.screen()[3] === "keys");
    expect(view.screen().slice(0, 2)).toEqual(["head", ""]);
    expect(view.screen()[2]).toBe("漢字".repeat(5));
    // Neither colours nor the mouse.
    for (const sequence of ["[1m", "[31m", "[?1000h", "[?1002h", "[?1003h"])
      expect(view.bytes()).not.toContain(`\u001B${sequence}`);
    view.show([line("other")]);
    await waitFor("the other row", () => view.screen()[0] === "other");
    expect(view.screen()[3]).toBe("");
    view.stdin.write("j");
    view.stdin.write("\u001B[5~");
    view.stdin.write("\u001B[200~p\u001B[201~k");
    await waitFor("the keys", () => view.keys.length === 4);
    expect(view.keys).toEqual(["j", "pageUp", "pasted p", "k"]);
    expect(view.isRaw()).toBe(true);
    view.shown.end();
    await view.shown.over;
    expect(view.isRaw()).toBe(false);
  });

  test("with colours where they are wanted [C124]", async () => {
    const view = await drawn([line("good", "good"), line("bad", "bad"), line("dim", "dim")], true);
    await waitFor("the rows", () => view.screen()[2] === "dim");
    expect(view.screen().slice(0, 2)).toEqual(["good", "bad"]);
    view.shown.end();
  });
});
