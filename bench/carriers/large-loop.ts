import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gatherBundle, type GatheredBundle, type LoopPlaces } from "../../src/carry/bundle.ts";
import type { CarriedRecord } from "../../src/core/carry.ts";
import { placesIn, writeLoop } from "../../test/carry/a-loop.ts";

const FILES = 50;
const FILE_BYTES = 1_000_000;

/** What a job has of them: none is in the files, and each is looked for. */
const SECRETS = ["ghs_16C7e42F292c6912E7710c838347Ae178B4a", "sk-proj-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH"];

/** A loop whose logs have 50 MB. */
export async function aLargeLoop(folder: string): Promise<LoopPlaces> {
  const places = placesIn(folder);
  await writeLoop(places);
  await writeLogs(places.folder, (n) => `events_iter_${n}.jsonl`);
  return places;
}

/** Gathers it as a job does: without its secrets, unsealed. */
export function gathered(places: LoopPlaces, record: CarriedRecord, into: string): Promise<GatheredBundle> {
  return gatherBundle({ places, record, into, seal: null, secrets: SECRETS });
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
