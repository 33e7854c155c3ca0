import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gatherBundle, type GatheredBundle } from "../../src/carriers/bundle.ts";
import type { CarriedRecord } from "../../src/core/carry.ts";
import { placesIn, writeLoop } from "../../test/carriers/a-loop.ts";
import { timed } from "./timed.ts";

const FILES = 50;
const FILE_BYTES = 1_000_000;

/** The bundle of a loop whose logs have 50 MB, and how long it took to gather, in milliseconds. */
export async function aLargeLoop(
  folder: string,
  record: CarriedRecord,
): Promise<{ readonly bundle: GatheredBundle; readonly gatherMs: number }> {
  const places = placesIn(folder);
  await writeLoop(places);
  await writeLogs(places.folder, (n) => `events_iter_${n}.jsonl`);
  const into = path.join(folder, "bundle");
  const [gatherMs, bundle] = await timed(() => gatherBundle({ places, record, into, seal: null, secrets: [] }));
  return { bundle, gatherMs };
}

/** Writes 50 MB into a folder, which compress as an agent's events do: to about a fifth. */
export async function writeLogs(folder: string, nameOf: (n: number) => string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let n = 1; n <= FILES; n++) await writeFile(path.join(folder, nameOf(n)), logOf(n));
}

function logOf(n: number): string {
  const lines: string[] = [];
  for (let bytes = 0; bytes < FILE_BYTES; bytes += lines.at(-1)?.length ?? 0) {
    const text = `the agent looks at src/file-${lines.length % 97}.ts: ${randomBytes(32).toString("base64")}`;
    const item = { id: `item_${lines.length}`, type: "command_execution", command: "sed -n 1,80p", text, n };
    lines.push(`${JSON.stringify({ type: "item.completed", item, output: text.slice(0, 40).repeat(4) })}\n`);
  }
  return lines.join("").slice(0, FILE_BYTES);
}
