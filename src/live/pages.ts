import type { IterationRecord, LoopState } from "../core/state.ts";
import { counted, duration } from "../views/amounts.ts";
import { changed, failing, lastWords, type LoopRow, loopLines } from "../views/at-a-glance.ts";
import { dangerBanner } from "../views/danger.ts";
import { checkLine, waitText } from "../views/event-lines.ts";
import { marked } from "../views/live.ts";
import { cut, line, type Line, oneLine, wrapped } from "../views/plain-text.ts";
import { callsText, circuitText, progressText } from "../views/progress.ts";
import { lastVerdict, proofOf } from "../views/proof.ts";
import { endingOf, howItStands, nextStep, type RunView, watchedStatus } from "../views/run-view.ts";
import { activeText, storiesReport, tallyText } from "../views/story-rows.ts";
import { storyRowLines } from "../views/story-lines.ts";
import { doubts, totals } from "../views/summary.ts";

/** A loop that is watched. */
export interface Watched {
  readonly view: RunView;
  /** the work tree, seen from the person's workspace; "": it is that one */
  readonly where: string;
  /** what it was given, a line each, and how far its limits are used */
  readonly settings: readonly Line[];
  /** what is told of its limits beside what was used: `max-tokens 200000` */
  readonly limits: readonly string[];
  /** how a recorded one was after each of its iterations but the last, the newest of them; empty: not known */
  readonly steps: readonly RunView[];
}

/** Whether it is a recorded one, which nobody can act on. */
export function isRecorded(watched: Watched | null): boolean {
  return watched?.view.isRecorded === true;
}

/** Whether nobody can let it go on any more. */
export function isOverForGood({ view }: Watched): boolean {
  return view.isGone === true || endingOf(view.state)?.outcome.resumableBy === "nobody";
}

/** What is happening now, from the log. */
export interface Now {
  /** the last line of the log; undefined: there is none */
  readonly said: string | undefined;
  /** the last attempt of a turn that failed and is tried again, in this iteration; undefined: none */
  readonly retry: string | undefined;
}

const NAME = 9;

function fact(name: string, text: string, tone: Line["tone"] = "plain"): Line {
  return line(`${`${name}:`.padEnd(NAME)} ${text}`, tone);
}

/**
 * What a person wants to know first of a loop, the most urgent at the top.
 *
 * @param now null: it is looked at as it was after an iteration, with others behind it
 */
export function dashboard({ view, where, limits }: Watched, now: Now | null): readonly Line[] {
  const { said, retry } = now ?? { said: undefined, retry: undefined };
  const { state } = view;
  const waits = state.not_before;
  return [
    ...dangerBanner(view.protection).map((text) => line(text, "bad")),
    statusLine(view, now === null),
    ...(view.alive && said !== undefined ? [fact("Now", said)] : []),
    ...(view.alive && waits !== null && waits.why !== "interval" ? [fact("Wait", waitText(waits, waits), "warn")] : []),
    ...work(view),
    fact("Branch", `${oneLine(view.branch ?? "none")}, in ${where === "" ? "this workspace" : oneLine(where)}`),
    ...checks(view),
    ...failing(view),
    fact("Progress", progressText(state)),
    fact("Circuit", circuitText(state), state.circuit.state === "CLOSED" ? "plain" : "warn"),
    fact("Calls", callsText(state)),
    ...(limits.length === 0 ? [] : [fact("Budget", limits.join(", "))]),
    ...totals(view).map((text) => line(text)),
    ...troubles(state, retry),
    ...doubts(view),
    fact("Changed", changed(view)),
    ...strip(state.iterations),
    ...lastWords(view),
    ...(now === null ? [] : [line(`Next: ${nextStep(view)}`, "strong")]),
  ];
}

const PHASES = {
  ready: "between iterations",
  turn: "the agent works",
  unproved: "the checks run",
  unsettled: "the iteration is being settled",
  settled: "the iteration is over",
} as const satisfies Record<LoopState["phase"], string>;

