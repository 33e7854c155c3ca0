import { bullets, heading, text, type Block } from "../markdown.ts";
import type { RunView } from "../run-view.ts";
import { books, sinceTheBeginning } from "../summary.ts";

/** What the loop has used and changed so far. */
export function bookBlocks(view: RunView): Block[] {
  const lines = [...books(view).map((line) => line.text), sinceTheBeginning(view)];
  return [heading(3, "Totals"), bullets(lines.map((line) => [text(line)]))];
}
