import { EventEmitter } from "node:events";
import { PassThrough, Writable } from "node:stream";
import xterm from "@xterm/headless";
import { describe, expect, test, vi } from "vitest";
import { type Left, openView, type Watching } from "../../src/live/open-view.ts";
import type { Request } from "../../src/live/scene.ts";
import { waitFor } from "../support/wait-for.ts";
import { aView } from "../views/a-state.ts";
import { aLog, aRow, aWatched, iterations } from "./a-scene.ts";

interface StageOptions {
  readonly gone?: AbortSignal | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly facts?: Watching["facts"];
  readonly perform?: (request: Request) => Promise<string>;
  readonly page?: (text: string) => Promise<string>;
  readonly size?: { readonly columns: number; readonly rows: number };
}

/** A view on a terminal of 60×12, with what it asks of the outside. */
function opened({ env = {}, facts, perform, page, gone, size = { columns: 60, rows: 12 } }: StageOptions = {}) {
  const emulator = new xterm.Terminal({
    cols: size.columns || 80,
    rows: size.rows || 24,
    allowProposedApi: true,
    convertEol: true,
  });
  const written: string[] = [];
  const stdout = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        emulator.write(chunk, done);
      },
    }),
    { isTTY: true, ...size },
  );
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => void raw.push(on),
    ref: () => undefined,
    unref: () => undefined,
  });
  const asked: unknown[] = [];
  const changes = new EventEmitter();
  const log = aLog(iterations(3));
  const watching: Watching = {
    facts: facts ?? (() => ({ loops: [aRow("repo-1")], reading: "", watched: aWatched(), runs: "elsewhere", log })),
    subscribe: (changed) => {
      changes.on("changed", changed);
      return () => changes.off("changed", changed);
    },
    perform:
      perform ??
      (async (request) => {
        asked.push(request);
        return `${request.kind} was asked`;
      }),
    page:
      page ??
      (async (text) => {
        asked.push({ page: text });
        return "the pager is over";
      }),
    keepText: async (text) => {
      asked.push({ kept: text });
      return "/tmp/kept.txt";
    },
  };
  const options = { stdin, stdout, color: false, page: "dashboard", env, ...(gone && { gone }) };
  // @ts-expect-error: all of a terminal that is asked for, and no more
  const left: Promise<Left> = openView(watching, options);
  const screen = (): string =>
    Array.from({ length: 12 }, (_, row) => emulator.buffer.active.getLine(row)?.translateToString(true) ?? "").join(
      "\n",
    );
  return {
    ...{ left, stdin, stdout, asked, changes, log, raw, written, emulator },
    bytes: () => written.join(""),
    shows: async (pattern: RegExp) => waitFor(`${pattern} on:\n${screen()}`, () => pattern.test(screen())),
  };
}

type Stage = ReturnType<typeof opened>;

/** The normal screen, a cursor, and a terminal that reads lines. */
async function expectRestored({ raw, bytes, emulator, stdout }: Stage): Promise<void> {
  expect(raw.at(-1)).toBe(false);
  await waitFor("all to be written", () => stdout.writableLength === 0);
  await waitFor("the normal screen", () => emulator.buffer.active.type === "normal");
  expect(bytes().lastIndexOf("\u001B[?1049l")).toBeGreaterThan(bytes().lastIndexOf("\u001B[?1049h"));
  expect(bytes().lastIndexOf("\u001B[?25h")).toBeGreaterThan(bytes().lastIndexOf("\u001B[?25l"));
  expect(emulator.modes.bracketedPasteMode).toBe(false);
}

