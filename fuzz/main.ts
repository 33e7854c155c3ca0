/**
 * `npm run fuzz`: gives everything that reads what others wrote a great many inputs that are nearly right, and says what
 * did not hold. Exit code 1 when there is a fault.
 *
 * `--cases N` tries as many of each target (100,000), `--seed TEXT` others than usual, `--target A,B` some targets,
 * `--case N` shows one case and tries it in this process, `--jobs N` runs as many processes at a time. A fault that a case
 * shows only after others: `--first N` begins with that one.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { z } from "zod";
import { type Cases, caseOf, commandFor, type Fault, SEED, shown } from "./run.ts";
import type { Target } from "./target.ts";
import { targetNamed, TARGETS } from "./targets.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "100000" },
    seed: { type: "string", default: SEED },
    target: { type: "string" },
    case: { type: "string" },
    first: { type: "string", default: "0" },
    jobs: { type: "string", default: String(availableParallelism()) },
  },
});
const targets = values.target === undefined ? TARGETS : values.target.split(",").map(targetNamed);

/** What became of a target. */
interface Outcome {
  readonly faults: readonly Fault[];
  readonly seconds: number;
  /** null: the process did not live to say it */
  readonly peakBytes: number | null;
}

/** What a worker has said last, or its watchdog. */
const Said = z.object({
  faults: z.array(z.object({ case: z.number(), what: z.string(), input: z.string() })).optional(),
  peakBytes: z.number().optional(),
  case: z.number().optional(),
  fault: z.string().optional(),
});

const WORKER = path.join(import.meta.dirname, "worker.ts");
/** The heap; the watchdog ends a process before that. */
const FLAGS = ["--max-old-space-size=1024", "--disable-warning=ExperimentalWarning"];

/** A folder of this run for targets that read files, in memory where there is such a place: a disk takes ten times as long. */
function folderInMemory(): string | undefined {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return mkdtempSync("/dev/shm/smithers-fuzz-");
  } catch {
    return undefined;
  }
}

const inMemory = folderInMemory();
if (inMemory !== undefined) {
  process.env["TEST_RUN_FOLDER"] = inMemory;
  process.on("exit", () => rmSync(inMemory, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
}

/** The worker in one file, which believes to lie where its source does: to read hundreds of them takes a second each time. */
async function workerIn(folder: string): Promise<string> {
  const outfile = path.join(folder, "worker.mjs");
  await build({
    entryPoints: [WORKER],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    define: {
      "import.meta.dirname": JSON.stringify(import.meta.dirname),
      "import.meta.url": JSON.stringify(pathToFileURL(WORKER).href),
    },
    // For the packages in it that are not ES modules.
    banner: {
      js: `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);`,
    },
    logLevel: "error",
  });
  return outfile;
}

/** In a process of its own, so that whatever becomes of it is told. */
async function outcomeOf(target: Target, worker: string, { seed, first, end }: Cases): Promise<Outcome> {
  const began = performance.now();
  const child = spawn(process.execPath, [...FLAGS, worker, target.name, seed, `${first}`, `${end}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) said += String(chunk);
  const ended = child.exitCode ?? child.signalCode ?? (await new Promise((resolve) => child.once("exit", resolve)));
  const seconds = (performance.now() - began) / 1000;
  const last = Said.parse(JSON.parse(said.trim().split("\n").at(-1) || "{}"));
  if (last.faults !== undefined) return { faults: last.faults, seconds, peakBytes: last.peakBytes ?? null };
  const number = last.case ?? first;
  const input = last.case === undefined ? "not known" : shown(caseOf(target, seed, number));
  return {
    faults: [{ case: number, what: last.fault ?? `the process ended: ${String(ended)}`, input }],
    seconds,
    peakBytes: null,
  };
}

async function tryAll(cases: Cases): Promise<number> {
  const waiting = [...targets];
  const worker = inMemory === undefined ? WORKER : await workerIn(inMemory);
  const { first, end } = cases;
  let faults = 0;
  const work = async (): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const { faults: found, seconds, peakBytes } = await outcomeOf(target, worker, cases);
      const memory = peakBytes === null ? "" : `${Math.round(peakBytes / 2 ** 20)} MiB`;
      console.log(
        `${found.length === 0 ? "ok    " : "FAULT "} ${target.name.padEnd(20)} ${`${end - first} cases`.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s  ${memory}`,
      );
      for (const { case: number, what, input } of found)
        console.log(`\ncase ${number}: ${what}\n${input}\n→ again: ${commandFor(target.name, cases.seed, number)}\n`);
      faults += found.length;
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  console.log(`\n${targets.length} targets, ${targets.length * (end - first)} cases, ${faults} faults`);
  return faults;
}

async function tryOne(number: number): Promise<void> {
  for (const target of targets) {
    const one = caseOf(target, values.seed, number);
    console.log(`${target.name}, case ${number}:\n${shown(one)}`);
    const began = performance.now();
    try {
      await one.check();
      console.log(`holds, after ${(performance.now() - began).toFixed(1)} ms`);
    } finally {
      await target.close();
    }
  }
}

if (values.case !== undefined) await tryOne(Number(values.case));
else {
  const first = Number(values.first);
  const faults = await tryAll({ seed: values.seed, first, end: first + Number(values.cases) });
  process.exitCode = faults === 0 ? 0 : 1;
}