/** `running, iteration 3 of 30: the agent works` */
function statusLine(view: RunView, wentOn: boolean): Line {
  const { state, alive } = view;
  const at = `iteration ${state.iteration} of ${state.max_iterations}`;
  const ending = view.isGone === true ? undefined : endingOf(state);
  if (ending === undefined) {
    const how = wentOn ? "It went on after it." : alive ? PHASES[state.phase] : howItStands(view);
    return fact("Status", `${watchedStatus(view)}, ${at}: ${how}`, alive ? "strong" : "warn");
  }
  const isGood = ending.outcome.exitCode === 0;
  return fact(
    "Status",
    `${watchedStatus(view)} (${ending.reason.kind}), ${at}. ${ending.outcome.sentence}`,
    isGood ? "good" : "warn",
  );
}

/** What is worked on: a story of a PRD, the items of a checklist, or the task alone. */
function work({ state, prd }: RunView): readonly Line[] {
  const report = storiesReport(state, prd);
  if (report !== null) {
    const active = activeText(report);
    return [
      fact("Story", active ?? "none at work", active === undefined ? "dim" : "strong"),
      fact("PRD", `${report.prd}: ${tallyText(report)}`),
    ];
  }
  const task = cut(oneLine(state.prompt), 200);
  return [
    fact("Task", task),
    ...(state.plan === null
      ? []
      : [fact("Items", `${state.plan.ticked} of ${counted(state.plan.items, "item")} ticked in ${state.plan.path}`)]),
  ];
}

/** What the checks said last, one by one. */
function checks({ state }: RunView): readonly Line[] {
  const verdict = lastVerdict(state);
  if (verdict === null || verdict.checks.length === 0) return [fact("Checks", proofOf(state, "no tests").sentence)];
  return verdict.checks.map((check) => {
    const { text, tone } = marked(checkLine(check));
    return line(text, tone);
  });
}

/** Turns that failed, and attempts that are made again. */
function troubles({ iterations, last_turn: turn, error_resumes: errors }: LoopState, retry: string | undefined) {
  const failed = iterations.filter(({ agent }) => agent !== "ok" && agent !== "cancelled");
  const named = failed.slice(-3).map(({ iteration, agent }) => `iteration ${iteration} ${agent}`);
  const failure = turn?.failure ?? null;
  return [
    ...(retry === undefined ? [] : [fact("Retry", retry, "warn")]),
    ...(failed.length === 0
      ? []
      : [fact("Errors", `${counted(failed.length, "turn")} failed: ${named.join(", ")}`, "warn")]),
    ...(failure === null ? [] : [fact("Error", `${failure.kind}: ${oneLine(failure.message)}`, "bad")]),
    ...(errors === 0 ? [] : [fact("Resumed", `${counted(errors, "time")} in a row after an error`, "warn")]),
  ];
}

const CELLS = 60;

/** An iteration at a glance: `✓` its checks passed, `✗` they failed, `!` the turn did, `–` nothing was checked. */
function cellOf({ agent, checks: found }: IterationRecord): string {
  if (agent !== "ok") return "!";
  return found === "passed" ? "✓" : found === "failed" ? "✗" : "–";
}

function strip(iterations: readonly IterationRecord[]): readonly Line[] {
  if (iterations.length === 0) return [];
  const shown = iterations.slice(-CELLS);
  const from = Math.min(...shown.map(({ iteration }) => iteration));
  return [fact("History", `${shown.map(cellOf).join("")}  from iteration ${from} on`)];
}

/** The stories of a PRD, or what else the work is made of. */
export function stories({ view }: Watched): readonly Line[] {
  const { state, prd } = view;
  const report = storiesReport(state, prd);
  if (report !== null) return [...work(view), ...storyRowLines(report.stories)];
  return [
    line("The loop works on one task; it has no PRD with stories.", "dim"),
    ...work(view),
    line("Iterations:", "strong"),
    ...(state.iterations.length === 0 ? [line("  none is over yet", "dim")] : state.iterations.map(iterationLine)),
  ];
}

/** `  ✗ 3: checks failed, 2 files changed (+10 -2), 12,345 tokens, 4 min` */
function iterationLine(record: IterationRecord): Line {
  const { iteration, agent, checks: found, files_changed: files, commit } = record;
  const took = duration(Math.max(0, Date.parse(record.ended_at) - Date.parse(record.started_at)));
  const parts = [
    agent === "ok" ? (found === "none" ? "nothing checked" : `checks ${found}`) : `agent ${agent}`,
    files === null
      ? "changes not measured"
      : `${counted(files, "file")} (+${record.lines_added} -${record.lines_removed})`,
    counted(record.tokens, "token"),
    took,
    ...(commit === null ? [] : [`commit ${commit.slice(0, 7)}`]),
  ];
  const cell = cellOf(record);
  return line(`  ${cell} ${iteration}: ${parts.join(", ")}`, cell === "✓" ? "good" : cell === "–" ? "plain" : "bad");
}

