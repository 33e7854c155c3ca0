import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { gatherBundle } from "../../src/carry/bundle.ts";
import { inBatches } from "../../src/os/concurrency.ts";
import { readState } from "../../src/store/state-file.ts";
import { aRecord, placesIn } from "../carry/a-loop.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { CTRL_C, openTerminal, type Terminal, type TerminalSize, viewIn } from "../support/terminal.ts";
import { waitFor } from "../support/wait-for.ts";

const SIZES: readonly TerminalSize[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 44, rows: 16 },
];
const SCREENS = path.join(import.meta.dirname, "../golden/screens");
const RUN = `smithers "Make greet.sh print hello" --provider scripted --script script.json --full-auto --completion-promise DONE --check-when change --quality-commands '[ "$(sh greet.sh)" = hello ]' --loop-id greet`;
const SCRIPT = {
  turns: [
    {
      messages: ["I will write the script first.\u001B]52;c;AAAA\u0007\u001B[2J"],
      files: { "greet.sh": "echo helo\n" },
      commands: [["sh", "greet.sh"]],
      // Few enough that the line about it fits, however long it took.
      usage: { input: 200, cachedInput: 80, output: 90 },
      lastMessage: "The script is written. <promise>DONE</promise>",
    },
    { messages: ["Now I look at the greeting."], silence: true },
    { files: { "greet.sh": "echo hello\n" }, lastMessage: "I corrected the error. <promise>DONE</promise>" },
  ],
};
/** What the terminal's own shell is told after a command, so that its state shows. */
const STATE = 'stty -a | tr " ;" "\\n\\n" | grep -xE -- "-?(icanon|echo)" | tr "\\n" " "';

/** A screen without what no two runs have in common. */
function alike(screen: string): string {
  return `${screen
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:\+00:00|Z)/gu, "2026-01-06T21:10:00.000Z")
    .replaceAll(/\b\d\d:\d\d:\d\d\b/gu, "21:10:00")
    .replaceAll(/\b\d+(?:\.\d)?\s(?:s|min)\b(?:\s\d+\ss\b)?/gu, "0.0 s")
    .split("\n")
    .map((each) => each.trimEnd())
    .join("\n")}\n`;
}

