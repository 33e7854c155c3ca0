import { restoreCache, saveCache } from "@actions/cache";
import { z } from "zod";
import { serveToolkit } from "./serve-toolkit.ts";

/** The program that talks to the cache service. It runs in the folder that is saved or restored. */

const callSchema = z.object({ op: z.enum(["save", "restore"]), key: z.string() });

/** Part of what an entry is found by; seen from the folder, it is the same on every machine. */
const PATHS = ["."];

await serveToolkit(async (json) => {
  const { op, key } = callSchema.parse(json);
  return op === "save" ? await saveCache(PATHS, key) : ((await restoreCache(PATHS, key)) ?? null);
});
