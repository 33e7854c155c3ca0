import { lstat, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eachLoopOf, workspacesAround } from "../../app/loops/loops-of-repository.ts";
import type { FoundLoop } from "../../app/loops/stored-loop.ts";
import { keptSettings } from "../../app/resume/kept.ts";
import type { Shell } from "../../app/shell.ts";
import { seenFromAfar, viewOfFound } from "../../app/view-of.ts";
import type { KeptSettings } from "../../config/kept.ts";
import { valueText } from "../../config/parse.ts";
import { requestControl } from "../../control/folder.ts";
import { briefly, line, type Line, oneLine } from "../../views/plain-text.ts";
import { type LoopRow, newestFirst } from "../../views/at-a-glance.ts";
import { grouped } from "../../views/amounts.ts";
import { notificationOf } from "../../views/notification.ts";
import { LogLines } from "../../live/log-lines.ts";
import type { Watching } from "../../live/open-view.ts";
import type { Watched } from "../../live/pages.ts";
import type { Request, Runs } from "../../live/scene.ts";
import { AGENT_LOG_FILE, EVENTS_FILE } from "../../core/names.ts";
import type { LoopState } from "../../core/state.ts";
import { transition } from "../../core/transition.ts";
import { exists } from "../../os/file-errors.ts";
import { inTempFolder } from "../../os/temp-folder.ts";
import { followLog } from "../../store/follow-log.ts";
import { lockHolder } from "../../store/lock.ts";
import { folderOf, identityOf, SeenStates } from "../../store/loop-files.ts";
import { eventIn, readEvents } from "../../store/read-events.ts";
import { readState } from "../../store/state-file.ts";
import { resetLoop } from "../control.ts";
import { openIn, pagerOf } from "../prd/editor.ts";
import { rowOf } from "../list.ts";
import type { RunBehind } from "./beside.ts";

const LOOK_MS = 250;
/** Looking for other loops asks for all their files; of thousands that takes a while, and most of the time is for keys. */
const LOOK_AROUND_MS = 2_000;
const PAUSES_FOR_A_LOOK = 9;
/** Between two drawings of a list that is being read: each of them has all loops that are there put in their order. */
const TELL_READ_MS = 500;

interface FollowOptions {
  /** the workspace of the person, absolute */
  readonly root: string;
  readonly shell: Shell;
  /** whether what is watched is a recorded loop, and there are no others */
  readonly isRecorded: boolean;
  /** files of loops that are there to be read; 0: all loops are known */
  readonly unread: number;
  /** notifies whoever looks; absent: nobody wants it */
  readonly notify?: ((text: string) => void) | undefined;
  /** the run on whose terminal this is, with its loop; undefined: none */
  readonly behind: (RunBehind & { readonly loop: FoundLoop }) | undefined;
}

/** Follows loops from their folders, as other processes write them. Nothing of theirs is changed by looking. */
export class Follower implements Watching {
  readonly #options: FollowOptions;
  readonly #listeners = new Set<() => void>();
  readonly #known: readonly FoundLoop[];
  #loops: readonly FoundLoop[];
  /** see `Scene` */
  #reading: string;
  #toldAt = -Infinity;
  #looksAround = false;
  #listed: { readonly of: readonly FoundLoop[] | null; readonly rows: readonly LoopRow[] } = { of: null, rows: [] };
  #found: FoundLoop | undefined;
  #watched: Watched | null = null;
  #log = new LogLines();
  /** of the loop that is watched; aborted when another one is */
  #following = new AbortController();
  readonly #closed = new AbortController();

  /** @param known loops of the repository, as they were found */
  constructor(known: readonly FoundLoop[], options: FollowOptions) {
    this.#known = known;
    this.#loops = known;
    this.#options = options;
    this.#reading = options.unread === 0 ? "" : this.#readSoFar(0);
  }

