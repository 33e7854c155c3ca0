import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { SecretValues } from "./secrets.ts";

/** In bytes. */
const CHUNK = 1 << 20;

/**
 * Copies a file of any length, with `***` where it holds one of the values: an agent may have found one and said it, and
 * artifacts are read by many (T2, T16).
 *
 * @param target must not exist
 * @throws the file system's own error
 */
export async function copyWithout(values: SecretValues, source: string, target: string): Promise<void> {
  const hide = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let held = "";
    for await (const chunk of chunks) {
      const text = values.hiddenIn(held + chunk.toString("latin1"));
      // A value may go on in the next chunk.
      const end = Math.max(0, text.length - values.longest);
      held = text.slice(end);
      yield Buffer.from(text.slice(0, end), "latin1");
    }
    yield Buffer.from(held, "latin1");
  };
  await pipeline(
    createReadStream(source, { highWaterMark: CHUNK }),
    hide,
    createWriteStream(target, { flags: "wx", highWaterMark: CHUNK }),
  );
}
