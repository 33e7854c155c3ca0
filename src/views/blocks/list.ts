import { grouped } from "../amounts.ts";
import { bullets, text, type Block, type Piece } from "../markdown.ts";

/**
 * At most `most` items, one below the other, and how many are not shown.
 *
 * @param elsewhere where those are
 */
export function listed(items: readonly (readonly Piece[])[], most: number, elsewhere: string): Block {
  const rest = items.length - most;
  const more = rest > 0 ? [[text(`${grouped(rest)} more: ${elsewhere}.`)]] : [];
  return bullets([...items.slice(0, most), ...more]);
}
