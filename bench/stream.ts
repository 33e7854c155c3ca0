import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { bundled } from "../test/support/smithers-program.ts";
import { tempFolder } from "../test/support/temp-folder.ts";
import { atLeast, atMost, median, plain, type Figure } from "./figure.ts";

const MIB = 512;
const PAIRS = 5;
const HERE = path.join(import.meta.dirname, "stream");
const EMIT = path.join(HERE, "emit.mjs");
const run = promisify(execFile);

interface Measured {
  readonly ms: number;
  /** KiB, at its peak */
  readonly rss: number;
}

/** Agent events through the provider and its raw file, against a plain script that does the same (D-37). */
export async function measureStream(say: (line: string) => void): Promise<readonly Figure[]> {
  const ratios: number[] = [];
  const above: number[] = [];
  const plainAbove: number[] = [];
  const speeds: number[] = [];
  const bare = await measure([
    "-e",
    "process.stdout.write(JSON.stringify({ ms: 0, rss: process.resourceUsage().maxRSS }))",
  ]);
  await using program = await tempFolder("stream-");
  // From the sources, Node would strip the types in the memory that is measured.
  const provider = await bundled(path.join(HERE, "provider.ts"), program.path);
  for (let pair = 1; pair <= PAIRS; pair++) {
    await using folder = await tempFolder("stream-");
    const theirs = await measure([path.join(HERE, "plain.mjs"), EMIT, path.join(folder.path, "plain.jsonl")]);
    const ours = await measure([provider, EMIT, folder.path]);
    ratios.push(theirs.ms / ours.ms);
    above.push((ours.rss - bare.rss) / 1024);
    plainAbove.push((theirs.rss - bare.rss) / 1024);
    speeds.push(MIB / (ours.ms / 1000));
    say(`pair ${pair}: plain ${Math.round(theirs.ms)} ms, ours ${Math.round(ours.ms)} ms`);
  }
  return [
    plain(`${MIB} MiB of events through the provider`, median(speeds), "MiB/s"),
    atLeast("throughput against a plain script", median(ratios), "x", 0.8),
    plain("peak memory of the plain script above bare Node", Math.max(...plainAbove), "MiB"),
    atMost("peak memory above bare Node", Math.max(...above), "MiB", 150),
  ];
}

async function measure(args: readonly string[]): Promise<Measured> {
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, BENCH_MIB: `${MIB}` } });
  const { ms, rss }: { ms?: unknown; rss?: unknown } = JSON.parse(stdout);
  if (typeof ms !== "number" || typeof rss !== "number") throw new Error(`The measurement printed ${stdout}`);
  return { ms, rss };
}
