import { randomBytes } from "node:crypto";
import type { StatsFs } from "node:fs";
import { rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { OperationalError } from "../core/errors.ts";
import { machineTrouble } from "./machine-trouble.ts";

const MIB = 1024 * 1024;
/** What is written to find out whether anything can be. */
const PROBE = "smithers\n";

/** As `statfs` does. */
type AskFileSystem = (folder: string) => Promise<Pick<StatsFs, "blocks" | "bavail" | "bsize">>;

/**
 * Makes sure that something can be written to a folder, and that enough of its disk is free.
 *
 * @param leastMib in MiB; null: whatever is free is enough, as where the file system does not say
 * @param ask for the space that is free
 * @throws OperationalError `FOLDER_UNWRITABLE`, `DISK_FULL`
 */
export async function refuseFullDisk(
  folder: string,
  leastMib: number | null,
  ask: AskFileSystem = statfs,
): Promise<void> {
  try {
    const probe = path.join(folder, `.probe.${randomBytes(6).toString("hex")}.tmp`);
    try {
      await writeFile(probe, PROBE, { flag: "wx" });
    } finally {
      await rm(probe, { force: true });
    }
  } catch (error) {
    const { what, next } = machineTrouble(error) ?? { what: String(error), next: "Put that right" };
    throw refusal("FOLDER_UNWRITABLE", `The loop's folder ${folder} cannot be written: ${what}.`, next);
  }
  if (leastMib === null) return;
  const free = await freeMib(folder, ask);
  if (free === undefined || free >= leastMib) return;
  const what = `Only ${free} MiB are free on the disk of ${folder}, and min-free-disk asks for ${leastMib}.`;
  throw refusal("DISK_FULL", what, "Free some space");
}

/** @returns undefined where the file system does not say: one without a size of its own has no blocks at all */
async function freeMib(folder: string, ask: AskFileSystem): Promise<number | undefined> {
  const { blocks, bavail, bsize } = await ask(folder).catch(() => ({ blocks: 0, bavail: 0, bsize: 0 }));
  return blocks === 0 ? undefined : Math.floor((bavail * bsize) / MIB);
}

function refusal(code: string, what: string, next: string): OperationalError {
  return new OperationalError({
    code,
    what: `${what} So no turn was begun, whose result could not be kept. All that had ended is saved, and the work is in the work tree, unharmed.`,
    next: `${next}, then resume the loop.`,
  });
}
