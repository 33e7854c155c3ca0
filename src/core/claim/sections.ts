/** The heading of the notes that an agent leaves (C18). */
export const NOTES_HEADING = /^[\s>#*_]*NOTES[*_]*\s*:[*_]*\s*(.*)$/u;
const BLOCKED_HEADING = /^[\s>#*_]*BLOCKED\b/u;
/** Who fills in a form says so when nothing is. */
const NOT_BLOCKED = /^[\s>#*_]*BLOCKED\b[\s:*_-]*(?:no|none|nothing|n\/a|false)\b[\s.*_]*(?:\n\s*\n|$)/iu;
const BLOCK_MARKER = /^[\s>*`]*-{2,}\s*\w+_STATUS\s*-{2,}/u;

const NOTES_LINES = 10;
const NOTE_LENGTH = 300;
const BLOCKED_LENGTH = 1024;

/**
 * The lines under the last `NOTES:` of a message: done, learned, next (C18). They end at a blank line, at a status
 * block or at the promise.
 *
 * @returns at most ten lines of at most 300 characters
 */
export function readNotes(message: string, promise: string | null): readonly string[] {
  const lines = message.split("\n");
  const at = lines.findLastIndex((line) => NOTES_HEADING.test(line));
  if (at === -1) return [];
  const notes: string[] = [];
  for (const [index, line] of lines.slice(at).entries()) {
    const note = (index === 0 ? line.replace(NOTES_HEADING, "$1") : line).trim();
    if (note === "" && notes.length === 0) continue;
    if (note === "" || BLOCK_MARKER.test(note) || (promise !== null && note.includes(promise))) break;
    notes.push(note.slice(0, NOTE_LENGTH));
    if (notes.length === NOTES_LINES) break;
  }
  return notes;
}

/** The structured BLOCKED section that the rules ask for (W-51), from its heading on; null when there is none. */
export function readBlocked(message: string): string | null {
  const lines = message.split("\n");
  const at = lines.findIndex((line) => BLOCKED_HEADING.test(line));
  if (at === -1) return null;
  const section = lines.slice(at).join("\n").trim().slice(0, BLOCKED_LENGTH);
  return NOT_BLOCKED.test(section) ? null : section;
}
