import { fit, line, type Line, plainText, wrapped } from "../views/plain-text.ts";

/** A line of a loop's log, cleaned. */
export interface LogLine {
  /** the iteration in which it was written; 0: none, or not known */
  readonly iteration: number;
  readonly text: string;
}

/** More than a log has before its older half goes; characters in all. */
const MOST_LINES = 50_000;
const MOST_CHARS = 16_000_000;
/** Lines whose rows are kept: a screen asks for the same ones again and again. */
const MOST_SHOWN = 256;
/** Of one line; what writes the log cuts its own much earlier. */
const LONGEST = 20_000;
const STAMP = /^\d{4}-\d\d-\d\dT(?<time>\d\d:\d\d:\d\d)\S* \[(?<iteration>\d{1,9})\//u;

/** A turn that has failed in a way that passes, and is tried again. */
const RETRY = /agent failed \([a-z_]+\), attempt \d+, trying again.*/u;

/**
 * The newest lines of a log that grows. A line keeps its number for ever, counted from 0, also when older ones have gone;
 * what is held is bounded.
 */
export class LogLines {
  #lines: LogLine[] = [];
  #first = 0;
  #chars = 0;
  /** how many of `#lines` have gone already: they are cut off together */
  #gone = 0;
  #retry: LogLine | undefined;
  /** the lines that were shown lately, in rows of so many columns */
  #shown = new Map<LogLine, readonly LogRow[]>();
  #columns = 0;

  /** Takes what a loop has written, whatever is in it. */
  add(written: string): void {
    const text = plainText(written.slice(0, LONGEST)).replaceAll("\n", " ");
    this.#lines.push({ iteration: Number(STAMP.exec(text)?.groups?.["iteration"] ?? this.#lastIteration()), text });
    this.#chars += text.length;
    const retry = RETRY.exec(text)?.[0];
    if (retry !== undefined) this.#retry = { iteration: this.#lastIteration(), text: retry };
    while (this.end - this.first > MOST_LINES || this.#chars > MOST_CHARS) this.#drop();
  }

  /** the newest attempt that was made again, with its iteration, however long ago; undefined: none */
  get retry(): LogLine | undefined {
    return this.#retry;
  }

  /** the number of the oldest line that is held */
  get first(): number {
    return this.#first;
  }

  /** the number that the next line will have */
  get end(): number {
    return this.#first + this.#lines.length - this.#gone;
  }

  /** @param number from `first` to before `end` */
  at(number: number): LogLine {
    return this.#lines[this.#gone + number - this.#first] ?? { iteration: 0, text: "" };
  }

  /** The first line, from `from` on in the direction of `step`, that holds; undefined: none. */
  find(from: number, step: 1 | -1, holds: (line: LogLine) => boolean): number | undefined {
    // Lines before the oldest have gone; it is the next one from there.
    const begin = step === 1 ? Math.max(from, this.first) : Math.min(from, this.end - 1);
    for (let at = begin; at >= this.first && at < this.end; at += step) if (holds(this.at(at))) return at;
    return undefined;
  }

  /** A line in as many rows as it takes. */
  rows(number: number, columns: number): readonly LogRow[] {
    const line = this.at(number);
    const known = columns === this.#columns ? this.#shown.get(line) : undefined;
    if (known !== undefined) return known;
    if (columns !== this.#columns || this.#shown.size >= MOST_SHOWN) this.#shown.clear();
    this.#columns = columns;
    const rows = rowsOf(line, number, columns);
    this.#shown.set(line, rows);
    return rows;
  }

  #lastIteration(): number {
    return this.#lines.at(-1)?.iteration ?? 0;
  }

  #drop(): void {
    this.#chars -= this.at(this.#first).text.length;
    this.#gone += 1;
    this.#first += 1;
    if (this.#gone < MOST_LINES / 2) return;
    this.#lines = this.#lines.slice(this.#gone);
    this.#gone = 0;
  }
}

/** A row on the screen: a piece of a line of the log. */
export interface LogRow {
  /** the line's number */
  readonly line: number;
  /** which piece of it, from 0 */
  readonly piece: number;
  readonly shown: Line;
}

/** Below this many columns there is no room for the time. */
const NARROW = 60;

function rowsOf({ text }: LogLine, number: number, columns: number): readonly LogRow[] {
  const time = STAMP.exec(text)?.groups?.["time"];
  const said = text.slice(text.indexOf(" ") + 1);
  const words = time === undefined ? text : columns < NARROW ? said : `${time} ${said}`;
  const tone = toneOf(said);
  return wrapped(words, columns).map((piece, at) => ({ line: number, piece: at, shown: line(piece, tone) }));
}

/** The log says all in words; colours only help to find them. */
function toneOf(said: string): Line["tone"] {
  const words = said.slice(said.indexOf("] ") + 2);
  if (/^(?:check failed|agent failed|claim refused|check cannot run)/u.test(words)) return "bad";
  if (/^(?:check passed|loop completed)/u.test(words)) return "good";
  if (/^(?:iteration \d+ started|loop |story )/u.test(words)) return "strong";
  if (/^(?:waiting|agent is blocked|agent needs|weak proof)/u.test(words)) return "warn";
  return /^(?:agent (?:says|prints|ran|changed|used)|session)/u.test(words) ? "dim" : "plain";
}

/** Where in a log somebody reads: the row at the top of the screen. */
export interface Place {
  readonly line: number;
  readonly piece: number;
}

/**
 * The rows from a place on, as many as fit. Lines that have gone are not there; then it begins with the oldest.
 *
 * @param place null: the newest, at the bottom
 */
export function logWindow(log: LogLines, place: Place | null, columns: number, rows: number): readonly LogRow[] {
  const top = place === null ? bottomOf(log, columns, rows) : place;
  const shown: LogRow[] = [];
  for (let at = Math.max(top.line, log.first); at < log.end && shown.length < rows; at += 1) {
    const skipped = at === top.line ? top.piece : 0;
    shown.push(...log.rows(at, columns).slice(skipped, skipped + rows));
  }
  return shown.slice(0, rows);
}

/** The place at which the newest row is the last one on the screen. */
export function bottomOf(log: LogLines, columns: number, rows: number): Place {
  return moved(log, { line: log.end, piece: 0 }, -rows, columns);
}

/** The place `by` rows further down, or up; never before the oldest row, nor behind the last line. */
export function moved(log: LogLines, from: Place, by: number, columns: number): Place {
  let { line: at, piece } = from.line < log.first ? { line: log.first, piece: 0 } : from;
  for (let left = by; left < 0; left += 1) {
    if (piece > 0) piece -= 1;
    else if (at > log.first) {
      at -= 1;
      piece = log.rows(at, columns).length - 1;
    } else break;
  }
  for (let left = by; left > 0 && at < log.end; left -= 1) {
    if (piece + 1 < log.rows(at, columns).length) piece += 1;
    else {
      at += 1;
      piece = 0;
    }
  }
  return { line: at, piece };
}

/** A line that is no wider than the screen. */
export function fitted({ text, tone }: Line, columns: number): Line {
  return line(fit(text, columns), tone);
}
