import { counted } from "../views/amounts.ts";
import { cleaned, line, type Line, oneLine, wrapped } from "../views/plain-text.ts";
import { watchedStatus } from "../views/run-view.ts";
import { fitted, logWindow } from "./log-lines.ts";
import { isOverForGood, isRecorded, type Watched } from "./pages.ts";
import type { Page, Scene, Ui } from "./scene.ts";
import { leavesByAnyKey, lookedAt, pageRows, pageWindow } from "./ui.ts";

/** Rows that are not a page's: the head above it, what is told and the keys below it. */
const AROUND = 3;
/** Smaller than this nothing can be read. */
const LEAST = { columns: 20, rows: 6 } as const;

/**
 * How much room a page has in a terminal. The last row stays free: what fills a terminal to its end makes it scroll.
 */
export function roomIn(columns: number, rows: number): Pick<Scene, "columns" | "rows"> {
  return { columns: Math.max(columns, LEAST.columns), rows: Math.max(rows - 1 - AROUND, 1) };
}

/** Most rows that an answer or a question takes; beyond the first one of the page's. */
const MOST_TOLD = 4;

/** The screen, row by row, none wider than it: head, page, what is told, keys. */
export function frame(ui: Ui, scene: Scene): readonly Line[] {
  const { columns, rows } = scene;
  const said = toldRows(ui, scene);
  const body = bodyOf(ui, scene).slice(0, Math.max(rows + 1 - said.length, 0));
  const rest = Array.from({ length: Math.max(rows + 1 - said.length - body.length, 0) }, () => line(""));
  const shown = (each: Line): Line => fitted(cleaned(each), columns);
  return [shown(head(ui, scene)), ...body, ...rest, ...said, shown(keys(ui, scene))];
}

/** What is told, whole where somebody has to read it to its end, as the path of a file. */
function toldRows(ui: Ui, scene: Scene): readonly Line[] {
  const { columns, rows } = scene;
  const { text, tone } = cleaned(told(ui, scene));
  if (ui.said === "" && ui.asking === null) return [fitted(line(text, tone), columns)];
  return wrapped(text, columns)
    .slice(0, Math.min(MOST_TOLD, rows + 1))
    .map((each) => line(each, tone));
}

function bodyOf(ui: Ui, scene: Scene): readonly Line[] {
  const { log, columns, rows } = scene;
  if (ui.page !== "logs") return pageWindow(ui, scene).map((each) => fitted(each, columns));
  const shown = logWindow(log, ui.place, columns, rows);
  if (shown.length === 0) return [line("There is nothing in the log yet.", "dim")];
  const wanted = ui.search.toLowerCase();
  return shown.map((row) => {
    const isFound = wanted !== "" && log.at(row.line).text.toLowerCase().includes(wanted);
    return isFound ? line(row.shown.text, "strong") : row.shown;
  });
}

const NAMES = {
  loops: "loops",
  dashboard: "dashboard",
  stories: "stories",
  logs: "logs",
  settings: "settings",
  help: "help",
} as const satisfies Record<Page, string>;

/** `fix-tests  running  3/30  logs` */
function head(ui: Ui, scene: Scene): Line {
  const { loops } = scene;
  const watched = lookedAt(ui, scene);
  if (watched === null || ui.page === "loops") {
    const running = loops.filter(({ status }) => status === "running").length;
    return line(`smithers  ${counted(loops.length, "loop")}, ${running} running  ${NAMES[ui.page]}`, "strong");
  }
  const { state } = watched.view;
  const recorded = isRecorded(watched) ? "  recorded" : "";
  const status = watchedStatus(watched.view);
  return line(
    `${state.loop_id}  ${status}  ${state.iteration}/${state.max_iterations}${recorded}  ${NAMES[ui.page]}`,
    "strong",
  );
}

const QUESTIONS = {
  stop: "Stop it now? What its turn has done so far stays. y: stop it  other: no",
  "reset-circuit": "Close the circuit? The next session is a fresh one. y: close it  other: no",
  leave: "Leave: l log here  p pause  c cancel  other: stay",
} as const;

/** What is told: a question, what is being typed, an answer, or where in the logs somebody is. */
function told(ui: Ui, scene: Scene): Line {
  if (ui.typing !== null) return line(`/${typedIn(ui.typing, scene.columns - 2)}█`, "strong");
  if (ui.asking !== null) return line(QUESTIONS[ui.asking], "warn");
  if (ui.said !== "") return line(oneLine(ui.said), "warn");
  if (ui.page === "logs") return whereInLog(ui, scene);
  if (ui.page === "loops" && scene.reading !== "") return line(oneLine(scene.reading), "dim");
  const more = ui.page === "loops" ? 0 : pageRows(ui, scene).length - scene.rows - ui.top;
  const rows = more > 0 ? `${more} more rows below` : "";
  const step = ui.step === null ? undefined : lookedAt(ui, scene)?.view.state.iteration;
  const below = [...(step === undefined ? [] : [`as it was after iteration ${step}`]), rows].filter(Boolean).join("; ");
  const leaving = howToLeave(ui, scene);
  return line(leaving === "" ? below : `${leaving}${below === "" ? "" : `; ${below}`}.`, "dim");
}

/** The end of what is being typed, where not all of it fits. */
function typedIn(text: string, columns: number): string {
  const shown = Array.from(text);
  return shown.length < columns ? text : `…${shown.slice(2 - columns).join("")}`;
}

/** Of a loop that does not run, that nothing is waited for. */
function howToLeave(ui: Ui, scene: Scene): string {
  const { watched } = scene;
  if (watched === null || watched.view.alive || isRecorded(watched) || ui.page === "loops" || ui.page === "help")
    return "";
  return `It ${isOverForGood(watched) ? "has ended" : "does not run"}. ${leavesByAnyKey(ui, scene) ? "Enter or q" : "q"} leaves`;
}

function whereInLog(ui: Ui, scene: Scene): Line {
  const { log } = scene;
  const leaving = leavesByAnyKey(ui, scene) ? "; Enter or q leaves" : "";
  if (ui.place === null) return line(scene.watched?.view.alive === true ? "following" : `the end${leaving}`, "dim");
  const arrived = log.end - Math.max(ui.seen, log.first);
  if (arrived > 0) return line(`${arrived} new ${arrived === 1 ? "line" : "lines"}, G`, "warn");
  const at = Math.max(ui.place.line, log.first) - log.first;
  return line(`line ${at + 1} of ${log.end - log.first}; G: the end${leaving}`, "dim");
}

function actsOn(watched: Watched): readonly string[] {
  if (watched.view.alive) return ["p pause", "x stop"];
  return isOverForGood(watched) || watched.view.lost !== undefined ? [] : ["r run on"];
}

/** The keys that help here, as many as fit. */
function keys(ui: Ui, scene: Scene): Line {
  const { columns, watched } = scene;
  const act = watched === null || isRecorded(watched) ? [] : actsOn(watched);
  const others = isRecorded(watched) ? ["[ ] iteration"] : ["w loops"];
  const here =
    ui.page === "loops"
      ? ["↑↓ Enter choose", "? help", "q quit"]
      : ui.page === "logs"
        ? ["? help", "q quit", "d dashboard", "/ search", "[ ] iteration", "G end", "c copy", "o pager"]
        : ["? help", "q quit", "l logs", "s stories", ...act, "e settings", ...others];
  const fitting = here.filter((_, at) => here.slice(0, at + 1).join("  ").length <= columns);
  return line(fitting.join("  "), "dim");
}
