/** So much of what the agent has learned stays in the state; the whole is in `progress.md`. */
const KEPT_LINES = 40;
const LINE_LENGTH = 200;

/** What a line of the notes begins with, as the prompt asks for it (C18). */
const LABEL = /^[\s>*_-]*(done|learned|next)\b[\s*_]*:[\s*_]*/iu;

/**
 * Adds what a turn's notes say under `learned:` to what is known, so that a fresh session hears of it however long ago it
 * was (W-66). A line without a label belongs to the one above it. The oldest lines go first when there are too many.
 */
export function keepLearned(known: readonly string[], notes: readonly string[]): readonly string[] {
  const learned: string[] = [];
  let label = "";
  for (const note of notes) {
    label = LABEL.exec(note)?.[1]?.toLowerCase() ?? label;
    const text = note.replace(LABEL, "").trim().slice(0, LINE_LENGTH);
    if (label === "learned" && text !== "") learned.push(text);
  }
  return [...new Set([...known, ...learned])].slice(-KEPT_LINES);
}
