import { totalTokens } from "../core/agent.ts";
import type { LoopEvent } from "../core/events.ts";
import { WHOLE_TASK } from "../core/task.ts";
import { checkLabel, type CheckResult } from "../core/verdict.ts";
import { counted, duration, usd } from "../views/amounts.ts";
import { explain } from "../views/explanation.ts";
import { type Line, oneLine } from "../views/plain-text.ts";
import { foldIteration } from "../views/summary-json.ts";

/** What `summary.json` says of an iteration. */
type Metadata = NonNullable<ReturnType<typeof foldIteration>["open"]>;

/** One iteration as the page shows it. */
export interface ToldIteration extends Omit<Metadata, "checks" | "item"> {
  /** what was worked on; null: the task as a whole, whose title is of the prompt */
  readonly item: string | null;
  /** with the ends of their outputs, as far as these are still held */
  readonly checks: readonly CheckResult[];
  /** in millionths of a USD; null: not known */
  readonly cost: number | null;
  /** tests that failed at its end; null: not known */
  readonly failing: number | null;
  /** what was decided in it, by which rule and on which evidence */
  readonly told: readonly Line[];
}

/** What the events of a loop say, as far as the page shows it. */
export interface History {
  /** in their order; a number that was given back is there once, as it came last */
  readonly iterations: readonly ToldIteration[];
  /** what came before the first */
  readonly before: readonly Line[];
  /** the rule that ended the last run, with its evidence; []: it has not ended */
  readonly ending: readonly Line[];
}

/** Ends of outputs that are held at most, in UTF-16 units; those of the oldest iterations go first. */
const OUTPUT_HELD = 10_000_000;
/** Lines that are held of one iteration. */
const LINES_HELD = 200;

interface Held {
  meta: Metadata;
  item: string | null;
  checks: readonly CheckResult[];
  cost: number | null;
  failing: number | null;
  told: Line[];
}

const NOTHING = { item: null, checks: [], cost: null, failing: null } as const;

/**
 * Reads a loop's events once. What is held does not grow with outputs, only with the number of iterations.
 *
 * @param events of one generation, from its beginning
 */
export async function historyOf(events: AsyncIterable<LoopEvent>, outputHeld = OUTPUT_HELD): Promise<History> {
  const held = new Map<number, Held>();
  const outputs = outputBudget(held, outputHeld);
  const before: Line[] = [];
  let ending: Line[] = [];
  let open: Metadata | null = null;
  let last: LoopEvent | undefined;

  const take = (event: LoopEvent): void => {
    last = event;
    if (event.type === "turn_started") ending = [];
    const { open: next, closed } = foldIteration(open, event);
    open = next;
    for (const meta of [closed, next]) {
      if (meta === null) continue;
      const known = held.get(meta.iteration);
      const isNew = known === undefined || (event.type === "turn_started" && meta === next);
      held.set(meta.iteration, isNew ? { ...NOTHING, told: known?.told ?? [], meta } : { ...known, meta });
    }
    const current = held.get((next ?? closed)?.iteration ?? 0);
    if (current === undefined) return;
    if (event.type === "turn_started" && event.item.id !== WHOLE_TASK) current.item = event.item.title;
    if (event.type === "turn_ended") current.cost = event.cost ?? null;
    if (event.type !== "proved") return;
    current.checks = event.verdict.checks;
    current.failing = event.failing?.failing_count ?? (event.verdict.result === "passed" ? 0 : null);
    outputs(current);
  };
  for await (const { iteration, lines } of explain(each(events, take))) {
    const said = lines.map((line) => ({ ...line, text: line.text.trim() })).filter(({ text }) => text !== "");
    if (last?.type === "loop_stopped") ending = said;
    // A turn that was given back is over before its own line.
    const about = last?.type === "turn_ended" ? last.iteration : iteration;
    const told = held.get(about)?.told ?? before;
    const news = said.filter(({ text }) => !/^Iteration \d+, /u.test(text));
    told.push(...news.slice(0, Math.max(0, LINES_HELD - told.length)));
  }
  const iterations = [...held.values()].map(({ meta, ...more }) => ({ ...meta, ...more }));
  return { iterations, before, ending };
}

async function* each(events: AsyncIterable<LoopEvent>, take: (event: LoopEvent) => void): AsyncGenerator<LoopEvent> {
  for await (const event of events) {
    take(event);
    yield event;
  }
}

/** Lets the outputs of the oldest iterations go where all of them are too much. */
function outputBudget(held: ReadonlyMap<number, Held>, most: number) {
  let used = 0;
  return (current: Held): void => {
    used += sizeOf(current);
    for (const one of held.values()) {
      if (used <= most || one === current) return;
      used -= sizeOf(one);
      one.checks = one.checks.map((check) => ({ ...check, tail: "" }));
    }
  };
}

function sizeOf({ checks }: Held): number {
  return checks.reduce((sum, { tail }) => sum + tail.length, 0);
}

/** A time stamp as people read it. */
export function moment(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** How a check came out. */
export function isGreen({ exitCode, timedOut }: Pick<CheckResult, "exitCode" | "timedOut">): boolean {
  return exitCode === 0 && !timedOut;
}

/** `npm test: exit 1, 3 s, 2 tests failed` */
export function checkWords(check: CheckResult): string {
  const end = check.timedOut ? "timed out" : check.exitCode === null ? "did not end" : `exit ${check.exitCode}`;
  const failed =
    check.tests === null || check.tests.failed === 0 ? [] : [`${counted(check.tests.failed, "test")} failed`];
  return `${oneLine(checkLabel(check))}: ${[end, duration(check.durationMs), ...failed].join(", ")}`;
}

/** What an iteration came to, in the words of its row. */
export function iterationWords(iteration: ToldIteration): string {
  const { agent, change, failing, checks, verdict, usage, cost } = iteration;
  const time = iteration.turn_ms + checks.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return [
    ...(agent === null ? ["its turn has not ended"] : agent === "ok" ? [] : [`turn: ${agent.replaceAll("_", " ")}`]),
    VERDICTS[verdict],
    ...(failing === null || failing === 0 ? [] : [`${counted(failing, "test")} failing`]),
    ...(change === null ? [] : [`${counted(change.files, "file")} +${change.added} −${change.removed}`]),
    ...(time === 0 ? [] : [duration(time)]),
    ...(usage === null ? [] : [counted(totalTokens(usage), "token")]),
    ...(cost === null ? [] : [usd(cost)]),
  ].join(" · ");
}

const VERDICTS = {
  passed: "checks passed",
  failed: "checks failed",
  cut_off: "checks cut off",
  unrunnable: "a check could not run",
  none: "not checked",
} as const;

/** How an iteration is marked: by its checks, not by what the agent says. */
export function markOf({ verdict, agent }: Pick<ToldIteration, "verdict" | "agent">): "good" | "bad" | "open" {
  if (verdict === "passed") return "good";
  return verdict === "none" && (agent === "ok" || agent === null || agent === "abandoned") ? "open" : "bad";
}
