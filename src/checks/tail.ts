import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";

const TAIL_BYTES = 8_192;
/** Kept while streaming (UTF-16 units): what test runners say stands among much else, and codes need room as well. */
const KEPT = 262_144;

/**
 * The end of what a command says, in the order of arrival, in bounded memory, without ANSI codes and other control
 * characters. Of a line that was drawn over (a progress bar) the last drawing stays.
 */
export class OutputTail {
  #text = "";
  #cut = false;

  /** A writer for one stream; a character whose bytes arrive in pieces is put together. */
  stream(): (chunk: Buffer) => void {
    const decoder = new StringDecoder("utf8");
    return (chunk) => this.#append(decoder.write(chunk));
  }

  #append(piece: string): void {
    this.#text += piece;
    if (this.#text.length <= 2 * KEPT) return;
    this.#text = this.#text.slice(-KEPT);
    this.#cut = true;
  }

  /** For people and prompts: at most 8 KiB of valid UTF-8. */
  text(): string {
    return endOf(Buffer.from(this.whole().text.trim()));
  }

  /** All that is kept: at most 512 KiB. `cut`: the beginning is missing. */
  whole(): { readonly text: string; readonly cut: boolean } {
    // The first line may begin within an ANSI code.
    const whole = this.#cut ? this.#text.slice(this.#text.indexOf("\n") + 1) : this.#text;
    const lines = stripVTControlCharacters(whole).replaceAll("\r\n", "\n").split("\n").map(lastDrawing);
    return { text: lines.join("\n"), cut: this.#cut };
  }
}

function lastDrawing(line: string): string {
  const drawn = line.split("\r").findLast((part) => part !== "") ?? "";
  return drawn.replaceAll(/[^\P{Cc}\t]/gu, "");
}

function endOf(bytes: Buffer): string {
  if (bytes.length <= TAIL_BYTES) return bytes.toString("utf8");
  let start = bytes.length - TAIL_BYTES;
  // 10xxxxxx goes on with a character that has begun before.
  while (((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start++;
  return bytes.toString("utf8", start);
}
