import type { LoopRow } from "../views/at-a-glance.ts";
import type { Line } from "../views/plain-text.ts";
import { cleaned, line, plainText, wrapped } from "../views/plain-text.ts";
import { bottomOf, logWindow, moved, type Place } from "./log-lines.ts";
import {
  dashboard,
  helpFor,
  isOverForGood,
  isRecorded,
  loops,
  type Now,
  settings,
  stories,
  type Watched,
} from "./pages.ts";
import type { Effect, Page, Scene, Ui } from "./scene.ts";

/** The view as it opens. */
export function begin(page: Page): Ui {
  return {
    ...{ page, before: page, top: 0, place: null, seen: 0, search: "", typing: null, step: null, chosen: null },
    ...{ asking: null, said: "" },
  };
}

export type Pressed = readonly [ui: Ui, effect?: Effect];

/**
 * What one key does.
 *
 * @param key a character as it is typed, or the name of another key: `up`, `pageDown`, `enter`, `escape`, `ctrl+c`
 */
export function press(before: Ui, key: string, scene: Scene): Pressed {
  const ui: Ui = { ...before, said: "" };
  if (key === "ctrl+c") return [ui, { kind: "quit", wish: "interrupt" }];
  if (key === "ctrl+z") return [before, { kind: "suspend" }];
  if (ui.typing !== null) return typed(ui, ui.typing, key, scene);
  if (ui.asking === "leave") return answered({ ...ui, asking: null }, key);
  if (ui.asking !== null) {
    const asked = { ...ui, asking: null };
    return key === "y" ? [asked, { kind: ui.asking }] : [{ ...asked, said: "Nothing was done." }];
  }
  const leaves = leavesByAnyKey(ui, scene);
  const isHeard = !leaves || !isForMore(ui, key, scene);
  const heard = isHeard ? (pages(ui, key, scene) ?? acts(ui, key, scene) ?? reads(ui, key, scene)) : undefined;
  return heard ?? (leaves ? [ui, { kind: "quit" }] : [ui]);
}

/**
 * Whether a key that means nothing leaves: who looks at a loop that does not run has nothing to wait for. Beside a run that
 * goes on it would leave that one, and a recorded loop has never run here.
 */
export function leavesByAnyKey(
  { page }: Pick<Ui, "page">,
  { watched, runs }: Pick<Scene, "watched" | "runs">,
): boolean {
  const isOver = watched !== null && !watched.view.alive && !isRecorded(watched);
  return isOver && runs === "elsewhere" && page !== "loops" && page !== "help";
}

/** Whether a key asks for more of what has none: `Space` at the end, `Enter`, and `Esc` where it leads nowhere. */
function isForMore(ui: Ui, key: string, scene: Scene): boolean {
  if (key === "enter") return true;
  if (key === "escape") return ui.page === "dashboard";
  const isAtEnd = ui.page === "logs" ? ui.place === null : scrolled(ui, 1, scene).top === ui.top;
  return key === " " && isAtEnd;
}

/** More than anybody searches for. */
const LONGEST_PASTE = 500;

/** What is pasted is text where text is typed, and no key anywhere. @param text a piece of it, whatever is in it */
export function paste(ui: Ui, text: string): Ui {
  if (ui.typing === null) return { ...ui, said: "What is pasted does nothing here; / searches for it." };
  const words = plainText(text).replace(/\n+$/u, "").replaceAll("\n", " ");
  return {
    ...ui,
    typing: Array.from(ui.typing + words)
      .slice(0, LONGEST_PASTE)
      .join(""),
  };
}

/** A loop that was begun from the view has no other place to be asked at. */
function answered(ui: Ui, key: string): Pressed {
  if (key === "l") return [ui, { kind: "quit" }];
  if (key === "p" || key === "c") return [ui, { kind: "quit", wish: key === "p" ? "pause" : "cancel" }];
  return [ui];
}

const PAGES: Readonly<Record<string, Page>> = { d: "dashboard", s: "stories", l: "logs", e: "settings", w: "loops" };

function pages(ui: Ui, key: string, scene: Scene): Pressed | undefined {
  if (key === "q") return scene.runs === "begun" ? [{ ...ui, asking: "leave" }] : [ui, { kind: "quit" }];
  if (key === "?") return [{ ...ui, page: "help", before: ui.page === "help" ? ui.before : ui.page, top: 0 }];
  if (key === "escape") {
    const back = ui.page === "help" ? ui.before : scene.watched === null ? "loops" : "dashboard";
    return [{ ...ui, page: back, top: 0, search: "" }];
  }
  const page = PAGES[key];
  if (page === undefined) return undefined;
  if (scene.watched === null && page !== "loops") return [{ ...ui, said: "Choose a loop first: ↑ ↓ and Enter." }];
  if (isRecorded(scene.watched) && page === "loops") return [{ ...ui, said: "This is one recorded loop." }];
  return [{ ...ui, page, top: 0 }];
}

