import type { BlockName, StatusBlock } from "./claim.ts";

const FIELD = /^[\s>*`-]*([A-Za-z][A-Za-z0-9]*(?:[_ -][A-Za-z0-9]+)*)[\s*`]*[:=]\s*(.*)$/u;
const SUMMARY_LENGTH = 500;
const OTHER_FIELDS = 20;
const OTHER_LENGTH = 200;

const STATUSES = {
  INPROGRESS: "IN_PROGRESS",
  WORKING: "IN_PROGRESS",
  COMPLETE: "COMPLETE",
  COMPLETED: "COMPLETE",
  DONE: "COMPLETE",
  BLOCKED: "BLOCKED",
  ERROR: "ERROR",
} as const;

const WORK_TYPES = {
  TEST: "tests",
  TESTS: "tests",
  TESTING: "tests",
  CODE: "code",
  FEATURE: "code",
  BUGFIX: "code",
  IMPLEMENTATION: "code",
  DOCS: "docs",
} as const;

const TESTS_STATUSES = { PASSING: "PASSING", FAILING: "FAILING", FAILED: "FAILING", FAIL: "FAILING" } as const;

/** Words against the work count even with a remark behind them: `BLOCKED (no key)`, `FAILING: 3 of 12`. */
const NEGATIVE = /^(BLOCKED|ERROR|FAIL(?:ING|ED)?)(?![\w-])(?!\s*[:=(]\s*(?:0|none)\b)/iu;

const TRUE = new Set(["TRUE", "YES", "1", "Y"]);

/**
 * The last block of a message that says how the work is or whether the loop may end (section 5.1). A template, as
 * prompts show it, says neither.
 */
export function readStatusBlock(message: string): StatusBlock | null {
  const blocks = blockLines(message)
    .map(({ name, lines }) => ({ name, fields: fieldsOf(lines) }))
    .toReversed();
  const told =
    blocks.find(({ fields }) => says(fields, "STATUS") || says(fields, "EXITSIGNAL")) ??
    // One that only counts errors says something against the work (C39).
    blocks.find(({ fields }) => says(fields, "ERRORS"));
  return told === undefined ? null : blockOf(told.name, told.fields);
}

type Field = Readonly<Record<"key" | "value", string>>;

function fieldsOf(lines: readonly string[]): readonly Field[] {
  return lines.flatMap((line) => {
    const [, key, value] = FIELD.exec(line) ?? [];
    if (key === undefined || value === undefined) return [];
    // C24: models put quotes, asterisks and final punctuation around a value.
    return [{ key, value: value.replace(/^[\s*`"']+/u, "").replace(/[\s*`"'.,;!]+$/u, "") }];
  });
}

/** `EXIT_SIGNAL`, `ExitSignal` and `exit signal` are one field; `TESTS_STATUS` is not `STATUS`. */
function canonical(word: string): string {
  return word.replaceAll(/[_ -]/gu, "").toUpperCase();
}

function says(fields: readonly Field[], key: string): boolean {
  const value = lastOf(fields, key);
  return value !== null && !/[|<]/u.test(value);
}

function lastOf(fields: readonly Field[], key: string): string | null {
  const value = fields.findLast((field) => canonical(field.key) === key)?.value ?? "";
  return value === "" ? null : value;
}

function blockOf(name: BlockName, fields: readonly Field[]): StatusBlock {
  return {
    name,
    status: oneOf(STATUSES, lastOf(fields, "STATUS"), "UNKNOWN"),
    exit_signal: exitSignal(fields),
    work_type: oneOf(WORK_TYPES, lastOf(fields, "WORKTYPE"), "other"),
    files_modified: integer(lastOf(fields, "FILESMODIFIED")),
    errors: errorsIn(lastOf(fields, "ERRORS")),
    tests_status: oneOf(TESTS_STATUSES, lastOf(fields, "TESTSSTATUS"), "UNKNOWN"),
    tasks_completed: integer(lastOf(fields, "TASKSCOMPLETED") ?? lastOf(fields, "TASKSCOMPLETEDTHISLOOP")),
    summary: (lastOf(fields, "SUMMARY") ?? lastOf(fields, "RECOMMENDATION"))?.slice(0, SUMMARY_LENGTH) ?? null,
    other: otherFields(fields),
  };
}

function oneOf<Value, Else>(known: Readonly<Record<string, Value>>, word: string | null, other: Else) {
  if (word === null) return null;
  const meant = canonical(NEGATIVE.exec(word)?.[1] ?? word);
  return Object.entries(known).find(([name]) => name === meant)?.[1] ?? other;
}

/** Two that differ mean false (B7), as does everything that is not plainly yes (B8). */
function exitSignal(fields: readonly Field[]): boolean | null {
  const values = fields.filter(({ key, value }) => canonical(key) === "EXITSIGNAL" && value !== "");
  return values.length === 0 ? null : values.every(({ value }) => TRUE.has(value.toUpperCase()));
}

/** The first integer that is not negative (B9). */
function integer(value: string | null): number | null {
  const digits = value === null ? undefined : /(?<![\d-])\d{1,15}(?!\d)/u.exec(value)?.[0];
  return digits === undefined ? null : Number(digits);
}

const MENDED = /\b(?:fixed|resolved|mended|corrected|handled|pre-?existing)\b/iu;

/** Errors that are no more are none (C39). */
function errorsIn(value: string | null): number | null {
  return value !== null && MENDED.test(value) ? 0 : integer(value);
}

const KNOWN = new Set(
  "STATUS EXITSIGNAL WORKTYPE FILESMODIFIED ERRORS SUMMARY RECOMMENDATION TESTSSTATUS TASKSCOMPLETED TASKSCOMPLETEDTHISLOOP".split(
    " ",
  ),
);

function otherFields(fields: readonly Field[]): Readonly<Record<string, string>> {
  const others = fields.filter(({ key }) => !KNOWN.has(canonical(key))).slice(0, OTHER_FIELDS);
  return Object.fromEntries(others.map(({ key, value }) => [key.slice(0, OTHER_LENGTH), value.slice(0, OTHER_LENGTH)]));
}

interface BlockLines {
  readonly name: BlockName;
  /** the line of the start marker */
  readonly from: number;
  /** after the last line, the end marker included */
  readonly to: number;
  /** between the markers, in plain characters */
  readonly lines: readonly string[];
}

const NAMES: readonly BlockName[] = ["ralph", "loopr", "lisa", "smithers"];
const START = /^[\s>*`]*-{2,}\s*(RALPH|LOOPR|LISA|SMITHERS)_STATUS\s*-{2,}[\s*`]*$/iu;
const YAML_START = /^\s*(RALPH|LOOPR|LISA|SMITHERS)_STATUS:\s*$/iu;
const END = /^[\s>*`]*-{2,}\s*END_(?:RALPH|LOOPR|LISA|SMITHERS)_STATUS\s*-{2,}[\s*`]*$/iu;
const FENCE = /^\s*(?:`{3,}|~{3,})/u;
const KNOWN_FIELD =
  /^[\s>*`-]*(?:STATUS|EXIT_?SIGNAL|WORK_?TYPE|FILES_?MODIFIED|ERRORS|SUMMARY|RECOMMENDATION|TESTS_?STATUS|TASKS_?COMPLETED(?:_THIS_LOOP)?)[\s*`]*[:=]/iu;

/**
 * The status blocks of a message in their order (section 5.1). A block ends at an end marker of any name; without one
 * at the next start, at the closing fence, or at the first blank line before other text.
 */
export function blockLines(message: string): readonly BlockLines[] {
  const lines = plainText(message).split("\n");
  const blocks: BlockLines[] = [];
  let to = 0;
  for (const [from, line] of lines.entries()) {
    const name = from < to ? undefined : startName(line);
    if (name === undefined) continue;
    const marker = nextMarker(lines, from + 1);
    const closed = END.test(lineAt(lines, marker));
    const end = closed ? marker : openEnd(lines, from + 1, marker);
    to = closed ? marker + 1 : end;
    blocks.push({ name, from, to, lines: lines.slice(from + 1, end) });
  }
  return blocks;
}

/** Models write typographic dashes, full-width letters, quotes and emoji around what they mean (C24). */
function plainText(message: string): string {
  return message
    .normalize("NFKC")
    .replaceAll(/[\u2010-\u2015\u2212\u2500\u2501\u2E3A\u2E3B]/gu, "--")
    .replaceAll(/[\u2018-\u201F\u00AB\u00BB]/gu, '"')
    .replaceAll(/[\p{Extended_Pictographic}\uFE0F]/gu, "");
}

function startName(line: string): BlockName | undefined {
  const name = (START.exec(line) ?? YAML_START.exec(line))?.[1]?.toLowerCase();
  return NAMES.find((known) => known === name);
}

/** The next line that begins or ends a block; the number of lines when no line does. */
function nextMarker(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !END.test(lineAt(lines, at)) && startName(lineAt(lines, at)) === undefined) at++;
  return at;
}

function openEnd(lines: readonly string[], from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    const line = lineAt(lines, at);
    if (FENCE.test(line)) return at;
    if (line.trim() !== "") continue;
    const next = nextText(lines, at, limit);
    if (!KNOWN_FIELD.test(lineAt(lines, next))) return at;
    at = next;
  }
  return limit;
}

function nextText(lines: readonly string[], from: number, limit: number): number {
  let at = from;
  while (at < limit && lineAt(lines, at).trim() === "") at++;
  return at;
}

function lineAt(lines: readonly string[], at: number): string {
  return lines[at] ?? "";
}
