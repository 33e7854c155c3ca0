import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { eachLoopOf, workspacesAround } from "../../app/loops/loops-of-repository.ts";
import type { Shell } from "../../app/shell.ts";
import { OperationalError } from "../../core/errors.ts";
import type { LoopState } from "../../core/state.ts";
import { eachInBatches, inBatches } from "../../os/concurrency.ts";
import { archiveOf, type LoopFiles } from "../../store/loop-files.ts";
import { LOOPS_FOLDER, placeOf } from "../../store/place.ts";
import { readState } from "../../store/state-file.ts";
import { briefly } from "../../views/plain-text.ts";
import { type LoopStats, type RunCounts, statsOf } from "../../views/stats/loop-stats.ts";
import type { LeftOut, Sample } from "../../views/stats/totals.ts";
import { artifactAt } from "../artifact-at.ts";
import { readRuns } from "./read-runs.ts";

/** Gathers what is counted, source by source; the newest copy of a generation counts. */
export class Samples {
  readonly #loops = new Map<string, LoopStats>();
  readonly #leftOut: LeftOut[] = [];

  get sample(): Sample {
    const loops = [...this.#loops.values()].toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
    return { loops, leftOut: this.#leftOut };
  }

  /** All loops of the repository around a folder, with their generations that are over. @param root absolute, links resolved */
  async addRepository(root: string): Promise<void> {
    for (const at of await workspacesAround(root)) {
      const where = path.relative(root, at);
      const archived = await archivedIn(at);
      const generationsOf = (loopId: string): readonly number[] => {
        const generations = archived.get(loopId) ?? [];
        archived.delete(loopId);
        return generations;
      };
      // Some at a time, so that the disk is not waited for with each; of thousands, nothing is held but what is counted.
      for await (const found of eachInBatches(eachLoopOf(at), async (loop) => {
        if ("problem" in loop)
          return ARCHIVED.test(`${loop.id}.json`) ? [] : [unreadable(loop.id, where, loop.problem)];
        const { state, place, alive } = loop;
        const { counted, runs } = await archivedOf(at, place.loopId, generationsOf(place.loopId), where);
        if (alive) return [...counted, running(place.loopId, where)];
        return [...counted, (await generationOf(state, place, where, runs)).stats];
      }))
        this.#take(found);
      for await (const { counted } of eachInBatches(archived, async ([loopId, generations]) =>
        archivedOf(at, loopId, generations, where),
      ))
        this.#take(counted);
    }
  }

  /**
   * A downloaded artifact.
   *
   * @param artifact absolute
   * @returns the loop that it holds, or another copy of; undefined: it cannot be read
   */
  async addArtifact(artifact: string, shell: Shell): Promise<LoopKey | undefined> {
    const where = path.relative(shell.cwd, artifact) || artifact;
    const { inRecording } = await import("../recording.ts");
    try {
      return await inRecording(artifact, shell, async ({ state, place }) => {
        this.#add((await generationOf(state, place, where, null)).stats);
        return keyOf({ loopId: state.loop_id, generation: state.generation, createdAt: state.created_at });
      });
    } catch (error) {
      if (!(error instanceof OperationalError)) throw error;
      this.#leftOut.push(unreadable(path.basename(artifact), where, error));
      return undefined;
    }
  }

  /** A loop of which there is its state alone, as a ref holds it. */
  addState(state: LoopState, where: string): void {
    this.#add(statsOf({ state, where, runs: null }));
  }

  addRunning(loopId: string, where: string): void {
    this.#leftOut.push(running(loopId, where));
  }

  /** @param why part of a sentence */
  addUnreadable(loopId: string, where: string, why: string): void {
    this.#leftOut.push({ loopId, where, reason: "unreadable", why });
  }

  #take(found: readonly (LoopStats | LeftOut)[]): void {
    for (const one of found) {
      if ("why" in one) this.#leftOut.push(one);
      else this.#add(one);
    }
  }

  #add(loop: LoopStats): void {
    const key = keyOf(loop);
    const known = this.#loops.get(key);
    const isNewer = known === undefined || rankOf(loop) > rankOf(known);
    if (isNewer) this.#loops.set(key, loop);
    const older = isNewer ? known : loop;
    if (older === undefined) return;
    const { loopId, where } = older;
    this.#leftOut.push({ loopId, where, reason: "older_copy", why: "another copy of it is counted" });
  }
}

