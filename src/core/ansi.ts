// Repetitions are bounded, for the text is that of strangers.
// oxlint-disable-next-line no-control-regex -- ANSI codes begin with a control character
const ANSI = /\u001B\[[0-9;?]{0,30}[ -/]{0,5}[@-~]/gu;

/** A text without the codes that colour it on a terminal (sections 4.4 and 5.1). */
export function withoutAnsi(text: string): string {
  return text.replaceAll(ANSI, "");
}