/** Keys that act on the loop, through the same doors as the commands. */
function acts(ui: Ui, key: string, { watched, runs }: Scene): Pressed | undefined {
  if (key === "c" || key === "o") return [ui, { kind: key === "c" ? "copy" : "pager" }];
  if (!"pxrC".includes(key) || key.length !== 1) return undefined;
  if (watched === null) return [{ ...ui, said: "Choose a loop first: ↑ ↓ and Enter." }];
  if (isRecorded(watched))
    return [{ ...ui, said: "This loop is a recorded one: nothing here runs that could be changed." }];
  const { alive, state, isGone, lost } = watched.view;
  if (isGone === true) return [{ ...ui, said: "Its folder is gone: there is nothing to act on." }];
  if (key === "r") {
    if (alive) return [{ ...ui, said: "It is running. p pauses it, x stops it." }];
    if (isOverForGood(watched)) return [{ ...ui, said: "It is over for good; there is nothing to go on with." }];
    if (lost !== undefined) return [{ ...ui, said: lost }];
    // A terminal has one loop at a time.
    return [ui, runs === "elsewhere" ? { kind: "quit", wish: "run-on" } : { kind: "resume" }];
  }
  if (key === "C") {
    if (alive) return [{ ...ui, said: "The circuit can be closed once the loop has stopped." }];
    if (state.circuit.state === "CLOSED") return [{ ...ui, said: "The circuit is closed; there is nothing to reset." }];
    return [{ ...ui, asking: "reset-circuit" }];
  }
  if (!alive) return [{ ...ui, said: "It is not running; r lets it go on." }];
  return key === "p" ? [ui, { kind: "pause" }] : [{ ...ui, asking: "stop" }];
}

function typed(ui: Ui, text: string, key: string, scene: Scene): Pressed {
  if (key === "escape") return [{ ...ui, typing: null }];
  if (key === "backspace") return [{ ...ui, typing: text === "" ? null : Array.from(text).slice(0, -1).join("") }];
  if (key !== "enter") return [Array.from(key).length === 1 ? { ...ui, typing: text + key } : ui];
  const next = { ...ui, typing: null, search: text === "" ? ui.search : text };
  // From where somebody reads, backwards from the end.
  return ui.place === null ? found(next, scene, scene.log.end - 1, -1) : found(next, scene, ui.place.line, 1);
}

/** Goes to the next line that has what is searched for, whatever its case. */
function found(ui: Ui, scene: Scene, from: number, step: 1 | -1): Pressed {
  if (ui.search === "") return [{ ...ui, said: "Search with / first." }];
  const wanted = ui.search.toLowerCase();
  const at = scene.log.find(from, step, ({ text }) => text.toLowerCase().includes(wanted));
  if (at === undefined) {
    const where = step === 1 ? "further down" : "further up";
    return [{ ...ui, page: "logs", said: `"${ui.search}" is not ${where}.` }];
  }
  return [readAt(ui, scene, { line: at, piece: 0 })];
}

/** The logs at a place, which is kept from now on. */
function readAt(ui: Ui, { log }: Scene, place: Place): Ui {
  return { ...ui, page: "logs", place, seen: ui.place === null ? log.end : ui.seen };
}

function reads(ui: Ui, key: string, scene: Scene): Pressed | undefined {
  if (scene.watched !== null) {
    if (key === "/") return [{ ...ui, page: "logs", typing: "" }];
    if (key === "n" || key === "N") {
      const step = key === "n" ? 1 : -1;
      return found(ui, scene, (ui.place?.line ?? scene.log.end) + step, step);
    }
    if (key === "[" || key === "]")
      return [iterated(ui, { ...scene, steps: scene.watched.steps }, key === "]" ? 1 : -1)];
  }
  const by = distance(key, scene.rows);
  if (ui.page === "loops") return chosen(ui, key, by, scene);
  if (by === undefined) return undefined;
  return [ui.page === "logs" ? scrolledLog(ui, by, scene) : scrolled(ui, by, scene)];
}

