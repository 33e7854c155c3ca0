import { restoreCache, saveCache } from "@actions/cache";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { BUNDLE_LIMITS, MANIFEST_LIMIT } from "./manifest.ts";
import { serveToolkit } from "./serve-toolkit.ts";

/** The program that talks to the cache service, in the folder that is saved or restored. */

const callSchema = z.object({ op: z.enum(["save", "restore"]), key: z.string() });

/** Part of what identifies an entry; relative to the folder, it is the same on every machine. */
const PATHS = ["."];

/** Extraction takes absolute paths and `..` as they are (T14); so they are made names like any other. GNU tar reads this. */
const CONFINED = "--transform=s,[.][.],__,g;s,^/*,./,";

/** What tar adds to a file. */
const HEADER_BYTES = 1024;
/** More than a bundle's archive can have; in bytes. */
const ARCHIVE_LIMIT = BUNDLE_LIMITS.bytes + MANIFEST_LIMIT + BUNDLE_LIMITS.files * HEADER_BYTES;

/** GNU tar counts in records of this length, in bytes; where an archive goes on behind the limit, it ends itself (T14). */
const RECORD_BYTES = 10_240;
const BOUNDED = `--checkpoint=${Math.ceil(ARCHIVE_LIMIT / RECORD_BYTES)} --checkpoint-action=exec=kill\\ $PPID`;

/** How often the length of what arrives is looked at, in milliseconds. */
const LOOK_MS = 100;

/** Logs become small at once, and the job waits. The zstd that tar starts reads this. */
const FAST_COMPRESSION = "1";

await serveToolkit(async (json) => {
  const { op, key } = callSchema.parse(json);
  if (op === "save") {
    process.env["ZSTD_CLEVEL"] = FAST_COMPRESSION;
    return await saveCache(PATHS, key);
  }
  process.env["TAR_OPTIONS"] = `${CONFINED} ${BOUNDED}`;
  return Promise.race([restoreCache(PATHS, key).then((restored) => restored ?? null), arrivesTooMuch()]);
});

/** Rejects when the archive that is downloaded is too long; the process ends then, and with it the download. */
function arrivesTooMuch(): Promise<never> {
  const folder = process.env["RUNNER_TEMP"] ?? "";
  return new Promise((_resolve, reject) => {
    setInterval(() => {
      const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
        (name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
      );
      if (Math.max(0, ...sizes) > ARCHIVE_LIMIT) reject(new Error("the archive is too large"));
    }, LOOK_MS).unref();
  });
}
