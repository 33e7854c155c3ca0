import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { loopsOfRepository } from "../../app/loops/loops-of-repository.ts";
import type { FoundLoop } from "../../app/loops/stored-loop.ts";
import type { Shell } from "../../app/shell.ts";
import { OperationalError } from "../../core/errors.ts";
import type { LoopEvent } from "../../core/events.ts";
import type { LoopState } from "../../core/state.ts";
import { hasCode } from "../../os/file-errors.ts";
import { archiveOf, type LoopFiles } from "../../store/loop-files.ts";
import { EARLIER_GENERATIONS, readEvents } from "../../store/read-events.ts";
import { readState } from "../../store/state-file.ts";
import { briefly } from "../../views/plain-text.ts";
import { countRuns, type LoopStats, noRuns, type RunCounts, statsOf } from "../../views/stats/loop-stats.ts";
import type { LeftOut, Sample } from "../../views/stats/totals.ts";
import { artifactAt } from "../artifact-at.ts";

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
    for (const { root: at, loops, broken } of await loopsOfRepository(root)) {
      const where = path.relative(root, at);
      for (const { id, problem } of broken) this.#leaveOut(id, where, problem);
      for (const found of loops) await this.#addLoop(found, where);
    }
  }

  /** A downloaded artifact, or a folder of several. @param artifact absolute */
  async addArtifact(artifact: string, shell: Shell): Promise<void> {
    const where = whereOf(artifact, shell.cwd);
    const { inRecording } = await import("../recording.ts");
    try {
      await inRecording(artifact, shell, async (found) => this.#addGeneration(found.state, found.place, where));
    } catch (error) {
      if (!(error instanceof OperationalError)) throw error;
      this.#leaveOut(path.basename(artifact), where, error);
    }
  }

  /** A loop of which there is its state alone, as a ref holds it. */
  addState(state: LoopState, where: string): void {
    this.#add(statsOf({ state, where, runs: null }));
  }

  addRunning(loopId: string, where: string): void {
    this.#leftOut.push({ loopId, where, reason: "running", why: "a run is at work on it" });
  }

  /** @param why part of a sentence */
  addUnreadable(loopId: string, where: string, why: string): void {
    this.#leftOut.push({ loopId, where, reason: "unreadable", why });
  }

  async #addLoop({ place, state, alive }: FoundLoop, where: string): Promise<void> {
    let earlier: RunCounts | undefined;
    const { generation } = state;
    for (let number = Math.max(1, generation - EARLIER_GENERATIONS); number < generation; number += 1) {
      const archive = archiveOf(place, number);
      try {
        const archived = await readState(archive.stateFile);
        if (archived?.loop_id === state.loop_id) earlier = await this.#addGeneration(archived, archive, where, earlier);
      } catch (error) {
        if (!(error instanceof OperationalError)) throw error;
        this.#leaveOut(state.loop_id, where, error);
      }
    }
    if (alive) this.addRunning(state.loop_id, where);
    else await this.#addGeneration(state, place, where, earlier);
  }

  /** @returns what its events say; undefined: they are not there */
  async #addGeneration(
    state: LoopState,
    files: LoopFiles,
    where: string,
    earlier?: RunCounts,
  ): Promise<RunCounts | undefined> {
    const runs = await counted(readEvents(files), noRuns(earlier));
    this.#add(statsOf({ state, where, runs: runs ?? null }));
    return runs;
  }

  #add(loop: LoopStats): void {
    const key = JSON.stringify([loop.loopId, loop.generation, Date.parse(loop.createdAt)]);
    const known = this.#loops.get(key);
    const isNewer = known === undefined || rankOf(loop) > rankOf(known);
    if (isNewer) this.#loops.set(key, loop);
    const older = isNewer ? known : loop;
    if (older === undefined) return;
    const { loopId, where } = older;
    this.#leftOut.push({ loopId, where, reason: "older_copy", why: "another copy of it is counted" });
  }

  #leaveOut(loopId: string, where: string, problem: OperationalError): void {
    const reason = problem.code === "STATE_NEWER" ? "newer_version" : "unreadable";
    this.#leftOut.push({ loopId, where, reason, why: briefly(problem) });
  }
}

/** The newest copy counts; of two at one moment, that with the events. */
function rankOf({ revision, tally }: LoopStats): number {
  return revision * 2 + (tally === null ? 0 : 1);
}

/** Undefined: there are no events. */
async function counted(events: AsyncIterable<LoopEvent>, from: RunCounts): Promise<RunCounts | undefined> {
  let counts = from;
  let isThere = false;
  try {
    for await (const event of events) {
      counts = countRuns(counts, event);
      isThere = true;
    }
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  return isThere ? counts : undefined;
}

/** An artifact as its loops are said to be in. @param artifact absolute */
export function whereOf(artifact: string, cwd: string): string {
  return path.relative(cwd, artifact) || artifact;
}

/** More than anybody downloads at once. */
const MOST_ARTIFACTS = 1_000;

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
  const inside = names.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, MOST_ARTIFACTS);
  const found = await Promise.all(
    inside.map(async (name) => artifactAt(path.join(folder, name), cwd).catch(() => undefined)),
  );
  return found.filter((artifact) => artifact !== undefined);
}
