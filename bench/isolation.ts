import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { findBubblewrap } from "../src/agents/registry.ts";
import { type Isolation, prepareIsolation } from "../src/os/isolation/isolation.ts";
import { supervise } from "../src/os/supervise.ts";
import { gitRepository, type GitRepository } from "../test/support/git-repository.ts";
import { atMost, type Figure, median, plain } from "./figure.ts";
import { momentsOf } from "./growth.ts";
import { runSmithers } from "./smithers.ts";

const CHECKS = 40;
const LATE_CHECKS = 10;
const ITERATIONS = 20;
const PAIRS = 5;
const PATH = process.env["PATH"] ?? "";

/** What the isolation of checks costs, against the same without it. */
export async function measureIsolation(say: (line: string) => void): Promise<readonly Figure[]> {
  await using repository = await gitRepository();
  const home = path.join(repository.path, "home");
  for (const folder of [".ssh", ".aws", ".cache"]) await mkdir(path.join(home, folder), { recursive: true });
  const began = performance.now();
  const prepared = await prepareIsolation({
    ...{ bubblewrap: findBubblewrap(PATH), env: { PATH, HOME: home }, mark: "bench", cwd: repository.path },
    ...{ writable: [], readOnly: [], hidden: [], toolCaches: [], access: [] },
  });
  const probed = performance.now() - began;
  if (!prepared.ok) throw new Error(prepared.trouble.because);
  const check = (isolation?: Isolation) => timedCheck(repository, home, isolation);
  const costs: number[] = [];
  for (let n = 0; n < CHECKS; n++) costs.push(-(await check()) + (await check(prepared.value)));
  say(`${CHECKS} checks done`);
  const late = await whileTheDiskIsBusy(repository, async () => {
    const took: number[] = [];
    for (let n = 0; n < LATE_CHECKS; n++) took.push(await check(prepared.value));
    return Math.max(...took);
  });
  say(`${LATE_CHECKS} checks on a busy disk done`);
  const [off, auto] = [[] as Run[], [] as Run[]];
  for (let pair = 1; pair <= PAIRS; pair++) {
    off.push(await timedLoop("off"));
    auto.push(await timedLoop("auto"));
    say(`pair ${pair} of loops done`);
  }
  const more = (of: (run: Run) => number): number => median(auto.map(of)) - median(off.map(of));
  return [
    plain("trying the isolation out, once a run", probed, "ms"),
    atMost("an isolated check against a bare one", median(costs), "ms", 15),
    atMost(`the slowest of ${LATE_CHECKS} isolated checks on a busy disk`, late, "ms", 1000),
    atMost(
      "start with isolated checks against bare ones",
      more(({ startMs }) => startMs),
      "ms",
      60,
    ),
    atMost(
      "an iteration with an isolated check against a bare one",
      more(({ iterationMs }) => iterationMs),
      "ms",
      40,
    ),
  ];
}

async function timedCheck({ path: cwd }: GitRepository, home: string, isolation?: Isolation): Promise<number> {
  const began = performance.now();
  const run = supervise({
    ...{ command: "sh", args: ["-c", "echo x >> ~/.cache/made"], cwd, env: { PATH, HOME: home }, mark: "bench" },
    ...{ isolation: await isolation?.launcher(), signal: new AbortController().signal },
  });
  run.stdout.resume();
  run.stderr.resume();
  const { exitCode } = await run.exit;
  if (exitCode !== 0) throw new Error(`A check ended with ${exitCode}.`);
  return performance.now() - began;
}

/** Somebody else writes all the time. */
async function whileTheDiskIsBusy<T>({ path: root }: GitRepository, work: () => Promise<T>): Promise<T> {
  const file = path.join(root, "written");
  const script = `while :; do dd if=/dev/zero of='${file}' bs=1M count=400 2>/dev/null; done`;
  const writer = spawn("sh", ["-c", script], { detached: true, stdio: "ignore" });
  try {
    return await work();
  } finally {
    if (writer.pid !== undefined) process.kill(-writer.pid, "SIGKILL");
    await rm(file, { force: true });
  }
}

interface Run {
  readonly startMs: number;
  readonly iterationMs: number;
}

/** A loop with a check that stays red. */
async function timedLoop(sandbox: "auto" | "off"): Promise<Run> {
  await using repository = await gitRepository();
  const folder = path.join(repository.path, ".git", "loop");
  await mkdir(folder, { recursive: true });
  const script = path.join(folder, "script.json");
  await writeFile(script, JSON.stringify({ turns: [{ files: { "work.txt": "a line\n" }, lastMessage: "On it." }] }));
  const began = Date.now();
  const task = ["Work on.", "--provider", "scripted", "--script", script, "--full-auto", "--success-sh", "exit 1"];
  const place = ["--state-file", path.join(folder, "bench.json"), "--loop-id", "bench", "--check-sandbox", sandbox];
  const caps = ["--max-calls-per-hour=off", "--max-no-progress=0", "--max-same-error=0", "--no-check-first"];
  await runSmithers(repository.path, [...task, ...place, ...caps, `--max-iterations=${ITERATIONS}`], 2);
  const turns = await momentsOf(path.join(folder, "bench", "events.jsonl"), "turn_started");
  const [first = Number.NaN, last = Number.NaN] = [turns[0], turns.at(-1)];
  return { startMs: first - began, iterationMs: (last - first) / (ITERATIONS - 1) };
}
