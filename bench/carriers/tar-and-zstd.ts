import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type Cost, timed } from "./timed.ts";

const run = promisify(execFile);

/** Packs a folder with `tar | zstd` and unpacks it again. */
export async function tarAndZstd(
  folder: string,
  work: string,
): Promise<{ readonly save: Cost; readonly restore: Cost }> {
  const archive = path.join(work, "archive.tzst");
  const into = path.join(work, "unpacked");
  await mkdir(into, { recursive: true });
  const pipe = (script: string): Promise<unknown> =>
    run("bash", ["-c", `set -o pipefail; ${script}`, "-", folder, archive, into]);
  const [save] = await timed(() => pipe('tar -C "$1" -cf - . | zstd -q -o "$2"'));
  const [restore] = await timed(() => pipe('zstd -q -d -c "$2" | tar -C "$3" -xf -'));
  return { save, restore };
}
