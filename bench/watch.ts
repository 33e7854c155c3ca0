import { appendFile, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gitRepository } from "../test/support/git-repository.ts";
import { tempFolder } from "../test/support/temp-folder.ts";
import type { openTerminal as opens, Terminal } from "../test/support/terminal.ts";
import { waitFor } from "../test/support/wait-for.ts";
import { atMost, type Figure, median, plain } from "./figure.ts";
import { runSmithers } from "./smithers.ts";
import { loopsLike, oneLoop } from "./stats.ts";

const CLI = path.join(import.meta.dirname, "../dist/cli/index.js");
const EVENTS = 100_000;
const LOOPS = 10_000;
const AT_ONCE = 1_000;
/** Between two bursts: 20,000 events a second, which no agent writes. */
const PAUSE_MS = 50;
const GOAL_MS = 100;
const GOAL_FIRST_MS = 1_000;
const GOAL_MIB = 300;

/**
 * How soon `smithers watch` answers a key while a loop writes 100,000 events, and in a list of 10,000 loops; and how soon it is
 * there with so many.
 */
export async function measureWatch(say: (line: string) => void): Promise<readonly Figure[]> {
  // The terminal looks for the program when it is loaded.
  process.env["TEST_SMITHERS_PROGRAM"] = CLI;
  const { openTerminal } = await import("../test/support/terminal.ts");
  const ofFlood = await measureFlood(say, openTerminal);
  const { first, reading, choices } = await amongMany(openTerminal);
  say(`first screens with ${LOOPS} loops: ${first.map(Math.round).join(", ")} ms`);
  say(`${reading.length} keys while they are read: median ${Math.round(median(reading))} ms`);
  say(`${choices.length} keys in a list of ${LOOPS} loops: median ${Math.round(median(choices))} ms`);
  const most = (values: readonly number[]): number => Math.round(slowest(values, 0.95));
  return [
    ...ofFlood,
    atMost(`the first screen of watch with ${LOOPS} loops`, Math.round(median(first)), "ms", GOAL_FIRST_MS),
    atMost(`a key in watch while it reads ${LOOPS} loops, 19 of 20`, most(reading), "ms", GOAL_MS),
    atMost(`a key in watch's list of ${LOOPS} loops, 19 of 20`, most(choices), "ms", GOAL_MS),
  ];
}

/** The same while events come, and what the view holds of them. */
async function measureFlood(say: (line: string) => void, openTerminal: typeof opens): Promise<readonly Figure[]> {
  await using home = await tempFolder("bench-watch-");
  await using repository = await gitRepository({ ".gitignore": "script.json\n" });
  await mkdir(path.join(home.path, "home"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: path.join(home.path, "home"), LANG: "C.UTF-8" };
  const script = { turns: [{ files: { "a.txt": "a" }, lastMessage: "<promise>DONE</promise>" }] };
  await writeFile(path.join(repository.path, "script.json"), JSON.stringify(script));
  const run = [
    "Wait.",
    "--provider",
    "scripted",
    "--script",
    "script.json",
    "--loop-id",
    "flood",
    "--completion-promise",
    "DONE",
  ];
  await runSmithers(repository.path, [...run, "--full-auto", "--quiet"], 0, { ...env, SMITHERS_CHECK_SANDBOX: "off" });

  await using terminal = await openTerminal(repository.path, env, { columns: 80, rows: 24 });
  await terminal.enter("smithers watch");
  await terminal.shows(/Status:/u);
  terminal.press("l");
  await terminal.shows(/loop completed/u);
  const log = path.join(repository.path, ".codex/waylon-smithers/loops/flood/agent.log");
  const flooding = flood(log);
  await terminal.shows(/agent prints: event/u);
  const answers: number[] = [];
  while (!terminal.screen().includes(`event ${EVENTS} of`)) {
    for (const [key, seen] of [
      ["?", "Act on the loop"],
      ["l", "agent prints: event"],
    ] as const) {
      const begun = performance.now();
      terminal.press(key);
      await waitFor("the answer", () => terminal.screen().includes(seen));
      answers.push(performance.now() - begun);
    }
  }
  await flooding;
  const scrolls = await scrolled(terminal, log);
  const mib = await peakMib(repository.path);
  terminal.press("q");
  await terminal.isAsked();
  say(`${answers.length} keys while ${EVENTS} events came: median ${Math.round(median(answers))} ms`);
  return [
    atMost("a key in watch while 100,000 events come, 19 of 20", Math.round(slowest(answers, 0.95)), "ms", GOAL_MS),
    atMost(
      "a page of watch in lines of 20,000 characters, 19 of 20",
      Math.round(slowest(scrolls, 0.95)),
      "ms",
      GOAL_MS,
    ),
    plain("a key in watch while 100,000 events come, median", median(answers), "ms"),
    atMost("memory of watch after 100,000 events, at its peak", mib, "MiB", GOAL_MIB),
  ];
}

interface AmongMany {
  readonly first: readonly number[];
  /** keys while the loops are read */
  readonly reading: readonly number[];
  /** keys in the list of all, from its one end to the other */
  readonly choices: readonly number[];
}

/** Opens the view where there are very many loops. @returns how long its first screen and keys take, in milliseconds */
async function amongMany(openTerminal: typeof opens): Promise<AmongMany> {
  await using home = await tempFolder("bench-watch-");
  const env = { PATH: process.env["PATH"] ?? "", HOME: home.path, LANG: "C.UTF-8" };
  await using seed = await oneLoop();
  await using many = await loopsLike(seed.path, LOOPS);
  await using terminal = await openTerminal(many.path, env, { columns: 80, rows: 24 });
  const isShown = (text: string) => async () => waitFor(text, () => terminal.screen().includes(text));
  const first: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    if (round > 0) {
      terminal.press("q");
      await terminal.isAsked();
    }
    const begun = performance.now();
    await terminal.enter("smithers watch");
    await isShown("Reading loops, ")();
    first.push(performance.now() - begun);
  }
  const reading = await pressed(terminal, [
    ["?", isShown("Act on the loop")],
    ["w", isShown("Reading loops, ")],
  ]);
  await terminal.shows(/^smithers {2}10,000 loops, 0 running/mu);
  const choices = await pressed(terminal, [
    ["G", isShown(`› bench-copy-${LOOPS - 1} `)],
    ["g", isShown("› bench-copy-1 ")],
  ]);
  terminal.press("q");
  await terminal.isAsked();
  return { first, reading, choices };
}

