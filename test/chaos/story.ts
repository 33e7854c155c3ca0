import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { SmithersProgram } from "../support/smithers-program.ts";
import { Draws } from "./draws.ts";
import { booksOf, brokenBy, type Task } from "./invariants.ts";
import { aStage, type Ended, type Running } from "./stage.ts";
import { type Told, type Trouble, TROUBLES, type TroubleName } from "./troubles.ts";

const LONGEST_RUN_MS = 60_000;
/** A run that cannot write is not waited for longer than this: then it gets back what it lacks. */
const LONGEST_LACK_MS = 10_000;

/** A loop and what happens to each of its runs, all of it drawn from the seed. */
interface Story {
  readonly task: Task;
  readonly runs: readonly (readonly Trouble[])[];
}

export interface Outcome {
  readonly seed: number;
  /** what happened, run by run */
  readonly troubles: string;
  /** what did not hold; none: all of it did */
  readonly broken: readonly string[];
  /** the end of what the last run said */
  readonly said: string;
  readonly runs: number;
}

const KILLS: readonly [TroubleName, ...TroubleName[]] = ["kill the process", "kill the group", "kill the machine"];

function storyOf(seed: number): Story {
  const draws = new Draws(seed);
  const proof = draws.one(["command", "claim", "command", "claim", "cap"]);
  const commit = draws.one(["iteration", "iteration", "iteration", "end", "never"]);
  const task = { proof, commit, iterations: draws.between(6, 10) } as const;
  const names = Object.keys(TROUBLES).filter((name): name is TroubleName => name in TROUBLES);
  const runs = Array.from({ length: draws.between(2, 4) }, () => {
    const name = draws.onceIn(3) ? draws.one(KILLS) : draws.one(nonEmpty(names));
    // What does not end a run by itself is met by one that a kill ends, every other time.
    const all = draws.onceIn(2) && !KILLS.includes(name) ? [name, draws.one(KILLS)] : [name];
    return all.map((one): Trouble => ({ name: one, ...TROUBLES[one](draws) }));
  });
  return { task, runs };
}

function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error("There is nothing to draw from.");
  return [first, ...rest];
}

const LOOP = "chaos";

function argsOf({ proof, commit, iterations }: Task): readonly string[] {
  const most = proof === "cap" ? 99 : iterations;
  const check = `sh .chaos/check.sh ${most}`;
  return [
    ...["--loop-id", LOOP, "--provider", "scripted", "--script", ".chaos/script.json", "--full-auto"],
    ...["--check-sandbox", "off", "--agent-isolation", "off", "--max-error-resumes", "100"],
    ...["--commit", commit, "--max-iterations", String(proof === "cap" ? iterations : 40)],
    ...(proof === "claim" ? ["--quality-commands", check, "--completion-promise", "DONE"] : ["--success-sh", check]),
  ];
}

const stored = z.looseObject({ stop_reason: z.looseObject({ kind: z.string() }).nullable() });

/** Tells the story of a seed, to its end. */
export async function tell(seed: number, program: SmithersProgram): Promise<Outcome> {
  const { task, runs } = storyOf(seed);
  await using stage = await aStage(seed, program);
  const loops = path.join(stage.repository, ".codex/waylon-smithers/loops");
  const told: Told = {
    stage,
    stateFile: path.join(loops, `${LOOP}.json`),
    eventsFile: path.join(loops, LOOP, "events.jsonl"),
    args: ["Make all the parts.", ...argsOf(task)],
    notes: "first\n",
    isHistoryCut: false,
    faults: [],
  };
  let last: Ended = { code: null, said: "" };
  let begun = 0;
  for (const troubles of [...runs, []]) {
    if (troubles.length > 0 && (await endingOf(told)) === task.proof) continue;
    last = await runOnce(told, troubles);
    begun += 1;
  }
  const broken = [...told.faults, ...(await brokenBy(told, task, last))];
  const named = runs.map((troubles) => troubles.map(({ name, at, ms }) => `${name} ${at}+${ms}`).join(" & "));
  return {
    ...{ seed, broken, runs: begun },
    troubles: `${task.proof}, ${task.iterations} iterations, commit ${task.commit}: ${named.join(" | ")}`,
    said: broken.length === 0 ? "" : `${last.said.slice(-3_000)}\n${await booksOf(told)}`,
  };
}

async function endingOf({ stateFile }: Told): Promise<string | undefined> {
  try {
    const { stop_reason: reason } = stored.parse(JSON.parse(await readFile(stateFile, "utf8")));
    return { success_command: "command", promise: "claim", max_iterations: "cap" }[reason?.kind ?? ""];
  } catch {
    return undefined;
  }
}

async function runOnce(told: Told, troubles: readonly Trouble[]): Promise<Ended> {
  const undo: (() => Promise<unknown>)[] = [];
  const happen = async (trouble: Trouble, running?: Running): Promise<void> => {
    const back = await trouble.happen(told, running);
    if (back !== undefined) undo.push(back);
  };
  for (const trouble of troubles) if (trouble.at === "before") await happen(trouble);
  const known = await linesOf(told.eventsFile);
  const running = told.stage.start(await argsNow(told));
  const happening = troubles.map(async (trouble) => {
    if (trouble.at === "before") return;
    while (!running.isOver && (await linesOf(told.eventsFile)) < known + trouble.at) await sleep(5);
    await sleep(trouble.ms);
    if (!running.isOver) await happen(trouble, running);
  });
  const lack = sleep(LONGEST_LACK_MS, undefined, { ref: false });
  await Promise.race([Promise.all([running.ended, ...happening]), troubles.length > 0 ? lack : running.ended]);
  for (const back of undo.splice(0)) await back();
  const ended = await Promise.race([running.ended, sleep(LONGEST_RUN_MS, undefined, { ref: false })]);
  if (ended === undefined) {
    told.faults.push("a run did not end");
    told.stage.killAll();
  }
  await Promise.all(happening);
  for (const back of undo) await back();
  return ended ?? { code: null, said: "" };
}

/** A loop that is there goes on; before it was written down, it is begun once more. */
async function argsNow({ stateFile, args }: Told): Promise<readonly string[]> {
  const isThere = (await readFile(stateFile).catch(() => undefined)) !== undefined;
  return isThere ? ["resume", ...args.slice(1)] : args;
}

async function linesOf(file: string): Promise<number> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").length - 1;
}
