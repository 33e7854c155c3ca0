import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { CODEX_VERSION } from "../src/config/settings/agent.ts";
import { type Ci, startCi } from "../test/support/ci/ci.ts";
import { tempFolder } from "../test/support/temp-folder.ts";
import { atMost, median, plain, type Figure } from "./figure.ts";
import { codeBefore, type Observed, readObserved, timeline } from "./start/observed.ts";

const ROUNDS = 9;
const HERE = path.join(import.meta.dirname, "start");

const ALL = "ref, artifact, cache";

/** What a run is asked to do besides working, by the name of what is measured. */
const VARIANTS = {
  "no carriers": { carriers: "none", "pull-request": "never" },
  "three carriers asked": { carriers: ALL, "pull-request": "never" },
  "and a branch to work on": { carriers: ALL, "pull-request": "auto" },
} as const satisfies Record<string, Record<string, string>>;
type Variant = keyof typeof VARIANTS;
const SPAWN_GOAL_MS: Readonly<Record<Variant, number>> = {
  "no carriers": 250,
  "three carriers asked": 350,
  "and a branch to work on": 500,
};
const CODE_GOAL_KB = 900;

/** What one start took, in milliseconds since the process was made. */
interface Start {
  readonly firstLine: number;
  readonly agent: number;
}

/**
 * From the start of the Action to that of the agent, with nothing to bring back, against a bare Node in the same round;
 * and how much code is loaded until then. A stand-in answers for Codex at once, so that the time is ours.
 */
export async function measureStart(say: (line: string) => void): Promise<readonly Figure[]> {
  await using ci = await startCi({ files: { "README.md": "hello\n" } });
  await using folder = await tempFolder("start-");
  const bench = { ci, folder: folder.path, started: path.join(folder.path, "started") };
  await putStandIn(bench);
  const bare: number[] = [];
  const starts: Record<Variant, Start[]> = {
    "no carriers": [],
    "three carriers asked": [],
    "and a branch to work on": [],
  };
  for (let round = 1; round <= ROUNDS; round++) {
    bare.push(await bareNode());
    for (const variant of variants()) starts[variant].push(await start(bench, variant));
  }
  const node = median(bare);
  say(`bare Node ${Math.round(node)} ms (median of ${ROUNDS})`);
  const figures: Figure[] = [];
  for (const variant of variants()) {
    const observed = await observe(bench, variant);
    for (const line of timeline(observed)) say(`${variant}: ${line}`);
    figures.push(...figuresOf(variant, starts[variant], node, codeBefore(observed, isAgent)));
  }
  return figures;
}

function figuresOf(variant: Variant, starts: readonly Start[], node: number, codeBytes: number): readonly Figure[] {
  const above = (name: keyof Start): number => median(starts.map((start) => start[name] - node));
  return [
    atMost(`Action's first line, above bare Node (${variant})`, above("firstLine"), "ms", 100),
    atMost(`Action to the agent's start, above bare Node (${variant})`, above("agent"), "ms", SPAWN_GOAL_MS[variant]),
    plain(`the fastest of ${ROUNDS} (${variant})`, Math.min(...starts.map(({ agent }) => agent - node)), "ms"),
    atMost(`code loaded until then (${variant})`, codeBytes / 1000, "KB", CODE_GOAL_KB),
  ];
}

function variants(): readonly Variant[] {
  return Object.keys(VARIANTS).filter((name): name is Variant => name in VARIANTS);
}

interface Bench {
  readonly ci: Ci;
  readonly folder: string;
  /** where the stand-in says when it was started */
  readonly started: string;
}

async function putStandIn({ folder, started }: Bench): Promise<void> {
  const text = await readFile(path.join(HERE, "stand-in-codex.sh"), "utf8");
  await mkdir(path.join(folder, "bin"));
  const file = path.join(folder, "bin", "codex");
  await writeFile(file, text.replaceAll("@VERSION@", CODEX_VERSION).replaceAll("@STARTED@", started));
  await chmod(file, 0o755);
}

async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "close");
  return performance.now() - began;
}

/** One start on an empty machine, of a loop that nobody knows yet. */
async function start(bench: Bench, variant: Variant, env: Readonly<Record<string, string>> = {}): Promise<Start> {
  await rm(bench.started, { force: true });
  await using machine = await bench.ci.machine();
  let firstLine = Number.NaN;
  const job = await machine.run({
    inputs: inputsOf(variant),
    env: { PATH: `${path.join(bench.folder, "bin")}:${process.env["PATH"] ?? ""}`, ...env },
    cancelWhen: (log) => {
      if (log !== "" && Number.isNaN(firstLine)) firstLine = performance.timeOrigin + performance.now();
      return false;
    },
  });
  if (job.outputs["iterations"] !== "1") throw new Error(`The Action did not run one iteration:\n${job.log}`);
  const agent = Number((await readFile(bench.started, "utf8")).trim()) * 1000;
  return { firstLine: firstLine - job.main.startedAt, agent: agent - job.main.startedAt };
}

let loops = 0;

/** A check that never holds and is not asked first; an id of its own for each loop, so that none is brought back. */
function inputsOf(variant: Variant): Record<string, string> {
  loops += 1;
  return {
    prompt: "Do nothing.",
    "success-sh": "false",
    "check-first": "false",
    "full-auto": "true",
    "max-iterations": "1",
    "loop-id": `bench-${loops}`,
    ...VARIANTS[variant],
  };
}

function isAgent(what: string): boolean {
  return what === "codex exec";
}

async function observe(bench: Bench, variant: Variant): Promise<Observed> {
  const file = path.join(bench.folder, "observed.json");
  await start(bench, variant, {
    BENCH_OBSERVED: file,
    NODE_OPTIONS: `--import=${path.join(HERE, "observe.mjs")}`,
  });
  return readObserved(file);
}
