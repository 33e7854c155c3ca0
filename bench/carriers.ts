import path from "node:path";
import type { Carrier } from "../src/core/carry.ts";
import { aRecord } from "../test/carry/a-loop.ts";
import { tempFolder } from "../test/support/temp-folder.ts";
import { type BulkRound, bulkRound } from "./carriers/bulk.ts";
import { type GitRound, gitRound } from "./carriers/git-ref.ts";
import { aLargeLoop, gathered } from "./carriers/large-loop.ts";
import { startFarEnd } from "./carriers/network.ts";
import { tarAndZstd } from "./carriers/tar-and-zstd.ts";
import { type Cost, timed } from "./carriers/timed.ts";
import { atMost, type Figure, median, plain } from "./figure.ts";

const ROUNDS = 3;
const GIT_ROUNDS = 3;
const GOAL = 1.5;
const NAMES = ["cache", "artifact"] as const;
const WAYS = ["save", "restore"] as const;

type Base = Record<(typeof WAYS)[number], Cost>;

/** One round: `tar | zstd`, and right after it what is compared with it. */
interface Pair<T> {
  readonly base: Base;
  readonly took: T;
}

/**
 * Saving and restoring a loop of 50 MB by each carrier, from the loop's files to what the next machine has verified,
 * against `tar | zstd` of the same files right before. The network is taken off: what a bare client takes for the same
 * archive, and for the ref what the server's git takes for the same pack. The share of the toolkit, and of git, is what
 * they take for the same files without us.
 */
export async function measureCarriers(say: (line: string) => void): Promise<readonly Figure[]> {
  await using folder = await tempFolder("carriers-");
  await using farEnd = await startFarEnd();
  const places = await aLargeLoop(path.join(folder.path, "machine"));
  const record = aRecord(1);
  const pairs: Record<Carrier["name"], Pair<BulkRound>[]> = { cache: [], artifact: [] };
  const gathering: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const [cost, { folder: files }] = await timed(() => gathered(places, record, path.join(folder.path, `g-${round}`)));
    gathering.push(cost);
    for (const name of NAMES) {
      const base = await tarAndZstd(files, path.join(folder.path, `tar-${name}-${round}`));
      pairs[name].push({ base, took: await bulkRound({ farEnd, places, folder: folder.path }, name) });
    }
  }
  const gits: GitRound[] = [];
  for (let round = 1; round <= GIT_ROUNDS; round++) gits.push(await gitRound(path.join(folder.path, `git-${round}`)));
  const gatherMs = median(gathering.map(({ wall }) => wall));
  return [
    plain("a loop's files, gathered and digested (in each save)", gatherMs, "ms"),
    ...NAMES.flatMap((name) => bulkFigures(name, pairs[name], say)),
    ...gitFigures(gits, say),
  ];
}

const VERBS = { save: "saving", restore: "restoring" } as const;

function bulkFigures(name: string, pairs: readonly Pair<BulkRound>[], say: (line: string) => void): Figure[] {
  return WAYS.flatMap((way) => {
    const of = (pick: (pair: Pair<BulkRound>) => number): number => median(pairs.map(pick));
    const base = of((pair) => pair.base[way].wall);
    const ours = of(({ took }) => took[way].wall - took.toolkit[way].wall);
    const [all, network] = [of(({ took }) => took[way].wall), of(({ took }) => took.network[way])];
    const [alone, load] = [of(({ took }) => took.toolkit[way].wall - took.network[way]), of(({ took }) => took.load)];
    say(
      `${name}, ${VERBS[way]}: ${shown(all)}, of which the network ${shown(network)}, the toolkit ${shown(alone)} (${shown(load)} until it is loaded), what we add ${shown(ours)}; tar and zstd ${shown(base)}`,
    );
    const what = `${name}: ${VERBS[way]} 50 MB against tar and zstd`;
    return [
      atMost(
        what,
        of(({ base: { [way]: plainly }, took }) => (took[way].wall - took.network[way]) / plainly.wall),
        "x",
        GOAL,
      ),
      plain(
        `${name}: the toolkit alone, ${VERBS[way]}`,
        of(({ base: { [way]: plainly }, took }) => (took.toolkit[way].wall - took.network[way]) / plainly.wall),
        "x",
      ),
      plain(`${name}: what we add to it, ${VERBS[way]}`, ours, "ms"),
      plain(
        `${name}: processor time, ${VERBS[way]}`,
        of(({ base: { [way]: plainly }, took }) => took[way].cpu / plainly.cpu),
        "x",
      ),
    ];
  });
}

function gitFigures(rounds: readonly GitRound[], say: (line: string) => void): Figure[] {
  return WAYS.flatMap((way) => {
    const of = (pick: (round: GitRound) => number): number => median(rounds.map(pick));
    const [all, network, alone] = [
      of(({ took }) => took[way]),
      of(({ network }) => network[way]),
      of(({ git }) => git[way]),
    ];
    const snapshot =
      way === "save" ? ` (${shown(of(({ snapshot }) => snapshot))} the snapshot that every turn takes)` : "";
    say(
      `git ref, ${VERBS[way]}: ${shown(all)}${snapshot}, of which the server ${shown(network)}; git alone ${shown(alone)}; tar and zstd ${shown(of(({ base }) => base[way].wall))}`,
    );
    return [
      atMost(
        `git ref: ${VERBS[way]} 50 MB against tar and zstd`,
        of((round) => (round.took[way] - round.network[way]) / round.base[way].wall),
        "x",
        GOAL,
      ),
      plain(
        `git ref: git alone, ${VERBS[way]}`,
        of((round) => round.git[way] / round.base[way].wall),
        "x",
      ),
      plain(
        `git ref: ${VERBS[way]} against git alone`,
        of((round) => (round.took[way] - round.network[way]) / round.git[way]),
        "x",
      ),
    ];
  });
}

function shown(ms: number): string {
  return `${Math.round(ms)} ms`;
}