/** What the loop was given. */
export function settings({ view, settings: given }: Watched): readonly Line[] {
  const { state } = view;
  return [
    fact("Agent", state.provider),
    fact("Loop", `${state.loop_id}, generation ${state.generation}, since ${state.created_at}`),
    fact("State", view.stateFile),
    fact("Folder", view.folder),
    line(""),
    ...(given.length === 0 ? [line("What else it was given is not kept on this machine.", "dim")] : given),
  ];
}

/** All loops of the repository, those that were at work last first; the chosen one is marked. */
export function loops(rows: readonly LoopRow[], chosen: number, now: number): readonly Line[] {
  if (rows.length === 0) return [line("There is no loop here any more.", "dim")];
  return loopLines(rows, now).map(({ text, tone }, at) => line(`${at === chosen ? "› " : "  "}${text}`, tone));
}

type Keys = readonly [keys: string, does: string];

const HELP: readonly (readonly [section: string, keys: readonly Keys[]])[] = [
  [
    "Look",
    [
      ["d", "dashboard"],
      ["l", "logs"],
      ["s", "stories or iterations"],
      ["e", "settings"],
      ["w", "other loops, other PRDs"],
      ["?", "this"],
    ],
  ],
  [
    "Act on the loop",
    [
      ["p", "pause after the iteration"],
      ["x", "stop now; both can be resumed"],
      ["r", "run it on, when it has stopped"],
      ["C", "close (reset) its circuit"],
    ],
  ],
  [
    "Read",
    [
      ["↑ ↓ j k", "a row up, down"],
      ["PgUp PgDn", "a page; b, Space as well"],
      ["g", "the beginning"],
      ["G", "the end, and follow it"],
      ["/", "search the logs; Enter"],
      ["n N", "next, previous place"],
      ["[ ]", "previous, next iteration; of a recording on every page"],
    ],
  ],
  [
    "Take away",
    [
      ["c", "copy what is shown"],
      ["o", "open all of it in the pager"],
    ],
  ],
];

const LEAVING = {
  over: [["Enter, q", "leave; where there is no more, so does any key without a meaning"]],
  elsewhere: [["q, Ctrl+C", "leave the view; the loop goes on as it is"]],
  behind: [
    ["q", "on with its plain log here"],
    ["Ctrl+C", "pause the loop"],
  ],
  begun: [
    ["q", "asks: its plain log here, pause, or cancel"],
    ["Ctrl+C", "pause it"],
  ],
} as const satisfies Record<string, readonly Keys[]>;

/**
 * Every key, as the view takes it.
 *
 * @param runs where the loop of this terminal does; `over`: the watched one does not
 * @param columns that a line may have: two keys stand side by side where both have room
 */
export function helpFor(runs: keyof typeof LEAVING, columns: number): readonly Line[] {
  const leaving: readonly Keys[] = [...LEAVING[runs], ["Esc", "back"]];
  return [...HELP, ["Leave", leaving] as const].flatMap(([section, keys]) => [
    line(section, "strong"),
    ...keyLines(keys, columns).map((text) => line(text)),
  ]);
}

/** Narrower than this, each key has a line. */
const SIDE_BY_SIDE = 76;

function keyLines(keys: readonly Keys[], columns: number): readonly string[] {
  const width = Math.max(...keys.map(([names]) => names.length));
  const half = columns < SIDE_BY_SIDE ? 0 : columns >> 1;
  const lines: string[] = [];
  /** whether there is room beside the last line */
  let isOpen = false;
  for (const [names, does] of keys) {
    const rows = wrapped(does, columns - width - 4).map(
      (words, at) => `  ${(at === 0 ? names : "").padEnd(width)}  ${words}`,
    );
    const fits = rows.length === 1 && rows.join("").length < half;
    const isBeside: boolean = isOpen && fits;
    lines.push(...(isBeside ? [`${String(lines.pop()).padEnd(half)}${rows.join("")}`] : rows));
    isOpen = fits && !isBeside;
  }
  return lines;
}
