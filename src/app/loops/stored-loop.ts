import path from "node:path";
import { UsageError } from "../../core/errors.ts";
import type { LoopEvent } from "../../core/events.ts";
import { outcomeOf } from "../../core/outcome.ts";
import type { LoopState } from "../../core/state.ts";
import { transition } from "../../core/transition.ts";
import { FileStore } from "../../store/file-store.ts";
import { eachLoop, type ListedLoop, listLoops } from "../../store/loop-files.ts";
import { lockHolder } from "../../store/lock.ts";
import { readState } from "../../store/state-file.ts";
import type { Location } from "../locate.ts";
import { type LoopPlace, LOOPS_FOLDER, placeOf } from "../../store/place.ts";

export interface FoundLoop {
  readonly place: LoopPlace;
  readonly state: LoopState;
  readonly alive: boolean;
}

/** Loops that an error names: of very many, as many as fit on a screen. */
const MOST_NAMED = 20;

/** Which of several loops is meant when no id is given. */
const WANTED = {
  running: ({ alive }: FoundLoop) => alive,
  unfinished: ({ state }: FoundLoop) => !isOver(state),
  resumable: ({ state, alive }: FoundLoop) => !isOver(state) && !alive,
};

/**
 * The loop that a command is about. Without `--loop-id` it is the only loop, or the only one of the kind that the
 * command is for.
 *
 * @throws UsageError that lists the loops when that is not clear, or when no loop exists
 * @throws OperationalError when the only one cannot be read
 */
export async function findLoop(location: Location, wanted: keyof typeof WANTED): Promise<FoundLoop> {
  if (location.stateFile !== null) return loopInFile(location, location.stateFile);
  if (location.loopId !== null) return loopCalled(location, location.loopId);
  const listed = await listLoops(path.join(location.root, LOOPS_FOLDER));
  const loops = await readableOf(location.root, listed);
  const fitting = loops.filter(WANTED[wanted]);
  const candidates = fitting.length > 0 ? fitting : loops;
  const [only] = candidates;
  const [first] = listed;
  if (listed.length === 1 && first !== undefined && "problem" in first) throw first.problem;
  if (only === undefined || candidates.length > 1) throw await unclear(location, listed);
  return only;
}

/** Those of a folder's loops that can be read. @param root of the workspace that they are in */
export async function readableOf(root: string, listed: readonly ListedLoop[]): Promise<readonly FoundLoop[]> {
  const states = listed.flatMap((loop) => ("state" in loop ? [loop.state] : []));
  return Promise.all(states.map((state) => found(placeOf(root, state.loop_id, null), state)));
}

async function loopInFile(location: Location, stateFile: string): Promise<FoundLoop> {
  const state = await readState(path.resolve(location.root, stateFile));
  if (state === undefined) throw noLoop(`There is no loop in the state file ${stateFile}.`);
  if (location.loopId !== null && location.loopId !== state.loop_id) throw otherLoop(stateFile, state, location.loopId);
  return found(placeOf(location.root, state.loop_id, stateFile), state);
}

/** @param loopId of the loop, or what no other loop's id begins with */
async function loopCalled(location: Location, loopId: string): Promise<FoundLoop> {
  const place = placeOf(location.root, loopId, null);
  const state = await readState(place.stateFile);
  if (state !== undefined) return found(place, state);
  const folder = path.dirname(place.stateFile);
  const [meant, ...more] = await listLoops(folder, { prefix: loopId });
  if (meant !== undefined && more.length > 0) throw await unclear(location, [meant, ...more]);
  if (meant !== undefined && "problem" in meant) throw meant.problem;
  if (meant !== undefined) return found(placeOf(location.root, meant.id, null), meant.state);
  const known: string[] = [];
  for await (const { id } of eachLoop(folder)) if (known.push(id) > MOST_NAMED) break;
  const names = known.slice(0, MOST_NAMED).join(", ");
  const told = known.length === 0 ? "" : ` Known: ${names}${known.length > MOST_NAMED ? " and others" : ""}.`;
  throw noLoop(`There is no loop ${loopId} in ${location.root}.${told}`);
}

/** The state file that a run names belongs to one loop only. */
export function otherLoop(stateFile: string, state: LoopState, asked: string): UsageError {
  return new UsageError({
    code: "LOOP_ID_MISMATCH",
    what: `The state file ${stateFile} belongs to loop ${state.loop_id}, not to ${asked}.`,
    next: `Leave --loop-id out, or name the state file of ${asked}.`,
  });
}

async function found(place: LoopPlace, state: LoopState): Promise<FoundLoop> {
  return { place, state, alive: (await lockHolder(place.folder)) !== undefined };
}

/** Whether a loop has ended for good: completed or cancelled. */
export function isOver(state: LoopState): boolean {
  return state.stop_reason !== null && outcomeOf(state.stop_reason).resumableBy === "nobody";
}

/**
 * Writes one event to a loop that is not running, under its lock.
 *
 * @param eventOf gives the event to write, from the state as it is under the lock; undefined: nothing
 * @returns the state afterwards
 * @throws OperationalError when a run has the loop
 */
export async function amendLoop(
  { place, state: known }: FoundLoop,
  eventOf: (state: LoopState) => Promise<LoopEvent | undefined>,
): Promise<LoopState> {
  const store = new FileStore(place);
  await store.open();
  try {
    const state = (await store.load(place.loopId)) ?? known;
    const event = await eventOf(state);
    if (event === undefined) return state;
    const amended = transition(state, event);
    await store.append(event, amended);
    return amended;
  } finally {
    await store.close();
  }
}

function noLoop(what: string): UsageError {
  return new UsageError({
    code: "LOOP_UNKNOWN",
    what,
    next: "Correct --loop-id, --state-file or --cd, or start a loop with a prompt.",
  });
}

async function unclear(location: Location, listed: readonly ListedLoop[]): Promise<UsageError> {
  if (listed.length === 0) return noLoop(`There is no loop in ${location.root}.`);
  const shown = listed.slice(0, MOST_NAMED);
  const loops = await readableOf(location.root, shown);
  const alive = new Map(loops.map((loop) => [loop.place.loopId, loop.alive]));
  const lines = shown.map((loop) => {
    if (!("state" in loop)) return `  ${loop.id}: cannot be read (${loop.problem.message})`;
    const status = loop.state.status === "running" && alive.get(loop.id) !== true ? "crashed" : loop.state.status;
    return `  ${loop.id}: ${status}, iteration ${loop.state.iteration} of ${loop.state.max_iterations}`;
  });
  const more = listed.length > shown.length ? [`  and ${listed.length - shown.length} more`] : [];
  return new UsageError({
    code: "LOOP_UNCLEAR",
    what: ["It is not clear which loop is meant. There are:", ...lines, ...more].join("\n"),
    next: "Name one: its id, or the beginning of it, behind the command or with --loop-id.",
  });
}
