import { spawn } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { LOOPS_FOLDER } from "../src/store/place.ts";
import { gitRepository } from "../test/support/git-repository.ts";
import { tempFolder } from "../test/support/temp-folder.ts";
import { atMost, type Figure, median, plain } from "./figure.ts";
import { CLI, runSmithers } from "./smithers.ts";

const FEW = 200;
const MANY = 800;
const ITERATIONS = 60;
const ROUNDS = 5;
const GOAL = 1.3;
const GOAL_MIB = 200;

/** What a loop more costs `smithers stats` among many against among few, and what it holds of them. */
export async function measureStats(say: (line: string) => void): Promise<readonly Figure[]> {
  await using seed = await oneLoop();
  await using few = await loopsLike(seed.path, FEW);
  await using many = await loopsLike(seed.path, MANY);
  const runs: { readonly few: Run; readonly many: Run; readonly growth: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    // Side by side, so that a machine with other work has it for both. What one loop takes is the start of the program.
    const one = await stats(seed.path, 1);
    const [a, b] = [await stats(few.path, FEW), await stats(many.path, MANY)];
    const growth = (b.ms - one.ms) / (MANY - 1) / ((a.ms - one.ms) / (FEW - 1));
    runs.push({ few: a, many: b, growth });
    say(`round ${round}: 1, ${FEW} and ${MANY} loops in ${[one, a, b].map(({ ms }) => Math.round(ms)).join(", ")} ms`);
  }
  const peak = (of: "few" | "many"): number => Math.round(median(runs.map((run) => run[of].mib)));
  return [
    atMost(`a loop in stats, among ${MANY} against among ${FEW}`, median(runs.map(({ growth }) => growth)), "x", GOAL),
    plain(`stats of ${MANY} loops of ${ITERATIONS} iterations`, median(runs.map(({ many: { ms } }) => ms)), "ms"),
    plain(`memory of stats of ${FEW} loops, at its peak`, peak("few"), "MiB"),
    atMost(`memory of stats of ${MANY} loops, at its peak`, peak("many"), "MiB", GOAL_MIB),
  ];
}

/** A repository with one finished loop. */
export async function oneLoop() {
  const repository = await gitRepository({ ".gitignore": "script.json\n" });
  const work = Array.from({ length: ITERATIONS }, (_, at) => ({
    files: { "work.txt": `${at}\n` },
    lastMessage: at + 1 < ITERATIONS ? "Still working." : "<promise>DONE</promise>",
  }));
  await writeFile(path.join(repository.path, "script.json"), JSON.stringify({ turns: work }));
  const flags = ["--provider", "scripted", "--script", "script.json", "--loop-id", SEED, "--full-auto", "--quiet"];
  const env = { ...process.env, SMITHERS_CHECK_SANDBOX: "off" };
  await runSmithers(
    repository.path,
    ["Work on.", ...flags, "--completion-promise", "DONE", "--max-iterations", `${ITERATIONS}`],
    0,
    env,
  );
  return repository;
}

const SEED = "bench-loop";

/** A repository with a number of loops like the one of another: of each its state, and of its folder what statistics look at. */
export async function loopsLike(repository: string, number: number) {
  const like = await tempFolder("bench-loops-");
  const from = path.join(repository, LOOPS_FOLDER, SEED);
  const to = path.join(like.path, LOOPS_FOLDER);
  await mkdir(path.join(like.path, ".git"));
  const state = await readFile(`${from}.json`, "utf8");
  const events = await readFile(path.join(from, "events.jsonl"), "utf8");
  for (let at = 1; at <= number; at += 1) {
    const id = `bench-copy-${at}`;
    await cp(path.join(from, "lock"), path.join(to, id, "lock"), { recursive: true });
    await writeFile(path.join(to, id, "events.jsonl"), events.replaceAll(SEED, id));
    await writeFile(path.join(to, `${id}.json`), state.replaceAll(SEED, id));
  }
  return like;
}

interface Run {
  readonly ms: number;
  /** of resident memory, at its peak */
  readonly mib: number;
}

/** Has the process say at its end, in KiB, how much memory it had at most. */
const TELL_PEAK = `data:text/javascript,process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))`;

/** `smithers stats --json` once. @param loops that it has to count, each with its events */
async function stats(cwd: string, loops: number): Promise<Run> {
  const begun = performance.now();
  const args = ["--import", TELL_PEAK, CLI, "stats", "--json"];
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const [answer, peak] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  const ms = performance.now() - begun;
  const { totals } = JSON.parse(Buffer.concat(answer).toString());
  if (totals.loops !== loops || totals.events_of !== loops)
    throw new Error(`stats counts ${totals.loops} loops, ${totals.events_of} with events, instead of ${loops}`);
  return { ms, mib: Number(Buffer.concat(peak).toString()) / 1024 };
}
