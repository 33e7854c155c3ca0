import { withoutAnsi } from "../text.ts";

/** When a step ran, in whole seconds as GitHub tells it; milliseconds since the epoch, null: not known. */
export interface StepTimes {
  readonly began: number | null;
  readonly ended: number | null;
}

/** The runner puts the time in front of every line; no program can write in its place. */
const TIME = /^\uFEFF?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) ?/u;
/** How the runner marks what a job has written. A program can write such marks as well. */
const MARK = /^(?:##\[|::)(?<kind>[a-z-]{1,20})(?:\]|[^:\n]{0,300}::)/u;
const ERROR = /^(?:##\[error\]|::error(?: [^:\n]{0,300})?::)/u;
const SECOND = 1_000;

interface Line {
  /** null: it has no time of its own */
  readonly at: number | null;
  readonly text: string;
}

/**
 * What the failing steps of a job have printed, without times, colours and the runner's marks: from the beginning of each
 * to its last error, for what follows an error is only cleanup. Steps are told apart by the times in front of the lines.
 * Where they are not known, what was printed by the last one until then.
 *
 * @param log the end of the job's log, words of others
 * @param limit UTF-16 units of what is given back, shared by the steps; of each the end is kept, in whole lines
 */
export function cutLog(log: string, steps: readonly StepTimes[], limit: number): string {
  const lines = linesOf(log);
  const timed = steps.filter(({ began }) => began !== null);
  const parts = timed.map((step) => linesIn(lines, step)).filter((part) => part.length > 0);
  const chosen = parts.length === 0 ? [lastStep(lines)] : parts;
  const each = Math.floor(limit / chosen.length);
  return chosen
    .map((part) => endOf(readable(part), each))
    .filter((text) => text !== "")
    .join("\n");
}

function linesOf(log: string): readonly Line[] {
  let at: number | null = null;
  return log.split(/\r?\n/u).flatMap((whole) => {
    const [stamp = "", time] = TIME.exec(whole) ?? [];
    // A line without a time belongs to the one before it.
    if (time !== undefined) at = Date.parse(time);
    // What follows a carriage return is a program's, also where it looks like a time.
    const parts = whole.slice(stamp.length).split("\r");
    return parts.map((text) => ({ at, text: withoutAnsi(text).trimEnd() }));
  });
}

/** The lines of a step, without those of the step before it in the second in which it began. */
function linesIn(lines: readonly Line[], step: StepTimes): readonly Line[] {
  const own = lines.filter((line) => isOf(line, step));
  const all = headsIn(own);
  const heads = own.flatMap(({ at }, index) => (isSecond(at, step.began) && all.has(index) ? [index] : []));
  return own.slice(heads.at(-1) ?? 0);
}

/** What the step has printed that was begun last before the last error. */
function lastStep(lines: readonly Line[]): readonly Line[] {
  const last = lines.findLastIndex(({ text }) => ERROR.test(text));
  const heads = headsIn(lines);
  const head = lines.findLastIndex((_line, index) => (last < 0 || index <= last) && heads.has(index));
  return lines.slice(Math.max(head, 0));
}

function isSecond(at: number | null, began: number | null): boolean {
  return at !== null && began !== null && at < began + SECOND;
}

/**
 * Where the runner's words about a step begin: what it runs, with the shell, the inputs or the variables that it has. A
 * program's own group may be called so as well, and what it has printed before is the step's.
 */
function headsIn(lines: readonly Line[]): ReadonlySet<number> {
  const heads = new Set<number>();
  let begun: number | null = null;
  for (const [index, { text }] of lines.entries()) {
    if (HEAD.test(text)) begun = index;
    else if (/^##\[(?:end)?group\]/u.test(text)) begun = null;
    else if (begun !== null && /^(?:shell: |with:$|env:$)/u.test(text)) heads.add(begun);
  }
  return heads;
}

const HEAD = /^##\[group\]Run\s/u;

function isOf({ at }: Line, { began, ended }: StepTimes): boolean {
  return at !== null && began !== null && at >= began && (ended === null || at < ended + SECOND);
}

function readable(lines: readonly Line[]): string {
  const last = lines.findLastIndex(({ text }) => ERROR.test(text));
  return lines
    .slice(0, last < 0 ? undefined : last + 1)
    .filter(({ text }) => !/^##\[endgroup\]$|^::(?:end)?group::/u.test(text))
    .map(({ text }) => (ERROR.test(text) ? text.replace(ERROR, "Error: ") : text.replace(MARK, "")))
    .join("\n")
    .trim();
}

function endOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = "[… cut]\n";
  const end = text.slice(text.length - Math.max(0, limit - note.length));
  return note + end.slice(end.indexOf("\n") + 1);
}