/** How far a key scrolls, in rows; endless for the ends. */
function distance(key: string, rows: number): number | undefined {
  const page = Math.max(rows - 1, 1);
  const keys: Readonly<Record<string, number>> = {
    ...{ up: -1, k: -1, down: 1, j: 1, enter: 1 },
    ...{ pageUp: -page, b: -page, pageDown: page, " ": page },
    ...{ g: -Infinity, home: -Infinity, G: Infinity, end: Infinity },
  };
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

function chosen(ui: Ui, key: string, by: number | undefined, { loops: rows }: Scene): Pressed | undefined {
  const at = chosenIn(ui, rows);
  const row = rows[at];
  if (key === "enter" && row !== undefined)
    return [
      { ...begin("dashboard"), chosen: ui.chosen },
      { kind: "watch", loopId: row.state.loop_id, where: row.where },
    ];
  if (by === undefined) return undefined;
  const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
  return [next === undefined ? ui : { ...ui, chosen: nameOf(next) }];
}

/** What tells a loop from all others of the repository: its id is the name of a file, without a slash. */
function nameOf({ state, where }: LoopRow): string {
  return `${state.loop_id}/${where}`;
}

/** Where the chosen loop stands now; one that is not there any more gives way to the first. */
function chosenIn(ui: Ui, rows: readonly LoopRow[]): number {
  return Math.max(
    rows.findIndex((row) => nameOf(row) === ui.chosen),
    0,
  );
}

function scrolled(ui: Ui, by: number, scene: Scene): Ui {
  const most = Math.max(pageRows(ui, scene).length - scene.rows, 0);
  return { ...ui, top: Math.min(Math.max(ui.top + by, 0), most) };
}

function scrolledLog(ui: Ui, by: number, scene: Scene): Ui {
  const { log, columns, rows } = scene;
  if (by === Infinity) return { ...ui, place: null };
  const bottom = bottomOf(log, columns, rows);
  const from = ui.place ?? bottom;
  const to = by === -Infinity ? { line: log.first, piece: 0 } : moved(log, from, by, columns);
  const isAtEnd = by > 0 && (to.line > bottom.line || (to.line === bottom.line && to.piece >= bottom.piece));
  return isAtEnd ? { ...ui, place: null } : readAt(ui, scene, to);
}

/** One iteration back or on: in the log, and of a recorded loop on every page. */
function iterated(ui: Ui, scene: Scene & Pick<Watched, "steps">, by: 1 | -1): Ui {
  const { steps } = scene;
  if (steps.length === 0 || ui.page === "logs") {
    const read = stepped(ui, scene, by);
    const { place } = read;
    const at = place === null ? -1 : steps.findIndex(({ state }) => state.iteration === iterationAt(scene, place));
    return { ...read, step: at === -1 ? null : at };
  }
  const to = (ui.step ?? steps.length) + by;
  if (to > steps.length) return { ...ui, said: "There is no iteration behind this one." };
  const step = to === steps.length ? null : Math.max(to, 0);
  const iteration = step === null ? undefined : steps[step]?.state.iteration;
  const line = iteration && scene.log.find(scene.log.first, 1, (each) => each.iteration === iteration);
  const place = line === undefined ? null : { line, piece: 0 };
  return { ...ui, step, place, said: to < 0 ? "There is no iteration before this one." : "" };
}

function iterationAt({ log }: Scene, place: Place): number {
  return log.at(Math.max(place.line, log.first)).iteration;
}

/** The watched loop as it was after the iteration that is looked at. */
export function lookedAt(ui: Ui, { watched }: Scene): Watched | null {
  const view = ui.step === null ? undefined : watched?.steps[ui.step];
  return watched === null || view === undefined ? watched : { ...watched, view };
}

/** The beginning of the iteration before, or behind, the one at the top of the screen. */
function stepped(ui: Ui, scene: Scene, step: 1 | -1): Ui {
  const { log } = scene;
  const top = ui.place?.line ?? Math.max(log.end - 1, log.first);
  const here = log.at(Math.max(top, log.first)).iteration;
  const startsHere = top === log.first || log.at(top - 1).iteration !== here;
  if (step === 1) {
    const next = log.find(top, 1, ({ iteration }) => iteration > here);
    return next === undefined ? { ...ui, page: "logs", place: null } : readAt(ui, scene, { line: next, piece: 0 });
  }
  // In the middle of an iteration first to its own beginning.
  const wanted =
    startsHere && ui.place !== null ? (log.find(top, -1, ({ iteration }) => iteration < here) ?? top) : top;
  const { iteration } = log.at(wanted);
  const before = log.find(wanted, -1, (each) => each.iteration !== iteration);
  return readAt(ui, scene, { line: before === undefined ? log.first : before + 1, piece: 0 });
}

/** The whole page, as rows of the screen. */
export function pageRows(ui: Ui, scene: Scene): readonly Line[] {
  return rowsIn(pageLines(ui, scene), scene);
}

function rowsIn(lines: readonly Line[], { columns }: Scene): readonly Line[] {
  return lines.flatMap(({ text, tone }) => wrapped(text, columns).map((piece) => line(piece, tone)));
}

/** The rows of a page, apart from the logs, that are on the screen. */
export function pageWindow(ui: Ui, scene: Scene): readonly Line[] {
  return shownRows(ui, scene).map(({ row }) => row);
}

/** The same, each with the line that it is of, and its number. */
function shownRows(ui: Ui, scene: Scene) {
  const near = nearby(ui, scene);
  const lines = pageLines(ui, near);
  const all = lines.flatMap((whole, number) => rowsIn([whole], scene).map((row) => ({ row, whole, number })));
  const top = Math.min(
    ui.page === "loops" ? topOfLoops(ui, near, lines) : ui.top,
    Math.max(all.length - scene.rows, 0),
  );
  return all.slice(top, top + scene.rows);
}

/** Loops to both sides of the chosen one that are looked at: of thousands, all would take a second for each key. */
const NEAR = 200;

/** What is around the chosen loop, on the list, and may be on the screen. */
function nearby(ui: Ui, scene: Scene): Scene {
  if (ui.page !== "loops") return scene;
  const at = chosenIn(ui, scene.loops);
  const near = Math.max(NEAR, scene.rows);
  return { ...scene, loops: scene.loops.slice(Math.max(at - near, 0), at + near) };
}

/** The list goes as far as its chosen loop, which may take several rows. */
function topOfLoops(ui: Ui, scene: Scene, lines: readonly Line[]): number {
  const at = chosenIn(ui, scene.loops);
  const rowsTo = (end: number): number => rowsIn(lines.slice(0, end), scene).length;
  return Math.min(Math.max(rowsTo(at + 1) - scene.rows, 0), rowsTo(at));
}

/** The whole page, apart from the logs, a line each. */
function pageLines(ui: Ui, scene: Scene): readonly Line[] {
  return linesOf(ui, scene).map(cleaned);
}

function linesOf(ui: Ui, scene: Scene): readonly Line[] {
  const watched = lookedAt(ui, scene);
  if (ui.page === "help")
    return helpFor(leavesByAnyKey({ page: ui.before }, scene) ? "over" : scene.runs, scene.columns);
  if (ui.page === "loops" || watched === null) {
    const isEmpty = scene.loops.length === 0 && scene.reading !== "";
    return isEmpty ? [] : loops(scene.loops, chosenIn(ui, scene.loops), scene.now);
  }
  if (ui.page === "dashboard") return dashboard(watched, ui.step === null ? nowOf(scene) : null);
  return ui.page === "stories" ? stories(watched) : settings(watched);
}

/** What is happening, as the log says it. */
function nowOf({ log, watched }: Scene): Now {
  const last = log.end > log.first ? log.at(log.end - 1) : undefined;
  const again = log.retry?.iteration === watched?.view.state.iteration ? log.retry?.text : undefined;
  return { said: last?.text.replace(/^\S+ \[\d+\/\d+\] /u, ""), retry: again };
}

/** What is on the screen now, whole lines, so that a command in it can be pasted: what `c` copies. */
export function shownText(ui: Ui, scene: Scene): string {
  const { log, columns, rows } = scene;
  const shown: readonly (readonly [number, { readonly text: string }])[] =
    ui.page === "logs"
      ? logWindow(log, ui.place, columns, rows).map((row) => [row.line, log.at(row.line)])
      : shownRows(ui, scene).map(({ number, whole }) => [number, whole]);
  return `${Array.from(new Map(shown).values(), ({ text }) => text).join("\n")}\n`;
}

/** The whole page as text: what `o` opens. */
export function wholeText(ui: Ui, scene: Scene): string {
  if (ui.page !== "logs")
    return `${pageLines(ui, scene)
      .map(({ text }) => text)
      .join("\n")}\n`;
  const { log } = scene;
  return Array.from({ length: log.end - log.first }, (_, at) => `${log.at(log.first + at).text}\n`).join("");
}
