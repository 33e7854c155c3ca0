import path from "node:path";
import { copyFile, mkdir } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SUMMARY_FILE } from "../core/names.ts";
import { inOwnFolder, openToRead, ownFolder, replaceFile, workspaceFolder } from "../os/own-file.ts";
import { resultOf } from "../views/result.ts";
import type { RunView } from "../views/run-view.ts";
import { summaryJson } from "../views/summary-json.ts";
import type { LoopPlace } from "../store/place.ts";
import { readEarlierEvents, readEvents } from "../store/read-events.ts";

/**
 * Writes `summary.json` into the loop's folder, from the events and without holding them in memory (W-28). In
 * the workspace no link is followed (T14).
 *
 * @param copy where it is wanted as well, seen from the workspace; null: nowhere
 * @throws the file system's error; an older summary is unharmed then
 */
export async function writeSummary(place: LoopPlace, view: RunView, copy: string | null): Promise<void> {
  const { root, folder } = place;
  const wanted = copy === null ? null : path.resolve(root, copy);
  await inOwnFolder(await ownFolder(root, folder), async (at) => {
    await replaceFile(at, SUMMARY_FILE, async (to) => {
      const earlier = readEarlierEvents(place, view.state.generation);
      await pipeline(Readable.from(summaryJson(resultOf(view), readEvents(place), earlier)), to.createWriteStream());
    });
    if (wanted !== null && wanted !== path.join(folder, SUMMARY_FILE)) {
      await copyTo(wanted, root, path.join(at, SUMMARY_FILE));
    }
  });
}

async function copyTo(wanted: string, root: string, file: string): Promise<void> {
  const { dir, base } = path.parse(wanted);
  const target = await workspaceFolder(root, dir);
  if (target === undefined) {
    await mkdir(dir, { recursive: true });
    return copyFile(file, wanted);
  }
  const source = await openToRead(file);
  try {
    await inOwnFolder(target, (at) =>
      replaceFile(at, base, (to) => pipeline(source.createReadStream(), to.createWriteStream())),
    );
  } finally {
    await source.close();
  }
}
