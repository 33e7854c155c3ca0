import { createReadStream } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { gitRepository } from "../test/support/git-repository.ts";
import { atMost, median, plain, type Figure } from "./figure.ts";
import { runSmithers } from "./smithers.ts";

const BEHIND = 1000;
const ITERATIONS = 5000;
const WINDOW = 500;
const RESUMES = 5;

/** Whether the cost of an iteration grows with its number, and how soon a long loop goes on (D-09). */
export async function measureGrowth(say: (line: string) => void): Promise<readonly Figure[]> {
  await using repository = await gitRepository();
  const script = path.join(repository.path, ".git", "script.json");
  const turn = { files: { "work.txt": "a line\n" }, lastMessage: "Still working.\n\nNOTES:\ngoing on" };
  await writeFile(script, JSON.stringify({ turns: [turn] }));
  const folder = path.join(repository.path, ".git", "loop");
  await mkdir(folder, { recursive: true });
  const stateFile = path.join(folder, "bench.json");
  const flags = [
    "--provider",
    "scripted",
    "--script",
    script,
    "--full-auto",
    "--state-file",
    stateFile,
    "--loop-id",
    "bench",
    "--max-calls-per-hour",
    "off",
    "--max-no-progress",
    "0",
  ];
  const events = path.join(folder, "bench", "events.jsonl");

  await runSmithers(repository.path, ["Work on.", ...flags, "--max-iterations", `${BEHIND}`], 2);
  say(`${BEHIND} iterations done`);
  const starts: number[] = [];
  for (let n = 1; n <= RESUMES; n++) {
    const began = Date.now();
    await runSmithers(repository.path, ["resume", ...flags, "--max-iterations", `${BEHIND + n}`], 2);
    const turn = (await momentsOf(events, "turn_started")).at(-1) ?? Number.NaN;
    starts.push(turn - began);
  }
  say(`resumed ${RESUMES} times`);
  await runSmithers(repository.path, ["resume", ...flags, "--max-iterations", `${ITERATIONS}`], 2);
  say(`${ITERATIONS} iterations done`);

  const settled = await momentsOf(events, "settled");
  const started = await momentsOf(events, "turn_started");
  const costs = settled.map((end, index) => end - (started[index] ?? Number.NaN));
  const first = sum(costs.slice(0, WINDOW)) / WINDOW;
  const last = sum(costs.slice(-WINDOW)) / WINDOW;
  return [
    plain(`an iteration, mean of the first ${WINDOW} of ${ITERATIONS}`, first, "ms"),
    atMost(`last ${WINDOW} of ${ITERATIONS} iterations against the first ${WINDOW}`, last / first, "x", 1.2),
    atMost(`state file after ${ITERATIONS} iterations`, (await stat(stateFile)).size / 1024, "KiB", 64),
    atMost(`resume after ${BEHIND} iterations, start to next turn`, median(starts), "ms", 1000),
  ];
}

export async function momentsOf(events: string, type: string): Promise<readonly number[]> {
  const moments: number[] = [];
  for await (const line of createInterface({ input: createReadStream(events) })) {
    const event: unknown = JSON.parse(line);
    if (isDated(event) && event.type === type) moments.push(Date.parse(event.at));
  }
  return moments;
}

function isDated(event: unknown): event is { type: string; at: string } {
  return typeof event === "object" && event !== null && "type" in event && "at" in event;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
