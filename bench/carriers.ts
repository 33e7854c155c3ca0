import { createCacheCarrier } from "../src/carriers/cache.ts";
import type { Carrier } from "../src/core/carrying-ports.ts";
import { aRecord, parseState } from "../test/carriers/a-loop.ts";
import { ArtifactBench } from "../test/carriers/artifact-bench.ts";
import { pointerTo } from "../test/contract/carrier-contract.ts";
import { startAzurite } from "../test/support/results/azurite.ts";
import { tempFolder } from "../test/support/temp-folder.ts";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { measureGitRef } from "./carriers/git-ref.ts";
import { aLargeLoop } from "./carriers/large-loop.ts";
import { networkTime } from "./carriers/network.ts";
import { tarAndZstd } from "./carriers/tar-and-zstd.ts";
import { timed } from "./carriers/timed.ts";
import { atMost, median, plain, type Figure } from "./figure.ts";

const ROUNDS = 3;
const WITHIN_MS = 120_000;
const GOAL = 1.5;
const PROGRAMS = path.join(process.env["SMITHERS_ACTION_DIR"] ?? path.join(import.meta.dirname, ".."), "dist");

/** Times of one round, in milliseconds. */
interface Round {
  readonly save: number;
  readonly restore: number;
}

/**
 * Saving and restoring a loop of 50 MB by each carrier, against `tar | zstd` of the same files. The time of the
 * network's stand-in, measured with an archive of the same size, is taken off.
 */
export async function measureCarriers(say: (line: string) => void): Promise<readonly Figure[]> {
  await using folder = await tempFolder("carriers-");
  await using store = await startAzurite();
  const bench = await ArtifactBench.start();
  await bench.ready();
  try {
    const { bundle, gatherMs } = await aLargeLoop(path.join(folder.path, "machine"), aRecord(1));
    const plainRounds: Round[] = [];
    const network: Round[] = [];
    const rounds: Record<Carrier["name"], Round[]> = { cache: [], artifact: [] };
    for (let round = 1; round <= ROUNDS; round++) {
      const tar = await tarAndZstd(bundle.folder, path.join(folder.path, `tar-${round}`));
      plainRounds.push(tar);
      network.push(await networkTime(store, tar.archive));
      const env = { ...bench.service.environment({ run: String(round) }), GITHUB_API_URL: bench.api.url };
      const scratch = path.join(folder.path, "scratch");
      const cache = {
        mark: `bench-${round}`,
        program: path.join(PROGRAMS, "cache/index.js"),
        env,
        scratch,
        parseState,
      };
      const named = { ...bundle, record: { ...bundle.record, run: { id: String(round), attempt: "1" } } };
      const artifact = bench.carrier(round, { program: path.join(PROGRAMS, "artifact/index.js") });
      for (const carrier of [createCacheCarrier(cache), artifact]) {
        const into = path.join(folder.path, `${carrier.name}-${round}`);
        rounds[carrier.name].push(await saveAndRestore(carrier, named, into));
      }
    }
    const base = medians(plainRounds);
    const apart = medians(network);
    say(
      `50 MB: tar | zstd ${shown(base)}; the network's stand-in ${shown(apart)}; gathered in ${Math.round(gatherMs)} ms`,
    );
    const figures = Object.entries(rounds).flatMap(([name, all]) => {
      const took = medians(all);
      say(`${name}: ${shown(took)}, the network included`);
      return ratios(name, { save: took.save - apart.save, restore: took.restore - apart.restore }, base);
    });
    const ref = await measureGitRef(folder.path, say);
    return [
      plain("a loop's files, gathered and proved", gatherMs, "ms"),
      ...figures,
      ...ratios("git ref", ref.took, ref.base),
    ];
  } finally {
    await bench.clear();
    await bench.end();
  }
}

type Made = Parameters<Carrier["save"]>[0];

async function saveAndRestore(carrier: Carrier, bundle: Made, into: string): Promise<Round> {
  const [save, saved] = await timed(() => carrier.save(bundle, WITHIN_MS));
  if (!saved.saved) throw new Error(saved.why);
  await mkdir(into);
  const { loop_id: loopId } = bundle.record;
  const named = pointerTo(bundle, saved);
  const [restore, restored] = await timed(() => carrier.restore({ loopId, named, unnamed: false, into }, WITHIN_MS));
  if (!restored.found) throw new Error(restored.why);
  return { save, restore };
}

function ratios(name: string, took: Round, base: Round): readonly Figure[] {
  return [
    atMost(`${name}: saving 50 MB against tar | zstd`, took.save / base.save, "x", GOAL),
    atMost(`${name}: restoring 50 MB against zstd | tar`, took.restore / base.restore, "x", GOAL),
  ];
}

function medians(rounds: readonly Round[]): Round {
  return { save: median(rounds.map(({ save }) => save)), restore: median(rounds.map(({ restore }) => restore)) };
}

function shown({ save, restore }: Round): string {
  return `${Math.round(save)} ms out, ${Math.round(restore)} ms back`;
}
