import { existsSync } from "node:fs";
import { appendFile, readFile, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Draws } from "./draws.ts";
import { kill } from "./processes.ts";
import type { Running, Stage } from "./stage.ts";

/** What has become of a loop while its story is told. */
export interface Told {
  readonly stage: Stage;
  readonly stateFile: string;
  readonly eventsFile: string;
  /** the arguments of each run */
  readonly args: readonly string[];
  /** what the person's file has to hold at the end */
  notes: string;
  /** whether some of the history was cut off, so that it proves nothing any more */
  isHistoryCut: boolean;
  /** what must not have happened */
  readonly faults: string[];
}

/** What ends with the run: gives back what a trouble has taken. */
type Undo = () => Promise<unknown>;

/** Something that happens to a run, or before it. */
export interface Trouble {
  readonly name: string;
  /** before the run begins; else as soon as the run has written this many events, and `ms` later */
  readonly at: "before" | number;
  readonly ms: number;
  happen(told: Told, running: Running | undefined): Promise<Undo | undefined>;
}

type Happening = (draws: Draws) => Omit<Trouble, "name">;

const HOUR = 3_600_000;

/** Happens, and nothing has to be given back. */
const only =
  (happen: (told: Told, running: Running | undefined) => unknown): Trouble["happen"] =>
  async (told, running) => {
    await happen(told, running);
    return undefined;
  };

/** In the middle of a run; one that has just begun has not written anything. */
function during(draws: Draws, happen: Trouble["happen"], ms = draws.between(0, 120)): Omit<Trouble, "name"> {
  return { at: draws.between(0, 14), ms, happen };
}

function before(happen: Trouble["happen"]): Omit<Trouble, "name"> {
  return { at: "before", ms: 0, happen };
}

function signals(signal: NodeJS.Signals, ofGroup: boolean): Happening {
  return (draws) =>
    during(
      draws,
      only((_told, running) => {
        if (running?.isOver === false) kill(ofGroup ? -running.pid : running.pid, signal);
      }),
    );
}

const killMachine: Happening = (draws) =>
  during(
    draws,
    only(({ stage }) => stage.killAll()),
  );

const fillDisk: Happening = (draws) =>
  during(draws, async ({ stage: { disk } }) => {
    if (!disk.isOwn) return undefined;
    await disk.fill();
    return () => disk.drain();
  });

const beReadOnly: Happening = () =>
  before(async ({ stage: { disk }, faults }) => {
    if (!disk.isOwn || !(await disk.lock(true))) return undefined;
    return async () => {
      if (!(await disk.lock(false))) faults.push("the disk stays read-only");
    };
  });

/** Half a state is refused and left alone; then a person puts it back. */
const cutState: Happening = (draws) => {
  const share = draws.between(0, 99);
  return before(async ({ stateFile, faults }) => {
    const whole = await readFile(stateFile, "utf8").catch(() => undefined);
    if (whole === undefined) return undefined;
    const cut = whole.slice(0, Math.floor((whole.length * share) / 100));
    await writeFile(stateFile, cut);
    return async () => {
      if ((await readFile(stateFile, "utf8")) !== cut) faults.push("a damaged state was written over");
      await writeFile(stateFile, whole);
    };
  });
};

const cutEvents: Happening = (draws) => {
  const bytes = draws.between(1, 600);
  return before(
    only(async (told) => {
      const size = (await readFile(told.eventsFile).catch(() => undefined))?.length;
      if (size === undefined) return;
      told.isHistoryCut = true;
      await truncate(told.eventsFile, Math.max(0, size - bytes));
    }),
  );
};

const jumpClock: Happening = (draws) => {
  const by = draws.one([-48 * HOUR, -HOUR, -5_000, 5_000, HOUR, 48 * HOUR]);
  return during(
    draws,
    only(({ stage }) => stage.setClock(by)),
  );
};

/** Somebody else's git was killed; a person removes what it has left, or it lets go by itself. */
const leaveLock: Happening = (draws) => {
  const which = draws.one(["index.lock", "HEAD.lock", "refs"]);
  const lets = draws.onceIn(2);
  const ms = draws.between(100, 1_500);
  return during(draws, async ({ stage }) => {
    const branch = await stage.git("symbolic-ref", "HEAD");
    const file = path.join(stage.repository, ".git", which === "refs" ? `${branch}.lock` : which);
    const isMade = await writeFile(file, "", { flag: "wx" }).then(
      () => true,
      () => false,
    );
    if (!isMade) return undefined;
    if (!lets) return () => rm(file, { force: true });
    await sleep(ms);
    await rm(file, { force: true });
    return undefined;
  });
};

async function edit(told: Told, text: string): Promise<void> {
  // Before the loop is begun it would refuse.
  if ((await readFile(told.stateFile).catch(() => undefined)) === undefined) return;
  told.notes += text;
  await appendFile(path.join(told.stage.repository, "notes.md"), text);
}

const editBetween: Happening = (draws) => {
  const text = `between ${draws.between(0, 9_999)}\n`;
  const adds = draws.onceIn(3);
  return before(
    only(async (told) => {
      await edit(told, text);
      if (adds) await told.stage.git("add", "notes.md").catch(() => "");
    }),
  );
};

const editMeanwhile: Happening = (draws) => {
  const text = `meanwhile ${draws.between(0, 9_999)}\n`;
  return during(
    draws,
    only((told) => edit(told, text)),
  );
};

const switchBranch: Happening = (draws) => {
  const branch = `other-${draws.between(0, 9_999)}`;
  const change = only(({ stage }) => stage.git("switch", "-q", "-c", branch).catch(() => ""));
  return draws.onceIn(2) ? before(change) : during(draws, change);
};

const collectGarbage: Happening = (draws) =>
  during(
    draws,
    only(({ stage }) => stage.git("gc", "-q").catch(() => "")),
  );

const runTwice: Happening = (draws) =>
  during(draws, async ({ stage, args, stateFile }, running) => {
    if (running?.isOver !== false) return undefined;
    // A run of a loop that has ended meanwhile begins it anew.
    const { ended } = stage.start(existsSync(stateFile) ? ["resume", ...args.slice(1)] : args);
    return () => ended;
  });

/** What may happen, each as often as it is there. */
export const TROUBLES = {
  "kill the process": signals("SIGKILL", false),
  "kill the group": signals("SIGKILL", true),
  "kill the machine": killMachine,
  interrupt: signals("SIGINT", false),
  terminate: signals("SIGTERM", true),
  "disk full": fillDisk,
  "read-only disk": beReadOnly,
  "cut state": cutState,
  "cut events": cutEvents,
  "clock jump": jumpClock,
  "left lock": leaveLock,
  "edit between runs": editBetween,
  "edit during a run": editMeanwhile,
  "switch branch": switchBranch,
  "git gc": collectGarbage,
  "two at once": runTwice,
} satisfies Record<string, Happening>;
export type TroubleName = keyof typeof TROUBLES;
