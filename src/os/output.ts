import type { Writable } from "node:stream";
import { settledBy } from "./concurrency.ts";

/** More waiting bytes than this, and lines that can be missed are dropped. */
const FULL_BYTES = 1 << 20;

/** A stream that is written to without ever waiting for it or failing with it. */
export interface Output {
  /** Writes one line; drops it when the other end does not read fast enough and the line can be missed. */
  line(text: string, missable: boolean): void;
  /** Resolves when everything is with the other end, when that is gone, or at `deadline`; never rejects. */
  drained(deadline: number): Promise<void>;
}

/**
 * Guards a stream: a slow reader or one that went away (`| head`) neither ends nor delays the loop. Every line is one
 * write, so that no other output can get into it.
 *
 * @param leftOut the line that replaces this many dropped ones
 */
export function output(
  stream: Writable,
  leftOut = (lines: number) => `(${lines} lines left out: the reader was too slow)`,
): Output {
  let gone = false;
  let dropped = 0;
  stream.on("error", () => (gone = true));
  return {
    line(text, missable) {
      if (gone) return;
      if (missable && stream.writableLength > FULL_BYTES) {
        dropped += 1;
        return;
      }
      if (dropped > 0) stream.write(`${leftOut(dropped)}\n`);
      dropped = 0;
      stream.write(`${text}\n`);
    },
    async drained(deadline) {
      if (gone || stream.writableLength === 0) return;
      const written = new Promise<void>((resolve) => {
        stream.once("error", () => resolve());
        stream.write("", () => resolve());
      });
      await settledBy(written, deadline);
    },
  };
}
