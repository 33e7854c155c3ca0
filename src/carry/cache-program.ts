import { restoreCache, saveCache } from "@actions/cache";
import { z } from "zod";
import { serveToolkit } from "./serve-toolkit.ts";

/** The program that talks to the cache service, in the folder that is saved or restored. */

const callSchema = z.object({ op: z.enum(["save", "restore"]), key: z.string() });

/** Part of what identifies an entry; relative to the folder, it is the same on every machine. */
const PATHS = ["."];

/** Extraction takes absolute paths and `..` as they are (T14); so they are made names like any other. GNU tar reads this. */
const CONFINED = "--transform=s,[.][.],__,g;s,^/*,./,";

/** Logs become small at once, and the job waits. The zstd that tar starts reads this. */
const FAST_COMPRESSION = "1";

await serveToolkit(async (json) => {
  const { op, key } = callSchema.parse(json);
  if (op === "save") {
    process.env["ZSTD_CLEVEL"] = FAST_COMPRESSION;
    return await saveCache(PATHS, key);
  }
  process.env["TAR_OPTIONS"] = CONFINED;
  return (await restoreCache(PATHS, key)) ?? null;
});
