import { restoreCache, saveCache } from "@actions/cache";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { serveToolkit } from "./serve-toolkit.ts";

/** The program that talks to the cache service, in the folder that is saved or restored. */

const callSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("save"), key: z.string() }),
  // `limit`: of the archive, in bytes
  z.object({ op: z.literal("restore"), key: z.string(), limit: z.int().positive() }),
]);

/** Part of what identifies an entry; relative to the folder, it is the same on every machine. */
const PATHS = ["."];

/** Extraction takes absolute paths and `..` as they are (T14); so they are made names like any other. GNU tar reads this. */
const CONFINED = "--transform=s,[.][.],__,g;s,^/*,./,";

/** GNU tar counts in records of this length, in bytes; where an archive goes on behind the limit, it ends itself (T14). */
const RECORD_BYTES = 10_240;
const bounded = (limit: number): string =>
  `--checkpoint=${Math.ceil(limit / RECORD_BYTES)} --checkpoint-action=exec=kill\\ $PPID`;

/** How often the length of what arrives is looked at, in milliseconds. */
const LOOK_MS = 100;

/** Logs become small at once, and the job waits. The zstd that tar starts reads this. */
const FAST_COMPRESSION = "1";

await serveToolkit(async (json) => {
  const call = callSchema.parse(json);
  if (call.op === "save") {
    process.env["ZSTD_CLEVEL"] = FAST_COMPRESSION;
    return await saveCache(PATHS, call.key);
  }
  const { key, limit } = call;
  process.env["TAR_OPTIONS"] = `${CONFINED} ${bounded(limit)}`;
  return Promise.race([restoreCache(PATHS, key).then((restored) => restored ?? null), arrivesTooMuch(limit)]);
});

/** Rejects when the archive that is downloaded is too long; the process ends then, and with it the download. */
function arrivesTooMuch(limit: number): Promise<never> {
  const folder = process.env["RUNNER_TEMP"] ?? "";
  return new Promise((_resolve, reject) => {
    setInterval(() => {
      const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
        (name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
      );
      if (Math.max(0, ...sizes) > limit) reject(new Error("the archive is too large"));
    }, LOOK_MS).unref();
  });
}