type Key = readonly [key: string, isAnswered: () => Promise<unknown>];

/** Presses keys one after the other, 20 times each. @returns how long each answer takes, in milliseconds */
async function pressed(terminal: Terminal, keys: readonly Key[]): Promise<readonly number[]> {
  const took: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (const [key, isAnswered] of keys) {
      const begun = performance.now();
      terminal.press(key);
      await isAnswered();
      took.push(performance.now() - begun);
    }
  }
  return took;
}

/** Pages up in lines as long as the view holds them. @param log of the loop. @returns how long each page takes, in milliseconds */
async function scrolled(terminal: Terminal, log: string): Promise<readonly number[]> {
  const words = (line: number) => Array.from({ length: 2_000 }, (_, at) => `wörd${line}.${at}`).join(" ");
  const lines = Array.from(
    { length: 20 },
    (_, at) => `2026-01-06T21:10:00.000+00:00 [1/30] agent prints: ${words(at)}\n`,
  );
  await appendFile(log, `${lines.join("")}2026-01-06T21:10:00.000+00:00 [1/30] agent prints: the last\n`);
  await waitFor("the last line", () => terminal.screen().includes("the last"));
  const took: number[] = [];
  for (let page = 0; page < 60; page += 1) {
    const before = terminal.screen().split("\n")[1];
    const begun = performance.now();
    terminal.press("\u001B[5~");
    await waitFor("the page above", () => terminal.screen().split("\n")[1] !== before);
    took.push(performance.now() - begun);
  }
  return took;
}

/** Writes events as a loop does, but faster. @param log its file */
async function flood(log: string): Promise<void> {
  for (let written = 0; written < EVENTS; written += AT_ONCE) {
    const lines = Array.from(
      { length: AT_ONCE },
      (_, at) => `2026-01-06T21:10:00.000+00:00 [1/30] agent prints: event ${written + at + 1} of many\n`,
    );
    await appendFile(log, lines.join(""));
    await sleep(PAUSE_MS);
  }
}

/** The value that this share of the values stays within, `share` from 0 to 1. */
function slowest(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** The peak of the view's resident memory, as Linux tells it; 0 elsewhere. */
async function peakMib(root: string): Promise<number> {
  for (const name of await readdir("/proc").catch(() => [])) {
    const words = (await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (words[2] !== "watch" || (await readlink(`/proc/${name}/cwd`).catch(() => "")) !== root) continue;
    const status = await readFile(`/proc/${name}/status`, "utf8");
    return Math.round(Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024);
  }
  return 0;
}