describe("the view on a terminal", () => {
  test("is on a screen of its own until a key, and what is asked is told [R-25, C121, C124]", async () => {
    const stage = opened();
    await stage.shows(/repo-1 {2}running/u);
    expect(stage.emulator.buffer.active.type).toBe("alternate");
    expect(stage.emulator.modes.bracketedPasteMode).toBe(true);
    stage.stdin.write("\u001B[200~xy\u001B[201~");
    await stage.shows(/What is pasted does nothing here/u);
    stage.stdin.write("p");
    await stage.shows(/pause was asked/u);
    stage.stdin.write("w");
    await stage.shows(/1 loop, 1 running/u);
    stage.stdin.write("\r");
    await stage.shows(/watch was asked/u);
    expect(stage.asked).toEqual([{ kind: "pause" }, { kind: "watch", loopId: "repo-1", where: "" }]);
    stage.stdin.write("q");
    expect(await stage.left).toEqual({ signal: null });
    await expectRestored(stage);
    expect(stage.changes.listenerCount("changed")).toBe(0);
  });

  test.each([
    ...(["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2", "SIGINT", "SIGABRT", "SIGALRM", "SIGVTALRM"] as const),
    ...(["SIGXCPU", "SIGXFSZ", "SIGIO", "SIGPWR", "SIGSTKFLT", "SIGSYS", "SIGTRAP"] as const),
  ])("%s leaves it [C124]", async (signal) => {
    const before = process.listenerCount(signal);
    const stage = opened();
    await stage.shows(/repo-1 {2}running/u);
    process.emit(signal, signal);
    expect(await stage.left).toEqual({ signal });
    await expectRestored(stage);
    expect(process.listenerCount(signal)).toBe(before);
  });

  test.each([
    ["the key", 0],
    ["the signal", process.pid],
  ])("stops by %s on a terminal as it was, and is drawn anew when it goes on [C124, C145]", async (how, pid) => {
    const before = process.listenerCount("SIGTSTP");
    using kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const stage = opened();
    await stage.shows(/repo-1 {2}running/u);
    if (how === "the key") stage.stdin.write("\u001A");
    else process.emit("SIGTSTP", "SIGTSTP");
    await waitFor("the stop", () => kill.mock.calls.length > 0);
    expect(kill.mock.calls).toEqual([[pid, "SIGTSTP"]]);
    expect(process.listenerCount("SIGTSTP")).toBe(before);
    await expectRestored(stage);
    process.emit("SIGCONT", "SIGCONT");
    await stage.shows(/repo-1 {2}running/u);
    await waitFor("the alternate screen", () => stage.emulator.buffer.active.type === "alternate");
    stage.stdin.write("q");
    expect(await stage.left).toEqual({ signal: null });
    await expectRestored(stage);
    expect(process.listenerCount("SIGTSTP")).toBe(before);
  });

  test("a stop that no shell takes, and none ends, goes on by itself [C145]", async () => {
    const before = process.listenerCount("SIGCONT");
    using kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const stage = opened();
    await stage.shows(/repo-1 {2}running/u);
    process.emit("SIGTSTP", "SIGTSTP");
    await waitFor("the stop", () => kill.mock.calls.length > 0);
    await waitFor("nobody to wait for SIGCONT", () => process.listenerCount("SIGCONT") === before);
    await waitFor("the alternate screen", () => stage.emulator.buffer.active.type === "alternate");
    stage.stdin.write("q");
    expect(await stage.left).toEqual({ signal: null });
  });

  test.each(["while it is looked at", "before it opens"])("it goes when it has to: %s [C127]", async (when) => {
    const gone = new AbortController();
    if (when === "before it opens") gone.abort();
    const stage = opened({ gone: gone.signal });
    if (!gone.signal.aborted) await stage.shows(/repo-1 {2}running/u);
    gone.abort();
    expect(await stage.left).toEqual({ signal: null });
    await expectRestored(stage);
  });

  test("a crash while it is drawn is told to who opened it, on a terminal as it was [C124]", async () => {
    let broken = false;
    const log = aLog([]);
    const stage = opened({
      facts: () => {
        if (broken) throw new Error("a bug");
        return { loops: [], reading: "", watched: aWatched(), runs: "elsewhere", log };
      },
    });
    const left = stage.left.catch((error: unknown) => error);
    await stage.shows(/repo-1 {2}running/u);
    broken = true;
    stage.changes.emit("changed");
    expect(await left).toMatchObject({ message: "a bug" });
    await expectRestored(stage);
  });

  test("who is asked how to leave a loop leaves it when it ends, and need not say how [C128]", async () => {
    let alive = true;
    const stage = opened({
      facts: () => ({
        loops: [],
        reading: "",
        watched: aWatched({ view: aView({}, { alive }) }),
        runs: "begun",
        log: aLog([]),
      }),
      size: { columns: 60, rows: 40 },
    });
    await stage.shows(/repo-1 {2}running/u);
    stage.stdin.write("q");
    await waitFor("the question", () => /Leave: l log here/u.test(stage.bytes()));
    alive = false;
    stage.changes.emit("changed");
    expect(await stage.left).toEqual({ signal: null });
  });

  test.each([
    ["x", /Stop it now\?/u],
    ["p", /pause was asked/u],
  ])(
    "what %s has told or asked goes once the loop has ended, which is said in its place [C120, C149]",
    async (key, told) => {
      let alive = true;
      const log = aLog([]);
      const stage = opened({
        facts: () => ({
          loops: [],
          reading: "",
          watched: aWatched({ view: aView({}, { alive }) }),
          runs: "elsewhere",
          log,
        }),
        size: { columns: 60, rows: 40 },
      });
      await stage.shows(/repo-1 {2}running/u);
      stage.stdin.write(key);
      await waitFor("the answer", () => told.test(stage.bytes()));
      alive = false;
      stage.changes.emit("changed");
      await waitFor("the end", () => /It does not run\. Enter or q leaves/u.test(stage.bytes()));
      stage.stdin.write("\r");
      expect(await stage.left).toEqual({ signal: null });
    },
  );

  test("what goes wrong when something is asked is told, and the view stays [C121]", async () => {
    const causes: unknown[] = [new Error("the lock is held"), "no reason"];
    const stage = opened({
      perform: async () => {
        throw causes.shift();
      },
    });
    await stage.shows(/repo-1 {2}running/u);
    stage.stdin.write("p");
    await stage.shows(/the lock is held/u);
    stage.stdin.write("p");
    await stage.shows(/no reason/u);
    stage.stdin.write("\u0003");
    expect(await stage.left).toEqual({ signal: null, wish: "interrupt" });
  });

  test("the pager gets the terminal as it was, and the view comes back [C123]", async () => {
    const stage = opened();
    await stage.shows(/repo-1 {2}running/u);
    stage.stdin.write("l");
    await stage.shows(/following/u);
    stage.stdin.write("o");
    await stage.shows(/the pager is over/u);
    expect(stage.asked).toEqual([{ page: `${iterations(3).join("\n")}\n` }]);
    stage.stdin.write("q");
    await stage.left;
    await expectRestored(stage);
  });

  test("Ctrl+C in the pager is the pager's, and a signal meanwhile is heard afterwards [C123, C124]", async () => {
    const stage = opened({
      page: async () => {
        process.emit("SIGINT", "SIGINT");
        process.emit("SIGTERM", "SIGTERM");
        stage.stdout.emit("resize");
        return "";
      },
    });
    await stage.shows(/repo-1 {2}running/u);
    stage.stdin.write("o");
    expect(await stage.left).toEqual({ signal: "SIGTERM" });
    await expectRestored(stage);
  });

  test("a terminal that has gone, or does not know its size, is no crash [C124]", async () => {
    const stage = opened({ size: { columns: 0, rows: 0 } });
    await stage.shows(/repo-1 {2}running/u);
    stage.stdout.emit("error", new Error("EIO"));
    stage.stdin.setRawMode = () => {
      throw new Error("EIO");
    };
    process.emit("SIGHUP", "SIGHUP");
    expect(await stage.left).toEqual({ signal: "SIGHUP" });
  });

  test("what comes is drawn together, a moment later [C126]", async () => {
    const stage = opened();
    await stage.shows(/repo-1 {2}running/u);
    stage.stdin.write("l");
    await stage.shows(/following/u);
    const before = stage.written.length;
    for (let at = 0; at < 500; at += 1) {
      stage.log.add(`2026-01-06T21:10:07.000+00:00 [3/30] agent says: new ${at}`);
      stage.changes.emit("changed");
    }
    await stage.shows(/new 499/u);
    expect(stage.written.length - before).toBeLessThan(20);
    stage.stdin.write("q");
    await stage.left;
  });

  test("it is drawn anew when the size changes [C124]", async () => {
    const stage = opened();
    await stage.shows(/repo-1 {2}running/u);
    stage.stdout.columns = 40;
    stage.stdout.rows = 8;
    stage.emulator.resize(40, 8);
    stage.stdout.emit("resize");
    stage.stdout.emit("resize");
    await waitFor("eight rows", () => /^\? help/mu.test(stage.written.slice(-6).join("")));
    stage.stdin.write("q");
    expect(await stage.left).toEqual({ signal: null });
    await expectRestored(stage);
    // What has left a smaller screen at its top is a person's, and so is the mouse.
    expect(stage.bytes()).not.toMatch(/\[3J|\[\?(?:9|100\d|1015|1016)h/u);
  });

  test.each<[where: string, env: Readonly<Record<string, string>>, osc: boolean, told: RegExp, kept: boolean]>([
    ["one that has no name", {}, true, /\d+ lines copied\./u, false],
    ["most terminals", { TERM: "xterm-256color" }, true, /\d+ lines copied\./u, false],
    [
      "tmux, which may keep it",
      { TERM: "tmux-256color", TMUX: "/tmp/tmux" },
      true,
      /if tmux passes it on; also in/u,
      true,
    ],
    ["a console", { TERM: "linux" }, false, /\d+ lines in \/tmp\/kept\.txt/u, true],
    [
      "Terminal on macOS",
      { TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" },
      false,
      /in \/tmp\/kept\.txt/u,
      true,
    ],
    ["terminals of GNOME", { TERM: "xterm-256color", VTE_VERSION: "7600" }, false, /in \/tmp\/kept\.txt/u, true],
  ])("what is shown is copied: %s [C123]", async (_, env, osc, told, kept) => {
    const stage = opened({ env });
    await stage.shows(/repo-1 {2}running/u);
    stage.stdin.write("c");
    await stage.shows(told);
    const [, copied = ""] = stage.bytes().split("\u001B]52;c;");
    const text = Buffer.from(copied.split("\u0007")[0] ?? "", "base64").toString();
    expect(text.includes("Status:   running")).toBe(osc);
    expect(stage.asked).toHaveLength(kept ? 1 : 0);
    stage.stdin.write("q");
    await stage.left;
  });
});