  readonly facts: Watching["facts"] = () => ({
    ...{ loops: this.#rows(), reading: this.#reading, watched: this.#watched, log: this.#log },
    runs: this.#runs(),
  });

  readonly subscribe: Watching["subscribe"] = (changed) => {
    this.#listeners.add(changed);
    // Not before there is a view: what it is drawn with would be loaded later.
    if (!this.#options.isRecorded && !this.#looksAround) void this.#lookAround();
    return () => this.#listeners.delete(changed);
  };

  /** the loop that is watched, as it was last seen */
  get found(): FoundLoop | undefined {
    return this.#found;
  }

  /** Watches one loop from now on. @throws as reading its state and its lock */
  async watch(found: FoundLoop): Promise<void> {
    this.#following.abort();
    this.#following = new AbortController();
    this.#log = new LogLines();
    // It may have been found a while ago; what changes from here on is seen.
    const before = await stampOf(found);
    await this.#see(await looked(found));
    void this.#followState(found, before, this.#following.signal);
    void this.#followWords(found, this.#log, this.#following.signal);
    const { notify, behind } = this.#options;
    const isOwn = behind?.loop.place.stateFile === found.place.stateFile;
    if (notify !== undefined)
      void this.#followCalls(found, notify, isOwn ? behind.since : Date.now(), this.#following.signal);
  }

  /** Looks once more, and no more from then on. */
  async close(): Promise<void> {
    this.#following.abort();
    this.#closed.abort();
    if (this.#found !== undefined) await this.#see(await looked(this.#found)).catch(() => undefined);
  }

  readonly perform: Watching["perform"] = async (asked) => {
    if (asked.kind === "watch") return this.#switch(asked);
    const { shell } = this.#options;
    const found = this.#found;
    if (found === undefined) return "No loop is chosen.";
    if (this.#watched?.view.isGone === true) return "Its folder is gone: there is nothing to act on.";
    const { root, folder, loopId } = found.place;
    switch (asked.kind) {
      case "pause":
        await requestControl(folder, "pause", `${shell.program} watch`, root);
        return "It is asked to pause after its iteration. x stops it now.";
      case "stop":
        await requestControl(folder, "stop", `${shell.program} watch`, root);
        return "It is asked to stop now; its work is being saved.";
      case "resume":
        return `Go on with it in another terminal: ${this.#watched?.view.resume ?? `${shell.program} resume ${loopId}`}`;
      case "reset-circuit": {
        const { state, told } = await resetLoop(found, "circuit", shell);
        await this.#see({ ...found, state });
        return told;
      }
    }
  };

  readonly keepText: Watching["keepText"] = async (text) => {
    // It is there when the view has been left: only a person knows when it is not needed any more.
    const file = path.join(await mkdtemp(path.join(tmpdir(), "smithers-text-")), "smithers.txt");
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };

  readonly page: Watching["page"] = async (text) => {
    const { shell, behind } = this.#options;
    const pager = pagerOf(shell);
    if (pager === undefined) return `There is no pager (PAGER, or less). The text is in ${await this.keepText(text)}`;
    await behind?.tell({ pager: true });
    const why = await inTempFolder(async (folder) => {
      const file = path.join(folder, "smithers.txt");
      await writeFile(file, text, { mode: 0o600 });
      return openIn(pager, file, shell);
    });
    await behind?.tell({ pager: false });
    return why === undefined ? "" : `${pager[0]} did not show it: ${why}. The text is in ${await this.keepText(text)}`;
  };

  async #switch({ loopId, where }: Extract<Request, { kind: "watch" }>): Promise<string> {
    const root = path.resolve(this.#options.root, where);
    const meant = this.#loops.find(({ place }) => place.loopId === loopId && place.root === root);
    if (meant === undefined) return `Loop ${loopId} is not there any more.`;
    await this.watch(meant);
    return "";
  }

  #runs(): Runs {
    const { behind } = this.#options;
    const isOwn = ({ place }: FoundLoop): boolean => place.stateFile === behind?.loop.place.stateFile;
    const own = this.#found !== undefined && isOwn(this.#found) ? this.#found : this.#loops.find(isOwn);
    return behind !== undefined && own?.alive === true ? behind.runs : "elsewhere";
  }

  /** Made once for each look around: every key asks for them. */
  #rows(): readonly LoopRow[] {
    if (this.#listed.of !== this.#loops) {
      const roots = new Set(this.#loops.map(({ place }) => place.root));
      const where = new Map([...roots].map((root) => [root, path.relative(this.#options.root, root)]));
      const rows = this.#loops.map((each) => rowOf(each, where.get(each.place.root) ?? ""));
      this.#listed = { of: this.#loops, rows: newestFirst(rows) };
    }
    return this.#listed.rows;
  }

  #changed(): void {
    for (const changed of this.#listeners) changed();
  }

  async #see(found: FoundLoop): Promise<void> {
    const { shell, isRecorded } = this.#options;
    const kept = await keptSettings(found.place, shell).catch(() => undefined);
    const onlooker = { program: shell.program, flags: {}, kept, providerArgs: [] };
    const here = await viewOfFound(found, shell.env, onlooker);
    const isGone = !isRecorded && !(await exists(found.place.stateFile));
    const view = isRecorded ? { ...seenFromAfar(here), isRecorded } : isGone ? { ...here, isGone } : here;
    const steps = isRecorded ? await stepsOf(found) : [];
    this.#found = found;
    const where = isRecorded ? "" : path.relative(this.#options.root, found.state.workspace_root);
    this.#watched = {
      ...{ view, where, settings: settingLines(kept), limits: limitsOf(found.state, kept) },
      steps: steps.map((state) => ({ ...view, state })),
    };
    this.#changed();
  }

  async #followState(found: FoundLoop, seen: string, signal: AbortSignal): Promise<void> {
    let before = seen;
    while (!signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      const now = await stampOf(found);
      if (now === before || signal.aborted) continue;
      before = now;
      // A file that cannot be read now is looked at again when it changes.
      await this.#see(await looked(found)).catch(() => undefined);
    }
  }

  async #followWords(found: FoundLoop, log: LogLines, signal: AbortSignal): Promise<void> {
    try {
      for await (const text of followLog(await folderOf(found.place), AGENT_LOG_FILE, async () => !signal.aborted)) {
        if (signal.aborted) return;
        log.add(text);
        this.#changed();
      }
    } catch (error) {
      log.add(`The log cannot be read: ${briefly(error)}`);
      this.#changed();
    }
  }

  /** Notifies of what happens from a time on, in milliseconds since the epoch; the state tells nothing of a wait. */
  async #followCalls(
    { place }: FoundLoop,
    notify: (text: string) => void,
    since: number,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for await (const text of followLog(await folderOf(place), EVENTS_FILE, async () => !signal.aborted)) {
        const said = callIn(text, since, place.loopId);
        if (signal.aborted) return;
        if (said !== undefined) notify(said);
      }
    } catch {
      // It is seen all the same, and notifying is a convenience.
    }
  }

  async #lookAround(): Promise<void> {
    this.#looksAround = true;
    const { signal } = this.#closed;
    const seen = new SeenStates();
    let pause = this.#reading === "" ? LOOK_AROUND_MS : 0;
    while (!signal.aborted) {
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const wasReading = this.#reading !== "";
      const begun = performance.now();
      await this.#look(seen).catch((error: unknown) => this.#tellUnread(error));
      // Who waits for the list has been told; looking again takes less time.
      pause = wasReading ? LOOK_AROUND_MS : Math.max(LOOK_AROUND_MS, (performance.now() - begun) * PAUSES_FOR_A_LOOK);
    }
  }

  /** Finds the loops that are there now; those of the first look are shown as they are read. */
  async #look(seen: SeenStates): Promise<void> {
    const found: FoundLoop[] = [];
    seen.lookAgain();
    for (const root of await workspacesAround(this.#options.root)) {
      for await (const loop of eachLoopOf(root, { seen })) {
        if (this.#closed.signal.aborted) return;
        if (!("problem" in loop)) found.push(loop);
        if (this.#reading !== "") this.#tellRead(found, seen.size);
      }
    }
    if (this.#closed.signal.aborted) return;
    this.#reading = "";
    this.#loops = found;
    this.#changed();
  }

  #readSoFar(read: number): string {
    return `Reading loops, ${grouped(read)} of ${grouped(this.#options.unread)}`;
  }

  #tellRead(found: readonly FoundLoop[], read: number): void {
    const now = performance.now();
    if (now - this.#toldAt < TELL_READ_MS) return;
    this.#toldAt = now;
    this.#reading = this.#readSoFar(read);
    const files = new Set(found.map(({ place }) => place.stateFile));
    this.#loops = [...found, ...this.#known.filter(({ place }) => !files.has(place.stateFile))];
    this.#changed();
  }

  /** What was read before stays, and the next look may be luckier. */
  #tellUnread(error: unknown): void {
    if (this.#reading === "") return;
    this.#reading = `Not all loops can be read: ${briefly(error)}`;
    this.#changed();
  }
}

/** What a line of the events calls for; undefined: nothing, or the line is broken, and those behind it are heard all the same. */
function callIn(text: string, since: number, loopId: string): string | undefined {
  try {
    const event = eventIn(text);
    return event && Date.parse(event.at) >= since ? notificationOf(event, loopId) : undefined;
  } catch {
    return undefined;
  }
}

/** How many steps of a loop are held; the oldest go first. */
const MOST_STEPS = 500;

/** How a loop was after each of its iterations but the last, from its events, as far as they can be read. */
async function stepsOf({ place, state: end }: FoundLoop): Promise<readonly LoopState[]> {
  const after = new Map<number, LoopState>();
  try {
    let state: LoopState | undefined;
    for await (const event of readEvents(place)) {
      state = transition(state, event);
      if (state.revision > end.revision) break;
      if (state.iteration > 0 && event.type !== "loop_resumed") after.set(state.iteration, state);
      if (after.size > MOST_STEPS) after.delete(state.iteration - MOST_STEPS);
    }
  } catch {
    // What came before can be looked at all the same.
  }
  after.delete(end.iteration);
  return [...after.values()];
}

async function looked(found: FoundLoop): Promise<FoundLoop> {
  const { place } = found;
  const alive = (await lockHolder(place.folder)) !== undefined;
  return { place, alive, state: (await readState(place.stateFile)) ?? found.state };
}

/** What is another as soon as the loop is. Its folder may go alone. */
async function stampOf({ place }: FoundLoop): Promise<string> {
  const [file, folder, holder] = await Promise.all([
    identityOf(place.stateFile),
    lstat(place.folder).catch(() => undefined),
    lockHolder(place.folder).catch(() => undefined),
  ]);
  return `${file}:${folder?.ino}:${holder !== undefined}`;
}

function settingLines(kept: KeptSettings | undefined): readonly Line[] {
  const all = Object.entries(kept?.holds ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return all.map(([name, { value, from }]) => line(`${name}: ${oneLine(valueText(value) ?? "none")} (${from})`));
}

/** The limits that were set, each with what was used of it. */
function limitsOf({ spent }: LoopState, kept: KeptSettings | undefined): readonly string[] {
  const most = (name: string): string | undefined => {
    const value = kept?.holds[name]?.value;
    return typeof value === "number" && value > 0 ? grouped(value) : undefined;
  };
  const [tokens, minutes, budget] = ["max-tokens", "max-total-minutes", "time-budget-minutes"].map(most);
  const used = Math.floor((spent.turn_ms + spent.check_ms) / 60_000);
  return [
    ...(tokens === undefined ? [] : [`${grouped(spent.tokens)} of ${tokens} tokens`]),
    ...(minutes === undefined ? [] : [`${grouped(used)} of ${minutes} minutes in all`]),
    ...(budget === undefined ? [] : [`${budget} minutes a run`]),
  ];
}