function running(loopId: string, where: string): LeftOut {
  return { loopId, where, reason: "running", why: "a run is at work on it" };
}

function unreadable(loopId: string, where: string, problem: OperationalError): LeftOut {
  const reason = problem.code === "STATE_NEWER" ? "newer_version" : "unreadable";
  return { loopId, where, reason, why: briefly(problem) };
}

interface Archived {
  readonly counted: readonly (LoopStats | LeftOut)[];
  /** what the events of the last of them say; null: nothing */
  readonly runs: RunCounts | null;
}

/** A loop's generations that are over, the oldest first. */
async function archivedOf(
  root: string,
  loopId: string,
  generations: readonly number[],
  where: string,
): Promise<Archived> {
  const counted: (LoopStats | LeftOut)[] = [];
  let runs: RunCounts | null = null;
  for (const number of generations) {
    const archive = archiveOf(placeOf(root, loopId, null), number);
    try {
      const state = await readState(archive.stateFile);
      // Whoever made another file of such a name: it is no generation of this loop.
      if (state?.loop_id !== loopId || state.generation !== number) continue;
      const generation: Generation = await generationOf(state, archive, where, runs);
      counted.push(generation.stats);
      runs = generation.runs;
    } catch (error) {
      if (!(error instanceof OperationalError)) throw error;
      counted.push(unreadable(`${loopId} #${number}`, where, error));
    }
  }
  return { counted, runs };
}

interface Generation {
  readonly stats: LoopStats;
  /** what its events say; null: nothing */
  readonly runs: RunCounts | null;
}

/** @param earlier what the events of the generation before it say; null: nothing, or there is none */
async function generationOf(
  state: LoopState,
  files: LoopFiles,
  where: string,
  earlier: RunCounts | null,
): Promise<Generation> {
  const { runs, problem } = await readRuns(files, state, earlier);
  return { stats: statsOf({ state, where, runs, eventsProblem: problem }), runs };
}

/** The newest copy counts; of two at one moment, that with the events. */
function rankOf({ revision, tally }: LoopStats): number {
  return revision * 2 + (tally === null ? 0 : 1);
}

/** One generation of a loop, wherever its copies are. */
export type LoopKey = string;

export function keyOf({
  loopId,
  generation,
  createdAt,
}: Pick<LoopStats, "loopId" | "generation" | "createdAt">): LoopKey {
  return JSON.stringify([loopId, generation, Date.parse(createdAt)]);
}

const ARCHIVED = /^(?<loopId>.+)\.g(?<number>[1-9]\d{0,14})\.json$/u;

/** The generations that are archived in a workspace, by loop, the oldest first: whatever has such a name. */
async function archivedIn(root: string): Promise<Map<string, readonly number[]>> {
  const names = await readdir(path.join(root, LOOPS_FOLDER)).catch(() => []);
  const found = new Map<string, number[]>();
  for (const name of names) {
    const { loopId, number } = ARCHIVED.exec(name)?.groups ?? {};
    if (loopId !== undefined) found.set(loopId, [...(found.get(loopId) ?? []), Number(number)]);
  }
  return new Map([...found].map(([loopId, numbers]) => [loopId, numbers.toSorted((a, b) => a - b)]));
}

/** The artifacts that a word names: one, or those in a folder, as `gh run download` leaves them; empty: it names none. */
export async function artifactsAt(word: string, cwd: string): Promise<readonly string[]> {
  const folder = path.resolve(cwd, word);
  const one = await artifactAt(word, cwd).catch(async (error: unknown) => {
    // A folder of artifacts is none itself.
    if ((await stat(folder).catch(() => undefined))?.isDirectory() === true) return undefined;
    throw error;
  });
  if (one !== undefined) return [one];
  const names = await readdir(folder).catch(() => []);
  const found = await inBatches(
    names.toSorted((a, b) => (a < b ? -1 : 1)),
    async (name) => artifactAt(path.join(folder, name), cwd).catch(() => undefined),
  );
  return found.filter((artifact) => artifact !== undefined);
}
