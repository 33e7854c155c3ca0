import { lstat, rename } from "node:fs/promises";
import path from "node:path";
import { AGENT_LOG_FILE, EARLIER_PROGRESS_FILE, EVENTS_FILE, PROGRESS_FILE } from "../core/names.ts";
import type { LoopEvent } from "../core/events.ts";
import { timestamp } from "../core/open-loop.ts";
import type { Reporter } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import { appendIn, replaceIn } from "../os/atomic-file.ts";
import { settledBy } from "../os/concurrency.ts";
import { exists, unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, type OwnFolder, openToRead, ownFolder } from "../os/own-file.ts";
import { activityLine, eventLines } from "../views/event-lines.ts";
import { plainText } from "../views/plain-text.ts";

interface PrdFilesOptions {
  /** the workspace, absolute: no link below it is followed (T14) */
  readonly root: string;
  /** the PRD's, absolute */
  readonly folder: string;
  /** the loop's, absolute: it gets the log as well, and takes it from machine to machine */
  readonly loopFolder: string;
  /** the end of the loop's notes, of at most so many bytes */
  readonly notes: (bytes: number) => Promise<string>;
  /** an event as a line of JSON with its end, without what readers must not see */
  readonly eventLine: (event: LoopEvent, state: LoopState) => string;
  /** a text without what readers must not see */
  readonly hiding: (text: string) => string;
  /** milliseconds since the epoch */
  readonly now: () => number;
  /** hears once why a file could not be written; the loop goes on without it */
  readonly failed: (why: Error) => void;
  /** bytes that a file may have before its older half goes; absent: as in a run */
  readonly limits?: Limits;
}

type Limits = Readonly<Record<"log" | "events" | "notes", number>>;

const LIMITS: Limits = { log: 5_000_000, events: 50_000_000, notes: 1_000_000 };

/** What is on its way into the files. */
interface Waiting {
  log: string;
  events: string;
  /** whether the loop's notes may have changed */
  notes: boolean;
}

const NOTHING: Waiting = { log: "", events: "", notes: false };

/** The copy's first line, by which one that somebody else has written is told apart. */
const OURS = "<!-- Smithers writes this file anew; the loop's own notes are in its folder. -->\n\n";

/**
 * Keeps what happened to a PRD beside its documents (D-31): `agent.log` and `events.jsonl` only grow, over all runs, and
 * `progress.md` is a copy of the loop's notes. They are for people, written and never read: the loop's own folder stays
 * the truth. Nothing is written before the first durable event.
 */
export function prdFilesReporter(options: PrdFilesOptions): Reporter {
  const { hiding, eventLine, now, failed } = options;
  const files = new PrdFiles(options);
  let waiting = NOTHING;
  let has = { begun: false, said: false };
  let prefix = "[0/0]";
  let work: Promise<void> | undefined;

  const add = (more: Partial<Waiting>): void => {
    const { log = "", events = "", notes = false } = more;
    waiting = { log: waiting.log + log, events: waiting.events + events, notes: waiting.notes || notes };
    if (has.begun) work ??= writeAll();
  };
  const writeAll = async (): Promise<void> => {
    while (waiting !== NOTHING) {
      const next = waiting;
      waiting = NOTHING;
      const broken = await files.write(next);
      if (broken !== undefined && !has.said) {
        has = { ...has, said: true };
        failed(broken);
      }
    }
    work = undefined;
  };
  const lines = (at: string, texts: readonly string[]): string =>
    texts.map((text) => `${at} ${prefix} ${hiding(plainText(text))}\n`).join("");
  return {
    report(event, state) {
      has = { ...has, begun: true };
      prefix = `[${state.iteration}/${state.max_iterations}]`;
      const texts = eventLines(event, state).map(({ text }) => text);
      add({ log: lines(event.at, texts), events: eventLine(event, state), notes: NOTED.has(event.type) });
    },
    observe(event) {
      const line = activityLine(event);
      if (line !== undefined) add({ log: lines(timestamp(now()), [line.text]) });
    },
    flush: async (deadline) => settledBy(work, deadline),
  };
}

/** After these the loop's notes can hold more: also when a run was killed before it could copy them. */
const NOTED: ReadonlySet<LoopEvent["type"]> = new Set(["loop_started", "loop_resumed", "settled", "loop_stopped"]);

class PrdFiles {
  readonly #options: PrdFilesOptions;
  readonly #limits: Limits;
  /** whether `progress.md` is known to be a copy */
  #isCopy = false;

  constructor(options: PrdFilesOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
  }

  /** @returns why not all of it could be written; what one file does not take, the others do */
  async write({ log, events, notes }: Waiting): Promise<Error | undefined> {
    const { root, folder, loopFolder } = this.#options;
    const [own, loop] = await Promise.all([ownFolder(root, folder), ownFolder(root, loopFolder)]);
    const written = await Promise.allSettled([
      append(own, AGENT_LOG_FILE, log, this.#limits.log),
      append(loop, AGENT_LOG_FILE, log, this.#limits.log),
      append(own, EVENTS_FILE, events, this.#limits.events),
      notes ? this.#copyNotes(own) : undefined,
    ]);
    const broken = written.find(({ status }) => status === "rejected");
    return broken?.status === "rejected" && broken.reason instanceof Error ? broken.reason : undefined;
  }

  async #copyNotes(folder: OwnFolder): Promise<void> {
    const { notes, hiding } = this.#options;
    const text = hiding(plainText(await notes(this.#limits.notes)));
    if (text === "") return;
    await inOwnFolder(folder, async (at) => {
      if (!this.#isCopy) await keepForeign(at);
      this.#isCopy = true;
      await replaceIn(at, PROGRESS_FILE, `${OURS}${text}`);
    });
  }
}

/** Notes of another tool, or of a person, go to a name of their own once. A link holds none: it is replaced. */
async function keepForeign(at: string): Promise<void> {
  const [file, kept] = [PROGRESS_FILE, EARLIER_PROGRESS_FILE].map((name) => path.join(at, name));
  if (file === undefined || kept === undefined || (await exists(kept))) return;
  const found = await unlessMissing(lstat(file));
  if (found?.isFile() !== true) return;
  const handle = await openToRead(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(OURS.length), 0, OURS.length, 0);
    if (bytesRead === 0 || buffer.toString("latin1", 0, bytesRead) === OURS) return;
  } finally {
    await handle.close();
  }
  await rename(file, kept);
}

async function append(folder: OwnFolder, name: string, text: string, limit: number): Promise<void> {
  if (text === "") return;
  await inOwnFolder(folder, async (at) => {
    await appendIn(at, name, text);
    await keepEnd(at, name, limit);
  });
}

const NEWLINE = 0x0a;

/** Of a file that is too long, the older half goes. */
async function keepEnd(at: string, name: string, limit: number): Promise<void> {
  const handle = await openToRead(path.join(at, name));
  try {
    const { size } = await handle.stat();
    if (size <= limit) return;
    const length = Math.floor(limit / 2);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const end = buffer.subarray(0, bytesRead);
    await replaceIn(at, name, end.subarray(end.indexOf(NEWLINE) + 1));
  } finally {
    await handle.close();
  }
}
