import { lstat, rename } from "node:fs/promises";
import path from "node:path";
import { EARLIER_PROGRESS_FILE, EVENTS_FILE, PROGRESS_FILE } from "../core/names.ts";
import type { LoopEvent } from "../core/events.ts";
import type { Reporter } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import { replaceIn } from "../os/atomic-file.ts";
import { settledBy } from "../os/concurrency.ts";
import { exists, unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, type OwnFolder, openToRead, ownFolder } from "../os/own-file.ts";
import { plainText } from "../views/plain-text.ts";
import { addTo } from "./growing-file.ts";

interface PrdFilesOptions {
  /** the workspace, absolute: no link below it is followed (T14) */
  readonly root: string;
  /** the PRD's, absolute */
  readonly folder: string;
  /** the end of the loop's notes, at most `bytes` of it */
  readonly notes: (bytes: number) => Promise<string>;
  /** an event as a line of JSON with its end, without what readers must not see */
  readonly eventLine: (event: LoopEvent, state: LoopState) => string;
  /** a text without what readers must not see */
  readonly hiding: (text: string) => string;
  /** hears once why a file could not be written; the loop goes on without it */
  readonly failed: (why: Error) => void;
  /** bytes that a file may have before its older half goes; absent: as in a run */
  readonly limits?: Limits;
}

type Limits = Readonly<Record<"events" | "notes", number>>;

const LIMITS: Limits = { events: 50_000_000, notes: 1_000_000 };

/** What is on its way into the files. */
interface Waiting {
  events: string;
  /** whether the loop's notes may have changed */
  notes: boolean;
}

const NOTHING: Waiting = { events: "", notes: false };

/** The copy's first line, by which one that somebody else has written is told apart. */
const OURS = "<!-- Smithers rewrites this file; the loop's own notes are in its folder. -->\n\n";

/**
 * Keeps what happened to a PRD beside its documents (D-31): `events.jsonl` only grows, over all runs, and `progress.md`
 * is a copy of the loop's notes; the log is `loopLogReporter`'s. They are for people, written and never read: the loop's own folder stays
 * the truth. Nothing is written before the first durable event.
 */
export function prdFilesReporter(options: PrdFilesOptions): Reporter {
  const { eventLine, failed } = options;
  const files = new PrdFiles(options);
  let waiting = NOTHING;
  let has = { begun: false, said: false };
  let work: Promise<void> | undefined;

  const add = (more: Partial<Waiting>): void => {
    const { events = "", notes = false } = more;
    waiting = { events: waiting.events + events, notes: waiting.notes || notes };
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
  return {
    report(event, state) {
      has = { ...has, begun: true };
      add({ events: eventLine(event, state), notes: NOTED.has(event.type) });
    },
    observe() {},
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
  async write({ events, notes }: Waiting): Promise<Error | undefined> {
    const { root, folder } = this.#options;
    const own = await ownFolder(root, folder);
    const written = await Promise.allSettled([
      addTo(own, EVENTS_FILE, events, this.#limits.events),
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
