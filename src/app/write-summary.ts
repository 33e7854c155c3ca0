import path from "node:path";
import { createWriteStream } from "node:fs";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SUMMARY_FILE } from "../core/names.ts";
import { resultOf } from "../views/result.ts";
import type { RunView } from "../views/run-view.ts";
import { summaryJson } from "../views/summary-json.ts";
import type { LoopPlace } from "../store/place.ts";
import { readEarlierEvents, readEvents } from "../store/read-events.ts";

/**
 * Writes `summary.json` into the loop's folder, from the events and without holding them in memory (W-28).
 *
 * @param copy where it is wanted as well, seen from the workspace; null: nowhere
 * @throws the file system's error; an older summary is unharmed then
 */
export async function writeSummary(place: LoopPlace, view: RunView, copy: string | null): Promise<void> {
  const { root, folder } = place;
  const earlier = readEarlierEvents(place, view.state.generation);
  const file = path.join(folder, SUMMARY_FILE);
  const temporary = path.join(folder, `.${SUMMARY_FILE}.${process.pid}.tmp`);
  try {
    const text = Readable.from(summaryJson(resultOf(view), readEvents(folder), earlier));
    await pipeline(text, createWriteStream(temporary));
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  const wanted = copy === null ? file : path.resolve(root, copy);
  if (wanted === file) return;
  await mkdir(path.dirname(wanted), { recursive: true });
  await copyFile(file, wanted);
}
