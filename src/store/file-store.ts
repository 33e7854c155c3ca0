import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { messageOf, OperationalError } from "../core/errors.ts";
import type { LoopEvent } from "../core/events.ts";
import { PROMPT_FILE } from "../core/names.ts";
import type { Store } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import { removeTemporaries, writeFileDurably } from "../os/atomic-file.ts";
import { archiveRecord, folderOf, type LoopFiles, stateFolderOf, UNFINISHED } from "./loop-files.ts";
import { damaged, readState, writeState } from "./state-file.ts";
import { EventLog } from "./event-log.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { sha256 } from "../os/digest.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { refuseFullDisk } from "../os/free-space.ts";
import { machineTrouble } from "../os/machine-trouble.ts";
import { inOwnFolder, makeOwnFolder, readOwnFile } from "../os/own-file.ts";

/** Keeps one loop in its state file and its folder, for one writer at a time (W-40, W-42, R-21). */
export class FileStore implements Store {
  readonly #files: LoopFiles;
  readonly #events: EventLog;
  readonly #leastFreeMib: number | null;
  #lock: Lock | undefined;
  /** of the state on the disk; undefined when it has to be read (again) */
  #revision: number | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param leastFreeMib as `refuseFullDisk` */
  constructor(files: LoopFiles, leastFreeMib: number | null = null) {
    this.#files = files;
    this.#leastFreeMib = leastFreeMib;
    this.#events = new EventLog(files);
  }

