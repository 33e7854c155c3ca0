/** Whose form a block has; all are read alike (C1). */
export type BlockName = "ralph" | "loopr" | "lisa" | "smithers";

/** Where a status block stands in a message, and what it says. */
export interface BlockLines {
  readonly name: BlockName;
  /** the line of the start marker */
  readonly from: number;
  /** behind the last line, the end marker included */
  readonly to: number;
  /** between the markers, in plain characters */
  readonly lines: readonly string[];
}

const NAMES: readonly BlockName[] = ["ralph", "loopr", "lisa", "smithers"];
const START = /^[\s>*`]*-{2,}\s*(RALPH|LOOPR|LISA|SMITHERS)_STATUS\s*-{2,}[\s*`]*$/iu;
const YAML_START = /^\s*(RALPH|LOOPR|LISA|SMITHERS)_STATUS:\s*$/iu;
const END = /^[\s>*`]*-{2,}\s*END_(?:RALPH|LOOPR|LISA|SMITHERS)_STATUS\s*-{2,}[\s*`]*$/iu;
const FENCE = /^\s*(?:`{3,}|~{3,})/u;
const FIELD =
  /^[\s>*`-]*(?:STATUS|EXIT_?SIGNAL|WORK_?TYPE|FILES_?MODIFIED|ERRORS|SUMMARY|RECOMMENDATION|TESTS_?STATUS|TASKS_?COMPLETED(?:_THIS_LOOP)?)[\s*`]*[:=]/iu;

/**
 * The status blocks of a message in their order (section 5.1). A block ends at its end marker, whatever name that has;
 * without one at the next start, at the closing fence, or at the first blank line before other text.
 */
export function blockLines(message: string): readonly BlockLines[] {
  const lines = plainText(message).split("\n");
  const blocks: BlockLines[] = [];
  for (let at = 0; at < lines.length;) {
    const name = startName(lineAt(lines, at));
    if (name === undefined) {
      at++;
      continue;
    }
    const marker = nextMarker(lines, at + 1);
    const closed = END.test(lineAt(lines, marker));
    const end = closed ? marker : openEnd(lines, at + 1, marker);
    const to = closed ? marker + 1 : end;
    blocks.push({ name, from: at, to, lines: lines.slice(at + 1, end) });
    at = to;
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

/** The next line that begins or ends a block; the number of lines when there is none. */
function nextMarker(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at++) {
    const line = lineAt(lines, at);
    if (END.test(line) || startName(line) !== undefined) return at;
  }
  return lines.length;
}

function openEnd(lines: readonly string[], from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    const line = lineAt(lines, at);
    if (FENCE.test(line)) return at;
    if (line.trim() !== "") continue;
    const next = nextText(lines, at, limit);
    if (!FIELD.test(lineAt(lines, next))) return at;
    at = next;
  }
  return limit;
}

/** The next line that says something; `limit` when there is none. */
function nextText(lines: readonly string[], from: number, limit: number): number {
  let at = from;
  while (at < limit && lineAt(lines, at).trim() === "") at++;
  return at;
}

/** "" behind the last one. */
function lineAt(lines: readonly string[], at: number): string {
  return lines[at] ?? "";
}
