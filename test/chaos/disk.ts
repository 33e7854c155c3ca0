import { execFile } from "node:child_process";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { tempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);

/** More than `min-free-disk` asks for (32 MiB) beside what a story takes, so that only a full disk is full. */
const SIZE = "48m";

/** A place for one story. */
export interface Disk extends AsyncDisposable {
  readonly path: string;
  /** whether it is a file system of its own, which can be full and read-only */
  readonly isOwn: boolean;
  /** Leaves no byte for anybody. */
  fill(): Promise<void>;
  /** Gives the space back. */
  drain(): Promise<void>;
  /** @returns false when somebody is writing, so that it cannot be done */
  lock(isReadOnly: boolean): Promise<boolean>;
}

/** A small file system in memory where this user may mount one, else a folder. */
export async function aDisk(): Promise<Disk> {
  const folder = await tempFolder("chaos-");
  const place = path.join(folder.path, "disk");
  await mkdir(place);
  const isOwn = await did("mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "chaos", place);
  const ballast = path.join(place, "ballast");
  return {
    path: place,
    isOwn,
    async fill() {
      const { bavail, bsize } = await statfs(place);
      // The last write fails where somebody else has been faster.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => undefined);
    },
    drain: () => rm(ballast, { force: true }),
    lock: (isReadOnly) => did("mount", "-o", `remount,${isReadOnly ? "ro" : "rw"}`, place),
    async [Symbol.asyncDispose]() {
      if (isOwn) await run("umount", ["-l", place]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function did(program: string, ...args: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}
