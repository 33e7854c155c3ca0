const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const INVISIBLE = /^(?:\p{Mn}|\p{Me}|\p{Cf})+$/u;

function widthOf(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Cuts a line of plain text to at most `columns` columns of a terminal; a cut is shown as `…`. */
export function fit(text: string, columns: number): string {
  let kept = "";
  let used = 0;
  let fitting = "";
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += widthOf(segment);
    if (used > columns) return columns < 1 ? "" : `${fitting}…`;
    kept += segment;
    if (used < columns) fitting = kept;
  }
  return kept;
}