  /**
   * Takes the loop's lock, makes what is missing and clears away what a killed run left. `load` works without it and
   * then changes nothing; `append` and `archive` need it.
   *
   * @returns whether the loop's last run was killed
   * @throws OperationalError `LOOP_BUSY`
   */
  async open(): Promise<boolean> {
    this.#lock = await acquireLock(this.#files.folder, async () => makeOwnFolder(await folderOf(this.#files)));
    await this.#atState((file) => removeTemporaries(file));
    await this.#inFolder(async (at) => {
      const left = (await readdir(at)).filter((name) => UNFINISHED.test(name));
      await Promise.all(left.map((name) => rm(path.join(at, name), { force: true })));
    });
    return this.#lock.isTakenOver;
  }

  /** Lets go of the lock and the open file. Idempotent. */
  async close(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await this.#last;
    this.#revision = undefined;
    await this.#events.close();
    await lock?.release();
  }

  async load(loopId: string): Promise<LoopState | undefined> {
    const { stateFile } = this.#files;
    const state = await readState(stateFile);
    if (state !== undefined && state.loop_id !== loopId) {
      throw damaged(stateFile, `it belongs to loop ${state.loop_id}, not to ${loopId}`);
    }
    if (this.#lock !== undefined) {
      this.#revision = state?.revision ?? 0;
      await this.#events.cutAfter(this.#revision);
    }
    return state;
  }

  async loadPrompt(state: LoopState): Promise<string> {
    return await readPrompt(this.#files.folder, state);
  }

  /** Writes a loaded state's whole prompt again when its file does not hold it; leaves any other prompt alone. */
  async keepPrompt(state: LoopState, prompt: string): Promise<void> {
    if (state.prompt_path === null || sha256(prompt) !== state.prompt_digest) return;
    await this.#inOrder(async () => {
      await this.#inFolder(async (at) => {
        const file = path.join(at, PROMPT_FILE);
        const present = await readOwnFile(file).catch(() => undefined);
        if (present !== prompt) await writeFileDurably(file, prompt);
      });
    });
  }

  async append(event: LoopEvent, state: LoopState): Promise<void> {
    return await this.#inOrder(async (lock) => {
      const revision = await this.#revisionOnDisk(lock, state.loop_id);
      if (state.revision !== revision + 1) throw stale(this.#files.stateFile, revision, state);
      if (event.type === "turn_started") await this.#inFolder((at) => refuseFullDisk(at, this.#leastFreeMib));
      try {
        await this.#write(event, state);
      } catch (error) {
        this.#revision = undefined;
        if (error instanceof OperationalError) throw error;
        throw unwritable(this.#files.stateFile, revision, error);
      }
      this.#revision = state.revision;
    });
  }

  /** Moves the record aside, so that the loop can begin again under its id (C25). Idempotent. */
  async archive(): Promise<void> {
    await this.#inOrder(async () => {
      await this.#events.close();
      await archiveRecord(this.#files);
      this.#revision = 0;
    });
  }

  /** Writes the event first: without its state it is cut at load; a state without its event could not be repaired. */
  async #write(event: LoopEvent, state: LoopState): Promise<void> {
    if (event.type === "loop_started" && state.prompt_path !== null) {
      await this.#inFolder((at) => writeFileDurably(path.join(at, PROMPT_FILE), event.identity.prompt));
    }
    const logged = this.#events.append(event, state);
    const written = this.#atState((file) => writeState(file, state, logged));
    // If one fails, the other still ends first.
    await Promise.allSettled([logged, written]);
    await logged;
    await written;
  }

  async #revisionOnDisk(lock: Lock, loopId: string): Promise<number> {
    const known = this.#revision;
    if (await lock.keep()) return known ?? (await this.load(loopId))?.revision ?? 0;
    // where everything was deleted under the running loop, what it knows is all there is
    return (await readState(this.#files.stateFile))?.revision ?? known ?? 0;
  }

  /** No link is followed on the way there: an agent may have made it (T14). */
  async #inFolder(work: (at: string) => Promise<void>): Promise<void> {
    await inOwnFolder(await folderOf(this.#files), work);
  }

  /** The same, with the state file. */
  async #atState(work: (file: string) => Promise<void>): Promise<void> {
    const name = path.basename(this.#files.stateFile);
    await inOwnFolder(await stateFolderOf(this.#files), (at) => work(path.join(at, name)));
  }

  async #inOrder<T>(work: (lock: Lock) => Promise<T>): Promise<T> {
    const lock = this.#lock;
    if (lock === undefined) throw new Error("The store has to be opened before it is written to.");
    const done = this.#last.then(() => work(lock));
    this.#last = done.catch(() => undefined);
    return await done;
  }
}

function stale(stateFile: string, revision: number, state: LoopState): OperationalError {
  return new OperationalError({
    code: "STATE_STALE",
    what: `The state file ${stateFile} is at revision ${revision}, so revision ${state.revision} cannot follow it: another run went on with this loop. The file was not touched.`,
    next: `Look at the loop with "smithers status --loop-id ${state.loop_id}" and resume it from there.`,
  });
}

function unwritable(stateFile: string, revision: number, cause: unknown): OperationalError {
  const { what, next } = machineTrouble(cause) ?? { what: messageOf(cause), next: "Put that right" };
  return new OperationalError(
    {
      code: "STATE_UNWRITABLE",
      what: `The state file ${stateFile} cannot be written: ${what}. Revision ${revision}, the last one saved, is unharmed.`,
      next: `${next}, then resume the loop.`,
    },
    { cause },
  );
}

/**
 * The whole prompt of a loop, verified (W-50).
 *
 * @throws OperationalError `PROMPT_MISSING` or `PROMPT_DAMAGED`; nothing is touched
 */
export async function readPrompt(folder: string, state: LoopState): Promise<string> {
  if (state.prompt_path === null) return state.prompt;
  // the name is ours alone: a path that came with the state is never followed
  const file = path.join(folder, PROMPT_FILE);
  const prompt = await unlessMissing(readOwnFile(file));
  if (prompt === undefined) throw unusable("PROMPT_MISSING", state, `its file ${file} is not there`);
  if (sha256(prompt) !== state.prompt_digest) {
    throw unusable("PROMPT_DAMAGED", state, `its file ${file} is not what the loop began with`);
  }
  return prompt;
}

function unusable(code: string, state: LoopState, why: string): OperationalError {
  return new OperationalError({
    code,
    what: `The whole prompt of loop ${state.loop_id} is lost: ${why}. The state is unharmed.`,
    next: "Put the file back, or start the loop again with the prompt.",
  });
}