/** A repository whose loop `greet` runs in a terminal, and another terminal beside it. */
async function running(size: TerminalSize, more: Readonly<Record<string, string>> = {}) {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder("watch-"));
  const repository = stack.use(await gitRepository({ ".gitignore": "script.json\n" }));
  const home = path.join(folder.path, "home");
  await mkdir(home);
  await writeFile(path.join(repository.path, "script.json"), JSON.stringify(SCRIPT));
  const env = {
    ...{ PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", SMITHERS_CHECK_SANDBOX: "off" },
    // A view in a job's terminal is a view as well.
    ...{ CI: "true", DEV: "true", TMPDIR: home },
  };
  const runs = stack.use(await openTerminal(repository.path, env, { columns: 80, rows: 24 }));
  const watches = stack.use(await openTerminal(repository.path, { ...env, ...more }, size));
  await runs.enter(RUN);
  await runs.shows(/the agent says: Now I look/u);
  return {
    ...{ runs, watches, env, root: repository.path },
    folder: path.join(repository.path, ".codex/waylon-smithers/loops"),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Presses keys and waits for what they show. */
async function pressed(terminal: Terminal, keys: string, pattern: RegExp): Promise<string> {
  terminal.press(keys);
  await waitFor(`the screen to show ${pattern}`, () => pattern.test(terminal.screen()));
  return terminal.screen();
}

/** Resolves when the shell is back, with a terminal that reads lines and shows what is typed. */
async function isRestored(terminal: Terminal): Promise<void> {
  await terminal.isAsked();
  const shown = terminal.lines().join("\n");
  expect(shown).toMatch(/^Next: [^]*^Page: smithers report (?:greet|other)|^Next: [^]*^Page: \S*report\.html/mu);
  await readsLines(terminal);
}

async function readsLines(terminal: Terminal): Promise<void> {
  expect(terminal.marksPastes()).toBe(false);
  await terminal.enter(STATE);
  await terminal.shows(/(?:^|\s)icanon\s+echo(?:\s|$)|(?:^|\s)echo\s+icanon(?:\s|$)/u);
}

describe("a person watches a loop that runs in another terminal", () => {
  test.each(SIZES)(
    "sees every view, pauses it and stops it, at $columns×$rows [R-05, R-22, R-23, R-25, D-05, D-28, D-29, D-30, C120, C121, C124]",
    async (size) => {
      await using stage = await running(size);
      const { watches, runs } = stage;
      const shown = async (name: string, screen: string): Promise<void> =>
        expect(alike(screen)).toMatchFileSnapshot(
          path.join(SCREENS, `${size.columns}x${size.rows}`, `watch-${name}.txt`),
        );

      await watches.enter("smithers watch");
      await watches.shows(/Now: {6}agent says: Now I look[^]*q quit/u);
      await shown("dashboard", watches.screen());
      await shown("logs", await pressed(watches, "l", /Now I look[^]*following/u));
      // What is pasted is no key: neither pauses nor ends anything, but in the search.
      watches.paste("pxy\rq");
      await waitFor("what is told of it", () => watches.screen().includes("What is pasted does nothing here"));
      await pressed(watches, "/", /^\/█/mu);
      watches.paste("refused\n");
      await waitFor("what was pasted", () => watches.screen().includes("/refused█"));
      await shown("found", await pressed(watches, "\r", /line \d+ of/u));
      await shown("stories", await pressed(watches, "s", /1: checks/u));
      await shown("help", await pressed(watches, "?", /Act on the loop/u));
      await pressed(watches, "d", /Status:/u);
      await pressed(watches, "p", /asked to pause/u);
      await runs.shows(/pausing after this iteration/u);
      await pressed(watches, "x", /Stop it now/u);
      await pressed(watches, "y", /paused_user_interrupt/u);
      await runs.isAsked();
      // It stays until a key.
      await pressed(watches, "d", /It does not run. Enter or q leaves/u);
      watches.press("\r");
      await isRestored(watches);
    },
  );

  test("is called over SSH when it ends, without colours, and not for what was before [C123, C124, C129]", async () => {
    const far = { SSH_CONNECTION: "192.0.2.1 50000 192.0.2.2 22", SSH_TTY: "/dev/pts/1", NO_COLOR: "1" };
    await using stage = await running({ columns: 80, rows: 24 }, far);
    const { watches } = stage;
    await watches.enter("smithers watch --notify");
    await watches.shows(/Now: {6}agent says: Now I look[^]*q quit/u);
    expect(watches.heard()).toEqual([]);
    // A line that nothing has written as it stands there silences none of those behind it.
    const broken = ["\u0000{", '{"type":"loop_stopped"}', '{"type":"loop_stopped","at":"2099-01-01T00:00:00.000Z"}'];
    await appendFile(path.join(stage.folder, "greet/events.jsonl"), broken.map((each) => `${each}\n`).join(""));
    stage.runs.press(CTRL_C);
    // Until the run is over as well, that end takes away what is told.
    await watches.shows(/Status: {3}paused_user_interrupt[^]*It does not run/u);
    await waitFor("the notification", () => watches.heard().length > 1);
    expect(watches.heard()).toEqual(["bell", expect.stringMatching(/^smithers: greet paused_user_interrupt: \S/u)]);
    // What is copied goes to the terminal, which is the person's own.
    await pressed(watches, "c", /\d+ lines copied/u);
    expect(watches.heard().at(-1)).toMatch(/^copy: Status: {3}paused_user_interrupt/u);
    expect(watches.hasColor()).toBe(false);
    expect(stage.runs.heard()).toEqual([]);
    watches.press("q");
    await isRestored(watches);
  });

  test("what the agent says moves no cursor and copies nothing [C123, T9]", async () => {
    await using stage = await running({ columns: 80, rows: 24 });
    await stage.watches.enter("smithers watch greet");
    await stage.watches.shows(/Next: /u);
    const screen = await pressed(stage.watches, "l", /Now I look[^]*following/u);
    expect(screen).toContain("agent says: I will write the script first.");
    expect(screen.split("\n")[0]).toMatch(/^greet {2}running {2}2\/30 {2}logs/u);
    stage.watches.press(CTRL_C);
    await isRestored(stage.watches);
  });

  test("the pager has the whole log, and leads back to the view; a copy in a file outlives it [C123]", async () => {
    // A terminal that takes no copies.
    await using stage = await running({ columns: 80, rows: 24 }, { PAGER: "/bin/sh pager.sh", VTE_VERSION: "7600" });
    const pager = 'cat "$1"; printf "more? "; read -r answer; echo "answer: $answer" > answer.txt';
    await writeFile(path.join(stage.root, "pager.sh"), pager);
    await stage.watches.enter("smithers watch greet");
    await stage.watches.shows(/Next: /u);
    await pressed(stage.watches, "l", /Now I look[^]*following/u);
    stage.watches.press("o");
    await stage.watches.shows(/more\?/u);
    expect(stage.watches.lines().join("\n")).toMatch(/\[1\/30\] iteration 1 started/u);
    // Every key is the pager's.
    await pressed(stage.watches, "next one\r", /following/u);
    expect(await readFile(path.join(stage.root, "answer.txt"), "utf8")).toBe("answer: next one\n");
    expect(await pressed(stage.watches, "?", /Act on the loop/u)).toMatch(/^greet {2}running/u);
    await pressed(stage.watches, "d", /Status:/u);
    const told = (await pressed(stage.watches, "c", /smithers\.txt|\.txt$/mu)).replaceAll("\n", "");
    stage.watches.press("q");
    await isRestored(stage.watches);
    const [copy = ""] = /\/\S+\/smithers-text-\w+\/smithers\.txt/u.exec(told) ?? [];
    expect(await readFile(copy, "utf8")).toMatch(/^Status: {3}running[^]*^Next: /mu);
  });

  test.each(["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR2", "SIGALRM", "SIGXCPU"] as const)(
    "%s leaves the terminal as it was, and the loop alone [C120, C124]",
    async (signal) => {
      await using stage = await running({ columns: 80, rows: 24 });
      await stage.watches.enter("smithers watch greet");
      await stage.watches.shows(/Next: /u);
      process.kill(await viewIn(stage.root), signal);
      await isRestored(stage.watches);
      expect(await stateIn(stage.folder)).toMatchObject({ status: "running", iteration: 2 });
    },
  );

  test("a crash leaves the terminal as it was, and says what went wrong [C124]", async () => {
    const breaks = 'if(process.argv.includes("watch"))process.on("SIGUSR1",()=>{throw new Error("a bug")})';
    const preload = `--import data:text/javascript,${encodeURIComponent(breaks)}`;
    await using stage = await running({ columns: 80, rows: 24 }, { NODE_OPTIONS: preload });
    await stage.watches.enter("smithers watch greet");
    await stage.watches.shows(/Next: /u);
    process.kill(await viewIn(stage.root), "SIGUSR1");
    await stage.watches.isAsked();
    expect(stage.watches.screen()).toContain("Error: a bug");
    expect(stage.watches.screen()).not.toContain("q quit");
    await readsLines(stage.watches);
  });

  // They have two names each, and what Ink loads ends the process at the second one: there is no ending, and no need of `reset`.
  test.each(["SIGABRT", "SIGIO"] as const)("%s ends it at once, on a terminal as it was [C124]", async (signal) => {
    await using stage = await running({ columns: 80, rows: 24 });
    await stage.watches.enter("smithers watch greet");
    await stage.watches.shows(/Next: /u);
    process.kill(await viewIn(stage.root), signal);
    await stage.watches.isAsked();
    expect(stage.watches.screen()).toMatch(/^\$ smithers watch greet\n/u);
    expect(stage.watches.screen()).not.toContain("q quit");
    await readsLines(stage.watches);
  });

  test("kill -9 of the view leaves the loop unharmed: it is watched again, and paused [C120]", async () => {
    await using stage = await running({ columns: 80, rows: 24 });
    await stage.watches.enter("smithers watch greet");
    await stage.watches.shows(/Next: /u);
    process.kill(await viewIn(stage.root), "SIGKILL");
    await using other = await openTerminal(stage.root, stage.env, { columns: 80, rows: 24 });
    await other.enter("smithers watch");
    await other.shows(/running, iteration 2 of 30/u);
    await pressed(other, "x", /Stop it now/u);
    await pressed(other, "y", /paused_user_interrupt/u);
    await stage.runs.isAsked();
    expect(await stateIn(stage.folder)).toMatchObject({ status: "paused_user_interrupt" });
  });

  test("100,000 events leave it responsive and its memory bounded [C126]", async () => {
    await using stage = await running({ columns: 80, rows: 24 });
    await stage.watches.enter("smithers watch greet");
    await stage.watches.shows(/Next: /u);
    await pressed(stage.watches, "l", /following/u);
    const log = path.join(stage.folder, "greet/agent.log");
    for (let written = 0; written < 100_000; written += 1_000) {
      const lines = Array.from({ length: 1_000 }, (_, at) => `[2/30] agent prints: event ${written + at + 1} of many`);
      await appendFile(log, lines.map((each) => `2026-01-06T21:10:00.000+00:00 ${each}\n`).join(""));
    }
    await stage.watches.shows(/event 100000 of/u);
    await pressed(stage.watches, "g", /event 50001 of/u);
    await pressed(stage.watches, "?", /Act on the loop/u);
    const status = await readFile(`/proc/${await viewIn(stage.root)}/status`, "utf8");
    expect(Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1])).toBeLessThan(400 * 1024);
    stage.watches.press("q");
    await isRestored(stage.watches);
  });

  test("a loop that ends stays on the screen until a key, and another one is chosen from a list [D-05, D-29, C120]", async () => {
    await using stage = await running({ columns: 80, rows: 24 });
    await stage.watches.enter("smithers watch greet");
    await stage.watches.shows(/Next: /u);
    stage.runs.press(CTRL_C);
    await stage.runs.isAsked();
    await waitFor("its end", () => stage.watches.screen().includes("It does not run. Enter or q leaves"));
    await stage.runs.enter(RUN.replace("--loop-id greet", "--loop-id other"));
    await stage.runs.shows(/the agent says: Now I look/u);
    const list = await pressed(stage.watches, "w", /other/u);
    expect(list).toMatch(/^smithers {2}2 loops, 1 running/u);
    const chosen = await pressed(stage.watches, list.includes("› other") ? "\r" : "j\r", /Status: {3}running/u);
    expect(chosen).toMatch(/^other {2}running {2}2\/30/u);
    expect(stage.watches.hasColor()).toBe(true);
    stage.runs.press(CTRL_C);
    await stage.runs.isAsked();
    await rm(stage.folder, { recursive: true });
    await waitFor("it to be gone", () => /Status: {3}gone, [^]*Nothing can be/u.test(stage.watches.screen()));
    await pressed(stage.watches, "r", /Its folder is gone: there is nothing to act on/u);
    stage.watches.press("q");
    await stage.watches.isAsked();
    const shown = stage.watches.lines().join("\n");
    expect(shown).toMatch(/other: gone\. Its folder is gone[^]*^Next: Nothing can be resumed from it/mu);
    expect(shown).not.toMatch(/crashed|Go on with|Page: /u);
    await readsLines(stage.watches);
  });

  test("of thousands of loops the view opens at once, answers while it reads them, and shows the one that is named [C170, C176]", async () => {
    await using stage = await running({ columns: 80, rows: 24 });
    const { watches, folder } = stage;
    const state = await readFile(path.join(folder, "greet.json"), "utf8");
    const ids = Array.from({ length: 3_000 }, (_, at) => `copy-${at}`);
    await inBatches(ids, (id) => writeFile(path.join(folder, `${id}.json`), state.replaceAll("greet", id)));
    const isReading = (): boolean => /^Reading loops, [\d,]+ of 3,001$/mu.test(watches.screen());
    await watches.enter("smithers watch");
    await waitFor("the list that is read", isReading);
    expect(await pressed(watches, "?", /Act on the loop/u)).toMatch(/^smithers {2}/u);
    await pressed(watches, "w", /^Reading loops/mu);
    await pressed(watches, "d", /Choose a loop first/u);
    watches.press("q");
    await watches.isAsked();
    expect(watches.lines().join("\n")).toContain("Not all loops were read: smithers list");
    // A named one is there before the others are read, also by the beginning of its name.
    await watches.enter("smithers watch gre");
    await watches.shows(/^greet {2}running {2}2\/30 {2}dashboard/mu);
    await pressed(watches, "w", /^Reading loops/mu);
    expect(watches.screen()).toMatch(/^[› ] greet +running/mu);
    await waitFor("all to be read", () => /^smithers {2}3,001 loops, 1 running/u.test(watches.screen()));
    expect(isReading()).toBe(false);
    watches.press("q");
    await isRestored(watches);
  });

  test("an artifact that was downloaded is looked at, with its log [C125]", async () => {
    await using stage = await running({ columns: 80, rows: 24 });
    stage.runs.press(CTRL_C);
    await stage.runs.isAsked();
    const state = await readState(path.join(stage.folder, "greet.json"));
    if (state === undefined) throw new Error("The loop has no state.");
    const record = aRecord(state.revision, { loop_id: "greet", state });
    const places = { ...placesIn(stage.root), folder: path.join(stage.folder, "greet"), sessionsFolder: null };
    await gatherBundle({ places, record, into: path.join(stage.root, "artifact"), seal: null, secrets: [] });
    await stage.watches.enter("smithers watch ./artifact");
    await stage.watches.shows(/Status: {3}paused_user_interrupt/u);
    expect(await pressed(stage.watches, "l", /Now I look[^]*the end/u)).toMatch(/^greet .*recorded {2}logs/u);
    await pressed(stage.watches, "p", /recorded one/u);
    // Iteration by iteration, the dashboard as of each.
    await pressed(stage.watches, "d", /Status: {3}paused_user_interrupt/u);
    expect(await pressed(stage.watches, "[", /as it was after iteration 1/u)).toMatch(
      /Status: {3}running, iteration 1 of/u,
    );
    await pressed(stage.watches, "]", /Status: {3}paused_user_interrupt/u);
    stage.watches.press("q");
    await stage.watches.isAsked();
    expect(stage.watches.lines().join("\n")).toMatch(/^Next: /mu);
  });

  test.each([
    ["there is no terminal", "smithers watch | cat", /NO_TERMINAL|logs -f/u],
    ["keys cannot come", "smithers watch < /dev/null", /no terminal to draw on[^]*logs -f/u],
    ["the terminal is dumb", "TERM=dumb smithers watch", /TERM is dumb[^]*logs -f/u],
    ["there is no such artifact", "smithers watch ./nothing.zip", /no downloaded artifact/u],
  ])("says what to use instead where %s [C124]", async (_, command, said) => {
    await using stage = await running({ columns: 80, rows: 24 });
    await stage.watches.enter(command);
    await stage.watches.isAsked();
    expect(stage.watches.lines().join("\n")).toMatch(said);
  });
});

async function stateIn(folder: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(folder, "greet.json"), "utf8"));
}
